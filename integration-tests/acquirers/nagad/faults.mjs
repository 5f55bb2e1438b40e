/**
 * Faults that the stand-in plays, each for the next `times` calls of an operation (once without it):
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
