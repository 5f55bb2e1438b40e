import { audit, type By } from "../../kernel/database/audit"
import { json, type Sql } from "../../kernel/database/database"
import { emit } from "../../kernel/database/outbox"
import { formatAmount } from "../../kernel/money/money"
import { post } from "../../ledger/records"
import { capturePosting } from "../../ledger/rules"
import type { Done, Refused } from "../../acquirers/port"
import { endOf } from "../attempts"
import { queueReceipts } from "../receipt-rows"
import { merchantNow, paymentEventData, type PaymentRecord } from "../records"
import { publicStatus } from "../states"
import type { TransactionService } from "../transactions"
import { endAuthorization, STORE_DUE, type Authorization, type Capture } from "./records"
import { feeOf, feeOfNext } from "./rules"
import { captureMachine } from "./states"

/** A capture with the reserved money that it takes from; both as they are under the transaction's lock. */
type Captured = { authorization: Authorization; capture: Capture }

/**
 * The acquirer has taken the money of a capture: the payment is of the sum of its captures from now on. `sql` holds the
 * transaction's lock.
 */
export async function completeCapture(
  sql: Sql,
  transactions: TransactionService,
  record: PaymentRecord,
  { authorization, capture, answer, by = {} }: Captured & { answer: Pick<Done, "reference" | "references">; by?: By }
): Promise<PaymentRecord> {
  const now = merchantNow(record)
  const isFirst = record.state === "AUTHORIZED"
  const before = isFirst ? 0n : BigInt(record.amount_minor)
  const amount = BigInt(capture.amount_minor)
  const charge = feeOfNext(before, amount, authorization)
  const { to, emits } = captureMachine.require(capture.state, "complete")
  await sql.query(
    `UPDATE gateway_capture SET state = $2, completed_at = $3, acquirer_reference = $4, acquirer_ids = acquirer_ids || $5::jsonb,
       charge_minor = $6, inquiry_at = NULL, operator_since = NULL, error_code = NULL, error_message = NULL, updated_at = now()
     WHERE id = $1 AND state = 'processing'`,
    [capture.id, to, now, answer.reference, json(answer.references ?? {}), Number(charge)]
  )
  await sql.query(`UPDATE gateway_authorization SET store_due_at = ${STORE_DUE}, updated_at = now() WHERE id = $1`, [
    authorization.id,
  ])
  const total = before + amount
  const sums = { amount_minor: Number(total), charge_minor: Number(feeOf(total, authorization)) }
  const end = isFirst
    ? endOf("AUTHORIZED", "succeed", { acquirer_reference: record.acquirer_reference ?? "" })
    : undefined
  const next = await transactions.apply(sql, { ...record, ...sums }, "capture", now, end)
  const { merchant_id, environment, currency, transaction_id } = next
  // Instalments are never asked for with a reservation; should an acquirer only reserve all the same, they cost once.
  const emi_cost = isFirst ? BigInt(next.emi_cost_minor) : 0n
  const posted = { merchant_id, environment, currency, transaction_id, id: capture.id, amount, charge, emi_cost }
  await post(sql, [capturePosting(posted, now)])
  await emit(
    sql,
    emits.map((event_type) => ({
      merchant_id,
      environment,
      event_type,
      resource_id: transaction_id,
      data: { ...eventData(next, now), capture_id: capture.id, capture_amount: formatAmount(amount) },
      occurred_at: now,
    }))
  )
  await audit(sql, {
    merchant_id,
    environment,
    by,
    action: "payment.captured",
    resource_id: transaction_id,
    after: { capture_id: capture.id, amount: formatAmount(amount), currency, requested_by: capture.requested_by },
  })
  if (capture.is_final) {
    const isAll = total === BigInt(authorization.amount_minor)
    await endAuthorization(sql, authorization, {
      because: isAll ? "captured" : "rest",
      by: capture.requested_by,
      at: now,
      released: true,
    })
    await queueReceipt(sql, next, now)
  }
  return next
}

/** The acquirer has refused a capture: its part can be captured again. `sql` holds the transaction's lock. */
export async function failCapture(
  sql: Sql,
  record: PaymentRecord,
  { authorization, capture, answer, by = {} }: Captured & { answer: Refused; by?: By }
): Promise<void> {
  const { to } = captureMachine.require(capture.state, "fail")
  await sql.query(
    `UPDATE gateway_capture SET state = $2, error_code = $3, error_message = $4, acquirer_ids = acquirer_ids || $5::jsonb,
       inquiry_at = NULL, operator_since = NULL, updated_at = now()
     WHERE id = $1 AND state = 'processing'`,
    [capture.id, to, answer.code, answer.message, json(answer.references ?? {})]
  )
  await sql.query(
    "UPDATE gateway_authorization SET captured_minor = captured_minor - $2, updated_at = now() WHERE id = $1",
    [authorization.id, capture.amount_minor]
  )
  // The reserved money may be gone, captured or released on the acquirer's dashboard: the reconciler asks.
  await sql.query(
    "UPDATE gateway_payment_attempt SET inquiry_at = $2, updated_at = now() WHERE id = $1 AND state = 'AUTHORIZED'",
    [authorization.id, merchantNow(record)]
  )
  const { merchant_id, environment, transaction_id: resource_id } = record
  await audit(sql, {
    merchant_id,
    environment,
    by,
    action: "payment.capture_failed",
    resource_id,
    after: { capture_id: capture.id, amount: formatAmount(capture.amount_minor), error: answer.code },
  })
}

/** One receipt, of all that was captured, once nothing more can be. */
export async function queueReceipt(sql: Sql, record: PaymentRecord, at: Date): Promise<void> {
  if (record.sends_receipts) {
    await queueReceipts(sql, [{ ...record, refund_id: null, at }])
  }
}

export function eventData(record: PaymentRecord, at: Date): Record<string, unknown> {
  return paymentEventData(record, publicStatus(record.state, record.expires_at, at))
}
