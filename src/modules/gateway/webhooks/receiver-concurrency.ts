/** Deliveries in flight to a receiver: at first, and at most for one that keeps answering. */
const FIRST_WINDOW = 4
const LARGEST_WINDOW = 16
/** One receiver may use this fraction of the free places, and always one. */
const SHARE = 24

type Lane = { inFlight: number; window: number }

/**
 * What may be claimed now. For each receiver_key: its free places, and how many it has in flight, which decides its
 * turn. `others` are the places of every receiver_key that is not listed.
 */
export type Room = { receivers: Readonly<Record<string, readonly [left: number, taken: number]>>; others: number }

/**
 * Counts the deliveries in flight to each receiver and limits them. A receiver starts with few places, gets one more
 * with every acknowledgement, and loses half with every failure. The fewer places are free, the fewer each receiver may
 * use: so hundreds that hang leave room for the others, even when they had been answering before. In memory only:
 * losing it costs nothing.
 */
export class ReceiverConcurrency {
  private readonly receivers = new Map<string, Lane>()
  private taken = 0

  constructor(private readonly places: number) {}

  get free(): number {
    return this.places - this.taken
  }

  /** Claims at most half of the free places at a time: what one receiver may have depends on what is left then. */
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

  /** Receivers with nothing in flight start again, so that the map does not keep every receiver there ever was. */
  forgetIdle(): void {
    for (const [name, { inFlight }] of this.receivers) {
      if (inFlight === 0) {
        this.receivers.delete(name)
      }
    }
  }
}

/**
 * The receivers that may have more than was claimed with this room: those without a free place, and those that filled
 * their room.
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
