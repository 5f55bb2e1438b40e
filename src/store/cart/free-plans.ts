import { randomUUID } from "node:crypto"
import type { BigNumberInput, MedusaContainer } from "@medusajs/framework/types"
import { ContainerRegistrationKeys, MathBN } from "@medusajs/framework/utils"
import { gatewayIn } from "../../modules/gateway"
import { DUE_WORK, DueWork } from "../../modules/gateway/kernel/database/due-work"
import { GatewayError } from "../../modules/gateway/kernel/errors"
import type { Tenant } from "../../modules/gateway/kernel/types"
import type { PlanPurchase } from "../../modules/gateway/subscriptions/store/purchases"
import { orderOfCart } from "../../providers/gateway-payment/cart"
import { planPurchaseOf, signInFirst } from "../../providers/gateway-payment/plan-lines"

/** The right to make the order of a free cart. */
export type FreeRun = { free_cart_id: string; token: string }

type FreeCart = { id: string; completed_at: Date | null; raw_total: BigNumberInput }

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
    fields: ["id", "completed_at", "total", "raw_total"],
    filters: { id: cart_id },
  })
  const cart = data[0] as unknown as FreeCart | undefined
  if (cart === undefined || cart.completed_at !== null || MathBN.gt(cart.raw_total, 0)) {
    return
  }
  const purchase = await freePurchaseOf(container, cart_id)
  if (purchase === null) {
    return
  }
  if (purchase.store_customer_id !== signed_in) {
    throw signInFirst()
  }
  await gatewayIn(container).freePurchases.agree(await storeTenant(container), purchase)
}

/**
 * Runs before Medusa makes the order of a free cart: one run at a time. Null: the cart begins no subscription, or has
 * its order. "taken": another run is making the order, or has made it.
 */
export async function lockFreePlans(container: MedusaContainer, cart: FreeCart): Promise<FreeRun | "taken" | null> {
  if (MathBN.gt(cart.raw_total, 0)) {
    return null
  }
  const query = container.resolve(ContainerRegistrationKeys.QUERY)
  const purchase = cart.completed_at === null ? await freePurchaseOf(container, cart.id) : null
  if (purchase === null) {
    return null
  }
  const { freePurchases } = gatewayIn(container)
  const run = { free_cart_id: cart.id, token: randomUUID() }
  if (!(await freePurchases.lock(await storeTenant(container), purchase, run.token))) {
    return "taken"
  }
  if ((await orderOfCart(query, cart.id)) !== null) {
    // The order was made after the cart was read. Its subscriptions begin with the next run of the task.
    return "taken"
  }
  return run
}

/** Begins the subscriptions of a free cart that has its order. Any process may call it, any number of times. */
export async function beginFreePlans(container: MedusaContainer, cart_id: string): Promise<void> {
  const query = container.resolve(ContainerRegistrationKeys.QUERY)
  const { freePurchases } = gatewayIn(container)
  const order_id = await orderOfCart(query, cart_id)
  if (order_id === null) {
    return freePurchases.unlock(cart_id, null)
  }
  const { data } = await query.graph({ entity: "order", fields: ["created_at", "total"], filters: { id: order_id } })
  const order = data[0] as unknown as { created_at: string | Date; total: BigNumberInput } | undefined
  if (order === undefined || MathBN.gt(order.total, 0)) {
    // The cart was changed and paid after a run that died.
    return freePurchases.unlock(cart_id, null)
  }
  await freePurchases.begin(cart_id, order_id, new Date(order.created_at))
}

/** What a lost event or a process that died has left: every free cart that is due. */
export async function beginDueFreePlans(container: MedusaContainer, stop?: AbortSignal): Promise<void> {
  const { freePurchases } = gatewayIn(container)
  const due = new DueWork<{ cart_id: string }>(container.resolve(ContainerRegistrationKeys.LOGGER), DUE_WORK.paidCart, {
    id: ({ cart_id }) => cart_id,
    claim: (limit, lease) => freePurchases.claim(limit, lease),
    work: ({ cart_id }) => beginFreePlans(container, cart_id),
  })
  await due.run({ stop })
}

async function freePurchaseOf(container: MedusaContainer, cart_id: string): Promise<PlanPurchase | null> {
  const query = container.resolve(ContainerRegistrationKeys.QUERY)
  return planPurchaseOf(query, gatewayIn(container), await storeTenant(container), cart_id)
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
