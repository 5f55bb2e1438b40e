import { h, type View } from "../lib/dom"
import { districtName } from "../lib/districts"
import { taka } from "../lib/format"
import type { Plans } from "../store/plans"
import type { Cart, Order } from "../store/types"
import { language, t } from "../text"
import { nameOf, type KnownAddress } from "./address-fields"
import { PlanLine } from "./plan"

/** An image of a product, or an empty tile. The name beside it already describes it, so its alt text is empty. */
export function Thumbnail({ src }: { src?: string | null }): View {
  return <div class="thumbnail">{src && <img src={src} alt="" width="160" height="160" loading="lazy" />}</div>
}

type ItemLike = { product_title?: string | null; title: string; variant_title?: string | null }

export const itemTitle = (item: ItemLike): string => item.product_title || item.title

/** The variant's name, unless it is the only one ("Default ..."). */
export function variantLabel(item: ItemLike): string | null {
  const label = item.variant_title
  return label && !label.toLowerCase().startsWith("default") && label !== itemTitle(item) ? label : null
}

/** The items, line by line, read-only. */
export function ItemList({ items, plans }: { items: Cart["items"] | Order["items"]; plans?: Plans }): View {
  return (
    <ul class="items">
      {(items ?? []).map((item) => (
        <li class="item">
          <Thumbnail src={item.thumbnail} />
          <div class="item-text">
            <p class="item-title">{itemTitle(item)}</p>
            <p class="muted small">
              {variantLabel(item)} {t.summary.quantity(item.quantity)}
            </p>
            <PlanOf item={item} plans={plans} />
          </div>
          <p class="amount">{taka(item.subtotal ?? item.unit_price * item.quantity)}</p>
        </li>
      ))}
    </ul>
  )
}

/** The price of an item's renewals; empty for a one-time purchase. */
export function PlanOf({
  item,
  plans,
}: {
  item: { variant_id?: string | null; quantity: number; metadata?: Record<string, unknown> | null }
  plans?: Plans
}): View {
  const plan = plans?.get(item.variant_id ?? "")
  return plan ? (
    <PlanLine plan={plan} quantity={item.quantity} hasNoTrial={item.metadata?.gateway_trial_refused === true} />
  ) : (
    <span hidden />
  )
}

type TotalsProps = { of: Cart | Order; withDelivery: boolean; money?: { paid: number; refunded: number } }

/**
 * The totals of a cart or an order, as Medusa computed them. `money`: of a paid order; once some of it has gone back, what
 * was paid and what is left of it.
 */
export function Totals({ of, withDelivery, money }: TotalsProps): View {
  const discount = of.discount_subtotal ?? 0
  const tax = of.tax_total ?? 0
  return (
    <dl class="totals">
      <Row label={t.summary.items} amount={of.item_subtotal ?? 0} />
      {withDelivery && <Row label={t.summary.delivery} amount={of.shipping_subtotal ?? 0} />}
      {discount > 0 && <Row label={t.summary.discount} amount={-discount} />}
      {tax > 0 && <Row label={t.summary.tax} amount={tax} />}
      <Row label={t.summary.total} amount={boughtFor(of)} strong />
      {money !== undefined &&
        money.refunded > 0 && [
          <Row label={t.order.paid} amount={money.paid} />,
          <Row label={t.order.refunded} amount={-money.refunded} />,
          <Row label={t.summary.left} amount={money.paid - money.refunded} strong />,
        ]}
    </dl>
  )
}

/** What its goods and delivery cost: a refund for goods that stay reduces Medusa's total of an order by a credit line. */
export const boughtFor = (of: { total?: number | null; credit_line_total?: number | null }): number =>
  (of.total ?? 0) + (of.credit_line_total ?? 0)

function Row({ label, amount, strong }: { label: string; amount: number; strong?: boolean }): View {
  return (
    <div class={strong ? "total" : null}>
      <dt>{label}</dt>
      <dd class="amount">{taka(amount)}</dd>
    </div>
  )
}

export function AddressText({ address }: { address: KnownAddress }): View {
  const name = nameOf(address)
  const place = [districtName(address.city ?? "", language === "bn"), address.postal_code].filter(Boolean).join(" ")
  const lines = [name, address.address_1, address.address_2, place, address.phone].filter(Boolean)
  return (
    <address>
      {lines.map((line) => (
        <span>{line}</span>
      ))}
    </address>
  )
}
