import type { IPaymentModuleService } from "@medusajs/framework/types"
import { Modules } from "@medusajs/framework/utils"
import { cancelOrderWorkflow, capturePaymentWorkflow, refundPaymentWorkflow } from "@medusajs/medusa/core-flows"
import { GatewayError } from "../../src/modules/gateway/kernel/errors"
import { readBalance } from "../../src/store/balance/outstanding"
import { syncDueCaptures } from "../../src/store/captures/sync-order-captures"
import { completeDuePaidCarts } from "../../src/store/cart/complete-paid-cart"
import { CartShop } from "../support/carts"
import { orderMoney } from "../support/order-money"
import { fulfill } from "../support/returns"
import { useStore } from "../support/store"
import { until } from "../support/until"

const CAPTURE_FAILS = "4000000000003055"
/** Long enough that Medusa is no longer at work on it. */
const LONG_AGO = new Date(Date.now() - 600_000)

let shop: CartShop
let payments: IPaymentModuleService
const store = useStore({
  container: true,
  shop: true,
  prepare: async (booted) => {
    shop = new CartShop(booted)
    await shop.open()
    payments = booted.container.resolve(Modules.PAYMENT)
  },
})

const gateway = () => shop.gateway
const storeTenant = async () => ({
  merchant_id: (await gateway().merchants.storeMerchant(gateway().options.storeMerchantName)).id,
  environment: "sandbox" as const,
})

afterEach(async () => {
  await gateway().merchants.configure(await storeTenant(), { capture: "automatic" })
})

/** An order of 1,320.00, authorised: a cushion of 1,250.00, and its delivery. */
async function authorisedOrder(capture: "manual" | "on_fulfilment", items?: Record<string, number>, card?: string) {
  await gateway().merchants.configure(await storeTenant(), { capture })
  const { cart, session } = await shop.checkout(items)
  const paid = await shop.pay(session.data.session_id, card)
  const { transaction_id } = paid.body.data
  const [order_id] = await shop.ordersOf(cart.id)
  const [payment] = await payments.listPayments({ payment_session_id: session.id })
  return {
    cart,
    session,
    paid: paid.body.data,
    order_id,
    payment_id: payment.id,
    transaction_id,
    record: () => gateway().transactions.byId(transaction_id),
    money: () => orderMoney(store, order_id),
    status: async () => {
      const [collection] = await payments.listPaymentCollections({ id: [payment.payment_collection_id] })
      return collection.status
    },
    captures: async () => (await gateway().captures.view(transaction_id))?.captures ?? [],
    capture: (amount?: bigint) =>
      gateway().captures.capture({ tenant: null, transaction_id, amount: amount ?? null, by: {}, request_key: null }),
  }
}

/** All that waits for a time is due now. */
async function sync(): Promise<void> {
  await store
    .db("gateway_authorization")
    .whereNotNull("store_due_at")
    .update({ store_due_at: new Date(0) })
  await syncDueCaptures(store.container)
}

async function lookAtOrders(): Promise<void> {
  await store
    .db("gateway_authorization")
    .where({ state: "open" })
    .update({ store_due_at: new Date(0) })
  await syncDueCaptures(store.container)
}

describe("decisions: Captures — an order is placed with an authorised payment", () => {
  it("before the shopper is sent back, and shows that nothing is captured", async () => {
    const order = await authorisedOrder("manual")
    expect(order.paid).toMatchObject({ status: "PENDING" })
    expect(order.order_id).toBeDefined()
    expect(await order.status()).toBe("authorized")
    expect(await order.money()).toMatchObject({ captured: 0, paid: 0, pending: 1320 })
    expect(await gateway().cartCompletions.find(order.transaction_id)).toMatchObject({
      state: "ordered",
      order_id: order.order_id,
    })
    expect(await shop.page(order.session.data.session_id)).toContain("Your order is placed")
  })

  it("a run that finds it again makes no second order and does not end the payment", async () => {
    const order = await authorisedOrder("manual")
    await store
      .db("gateway_cart_completion")
      .where({ transaction_id: order.transaction_id })
      .update({ state: "waiting", order_id: null, next_attempt_at: new Date(0) })
    await completeDuePaidCarts(store.container)
    expect(await shop.ordersOf(order.cart.id)).toEqual([order.order_id])
    expect(await order.record()).toMatchObject({ state: "AUTHORIZED" })
  })
})

