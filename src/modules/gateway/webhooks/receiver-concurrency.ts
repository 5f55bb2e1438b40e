/** In flight to a receiver of which nothing is known, and at most to one that keeps answering. */
const FIRST_WINDOW = 4
const LARGEST_WINDOW = 16
/** One receiver may have this part of the free places, and always one. */
const SHARE = 24

type Lane = { inFlight: number; window: number }

/**
 * What may be claimed now. By receiver_key: the places left to it, and how many it has taken, which decides whose turn it is.
 * `others` are the places of every receiver_key that is not named.
 */
export type Room = { receivers: Readonly<Record<string, readonly [left: number, taken: number]>>; others: number }

/**
 * How many deliveries are in flight to each receiver, and how many may be. A receiver gets few places until it has
 * answered, one more with every acknowledgement, and half of them with every failure. The fewer places are free, the
 * fewer goes to each: so hundreds that hang leave room for the others, even when they had been answering before. It
 * is kept in memory only; to forget it costs nothing.
 */
export class ReceiverConcurrency {
  private readonly receivers = new Map<string, Lane>()
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
      receivers: Object.fromEntries(
        [...this.receivers].map(([name, receiver_key]) => [name, [left(receiver_key), receiver_key.inFlight]])
      ),
      others: Math.min(FIRST_WINDOW, share),
    }
  }

  begin(name: string): void {
    const receiver_key = this.receivers.get(name) ?? { inFlight: 0, window: FIRST_WINDOW }
    receiver_key.inFlight += 1
    this.taken += 1
    this.receivers.set(name, receiver_key)
  }

  end(name: string, acknowledged: boolean): void {
    const receiver_key = this.receivers.get(name)
    if (receiver_key === undefined) {
      return
    }
    receiver_key.inFlight -= 1
    this.taken -= 1
    receiver_key.window = acknowledged
      ? Math.min(LARGEST_WINDOW, receiver_key.window + 1)
      : Math.max(1, Math.floor(receiver_key.window / 2))
  }

  /** Receivers with nothing in flight begin anew, so that the map does not grow with every receiver there ever was. */
  forgetIdle(): void {
    for (const [name, { inFlight }] of this.receivers) {
      if (inFlight === 0) {
        this.receivers.delete(name)
      }
    }
  }
}

/**
 * The receivers of which there may be more than was claimed with this room: those that had no place left, and those
 * that gave as many as there was room for.
 */
export function receiversWithMore(room: Room, claimed: readonly { receiver_key: string }[]): Set<string> {
  const counts = new Map<string, number>()
  claimed.forEach(({ receiver_key }) => counts.set(receiver_key, (counts.get(receiver_key) ?? 0) + 1))
  const full = Object.entries(room.receivers).filter(
    ([receiver_key, [left]]) => (counts.get(receiver_key) ?? 0) >= left
  )
  const others = [...counts].filter(
    ([receiver_key, count]) => !(receiver_key in room.receivers) && count >= room.others
  )
  return new Set([...full, ...others].map(([receiver_key]) => receiver_key))
}
