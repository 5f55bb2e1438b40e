import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { ROOT } from "../../lib/console.mjs"

const MB = 1_048_576
const REPORT_TIMEOUT_MS = 60_000
export const HEAP_REPORT = join(ROOT, "scripts/chaos/hostile/heap-report.cjs")

/** Resident memory of a process in bytes; null once it is gone. */
export function rssOf(pid) {
  try {
    return Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))[1]) * 1024
  } catch {
    return null
  }
}

/** Files and sockets that a process holds open. */
export const openFiles = (pid) => readdirSync(`/proc/${pid}/fd`).length

/** What the store's process keeps after a collection, in bytes (heap-report.cjs). */
export async function heldBy({ pid, heapFile }) {
  rmSync(heapFile, { force: true })
  process.kill(pid, "SIGUSR2")
  for (const deadline = Date.now() + REPORT_TIMEOUT_MS; !existsSync(heapFile); await sleep(50)) {
    if (Date.now() > deadline) {
      throw new Error("the store did not tell what its heap holds")
    }
  }
  return JSON.parse(readFileSync(heapFile, "utf8")).held
}

const median = (values) => values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)]
export const megabytes = (bytes) => `${(bytes / MB).toFixed(1)} MB`

/** Reads resident memory once a second, for a verdict at the end. */
export class MemoryWatch {
  #samples = []
  #timer

  constructor(pid) {
    this.pid = pid
    const read = () => this.#samples.push(rssOf(pid) ?? 0)
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
 * is measured by `heldBy`, which is exact to a few megabytes.
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