describe("decisions: Captures — captured on either side", () => {
  it("by Medusa's button, whole: one capture in both books", async () => {
    const order = await authorisedOrder("manual")
    await capturePaymentWorkflow(store.container).run({ input: { payment_id: order.payment_id } })
    expect(await order.record()).toMatchObject({ state: "SUCCESS", amount_minor: 132_000 })
    await sync()
    expect(await order.money()).toMatchObject({ captured: 1320, paid: 1320, pending: 0 })
    expect(await order.status()).toBe("completed")
    expect(await order.captures()).toHaveLength(1)
  })

  it("by Medusa's button in parts, and never more than is authorised", async () => {
    const order = await authorisedOrder("manual")
    const capture = (amount: number) =>
      capturePaymentWorkflow(store.container).run({
        input: { payment_id: order.payment_id, amount },
        throwOnError: false,
      })
    await capture(500)
    await capture(500)
    expect((await capture(500)).errors).not.toEqual([])
    await sync()
    expect(await order.record()).toMatchObject({ state: "SUCCESS", amount_minor: 100_000 })
    expect(await order.money()).toMatchObject({ captured: 1000, paid: 1000, pending: 320 })
  })

  it("by the API or our pages: Medusa shows the same captures, once, however often it is looked at", async () => {
    const order = await authorisedOrder("manual")
    await order.capture(30_000n)
    await sync()
    await order.capture(30_000n)
    await sync()
    await sync()
    expect(await order.money()).toMatchObject({ captured: 600, paid: 600, pending: 720 })
    const ids = (await order.captures()).map(({ medusa_capture_id }) => medusa_capture_id)
    expect(new Set(ids).size).toBe(2)
    expect(ids).not.toContain(null)
  })

  it("by both at once: the sums agree, and stay within what is authorised", async () => {
    const order = await authorisedOrder("manual")
    await Promise.allSettled([
      capturePaymentWorkflow(store.container).run({ input: { payment_id: order.payment_id, amount: 700 } }),
      order.capture(70_000n),
    ])
    await sync()
    const { amount_minor } = await order.record()
    expect(amount_minor).toBe(70_000)
    expect(await order.money()).toMatchObject({ captured: 700, paid: 700 })
  })

  it("processes that show one capture at once show it once, and nothing more is captured", async () => {
    const order = await authorisedOrder("manual")
    const { capture } = await order.capture(30_000n)
    const input = { payment_id: order.payment_id, amount: 300, captured_by: capture.id }
    const shown = await Promise.allSettled([1, 2, 3].map(() => payments.capturePayment(input)))
    expect(shown.filter(({ status }) => status === "fulfilled")).toHaveLength(1)
    expect(await order.record()).toMatchObject({ amount_minor: 30_000 })
    await store.db("capture").where({ payment_id: order.payment_id }).update({ created_at: LONG_AGO })
    await sync()
    expect(await order.money()).toMatchObject({ captured: 300, paid: 300, transaction_total: 300 })
  })

  it("what Medusa's workflow writes for a capture that is refused is taken off the order", async () => {
    const order = await authorisedOrder("manual")
    const stray = { order_id: order.order_id, amount: 200, currency_code: "bdt", reference: "capture" }
    await store.container.resolve(Modules.ORDER).addOrderTransactions([{ ...stray, reference_id: "capt_refused" }])
    await lookAtOrders()
    expect(await order.money()).toMatchObject({ captured: 0, transaction_total: 0, pending: 1320 })
  })

  it("a process that died between the capture and the order's transaction: the order shows it all the same", async () => {
    const order = await authorisedOrder("manual")
    const { capture } = await order.capture(30_000n)
    // The payment alone, as the first step of Medusa's workflow leaves it.
    await payments.capturePayment({ payment_id: order.payment_id, amount: 300, captured_by: capture.id })
    const [{ medusa_capture_id }] = await order.captures()
    await store.db("capture").where({ id: medusa_capture_id }).update({ created_at: LONG_AGO })
    await lookAtOrders()
    expect(await order.money()).toMatchObject({ captured: 300, transaction_total: 300 })
  })

  it("what a process that died has left out is shown with its own amount, though another capture follows", async () => {
    const order = await authorisedOrder("manual")
    const { capture } = await order.capture(30_000n)
    await payments.capturePayment({ payment_id: order.payment_id, amount: 300, captured_by: capture.id })
    await store.db("capture").where({ payment_id: order.payment_id }).update({ created_at: LONG_AGO })
    await order.capture(50_000n)
    await sync()
    await lookAtOrders()
    expect(await order.money()).toMatchObject({ captured: 800, paid: 800, transaction_total: 800, pending: 520 })
  })

  it("what Medusa does not show yet is not asked for again, also when the rest is let go (decisions: Captures)", async () => {
    const order = await authorisedOrder("manual")
    const due = async () => String((await readBalance(store.container, order.order_id))?.due)
    await store.db("gateway_authorization").update({ store_due_at: null })
    const { capture } = await order.capture(30_000n)
    expect(await due()).toBe("0")
    // The payment alone, as the first step of Medusa's workflow leaves it.
    await payments.capturePayment({ payment_id: order.payment_id, amount: 300, captured_by: capture.id })
    expect(await due()).toBe("0")
    await order.capture(20_000n)
    await gateway().releases.void(null, order.transaction_id, {})
    expect(await order.money()).toMatchObject({ paid: 0 })
    expect(await due()).toBe("82000")
    await store.db("capture").where({ payment_id: order.payment_id }).update({ created_at: LONG_AGO })
    await sync()
    expect(await order.money()).toMatchObject({ captured: 500, paid: 500, pending: 820 })
    expect(await due()).toBe("82000")
  })

  it("one that the acquirer refuses leaves both books as they were", async () => {
    const order = await authorisedOrder("manual", undefined, CAPTURE_FAILS)
    const { errors } = await capturePaymentWorkflow(store.container).run({
      input: { payment_id: order.payment_id },
      throwOnError: false,
    })
    expect(errors).not.toEqual([])
    await sync()
    expect(await order.money()).toMatchObject({ captured: 0, pending: 1320 })
    expect(await order.record()).toMatchObject({ state: "AUTHORIZED" })
  })

  it("a row of a process that died before it asked is removed; nothing moves for it", async () => {
    const order = await authorisedOrder("manual")
    const id = `capt_${"0".repeat(26)}`
    await store.db("capture").insert({
      id,
      amount: 1320,
      raw_amount: JSON.stringify({ value: "1320", precision: 20 }),
      payment_id: order.payment_id,
      created_at: new Date(Date.now() - 600_000),
    })
    await lookAtOrders()
    expect(await order.money()).toMatchObject({ captured: 0 })
    expect(await order.record()).toMatchObject({ state: "AUTHORIZED" })
  })

  it("what was captured is refunded by Medusa's dialog, and no more", async () => {
    const order = await authorisedOrder("manual")
    await order.capture(50_000n)
    await sync()
    const refund = (amount: number) =>
      refundPaymentWorkflow(store.container).run({
        input: { payment_id: order.payment_id, amount },
        throwOnError: false,
      })
    expect((await refund(600)).errors).not.toEqual([])
    expect((await refund(500)).errors).toEqual([])
    expect((await order.record()).refunded_minor).toBe(50_000)
  })
})

