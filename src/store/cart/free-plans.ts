import { randomUUID } from "node:crypto"
import type { BigNumberInput, MedusaContainer } from "@medusajs/framework/types"
import { ContainerRegistrationKeys, MathBN } from "@medusajs/framework/utils"
import { messageOf } from "../../i18n/message"
import { gatewayIn } from "../../modules/gateway"
import { DUE_WORK, DueWork } from "../../modules/gateway/kernel/database/due-work"
import { GatewayError } from "../../modules/gateway/kernel/errors"
import type { Tenant } from "../../modules/gateway/kernel/types"
import { totalOf } from "../../modules/gateway/subscriptions/invoice-line-rules"
import type { DueCart } from "../../modules/gateway/subscriptions/store/free-purchases"
import type { PlanLine, PlanPurchase } from "../../modules/gateway/subscriptions/store/purchases"
import { orderOfCart } from "../../providers/gateway-payment/cart"
import { planLinksOf, planPurchaseOf, plansOf, signInFirst } from "../../providers/gateway-payment/plan-lines"

/** The right to make the order of a free cart. */
export type FreeRun = { free_cart_id: string; token: string }

/** What Medusa read, and makes the order of. */
type FreeCart = {
  id: string
  completed_at: Date | null
  raw_total: BigNumberInput
  items: { id: string; variant_id: string | null; quantity: BigNumberInput }[]
}
type FreePlans = { tenant: Tenant; purchase: PlanPurchase }

/**
 * The signed-in customer completes a cart, over the Store API. If it is free and begins subscriptions, this writes down
 * who agrees to them. Throws INVALID_REQUEST for anybody but the cart's customer: in Medusa, whoever types a customer's
 * e-mail address into a cart makes the cart that customer's.
 */
export async function agreeToFreePlans(
  container: MedusaContainer,
  cart_id: string,
  signed_in: string | null
): Promise<void> {
  const query = container.resolve(ContainerRegistrationKeys.QUERY)
  const { data } = await query.graph({
    entity: "cart",
    fields: ["id", "completed_at", "total", "raw_total", "items.*"],
    filters: { id: cart_id },
  })
  const cart = data[0] as unknown as FreeCart | undefined
  if (cart === undefined || cart.completed_at !== null || MathBN.gt(cart.raw_total, 0)) {
    return
  }
  const plans = await freePlansOf(container, cart)
  if (plans === null) {
    return
  }
  if (plans.purchase.store_customer_id !== signed_in) {
    throw signInFirst()
  }
  await gatewayIn(container).freePurchases.agree(plans.tenant, plans.purchase)
}

/**
 * Runs before Medusa makes the order of a free cart: one run at a time. Null: the cart begins no subscription, or has
 * its order. "taken": another run is making the order, or has made it. Throws CART_CHANGED when the cart's customer has
 * not agreed, or the order would be of other lines than those whose subscriptions begin.
 */
export async function lockFreePlans(container: MedusaContainer, cart: FreeCart): Promise<FreeRun | "taken" | null> {
  if (MathBN.gt(cart.raw_total, 0) || cart.completed_at !== null) {
    return null
  }
  const { freePurchases } = gatewayIn(container)
  const plans = await freePlansOf(container, cart)
  if (plans === null) {
    return (await freePurchases.withdraw(cart.id)) ? null : "taken"
  }
  const run = { free_cart_id: cart.id, token: randomUUID() }
  if (!(await freePurchases.lock(plans.tenant, plans.purchase, run.token))) {
    return "taken"
  }
  // An order that was made after the cart was read begins its subscriptions with the next run of the task.
  return (await hasOrder(container, run)) ? "taken" : run
}

/** A step that throws is not rolled back itself, so the lock is released here. */
async function hasOrder(container: MedusaContainer, { free_cart_id, token }: FreeRun): Promise<boolean> {
  try {
    return (await orderOfCart(container.resolve(ContainerRegistrationKeys.QUERY), free_cart_id)) !== null
  } catch (error) {
    await gatewayIn(container).freePurchases.unlock(free_cart_id, token)
    throw error
  }
}

