import { formatAmount } from "../../../../../modules/gateway/kernel/money"
import type { PaymentLink } from "../../../../../modules/gateway/links/records"
import { linkUrl, statusOf } from "../../../../../modules/gateway/links/rules"

/** A payment link as merchants see it; anybody with `url` may see and pay it. `now`: the merchant's clock. */
export function presentLink(link: PaymentLink, now: Date, publicUrl: string): Record<string, unknown> {
  const { customer } = link
  return {
    link_id: link.id,
    url: linkUrl(publicUrl, link.token),
    status: statusOf(link, now),
    amount: formatAmount(link.amount_minor),
    currency: link.currency,
    description: link.description,
    customer: customer && { name: customer.name, email: customer.email, phone: customer.phone },
    transaction_id: link.transaction_id,
    expires_at: link.expires_at?.toISOString() ?? null,
    paid_at: link.paid_at?.toISOString() ?? null,
    disabled_at: link.disabled_at?.toISOString() ?? null,
    created_at: link.opened_at.toISOString(),
  }
}
