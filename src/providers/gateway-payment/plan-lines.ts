import type { BigNumberInput, Query } from "@medusajs/framework/types"
import { MathBN } from "@medusajs/framework/utils"
import { messageOf } from "../../i18n/message"
import { asciiDigits } from "../../i18n/typed"
import { GatewayError } from "../../modules/gateway/kernel/errors"
import {
  periodPrice,
  shareOut,
  totalOf,
  type InvoiceLine,
} from "../../modules/gateway/subscriptions/invoice-line-rules"
import { LIMITS } from "../../modules/gateway/kernel/limits"
import { formatAmount } from "../../modules/gateway/kernel/money/money"
import { normalisePhone } from "../../modules/gateway/kernel/text/phone"
import type GatewayModuleService from "../../modules/gateway/service"
import type { Plan } from "../../modules/gateway/plans/service"
import type { DeliveryAddress, PlanLine, PlanPurchase } from "../../modules/gateway/subscriptions/store/purchases"
import type { Tenant } from "../../modules/gateway/kernel/types"
import type { CartAddress } from "./cart"
import { itemName } from "./order"
import { refusedLines, trialOf, type PricedLine } from "./plan-trials"
import { toMinor } from "./session"

/** The link of src/links/variant-plan. */
export const VARIANT_PLAN_LINK = "product_variant_gateway_plan"
export type PlanLink = { product_variant_id: string; gateway_plan_id: string }

type Priced = { total: BigNumberInput; tax_total: BigNumberInput; discount_total: BigNumberInput }
type Line = PricedLine & {
  variant_id: string | null
  requires_shipping: boolean
  quantity: BigNumberInput
  title: string
  product_title?: string | null
  variant_title?: string | null
} & Priced
export type Person = {
  id: string
  has_account: boolean
  email: string
  first_name?: string | null
  last_name?: string | null
  phone?: string | null
}
type Cart = {
  id: string
  currency_code: string
  customer?: Person | null
  shipping_address?: (CartAddress & { metadata?: Record<string, unknown> | null }) | null
  items: Line[]
  total: BigNumberInput
  shipping_methods: (ShippingMethod & Priced & { name: string; original_total: BigNumberInput })[]
}
type ShippingMethod = { shipping_option_id: string | null }

const FIELDS = [
  "id",
  "currency_code",
  "total",
  "customer.*",
  "shipping_address.*",
  "items.*",
  "items.total",
  "items.tax_total",
  "items.discount_total",
  "shipping_methods.*",
  "shipping_methods.total",
  "shipping_methods.tax_total",
  "shipping_methods.discount_total",
  "shipping_methods.original_total",
]

/**
 * The subscriptions that a cart's payment begins: its lines whose variants are sold on a plan of this merchant. Null
 * when there are none. Throws INVALID_CURRENCY for a cart in another currency than the plan, whose renewals would cost
 * something else than was shown; INVALID_REQUEST for a shopper without an account, who could not manage them, and for a
 * line whose renewals would cost too much; PLAN_INACTIVE for an archived plan; CART_CHANGED for a line that costs what
 * a trial does and gets none.
 */
export async function planPurchaseOf(
  query: Pick<Query, "graph">,
  gateway: GatewayModuleService,
  tenant: Tenant,
  cart_id: string
): Promise<PlanPurchase | null> {
  const { data } = await query.graph({ entity: "cart", fields: FIELDS, filters: { id: cart_id } })
  const cart = data[0] as unknown as Cart | undefined
  const items = cart?.items ?? []
  const plans = await plansOf(
    query,
    gateway,
    tenant,
    items.flatMap(({ variant_id }) => variant_id ?? [])
  )
  const sold = soldLines(items, plans)
  if (cart === undefined || sold.length === 0) {
    return null
  }
  const sent = deliveryMethod(cart.shipping_methods)
  const delivery = sent === undefined ? 0n : toMinor(sent.original_total)
  const currency = cart.currency_code.toUpperCase()
  const shares = sharesOf(cart, sold)
  const priced = sold.map(({ line, plan }, index) =>
    planLine(line, plan, { currency, delivery: line.requires_shipping ? delivery : 0n, lines: shares[index] })
  )
  if (!cart.customer?.has_account) {
    throw signInFirst()
  }
  const customer = billed(cart.customer, cart.shipping_address?.phone)
  const store_customer_id = cart.customer.id
  const refused = await refusedLines(gateway, tenant, { cart_id, person: { ...customer, store_customer_id }, sold })
  const lines = priced.map((line, index) => ({ ...line, ...trialOf(sold[index], refused.has(sold[index].line)) }))
  return { cart_id, store_customer_id, customer, delivery_address: addressOf(cart), lines }
}

/** The lines of a cart that are sold on a plan, in the order in which their subscriptions begin. */
export function soldLines<Line extends { id: string; variant_id: string | null }>(
  items: readonly Line[],
  plans: ReadonlyMap<string, Plan>
): { line: Line; plan: Plan }[] {
  const sold = items.flatMap((line) => {
    const plan = line.variant_id === null ? undefined : plans.get(line.variant_id)
    return plan === undefined ? [] : [{ line, plan }]
  })
  return sold.sort((one, other) => (one.line.id < other.line.id ? -1 : 1))
}

/** A subscription must not begin in somebody else's account. */
export function signInFirst(): GatewayError {
  return new GatewayError("INVALID_REQUEST", messageOf("refusal.plan_sign_in"))
}

/** The links of variants to plans, whichever merchant's. */
export async function planLinksOf(query: Pick<Query, "graph">, variantIds: readonly string[]): Promise<PlanLink[]> {
  if (variantIds.length === 0) {
    return []
  }
  const { data } = await query.graph({
    entity: VARIANT_PLAN_LINK,
    fields: ["product_variant_id", "gateway_plan_id"],
    filters: { product_variant_id: [...new Set(variantIds)] },
  })
  return data as unknown as PlanLink[]
}

