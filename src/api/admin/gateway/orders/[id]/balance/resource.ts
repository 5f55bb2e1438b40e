import type { BalanceToCollect } from "../../../../../../store/balance/collect"
import { formatAmount } from "../../../../../../modules/gateway/kernel/money/money"
import { presentMessageOrNull } from "../../../../../admin-kit/present"
import { presentAdminLink } from "../../../payment-links/resource"

/**
 * What is outstanding of one of the store's orders; "0.00" when nothing is to be collected. `settling`: a payment of it is
 * under way. `obstacle`: why it cannot be collected. `payment_link`: the open link that asks for it.
 */
export function presentBalance(
  { due, currency, email, isSettling, obstacle, link }: BalanceToCollect,
  publicUrl: string
) {
  return {
    outstanding: formatAmount(due > 0n ? due : 0n),
    currency,
    email,
    settling: isSettling,
    obstacle: presentMessageOrNull(obstacle),
    payment_link: link && presentAdminLink(link, new Date(), publicUrl),
  }
}