describe("decisions: Captures — the order ends, or is sent", () => {
  it("cancelled: the money is released, and Medusa's payment is cancelled", async () => {
    const order = await authorisedOrder("manual")
    await cancelOrderWorkflow(store.container).run({ input: { order_id: order.order_id } })
    expect(await order.record()).toMatchObject({ state: "CANCELLED" })
    const [payment] = await payments.listPayments({ id: [order.payment_id] })
    expect(payment.canceled_at).not.toBeNull()
  })

  it("cancelled after a part was captured: the rest is released", async () => {
    const order = await authorisedOrder("manual")
    await order.capture(50_000n)
    await sync()
    await cancelOrderWorkflow(store.container).run({ input: { order_id: order.order_id } })
    // Medusa's event may be at work on it at the same moment.
    await until("the rest is released", async () => {
      await lookAtOrders()
      return (await gateway().captures.view(order.transaction_id))?.authorization.state === "released"
    })
  })

  it("voided by the API: Medusa's payment is cancelled, so nobody captures it there", async () => {
    const order = await authorisedOrder("manual")
    await gateway().releases.void(null, order.transaction_id, {})
    await sync()
    const [payment] = await payments.listPayments({ id: [order.payment_id] })
    expect(payment.canceled_at).not.toBeNull()
    expect(await order.money()).toMatchObject({ captured: 0 })
  })

  it("on_fulfilment: each parcel is captured with its share of delivery, and the last one takes the rest", async () => {
    const order = await authorisedOrder("on_fulfilment", { "CUSHION-40": 3 })
    const [item] = await items(order.order_id)
    const { amount_minor: authorized } = await order.record()
    // Medusa's event may be at work on it at the same moment.
    const captured = (minor: number) =>
      until(`${minor} are captured`, async () => {
        await lookAtOrders()
        const record = await order.record()
        return record.state === "SUCCESS" && record.amount_minor === minor
      })
    await fulfill(store.container, order.order_id, [{ id: item.id, quantity: 1 }])
    const third = Math.round(authorized / 3)
    await captured(third)
    await lookAtOrders()
    await fulfill(store.container, order.order_id, [{ id: item.id, quantity: 2 }])
    await captured(authorized)
    expect((await order.captures()).map(({ amount_minor }) => amount_minor)).toEqual([third, authorized - third])
    await until("the order shows no balance", async () => (await order.money()).pending === 0)
    expect(await order.money()).toMatchObject({ captured: authorized / 100 })
  })

  it("on_fulfilment: what an admin captures at the same moment counts as captured of what was sent", async () => {
    const order = await authorisedOrder("on_fulfilment", { "CUSHION-40": 3 })
    const [item] = await items(order.order_id)
    const { amount_minor: authorized } = await order.record()
    const { captures } = gateway()
    const capture = captures.capture.bind(captures)
    const taken = jest.spyOn(captures, "capture").mockImplementationOnce(async (input) => {
      await capture({ tenant: null, transaction_id: order.transaction_id, amount: 50_000n, by: {}, request_key: null })
      return capture(input)
    })
    await fulfill(store.container, order.order_id, [{ id: item.id, quantity: 2 }])
    const sent = Math.round((authorized * 2) / 3)
    await until("what was sent is captured", async () => {
      await lookAtOrders()
      return (await order.captures()).filter(({ state }) => state === "completed").length === 2
    })
    taken.mockRestore()
    await lookAtOrders()
    expect((await order.captures()).map(({ amount_minor }) => amount_minor)).toEqual([50_000, sent - 50_000])
  })

  it("payments that belong to no order of Medusa keep nobody waiting", async () => {
    const order = await authorisedOrder("manual")
    const others = store.db("gateway_authorization").whereNot({ transaction_id: order.transaction_id })
    await others.clone().update({ payment_session_id: null, store_due_at: new Date(0) })
    expect((await others.clone().count({ count: "*" }))[0].count).not.toBe("0")
    await order.capture(30_000n)
    await syncDueCaptures(store.container)
    expect(await order.money()).toMatchObject({ captured: 300 })
  })

  it("manual: a fulfilment captures nothing", async () => {
    const order = await authorisedOrder("manual")
    const [item] = await items(order.order_id)
    await fulfill(store.container, order.order_id, [{ id: item.id, quantity: 1 }])
    await lookAtOrders()
    expect(await order.record()).toMatchObject({ state: "AUTHORIZED" })
  })
})

