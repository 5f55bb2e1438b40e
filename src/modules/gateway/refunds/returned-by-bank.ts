import { audit } from "../kernel/database/audit"
import type { Sql } from "../kernel/database/database"
import { formatAmount } from "../kernel/money/money"
import { post } from "../ledger/records"
import { refundBounced } from "../ledger/rules"
import type { Refused } from "../acquirers/port"
import { merchantNow } from "../payments/records"
import type { TransactionService } from "../payments/transactions"
import { emitRefundEvents, type Refund, holdRefund } from "./records"
import { refundable } from "./rules"
import { refundMachine } from "./states"

/**
 * A completed refund has failed after all, because the shopper's bank sent the money back: it is the merchant's again,
 * and can be refunded anew. Answers the refund as it now is; one that is no longer completed stays as it is. `sql` is a
 * database transaction.
 */
export async function recordReturnByBank(
  sql: Sql,
  transactions: TransactionService,
  id: string,
  { code: error_code, message: error_message }: Refused
): Promise<{ refund: Refund; isFirstReport: boolean }> {
  const { refund, record } = await holdRefund(sql, id)
  if (refund.state !== "completed") {
    return { refund, isFirstReport: false }
  }
  const { to: state, emits } = refundMachine.require(refund.state, "bounce")
  const bounced: Refund = { ...refund, state, error_code, error_message }
  const refunded_minor = record.refunded_minor - refund.amount_minor
  const now = merchantNow(record)
  if (record.state === "REFUNDED") {
    const payment = await transactions.lockSession(sql, record.session_id)
    await transactions.apply(sql, payment, "refund_bounced", now)
  }
  await sql.query(
    `WITH released AS (UPDATE gateway_transaction SET refunded_minor = $5, updated_at = now() WHERE id = $4)
     UPDATE gateway_refund SET state = 'failed', error_code = $2, error_message = $3, updated_at = now()
     WHERE id = $1 AND state = 'completed'`,
    [id, error_code, error_message, refund.transaction_id, refunded_minor]
  )
  const remaining_minor = Number(refundable({ ...record, refunded_minor }))
  await emitRefundEvents(sql, record, [{ refund: bounced, emits, remaining_minor }], now)
  await audit(sql, {
    merchant_id: refund.merchant_id,
    environment: refund.environment,
    by: {},
    action: "refund.bounced",
    resource_id: id,
    after: { amount: formatAmount(refund.amount_minor), currency: refund.currency, error_code, error_message },
  })
  await post(sql, [refundBounced(bounced, now)])
  return { refund: bounced, isFirstReport: true }
}
