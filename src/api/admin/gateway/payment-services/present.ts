import { formatAmount } from "../../../../modules/gateway/kernel/money"
import type { PaymentServiceSetting } from "../../../../modules/gateway/merchants/payment-settings"

/** `possible`: the acquirers that may serve it. */
export function presentPaymentService(
  { fee_basis_points, fee_fixed_minor, acquirers, ...row }: PaymentServiceSetting,
  possible: readonly { id: string; name: string }[]
): object {
  return {
    ...row,
    acquirers: acquirers ?? [],
    possible_acquirers: possible,
    fee_percent: formatAmount(fee_basis_points),
    fee_fixed: formatAmount(fee_fixed_minor),
  }
}
