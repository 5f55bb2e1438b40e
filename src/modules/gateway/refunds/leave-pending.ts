import { refundReleased } from "../ledger/rules"
import { nextInquiryAt } from "../kernel/money/retry-schedule"
import { refundable } from "./rules"
import { refundMachine, type RefundTrigger } from "./states"
import { actorOf, audit, type By } from "../kernel/database/audit"
import type { Sql } from "../kernel/database/database"
import { post } from "../ledger/records"
import { merchantNow } from "../payments/records"
import { emitRefundEvents, type Held, type Refund } from "./records"

/** The reviewer and their note. */
type Review = { by: By; note: string | null }

/** The actions in the audit log, in the past tense. */
const DONE = { cancel: "cancelled", reject: "rejected", process: "approved" } as const

/**
 * Moves a refund out of pending: it is processed, or cancelled, which releases its reservation. Errors:
 * INVALID_STATE_TRANSITION when it is no longer pending.
 */
export async function leavePending(
  sql: Sql,
  { refund, record }: Held,
  on: Extract<RefundTrigger, "cancel" | "reject" | "process">,
  review: Review | null = null
): Promise<Held> {
  const { to: state, emits } = refundMachine.require(refund.state, on)
  const now = merchantNow(record)
  const released = state === "cancelled" ? refund.amount_minor : 0
  const refunded_minor = record.refunded_minor - released
  const moved: Refund = {
    ...refund,
    state,
    reviewed_by: review === null ? refund.reviewed_by : actorOf(review.by).id,
    review_note: review?.note ?? refund.review_note,
    lock_token: null,
  }
  await sql.query(
    `WITH released AS (
       UPDATE gateway_transaction SET refunded_minor = $2, updated_at = now() WHERE id = $1 AND refunded_minor <> $2)
     UPDATE gateway_refund SET state = $4, inquiry_at = $5, reviewed_by = $6, review_note = $7, lock_token = NULL,
       locked_until = NULL, updated_at = now()
     WHERE id = $3 AND state = 'pending'`,
    [
      record.transaction_id,
      refunded_minor,
      refund.id,
      state,
      state === "processing" ? nextInquiryAt(now, 0) : null,
      moved.reviewed_by,
      moved.review_note,
    ]
  )
  if (state === "cancelled") {
    await post(sql, [refundReleased(moved, now)])
  }
  if (review !== null) {
    const entry = {
      merchant_id: refund.merchant_id,
      environment: refund.environment,
      by: review.by,
      resource_id: refund.id,
    }
    await audit(sql, {
      ...entry,
      action: `refund.${DONE[on]}`,
      before: { state: refund.state },
      after: { state, note: moved.review_note },
    })
  }
  const after = { ...record, refunded_minor }
  await emitRefundEvents(sql, after, [{ refund: moved, emits, remaining_minor: Number(refundable(after)) }], now)
  return { refund: moved, record: after }
}
