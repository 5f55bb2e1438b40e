import { residentBytes } from "../../../scripts/lib/process-state.mjs"

const MB = 1_048_576

const median = (values) => values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)]
export const megabytes = (bytes) => `${(bytes / MB).toFixed(1)} MB`

/** Reads resident memory once a second, for a verdict at the end. */
export class MemoryWatch {
  #samples = []
  #timer

  constructor(pid) {
    this.pid = pid
    const read = () => this.#samples.push(residentBytes(pid) ?? 0)
    this.#timer = setInterval(read, 1_000)
    read()
  }

  stop() {
    clearInterval(this.#timer)
    const quarter = Math.max(1, Math.floor(this.#samples.length / 4))
    const second = median(
      this.#samples.slice(quarter, 2 * quarter).length ? this.#samples.slice(quarter, 2 * quarter) : this.#samples
    )
    const last = median(this.#samples.slice(-quarter))
    return { second, last }
  }
}

/**
 * Resident memory may grow by a fifth and 64 MB between the medians of the second and the last quarter: V8 gives pages
 * back late, and how large it lets the young generation become depends on how busy the machine is. What is really kept
 * is measured by a heap probe, which is exact to a few megabytes.
 */
export const residentTolerance = ({ second }) => second * 0.2 + 64 * MB

/** Below so many requests the heap is still growing to its working size, and resident memory says nothing. */
export const RESIDENT_FROM = 200_000

/**
 * What may be kept more, in bytes, after so many requests: 12 MB, because caches have limits (compiled queries, rate
 * counters, the database driver's statements), and 12 bytes a request, where the smallest leak that
 * was found here kept 700.
 */
export const heldTolerance = (requests) => 12 * MB + 12 * requests
