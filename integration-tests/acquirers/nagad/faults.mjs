/**
 * Faults that the stand-in plays, each for the next `times` calls of an operation (once without one):
 *
 * before it acts: `slow` (ms), `lost_before`, `html`, `empty`, `null`, `http` (status), `error` (reason, message)
 * after it has acted: `lost_after`, `html_after`, `empty_after`, `forged` (signed with another key), `unreadable`
 *   (encrypted for another), `change` (fields of the answer; null removes one)
 * of a callback: `lost_query`, `change` (fields)
 *
 * Operations: initialize, complete, verify, cancel, callback.
 */
export const KINDS = {
  before: ["slow", "lost_before", "html", "empty", "null", "http", "error"],
  after: ["lost_after", "html_after", "empty_after", "forged", "unreadable", "change"],
  callback: ["lost_query", "change"],
}
const ALL_KINDS = Object.values(KINDS).flat()

export class Faults {
  #queue = []

  add(fault) {
    if (!ALL_KINDS.includes(fault.kind)) {
      throw new Error(`Unknown fault ${fault.kind}`)
    }
    this.#queue.push({ times: 1, ...fault })
  }

  clear() {
    this.#queue = []
  }

  /** The next fault of an operation among these kinds; taking it uses it up. */
  take(operation, kinds) {
    const fault = this.#queue.find(({ on, kind, times }) => on === operation && kinds.includes(kind) && times > 0)
    if (fault) {
      fault.times -= 1
    }
    return fault
  }
}
