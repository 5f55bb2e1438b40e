import { isLate } from "../cash/rules"
import type { Sql } from "../kernel/database/database"
import { LIMITS } from "../kernel/limits"
import type { Scope } from "../kernel/types"
import { IS_UNRESOLVED } from "../payments/attempt-states"
import { endsSoon, IS_UNRELEASED, IS_UNRESOLVED_CAPTURE, lostLately } from "../payments/captures/states"
import { FAILED_REFUND, IS_UNRETURNED } from "../payments/states"

/** How many of each need an admin. */
export type Attention = Record<
  | "mismatched_payments"
  | "mismatched_refunds"
  | "unresolved_payments"
  | "unresolved_refunds"
  | "captures_ending"
  | "captures_missed"
  | "unresolved_captures"
  | "unreleased_payments"
  | "held_payments"
  | "flagged_payments"
  | "other_instalments"
  | "paid_twice"
  | "paid_without_order"
  | "late_cash_orders"
  | "stuck_cash_orders"
  | "refunds_to_approve"
  | "failed_refunds"
  | "returns_to_confirm"
  | "unreturned_verifications"
  | "disputes_to_answer"
  | "disabled_endpoints"
  | "failing_endpoints"
  | "past_due_subscriptions"
  | "unsettled_payments"
  | "failed_deliveries",
  number
>

/** What is counted elsewhere. */
type Elsewhere = "past_due_subscriptions" | "unsettled_payments"

const WAITING: Readonly<Record<Exclude<keyof Attention, Elsewhere>, string>> = {
  mismatched_payments: "gateway_transaction WHERE state = 'PROCESSING' AND amount_mismatch IS NOT NULL",
  mismatched_refunds: "gateway_refund WHERE state = 'processing' AND amount_mismatch IS NOT NULL",
  unresolved_payments: `gateway_payment_attempt WHERE ${IS_UNRESOLVED}`,
  unresolved_refunds: "gateway_refund WHERE state = 'processing' AND operator_since IS NOT NULL",
  captures_ending: `gateway_authorization WHERE ${endsSoon("$3")}`,
  captures_missed: `gateway_authorization WHERE ${lostLately("$3")}`,
  unresolved_captures: `gateway_capture WHERE ${IS_UNRESOLVED_CAPTURE}`,
  unreleased_payments: `gateway_authorization WHERE ${IS_UNRELEASED}`,
  held_payments: "gateway_transaction WHERE state = 'HELD'",
  flagged_payments: "gateway_payment_attempt WHERE state = 'SUCCEEDED' AND risk IS NOT NULL AND reviewed_at IS NULL",
  other_instalments:
    "gateway_payment_attempt WHERE state = 'SUCCEEDED' AND instalment_differences IS NOT NULL AND reviewed_at IS NULL",
  paid_twice: "gateway_payment_attempt WHERE state = 'SURPLUS'",
  paid_without_order: "gateway_cart_completion WHERE state = 'needs_attention'",
  late_cash_orders: `gateway_cash_order WHERE ${isLate("$3")}`,
  stuck_cash_orders: "gateway_cash_order WHERE stuck_since IS NOT NULL",
  refunds_to_approve: "gateway_refund WHERE state = 'pending' AND held_for = 'approval'",
  failed_refunds: `gateway_refund r WHERE ${FAILED_REFUND}`,
  returns_to_confirm: "gateway_refund_proposal WHERE state = 'open'",
  unreturned_verifications: `gateway_transaction WHERE ${IS_UNRETURNED}`,
  disputes_to_answer: "gateway_dispute WHERE state IN ('inquiry', 'needs_response') AND submitted_at IS NULL",
  disabled_endpoints:
    "gateway_webhook_endpoint WHERE NOT is_active AND disabled_reason IS NOT NULL AND deleted_at IS NULL",
  failing_endpoints: "gateway_webhook_endpoint WHERE is_active AND failing_since IS NOT NULL AND deleted_at IS NULL",
  failed_deliveries: "gateway_webhook_delivery WHERE state = 'failed'",
}

/** How many of each need attention, up to LIMITS.attentionMax: each count walks a partial index. */
export async function attention(
  sql: Sql,
  { merchant_id, environment, now }: Scope
): Promise<Omit<Attention, Elsewhere>> {
  const columns = Object.entries(WAITING).map(
    ([name, rows]) =>
      `(SELECT count(*)::int FROM (SELECT 1 FROM ${rows} AND merchant_id = $1 AND environment = $2 LIMIT ${LIMITS.attentionMax}) AS waiting) AS ${name}`
  )
  const [row] = await sql.query<Omit<Attention, Elsewhere>>(`SELECT ${columns.join(", ")}`, [
    merchant_id,
    environment,
    now,
  ])
  return row
}
