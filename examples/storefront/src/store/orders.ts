import { readOrderPayment, readReceipt, type OrderCash, type OrderPayment } from "medusa-payment-gateway/storefront"
import { isNotFound } from "../lib/errors"
import { language } from "../text"
import { browserKey } from "./cart"
import { hasToken, openStore } from "./sdk"
import type { Order, OrderLine } from "./types"

const PAGE_SIZE = 10
const LIST_FIELDS =
  "id,display_id,created_at,status,fulfillment_status,payment_status,total,credit_line_total,*items,*payment_collections"

/** How an order is paid in cash: what its owner is told. */
export type InCash = { isCash: boolean; cash: OrderCash | null }
export type ListedOrder = OrderLine & InCash

/** The signed-in shopper's orders, renewals among them, newest first. */
export async function listOrders(offset = 0): Promise<{ orders: ListedOrder[]; count: number }> {
  const { sdk } = await openStore()
  const { orders, count } = await sdk.store.order.list({
    fields: LIST_FIELDS,
    order: "-created_at",
    limit: PAGE_SIZE,
    offset,
  })
  return { orders: await Promise.all(orders.map(async (order) => ({ ...order, ...(await inCash(order)) }))), count }
}

/** What is due at the door is the gateway's to say: an order may have changed since. The list is shown without it too. */
async function inCash(order: OrderLine): Promise<InCash> {
  const unknown = { isCash: false, cash: null }
  if (isPaid(order)) {
    return unknown
  }
  const { sdk } = await openStore()
  return readOrderPayment(sdk, order.id, { key: browserKey(), language }).catch(() => unknown)
}

type Money = Pick<OrderLine, "payment_status" | "payment_collections">

/** Whether all that its payments promise has come, whatever went back since: a part of a part may have gone back. */
export function isPaid({ payment_status, payment_collections }: Money): boolean {
  const promised = (payment_collections ?? []).filter(({ status }) => status !== "canceled")
  return (
    payment_status === "captured" ||
    (["refunded", "partially_refunded"].includes(payment_status) &&
      promised.every(({ amount, captured_amount }) => Number(captured_amount ?? 0) >= Number(amount)))
  )
}

/** In taka: what went back to the shopper, or is on its way. */
export const refundedOf = ({ payment_collections }: Pick<OrderLine, "payment_collections">): number =>
  (payment_collections ?? []).reduce((sum, { refunded_amount }) => sum + Number(refunded_amount ?? 0), 0)

/** In taka: what the shopper has paid, before anything went back. */
export const paidOf = ({ payment_collections }: Pick<OrderLine, "payment_collections">): number =>
  (payment_collections ?? []).reduce((sum, { captured_amount }) => sum + Number(captured_amount ?? 0), 0)

/** What everybody with an order's address sees: what was bought, and how far it is. */
const PUBLIC_FIELDS =
  "id,display_id,status,created_at,payment_status,total,item_subtotal,shipping_subtotal,discount_subtotal,tax_total,credit_line_total,*items,items.total,items.subtotal,*payment_collections,shipping_methods.name"
/** Whom it is for, and where it goes. */
const OWN_FIELDS = `${PUBLIC_FIELDS},email,*shipping_address`

/** An order, with its payment for its owner. */
export type FoundOrder = InCash & { order: Order; isOwner: boolean; payment: OrderPayment | null }

/**
 * The order, or null when there is none with this id. Names, addresses and the payment are for its owner: the signed-in
 * customer, or the browser that placed it. Addresses of orders are passed on.
 */
export async function findOrder(id: string): Promise<FoundOrder | null> {
  const { sdk } = await openStore()
  const own = await readOrderPayment(sdk, id, { key: browserKey(), language })
  try {
    const { order } = await sdk.store.order.retrieve(id, { fields: own.isOwner ? OWN_FIELDS : PUBLIC_FIELDS })
    return { order, ...own }
  } catch (error) {
    if (isNotFound(error)) {
      return null
    }
    throw error
  }
}

/**
 * Whether an order with a subscription began it or is a renewal of it: the store writes the latter to the order's metadata,
 * which its list has and a single order lacks. Only a signed-in shopper owns a renewal. Null: it cannot be had now, and the
 * page works without it.
 */
export async function subscriptionOf(id: string): Promise<"begun" | "renewed" | null> {
  if (!hasToken()) {
    return "begun"
  }
  try {
    const { sdk } = await openStore()
    const { orders } = await sdk.store.order.list({ id, fields: "id,metadata" })
    return orders[0]?.metadata?.gateway_subscription_id ? "renewed" : "begun"
  } catch {
    return null
  }
}

/** The receipt of an order of this browser's owner, as PDF. */
export async function downloadReceipt(id: string): Promise<Blob> {
  const { sdk } = await openStore()
  const file = await readReceipt(sdk, id, { key: browserKey(), language })
  if (!file) {
    throw new Error(`the store has no receipt of ${id} for this browser`)
  }
  return file
}
