/** Deliveries in flight to a receiver: at first, and at most for one that keeps answering. */
const FIRST_WINDOW = 4
const LARGEST_WINDOW = 16
/** One receiver may use this fraction of the free places, and always one. */
const SHARE = 24

type ReceiverLoad = { inFlight: number; window: number }

/**
 * What may be claimed now. By the key of each receiver: its free places, and how many deliveries it has in flight,
 * which decides its turn. `others` are the places of every receiver that is not listed.
 */
export type Capacity = { receivers: Readonly<Record<string, readonly [left: number, taken: number]>>; others: number }

/**
 * Counts the deliveries in flight to each receiver and limits them. A receiver starts with few places, gets one more
 * with every acknowledgement, and loses half with every failure. The fewer places are free, the fewer each receiver may
 * use: so hundreds that hang leave room for the others, even when they had been answering before. In memory only:
 * losing it costs nothing.
 */
export class ReceiverConcurrency {
  private readonly receivers = new Map<string, ReceiverLoad>()
  private taken = 0

  constructor(private readonly places: number) {}

  get free(): number {
    return this.places - this.taken
  }

  /** Claims at most half of the free places at a time: what one receiver may have depends on what is left then. */
  get next(): number {
    return Math.ceil(this.free / 2)
  }

  capacity(): Capacity {
    const share = Math.max(1, Math.floor(this.free / SHARE))
    const left = ({ inFlight, window }: ReceiverLoad) => Math.max(0, Math.min(window, share) - inFlight)
    return {
      receivers: Object.fromEntries(
        [...this.receivers].map(([key, receiver]) => [key, [left(receiver), receiver.inFlight]])
      ),
      others: Math.min(FIRST_WINDOW, share),
    }
  }

  begin(key: string): void {
    const receiver = this.receivers.get(key) ?? { inFlight: 0, window: FIRST_WINDOW }
    receiver.inFlight += 1
    this.taken += 1
    this.receivers.set(key, receiver)
  }

  end(key: string, acknowledged: boolean): void {
    const receiver = this.receivers.get(key)
    if (receiver === undefined) {
      return
    }
    receiver.inFlight -= 1
    this.taken -= 1
    receiver.window = acknowledged
      ? Math.min(LARGEST_WINDOW, receiver.window + 1)
      : Math.max(1, Math.floor(receiver.window / 2))
  }

  /** Receivers with nothing in flight start again, so that the map does not keep every receiver there ever was. */
  forgetIdle(): void {
    for (const [key, { inFlight }] of this.receivers) {
      if (inFlight === 0) {
        this.receivers.delete(key)
      }
    }
  }
}

/**
 * The receivers that may have more than was claimed with this capacity: those without a free place, and those that
 * filled their places.
 */
export function receiversWithMore(capacity: Capacity, claimed: readonly { receiver_key: string }[]): Set<string> {
  const counts = new Map<string, number>()
  claimed.forEach(({ receiver_key }) => counts.set(receiver_key, (counts.get(receiver_key) ?? 0) + 1))
  const full = Object.entries(capacity.receivers).filter(
    ([receiver_key, [left]]) => (counts.get(receiver_key) ?? 0) >= left
  )
  const others = [...counts].filter(
    ([receiver_key, count]) => !(receiver_key in capacity.receivers) && count >= capacity.others
  )
  return new Set([...full, ...others].map(([receiver_key]) => receiver_key))
}
