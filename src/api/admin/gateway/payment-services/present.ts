import { formatAmount } from "../../../../modules/gateway/kernel/money"
import type { PaymentServiceSetting } from "../../../../modules/gateway/merchants/payment-settings"

export function presentPaymentService({ fee_basis_points, fee_fixed_minor, ...row }: PaymentServiceSetting): object {
  return { ...row, fee_percent: formatAmount(fee_basis_points), fee_fixed: formatAmount(fee_fixed_minor) }
}