describe("decisions: Captures — Medusa rolls an order back after the payment was authorised", () => {
  let ordered: jest.SpyInstance
  beforeEach(() => {
    ordered = jest.spyOn(gateway().cartCompletions, "ordered")
  })
  afterEach(() => ordered.mockRestore())

  /** Medusa's bus may deliver order.placed late: its subscriber must not finish the completion again. */
  async function reopen({ transaction_id }: { transaction_id: string }, change: object): Promise<void> {
    ordered.mockImplementation((id: string) => gateway().cartCompletions.find(id))
    await Promise.allSettled(ordered.mock.results.map(({ value }) => value as Promise<unknown>))
    await store.db("gateway_cart_completion").where({ transaction_id }).update(change)
  }

  it("the payment provider does not end a payment whose cart still becomes an order", async () => {
    const order = await authorisedOrder("manual")
    await reopen(order, { state: "waiting" })
    await expect(payments.cancelPayment(order.payment_id)).rejects.toThrow()
    expect(await order.record()).toMatchObject({ state: "AUTHORIZED" })
    await store
      .db("gateway_cart_completion")
      .where({ transaction_id: order.transaction_id })
      .update({ state: "ordered" })
  })

  it("a cart that can never become an order releases the money", async () => {
    const order = await authorisedOrder("manual")
    await reopen(order, { state: "giving_back", order_id: null, next_attempt_at: new Date(0) })
    await completeDuePaidCarts(store.container)
    expect(await order.record()).toMatchObject({ state: "CANCELLED" })
    expect(await gateway().cartCompletions.find(order.transaction_id)).toMatchObject({ state: "given_back" })
  })
})

it("a capture of an unknown payment names what is missing", async () => {
  const error = await gateway()
    .captures.capture({ tenant: null, transaction_id: `txn${"0".repeat(32)}`, amount: null, by: {}, request_key: null })
    .catch((caught: unknown) => caught)
  expect(GatewayError.from(error)?.code).toBe("TRANSACTION_NOT_FOUND")
})

async function items(order_id: string): Promise<{ id: string }[]> {
  const order = await store.container.resolve(Modules.ORDER).retrieveOrder(order_id, { relations: ["items"] })
  return order.items ?? []
}