/** The plans on which variants are sold, by variant; plans of other merchants and environments are left out. */
export async function plansOf(
  query: Pick<Query, "graph">,
  gateway: GatewayModuleService,
  tenant: Tenant,
  variantIds: readonly string[]
): Promise<Map<string, Plan>> {
  const links = await planLinksOf(query, variantIds)
  const plans = await gateway.plans.byRowIds(
    tenant,
    links.map(({ gateway_plan_id }) => gateway_plan_id)
  )
  return new Map(
    links.flatMap(({ product_variant_id, gateway_plan_id }) => {
      const plan = plans.find(({ id }) => id === gateway_plan_id)
      return plan === undefined ? [] : [[product_variant_id, plan] as const]
    })
  )
}

/**
 * The delivery of a cart or an order that its renewals have. Of several, which shipping profiles lead to, the same one
 * whichever order they are read in.
 */
export function deliveryMethod<Method extends ShippingMethod>(methods: readonly Method[]): Method | undefined {
  const chosen = methods.filter(({ shipping_option_id }) => shipping_option_id !== null)
  return chosen.sort((one, other) => (String(one.shipping_option_id) < String(other.shipping_option_id) ? -1 : 1))[0]
}

/** Where the renewals of a cart go. */
export function addressOf({ shipping_address }: Pick<Cart, "shipping_address">): DeliveryAddress | null {
  if (!shipping_address) {
    return null
  }
  const part = (name: Exclude<keyof DeliveryAddress, "metadata">) => shipping_address[name] ?? null
  const digits = (name: "phone" | "postal_code") => asciiDigits(part(name) ?? "") || null
  return {
    first_name: part("first_name"),
    last_name: part("last_name"),
    company: part("company"),
    address_1: part("address_1"),
    address_2: part("address_2"),
    city: part("city"),
    province: part("province"),
    postal_code: digits("postal_code"),
    country_code: part("country_code"),
    phone: digits("phone"),
    metadata: shipping_address.metadata ?? null,
  }
}

/**
 * What the invoice of each plan in the cart is of; together they are what the cart costs. The delivery belongs to the
 * first that is sent; a free trial gets no invoice, so nothing else goes to it.
 */
function sharesOf(cart: Cart, sold: readonly { line: Line; plan: Plan }[]): InvoiceLine[][] {
  const goods = cart.items.filter((line) => sold.every((one) => one.line !== line))
  const deliveries = cart.shipping_methods.map((method) => invoiceLine("delivery", method.name, method, 1))
  const isDelivered = totalOf(deliveries) > 0
  const main = [
    sold.findIndex(({ line }) => isDelivered && line.requires_shipping),
    sold.findIndex(({ line, plan }) => !plan.trial_period_days || toMinor(line.total) > 0n),
    0,
  ].find((index) => index >= 0)
  return shareOut(
    sold.map(({ line }) => invoiceLine("plan", null, line, line.quantity)),
    [...goods.map((line) => invoiceLine("goods", itemName(line), line, line.quantity)), ...deliveries],
    { main: main ?? 0, total: Number(toMinor(cart.total)) }
  )
}

function invoiceLine(
  kind: InvoiceLine["kind"],
  name: string | null,
  { total, tax_total, discount_total }: Priced,
  quantity: BigNumberInput
): InvoiceLine {
  return {
    kind,
    name,
    quantity: MathBN.convert(quantity).toNumber(),
    amount_minor: Number(toMinor(total)),
    discount_minor: Number(toMinor(discount_total)),
    tax_minor: Number(toMinor(tax_total)),
  }
}

type LineTerms = { currency: string; delivery: bigint; lines: readonly InvoiceLine[] }

/** `delivery`: its price with tax and before promotions, in poisha. */
function planLine(
  line: Line,
  plan: Plan,
  { currency, delivery, lines }: LineTerms
): Omit<PlanLine, "trial_period_days" | "trial_refused"> {
  const quantity = MathBN.convert(line.quantity).toNumber()
  const name = line.product_title || line.title
  if (plan.currency !== currency) {
    const params = { name, plan: plan.currency, currency }
    throw new GatewayError("INVALID_CURRENCY", messageOf("refusal.plan_currency", params))
  }
  if (!plan.is_active) {
    throw new GatewayError("PLAN_INACTIVE", messageOf("refusal.plan_not_sold", { name }))
  }
  const amount = BigInt(plan.amount_minor) * BigInt(quantity) + delivery
  if (amount > LIMITS.orderAmountMaxMinor) {
    const max = formatAmount(LIMITS.orderAmountMaxMinor)
    throw new GatewayError("INVALID_REQUEST", messageOf("refusal.plan_too_many", { quantity, name, max }))
  }
  return {
    line_item_id: line.id,
    variant_id: String(line.variant_id),
    plan_id: plan.id,
    quantity,
    amount_minor: Number(amount),
    delivery_minor: Number(delivery),
    paid_minor: periodPrice(lines, line.requires_shipping),
    lines,
    billing_cycles: plan.billing_cycles,
  }
}

/** The account's own address, not what was typed into the cart. */
export function billed(customer: Person, cartPhone: string | null | undefined): PlanPurchase["customer"] {
  const phone = asciiDigits(customer.phone || cartPhone || "") || null
  const name = [customer.first_name, customer.last_name].filter(Boolean).join(" ").trim()
  return {
    name: (name || customer.email).slice(0, LIMITS.customerFieldMaxChars),
    email: customer.email,
    phone,
    phone_e164: phone === null ? null : normalisePhone(phone),
  }
}
