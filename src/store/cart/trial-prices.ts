import { refreshCartItemsWorkflow } from "@medusajs/medusa/core-flows"
import type { MedusaContainer, UpdateLineItemDTO } from "@medusajs/framework/types"
import { ContainerRegistrationKeys, Modules } from "@medusajs/framework/utils"
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
  customer?: Person | null
  shipping_address?: { phone?: string | null } | null
  items: Line[]
}
type Change = { selector: { id: string }; data: Partial<UpdateLineItemDTO> }

const FIELDS = ["id", "completed_at", "customer.*", "shipping_address.phone", "items.*"]

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
  const query = container.resolve(ContainerRegistrationKeys.QUERY)
  const { data } = await query.graph({ entity: "cart", fields: FIELDS, filters: { id: cart_id } })
  const cart = data[0] as unknown as Cart | undefined
  const { customer } = cart ?? {}
  if (cart === undefined || cart.completed_at !== null || !customer?.has_account || customer.id !== signed_in) {
    return false
  }
  const before = await changesOf(container, cart, customer)
  if (before.length === 0) {
    return false
  }
  const lines = container.resolve(Modules.CART)
  await lines.updateLineItems(before.map(({ change }) => change))
  try {
    await refreshCartItemsWorkflow(container).run({ input: { cart_id, force_refresh: true } })
  } catch (error) {
    // The cart is being paid, or another request changes it: it stays as it was.
    await lines.updateLineItems(before.map(({ line }) => ({ selector: { id: line.id }, data: formerOf(line) })))
    throw error
  }
  return true
}

async function changesOf(
  container: MedusaContainer,
  cart: Cart,
  customer: Person
): Promise<{ line: Line; change: Change }[]> {
  const query = container.resolve(ContainerRegistrationKeys.QUERY)
  const gateway = gatewayIn(container)
  const variants = cart.items.flatMap(({ variant_id }) => variant_id ?? [])
  const { id: merchant_id } = await gateway.merchants.storeMerchant(gateway.options.storeMerchantName)
  const tenant = { merchant_id, environment: gateway.options.environment }
  const plans = await plansOf(query, gateway, tenant, variants)
  const sold = soldLines(cart.items, plans)
  const { email, phone_e164 } = billed(customer, cart.shipping_address?.phone)
  const person = { email, phone_e164, store_customer_id: customer.id }
  const refused = await refusedLines(gateway, tenant, { cart_id: cart.id, person, sold })
  return sold.flatMap(({ line, plan }) => {
    const isRefused = refused.has(line)
    if (isRefused ? hasPlanPrice({ line, plan }) : !isMarked(line)) {
      return []
    }
    const data = isRefused ? atPlanPrice(line, plan.amount_minor) : { is_custom_price: false, metadata: unmarked(line) }
    return [{ line, change: { selector: { id: line.id }, data } }]
  })
}

function atPlanPrice({ metadata }: Line, amount_minor: number): Change["data"] {
  return {
    unit_price: amount_minor / 100,
    is_custom_price: true,
    is_tax_inclusive: true,
    metadata: { ...metadata, [TRIAL_REFUSED]: true },
  }
}

function unmarked({ metadata }: Line): Record<string, unknown> {
  const rest = { ...metadata }
  delete rest[TRIAL_REFUSED]
  return rest
}

function formerOf({ unit_price, is_custom_price, is_tax_inclusive, metadata }: Line): Change["data"] {
  return { unit_price, is_custom_price, is_tax_inclusive, metadata: metadata ?? {} }
}
