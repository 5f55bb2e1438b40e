/** In flight to a receiver of which nothing is known, and at most to one that keeps answering. */
const FIRST_WINDOW = 4
const LARGEST_WINDOW = 16
/** One receiver may have this part of the free places, and always one. */
const SHARE = 24

type Lane = { inFlight: number; window: number }

/**
 * What may be claimed now. By lane: the places left to it, and how many it has taken, which decides whose turn it is.
 * `others` are the places of every lane that is not named.
 */
export type Room = { lanes: Readonly<Record<string, readonly [left: number, taken: number]>>; others: number }

/**
 * How many deliveries are in flight to each receiver, and how many may be. A receiver gets few places until it has
 * answered, one more with every acknowledgement, and half of them with every failure. The fewer places are free, the
 * fewer goes to each: so hundreds that hang leave room for the others, even when they had been answering before. It
 * is kept in memory only; to forget it costs nothing.
 */
export class Lanes {
  private readonly lanes = new Map<string, Lane>()
  private taken = 0

  constructor(private readonly places: number) {}

  get free(): number {
    return this.places - this.taken
  }

  /** At most half of what is free is given away at a time: how much one may have depends on what then is left. */
  get next(): number {
    return Math.ceil(this.free / 2)
  }

  room(): Room {
    const share = Math.max(1, Math.floor(this.free / SHARE))
    const left = ({ inFlight, window }: Lane) => Math.max(0, Math.min(window, share) - inFlight)
    return {
      lanes: Object.fromEntries([...this.lanes].map(([name, lane]) => [name, [left(lane), lane.inFlight]])),
      others: Math.min(FIRST_WINDOW, share),
    }
  }

  begin(name: string): void {
    const lane = this.lanes.get(name) ?? { inFlight: 0, window: FIRST_WINDOW }
    lane.inFlight += 1
    this.taken += 1
    this.lanes.set(name, lane)
  }

  end(name: string, acknowledged: boolean): void {
    const lane = this.lanes.get(name)
    if (lane === undefined) {
      return
    }
    lane.inFlight -= 1
    this.taken -= 1
    lane.window = acknowledged ? Math.min(LARGEST_WINDOW, lane.window + 1) : Math.max(1, Math.floor(lane.window / 2))
  }

  /** Receivers with nothing in flight begin anew, so that the map does not grow with every receiver there ever was. */
  forgetIdle(): void {
    for (const [name, { inFlight }] of this.lanes) {
      if (inFlight === 0) {
        this.lanes.delete(name)
      }
    }
  }
}

/**
 * The receivers of which there may be more than was claimed with this room: those that had no place left, and those
 * that gave as many as there was room for.
 */
export function lanesWithMore(room: Room, claimed: readonly { lane: string }[]): Set<string> {
  const counts = new Map<string, number>()
  claimed.forEach(({ lane }) => counts.set(lane, (counts.get(lane) ?? 0) + 1))
  const full = Object.entries(room.lanes).filter(([lane, [left]]) => (counts.get(lane) ?? 0) >= left)
  const others = [...counts].filter(([lane, count]) => !(lane in room.lanes) && count >= room.others)
  return new Set([...full, ...others].map(([lane]) => lane))
}
