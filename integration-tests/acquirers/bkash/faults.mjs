/**
 * Faults that the stand-in plays, each for the next `times` calls of an operation (once without it):
 *
 * before it acts: `slow` (ms), `lost_before`, `html`, `message_only` (status, message), `unauthorized`, `http` (status),
 *   `error` (code, shape: "status" | "error" | "refund")
 * after it has acted: `lost_after`, `html_after`, `message_only_after`, `error_after` (code, shape), `change` (fields; null
 *   removes one)
 * of a refund: `pending`
 * of a callback: `lost_query`, `change` (fields)
 * of a notification: `never`, `twice`, `forged`, `bad_host`, `other_topic`, `before_answer`, `change` (fields), `object`
 *   (the payment as an object instead of its JSON)
 *
 * Operations: grant, refresh, create, execute, query, search, refund, refund_status, agreement_status, agreement_cancel,
 * callback, notification, certificate.
 */
export const KINDS = {
  before: ["slow", "lost_before", "html", "message_only", "unauthorized", "http", "error"],
  after: ["lost_after", "html_after", "message_only_after", "error_after", "change"],
  other: ["pending", "lost_query", "never", "twice", "forged", "bad_host", "other_topic", "before_answer", "object"],
}
