import { refreshCartItemsWorkflow } from "@medusajs/medusa/core-flows"
import type { ICartModuleService, MedusaContainer, UpdateLineItemDTO } from "@medusajs/framework/types"
import { ContainerRegistrationKeys, deepEqualObj, Modules } from "@medusajs/framework/utils"
import { gatewayIn } from "../../modules/gateway"
import { billed, plansOf, soldLines, type Person } from "../../providers/gateway-payment/plan-lines"
import {
  hasPlanPrice,
  isMarked,
  refusedLines,
  TRIAL_REFUSED,
  type PricedLine,
} from "../../providers/gateway-payment/plan-trials"

type Line = PricedLine & { variant_id: string | null }
type Cart = {
  id: string
  completed_at: Date | null
  currency_code: string
  customer?: Person | null
  shipping_address?: { phone?: string | null } | null
  items: Line[]
}
/** `price` before Medusa computes the cart; the `mark` after it, so that what a process that died has left is done again. */
type Change = { line: Line; price: Partial<UpdateLineItemDTO>; mark: boolean }

const FIELDS = ["id", "completed_at", "currency_code", "customer.*", "shipping_address.phone", "items.*"]

/**
 * Gives a line whose trial is refused the plan's price, and one whose trial is allowed again the variant's
 * (docs/decisions/11). Answers whether a price has changed: then Medusa has computed the cart and ended its checkout.
 * Nothing happens unless the cart's customer is signed in: in Medusa, whoever types an address into a cart makes the
 * cart that customer's, and would learn what that customer had.
 */
export async function priceTrials(
  container: MedusaContainer,
  cart_id: string,
  signed_in: string | null
): Promise<boolean> {
  const cart = await readCart(container, cart_id)
  const { customer } = cart ?? {}
  if (cart === undefined || cart.completed_at !== null || !customer?.has_account || customer.id !== signed_in) {
    return false
  }
  const changes = await changesOf(container, cart, customer)
  if (changes.length === 0) {
    return false
  }
  const lines = container.resolve(Modules.CART)
  await update(lines, changes, ({ price }) => price)
  try {
    await refreshCartItemsWorkflow(container).run({ input: { cart_id, force_refresh: true } })
  } catch (error) {
    // The cart is being paid, or another request changes it: it stays as it was.
    await update(lines, changes, ({ line }) => formerOf(line))
    throw error
  }
  // Medusa merges metadata: an empty text removes the member.
  await update(lines, changes, ({ mark }) => ({ metadata: { [TRIAL_REFUSED]: mark || "" } }))
  return true
}

/**
 * The cart is about to get another region, with which Medusa deletes lines that have a price of their own: theirs is the
 * variant's again, until the cart is priced after the change.
 */
export async function releasePrices(container: MedusaContainer, cart_id: string): Promise<void> {
  const cart = await readCart(container, cart_id)
  const marked = (cart?.items ?? []).filter(isMarked)
  if (marked.length > 0) {
    const changes = marked.map((line) => ({ line, price: OF_VARIANT, mark: true }))
    await update(container.resolve(Modules.CART), changes, ({ price }) => price)
  }
}

/** What a shopper adds to a cart, as Medusa's workflow takes it. */
export type AddedLine = { variant_id: string; quantity: number; metadata?: Record<string, unknown> | null }

/**
 * Medusa adds what is in the cart already to its line, unless the line has a price of its own: then only what is added
 * at the same price and with the same metadata. So a line at the plan's price gets what is added to it with both, and
 * stays one line, hence one subscription. Another request may change the line meanwhile: then Medusa makes a second
 * line at this price, and no price is wrong.
 */
export async function asLineOfCart(container: MedusaContainer, cart_id: string, added: AddedLine): Promise<AddedLine> {
  const cart = await readCart(container, cart_id)
  const alike = (cart?.items ?? [])
    .filter(({ variant_id, metadata }) => variant_id === added.variant_id && isSameWish(metadata, added.metadata))
    .sort((one, other) => (one.id < other.id ? -1 : 1))
  const [line] = alike
  if (line === undefined || !alike.every(isMarked)) {
    return added
  }
  const { metadata, unit_price, is_tax_inclusive } = line
  return { ...added, metadata, unit_price, is_tax_inclusive } as AddedLine
}

function isSameWish(ofLine: Line["metadata"], added: Line["metadata"]): boolean {
  const [own, asked] = [ofLine, added].map((metadata) => ({ ...metadata, [TRIAL_REFUSED]: null }))
  return deepEqualObj(own, asked)
}

async function readCart(container: MedusaContainer, id: string): Promise<Cart | undefined> {
  const query = container.resolve(ContainerRegistrationKeys.QUERY)
  const { data } = await query.graph({ entity: "cart", fields: FIELDS, filters: { id } })
  return data[0] as unknown as Cart | undefined
}

async function update(
  lines: ICartModuleService,
  changes: readonly Change[],
  dataOf: (change: Change) => Partial<UpdateLineItemDTO>
): Promise<void> {
  await lines.updateLineItems(changes.map((change) => ({ selector: { id: change.line.id }, data: dataOf(change) })))
}

async function changesOf(container: MedusaContainer, cart: Cart, customer: Person): Promise<Change[]> {
  const query = container.resolve(ContainerRegistrationKeys.QUERY)
  const gateway = gatewayIn(container)
  const variants = cart.items.flatMap(({ variant_id }) => variant_id ?? [])
  const { id: merchant_id } = await gateway.merchants.storeMerchant(gateway.options.storeMerchantName)
  const tenant = { merchant_id, environment: gateway.options.environment }
  const plans = await plansOf(query, gateway, tenant, variants)
  // A plan in another currency has no price here: its cart cannot be paid.
  const currency = cart.currency_code.toUpperCase()
  const sold = soldLines(cart.items, plans).filter(({ plan }) => plan.currency === currency)
  const { email, phone_e164 } = billed(customer, cart.shipping_address?.phone)
  const person = { email, phone_e164, store_customer_id: customer.id }
  const refused = await refusedLines(gateway, tenant, { cart_id: cart.id, person, sold })
  const priced = new Map(sold.filter(({ line }) => refused.has(line)).map(({ line, plan }) => [line, plan]))
  return cart.items.flatMap((line): Change[] => {
    const plan = priced.get(line)
    if (plan === undefined) {
      return line.metadata?.[TRIAL_REFUSED] === true ? [{ line, price: OF_VARIANT, mark: false }] : []
    }
    return hasPlanPrice({ line, plan }) ? [] : [{ line, price: ofPlan(plan.amount_minor), mark: true }]
  })
}

const OF_VARIANT: Change["price"] = { is_custom_price: false }

function ofPlan(amount_minor: number): Change["price"] {
  return { unit_price: amount_minor / 100, is_custom_price: true, is_tax_inclusive: true }
}

function formerOf({ unit_price, is_custom_price, is_tax_inclusive }: Line): Change["price"] {
  return { unit_price, is_custom_price, is_tax_inclusive }
}
