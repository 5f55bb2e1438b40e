const MINUTE_MS = 60_000
/** Keys counted separately in one minute; all further keys share one count, so that keys cannot fill the memory. */
const KEYS_MAX = 1_000
const OTHERS = "others"

/** Counts by key within the current minute; each new minute starts at zero. Lives in this process's memory, bounded. */
export class PerMinute {
  private counts = new Map<string, number>()
  private endsAt = 0

  /** `limit`: how many per key `take` grants in a minute. */
  constructor(private readonly limit: number) {}

  /** Counts one, and returns whether it is within the limit. */
  take(key: string, now = Date.now()): boolean {
    if (now >= this.endsAt) {
      this.counts = new Map()
      this.endsAt = now + MINUTE_MS
    }
    const counted = this.counts.has(key) || this.counts.size < KEYS_MAX ? key : OTHERS
    const count = (this.counts.get(counted) ?? 0) + 1
    this.counts.set(counted, count)
    return count <= this.limit
  }
}
