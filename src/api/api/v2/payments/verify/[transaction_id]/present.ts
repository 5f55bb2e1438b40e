import { formatAmount } from "../../../../../../modules/gateway/kernel/money"
import { publicStatus } from "../../../../../../modules/gateway/payments/states"
import type { VerifiedRow } from "../../../../../../modules/gateway/payments/records"
import { presentEmiPlan } from "../../../../../gateway/emi-offer"
import { envelope, type Answer } from "../../../../../v2-kit/envelopes"

/**
 * Contract 2.7. No string is ever null, amounts have four decimals, the customer is echoed as submitted, and a failed
 * transaction includes the reason (decisions: Requests, Checkout, Sandbox). An EMI transaction includes its plan
 * (decisions: EMI).
 */
export function presentVerification(row: VerifiedRow, now: Date): Answer {
  const status = publicStatus(row.state, row.expires_at, now)
  const failure =
    status === "FAILED" ? { error_code: row.error_code ?? "", error_message: row.error_message ?? "" } : {}
  const data = {
    transaction_id: row.transaction_id,
    order_id: row.order_id,
    verified: row.verified_at !== null,
    status,
    amount: formatAmount(row.amount_minor, 4),
    currency: row.currency,
    charge_amount: formatAmount(row.verified_at === null ? 0 : row.charge_minor, 4),
    payment_method: row.payment_service ?? "",
    // A payment that waits for an admin has its reference already; it proves nothing yet.
    payment_reference_id: row.verified_at === null ? "" : (row.acquirer_reference ?? ""),
    customer: { ...row.customer, metadata: row.customer.metadata ?? {} },
    ...failure,
    ...(row.emi === null ? {} : { emi: presentEmiPlan(row.emi) }),
  }
  return envelope("Transaction found", data, { timestamp: now.toISOString(), status_code: 200 })
}
