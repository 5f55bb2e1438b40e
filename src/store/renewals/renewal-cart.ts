import { randomUUID } from "node:crypto"
import { updateTaxLinesWorkflow } from "@medusajs/medusa/core-flows"
import type { MedusaContainer } from "@medusajs/framework/types"
import { ContainerRegistrationKeys, Modules } from "@medusajs/framework/utils"
import { messageOf } from "../../i18n/message"
import { gatewayIn } from "../../modules/gateway"
import { GatewayError } from "../../modules/gateway/kernel/errors"
import { formatAmount } from "../../modules/gateway/kernel/money"
import type { PaymentRecord } from "../../modules/gateway/payments/records"
import type { CartCompletion } from "../../modules/gateway/checkout/cart-completions"
import type { RenewedGoods } from "../../modules/gateway/subscriptions/store/renewals"
import { ORDER_MARK } from "../cart/partial-order"
import { deliveryOf, providerOf, readOriginal, renewalCart, type OriginalOrder } from "./original-order"

type Work = {
  container: MedusaContainer
  completion: CartCompletion
  record: PaymentRecord
  goods: RenewedGoods
  order: OriginalOrder
}

type Collection = { id: string; payment_sessions: { id: string; data: { session_id?: unknown } | null }[] }

/**
 * Creates the cart of a paid renewal, with the charge as its payment. Completing it then makes the order as for any paid
 * cart. One run at a time creates the pieces, and looks for each first, so it may be repeated after a crash at any
 * point. Answers the updated completion; a shopper's own cart needs nothing.
 */
export async function readyRenewal(
  container: MedusaContainer,
  completion: CartCompletion,
  record: PaymentRecord
): Promise<CartCompletion> {
  const { subscription_id, transaction_id, payment_session_id } = completion
  if (subscription_id === null || (payment_session_id !== null && (await isReady(container, payment_session_id)))) {
    return completion
  }
  const { billing, cartCompletions } = gatewayIn(container)
  const token = randomUUID()
  if (!(await cartCompletions.lock(transaction_id, token))) {
    throw new GatewayError("INVALID_STATE_TRANSITION", messageOf("refusal.renewal_cart_being_made"))
  }
  try {
    const goods = await billing.renewals.goodsOf(completion, ORDER_MARK)
    await prepare({ container, completion, record, goods, order: await readOriginal(container, goods.order_id) })
  } finally {
    await cartCompletions.unlock(transaction_id, token)
  }
  return (await cartCompletions.find(transaction_id)) ?? completion
}

async function prepare(work: Work): Promise<void> {
  const { container, completion, goods, order } = work
  const carts = container.resolve(Modules.CART)
  const [made] = await carts.listCarts(
    { id: [completion.cart_id] },
    { select: ["id"], relations: ["shipping_methods"] }
  )
  if (made === undefined) {
    await carts.createCarts(await renewalCart(container, order, goods))
  }
  const delivery = deliveryOf(order, goods)
  if (delivery !== null && (made?.shipping_methods ?? []).length === 0) {
    await carts.addShippingMethods(completion.cart_id, [delivery])
  }
  await updateTaxLinesWorkflow(container).run({ input: { cart_id: completion.cart_id, force_tax_calculation: true } })
  await ensurePaymentSession(work)
}

/** The payment collection of the cart with one session, which represents the charge. */
async function ensurePaymentSession({ container, completion, record, order }: Work): Promise<void> {
  const payments = container.resolve(Modules.PAYMENT)
  const amount = formatAmount(record.amount_minor)
  const { currency_code } = order
  const collection =
    (await collectionOf(container, completion.cart_id)) ??
    (await newCollection(container, completion.cart_id, { amount, currency_code }))
  const [whole] = collection.payment_sessions.filter(({ data }) => data?.session_id === completion.session_id)
  // A crashed run left a session without a payment; Medusa would take it for the one to be paid.
  for (const { id } of collection.payment_sessions.filter((session) => session.id !== whole?.id)) {
    await payments.deletePaymentSession(id)
  }
  if (whole === undefined) {
    await payments.createPaymentSession(collection.id, {
      provider_id: providerOf(order),
      amount,
      currency_code,
      data: {},
    })
  }
}

async function newCollection(
  container: MedusaContainer,
  cart_id: string,
  money: { amount: string; currency_code: string }
): Promise<Collection> {
  const [{ id }] = await container.resolve(Modules.PAYMENT).createPaymentCollections([money])
  const link = { [Modules.CART]: { cart_id }, [Modules.PAYMENT]: { payment_collection_id: id } }
  await container.resolve(ContainerRegistrationKeys.LINK).create(link)
  return { id, payment_sessions: [] }
}

async function collectionOf(container: MedusaContainer, cart_id: string): Promise<Collection | null> {
  const query = container.resolve(ContainerRegistrationKeys.QUERY)
  const fields = [
    "payment_collection.id",
    "payment_collection.payment_sessions.id",
    "payment_collection.payment_sessions.data",
  ]
  const { data } = await query.graph({ entity: "cart", fields, filters: { id: cart_id } })
  return (data[0] as unknown as { payment_collection?: Collection | null } | undefined)?.payment_collection ?? null
}

/** Created last: a session that names its payment has everything before it. */
async function isReady(container: MedusaContainer, payment_session_id: string): Promise<boolean> {
  const query = container.resolve(ContainerRegistrationKeys.QUERY)
  const { data } = await query.graph({
    entity: "payment_session",
    fields: ["id", "data"],
    filters: { id: payment_session_id },
  })
  return typeof (data[0]?.data as { session_id?: unknown } | null | undefined)?.session_id === "string"
}