type Order = { created_at: string | Date; canceled_at: string | Date | null; total: BigNumberInput }

/**
 * Begins the subscriptions of a free cart that has its order; false: it has none yet. Any process may call it, any
 * number of times.
 */
export async function beginFreePlans(container: MedusaContainer, cart_id: string): Promise<boolean> {
  const query = container.resolve(ContainerRegistrationKeys.QUERY)
  const { freePurchases } = gatewayIn(container)
  const order_id = await orderOfCart(query, cart_id)
  const fields = ["created_at", "canceled_at", "total"]
  const { data } =
    order_id === null ? { data: [] } : await query.graph({ entity: "order", fields, filters: { id: order_id } })
  const order = data[0] as unknown as Order | undefined
  if (order_id === null || order === undefined) {
    return false
  }
  if (MathBN.gt(order.total, 0) || order.canceled_at) {
    // The cart was changed and paid after a run that died, or nobody gets what was ordered.
    await freePurchases.dismiss(cart_id)
  } else {
    await freePurchases.begin(cart_id, order_id, new Date(order.created_at))
  }
  return true
}

/** What a lost event or a process that died has left: every free cart that is due. */
export async function beginDueFreePlans(container: MedusaContainer, stop?: AbortSignal): Promise<void> {
  const { freePurchases } = gatewayIn(container)
  const due = new DueWork<DueCart>(container.resolve(ContainerRegistrationKeys.LOGGER), DUE_WORK.paidCart, {
    id: ({ cart_id }) => cart_id,
    claim: (limit, lease) => freePurchases.claim(limit, lease),
    work: async ({ cart_id, lock_token }) => {
      if (!(await beginFreePlans(container, cart_id))) {
        await freePurchases.stopWatching(cart_id, lock_token)
      }
    },
  })
  await due.run({ stop })
}

/** Null: the cart begins no subscription, whoever the merchant is. CART_CHANGED: it has changed since it was read. */
async function freePlansOf(container: MedusaContainer, cart: FreeCart): Promise<FreePlans | null> {
  const query = container.resolve(ContainerRegistrationKeys.QUERY)
  const gateway = gatewayIn(container)
  const variants = cart.items.flatMap(({ variant_id }) => variant_id ?? [])
  if ((await planLinksOf(query, variants)).length === 0) {
    return null
  }
  const tenant = await storeTenant(container)
  const plans = await plansOf(query, gateway, tenant, variants)
  const sold = cart.items.filter(({ variant_id }) => variant_id !== null && plans.has(variant_id))
  const purchase = await planPurchaseOf(query, gateway, tenant, cart.id)
  if (!isSame(sold, purchase?.lines ?? [])) {
    throw new GatewayError("CART_CHANGED", messageOf("refusal.cart_plans_changed"))
  }
  return purchase === null ? null : { tenant, purchase }
}

/**
 * Whether the order has exactly these lines, and they cost nothing. Otherwise a subscription would begin without its
 * goods or for another quantity, or with a price that nobody has paid.
 */
function isSame(sold: FreeCart["items"], lines: readonly PlanLine[]): boolean {
  const quantities = new Map(sold.map(({ id, quantity }) => [id, MathBN.convert(quantity).toNumber()]))
  return (
    lines.length === sold.length &&
    lines.every((line) => quantities.get(line.line_item_id) === line.quantity && totalOf(line.lines) === 0)
  )
}

/** MERCHANT_SUSPENDED: a suspended merchant sells nothing. */
async function storeTenant(container: MedusaContainer): Promise<Tenant> {
  const { merchants, options } = gatewayIn(container)
  const { id: merchant_id, status } = await merchants.storeMerchant(options.storeMerchantName)
  if (status === "suspended") {
    throw new GatewayError("MERCHANT_SUSPENDED")
  }
  return { merchant_id, environment: options.environment }
}
