/**
 * Faults by name, for the next call (or the next `times`), optionally only of one operation (`on`: "POST /v1/refunds",
 * without ids), and only after `skip` calls that it lets pass.
 */
export class Faults {
  constructor() {
    this.waiting = []
  }

  next(name, { times = 1, on = null, skip = 0 } = {}) {
    if (!NAMES.has(name)) {
      throw new TypeError(`There is no fault ${name}`)
    }
    this.waiting.push({ name, times, on, skip })
  }

  clear() {
    this.waiting = []
  }

  /** Whether the fault is due now; uses it up. */
  take(name, operation = null) {
    const index = this.waiting.findIndex(
      (fault) => fault.name === name && (fault.on === null || fault.on === operation)
    )
    if (index === -1) {
      return false
    }
    const fault = this.waiting[index]
    if (fault.skip > 0) {
      fault.skip -= 1
      return false
    }
    fault.times -= 1
    if (fault.times === 0) {
      this.waiting.splice(index, 1)
    }
    return true
  }
}

/** Before anything is done: HTTP status and error. */
export const ERRORS = {
  rate_limited: [429, { type: "invalid_request_error", code: "rate_limit", message: "Too many requests" }],
  lock_timeout: [429, { type: "invalid_request_error", code: "lock_timeout", message: "Another request holds this" }],
  conflict: [409, { type: "idempotency_error", code: "idempotency_key_in_use", message: "The key is in use" }],
  unauthorized: [401, { type: "invalid_request_error", code: "api_key_expired", message: "Expired API Key provided" }],
  forbidden: [403, { type: "invalid_request_error", message: "The restricted key has no permission" }],
  api_error: [500, { type: "api_error", message: "An unknown error occurred" }],
  maintenance: [503, { type: "api_error", message: "Down for maintenance" }],
  error_in_200: [200, { type: "api_error", message: "An error although the status says success" }],
}

export const NAMES = new Set([
  ...Object.keys(ERRORS),
  // Lost: before anything was done, after it was done, in the middle of the answer, or for good.
  "drop_before",
  "drop_after",
  "truncate",
  "hang",
  // Not Stripe's answer.
  "html",
  "html_after",
  "empty_500",
  // What an object says about itself.
  "wrong_amount",
  "wrong_currency",
  "wrong_key",
  "no_amount",
  // What becomes of a payment.
  "processing",
  "requires_action",
  "paid_before_expire",
  // What becomes of reserved money.
  "no_capture_before",
  "capture_declined",
  // What becomes of a refund.
  "refund_pending",
  "refund_requires_action",
  "refund_failed",
  "dispute",
  // Events.
  "event_never",
  "event_twice",
  "event_forged",
  "event_old",
  "event_future",
  "event_before_answer",
])
