import type { Sql } from "../kernel/database/database"
import type { Tenant } from "../kernel/types"
import { DESCRIPTION_IN_BANGLA } from "../plans/rules"
import type { ReceiptSubject } from "./rules"

/** What a receipt is about: a payment, or with `refund_id` one of its refunds. */
export type ReceiptOf = { transaction_id: string; refund_id: string | null }
export type OwnedSubject = Tenant & ReceiptSubject

type Row = Tenant &
  Omit<ReceiptSubject, "refund"> & {
    refund_id: string | null
    refund_minor: number | null
    refund_reason: string | null
    refunded_at: Date | null
  }

/** An automatic charge has no shopper's language: the subscription's earlier payments may have one. */
const LANGUAGE = `
  COALESCE(s.language,
    (SELECT earlier.language FROM gateway_checkout_session earlier
     WHERE earlier.subscription_id = s.subscription_id AND earlier.language IS NOT NULL
     ORDER BY earlier.created_at DESC LIMIT 1),
    (SELECT bought.language FROM gateway_store_purchase g
     JOIN gateway_transaction gt ON gt.id = g.transaction_id
     JOIN gateway_checkout_session bought ON bought.id = gt.session_id
     WHERE g.subscription_id = s.subscription_id))`

const SUBJECT = `
  SELECT t.merchant_id, t.environment, t.id AS transaction_id, t.order_id, COALESCE(s.order_number, t.order_id) AS order_number,
    t.currency, t.amount_minor, t.payment_service, t.instrument, t.verified_at, s.description, s.customer, s.items, s.tax_minor,
    to_jsonb(p) AS emi, m.name AS merchant_name, e.time_zone, m.profile, ${LANGUAGE} AS language,
    ${DESCRIPTION_IN_BANGLA},
    (SELECT o.total_minor - o.advance_minor FROM gateway_cash_order o
     WHERE o.payment_session_id = s.payment_session_id) AS in_cash_minor,
    (SELECT COALESCE(array_agg(i.number ORDER BY i.number), '{}') FROM gateway_invoice i
     JOIN gateway_billing_record b ON b.subscription_id = i.subscription_id AND b.period = i.period
     WHERE b.transaction_id = t.id AND i.status = 'PAID') AS invoice_numbers,
    (SELECT i.lines FROM gateway_invoice i WHERE i.subscription_id = s.subscription_id
       AND i.period = s.subscription_period AND i.revision = 0 AND i.amount_minor = t.amount_minor) AS invoice_lines,
    r.id AS refund_id, r.amount_minor AS refund_minor, r.reason AS refund_reason, r.completed_at AS refunded_at
  FROM gateway_transaction t
  JOIN gateway_checkout_session s ON s.id = t.session_id
  JOIN gateway_merchant m ON m.id = t.merchant_id
  JOIN gateway_merchant_environment e ON e.merchant_id = t.merchant_id AND e.environment = t.environment
  LEFT JOIN gateway_emi_plan p ON p.attempt_id = t.attempt_id
  LEFT JOIN gateway_refund r ON r.id = $2 AND r.transaction_id = t.id AND r.state = 'completed'
  WHERE t.id = $1 AND t.state IN ('SUCCESS', 'REFUNDED') AND t.verified_at IS NOT NULL`

/** Null when there is no receipt: the payment has not succeeded, or the refund is not complete (any more). */
export async function findSubject(sql: Sql, of: ReceiptOf): Promise<OwnedSubject | null> {
  const [row] = await sql.query<Row>(SUBJECT, [of.transaction_id, of.refund_id])
  if (row === undefined) {
    return null
  }
  const { refund_id: id, refund_minor: amount_minor, refund_reason: reason, refunded_at: completed_at, ...rest } = row
  if (of.refund_id === null) {
    return { ...rest, refund: null }
  }
  return id === null || amount_minor === null || reason === null || completed_at === null
    ? null
    : { ...rest, refund: { id, amount_minor, reason, completed_at } }
}
