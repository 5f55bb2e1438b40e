import { Modules } from "@medusajs/framework/utils"
import {
  cancelOrderWorkflow,
  capturePaymentWorkflow,
  markPaymentCollectionAsPaid,
  refundPaymentWorkflow,
} from "@medusajs/medusa/core-flows"
import { cashDue, type CashSettings } from "../../src/modules/gateway/cash/rules"
import { followCashOrders } from "../../src/store/cash/settle"
import { processReturns } from "../../src/store/returns/propose"
import { OrderDesk } from "../support/order-desk"
import { exchange, replaceClaimed } from "../support/order-edits"
import { linesOfTheTable, orderMoney } from "../support/order-money"
import { claimRefund, fulfill, receiveReturn, requestReturn } from "../support/returns"
import { useStore } from "../support/store"
import { FAILS } from "../support/refunds"
import { until } from "../support/until"

const desk = new OrderDesk()
const { balanceOf, collected, proposalsOf, raise, setQuantity } = desk
const store = useStore({ container: true, shop: true, prepare: desk.open })

/** The delivery of a cushion at 1250.00 is paid in advance, and the cushion at the door. */
const ADVANCE = 70
const DUE = 1250

type Advanced = Awaited<ReturnType<typeof advancedOrder>>

async function advancedOrder(
  items?: Record<string, number>,
  rules: CashSettings["rules"] = [{ advance: "delivery" }],
  card?: string
) {
  const { gateway } = store
  const merchant = await gateway.merchants.storeMerchant(gateway.options.storeMerchantName)
  const tenant = { merchant_id: merchant.id, environment: "sandbox" as const }
  await gateway.cashSettings.update(tenant, { rules })
  const cart = await desk.shop.cart(items)
  const { body } = await desk.shop.call("POST", "/store/payment-collections", { cart_id: cart.id })
  const path = `/store/payment-collections/${body.payment_collection.id}/payment-sessions`
  const chosen = await desk.shop.call("POST", path, { provider_id: "pp_gateway_cod", data: {} })
  const [session] = chosen.body.payment_collection.payment_sessions
  if (rules.length === 0) {
    expect((await desk.shop.complete(cart.id)).status).toBe(200)
  } else {
    expect((await desk.shop.pay(session.data.session_id, card)).body.data.status).toBe("SUCCESS")
  }
  const [id] = await desk.shop.ordersOf(cart.id)
  const [payment] = await store.container.resolve(Modules.PAYMENT).listPayments({ payment_session_id: session.id })
  const cash = async () => {
    const order = await gateway.cashOrders.ofOrder(id)
    if (order === null) {
      throw new Error(`no cash order of ${id}`)
    }
    return order
  }
  return { id, payment_id: payment.id, cash, due: async () => Number(cashDue(await cash())) / 100 }
}

/** Cash orders follow their orders, beside the store's own subscriber. */
async function followed(): Promise<void> {
  await store.db("gateway_cash_order").update({ looked_at: new Date(0), next_attempt_at: new Date(0) })
  await followCashOrders(store.container)
}

/** So much is due at the door, and nothing but the advance has moved. */
async function isDue(order: Advanced, due: number, captured = ADVANCE): Promise<void> {
  await until(`${due} are due for order ${order.id}`, async () => {
    await followed()
    return (await order.due()) === due
  })
  expect(await orderMoney(store, order.id)).toMatchObject({ captured, refunds: [] })
}

/** The courier brings what is due, and the order shows no balance. */
async function bringsTheRest(order: Advanced, all: number): Promise<void> {
  const { id } = await order.cash()
  const answer = await desk.admin.post(`/cash-orders/${id}/collect`, { amount: (await order.due()).toFixed(2) })
  expect([answer.status, answer.body.message]).toEqual([200, undefined])
  await until(`order ${order.id} shows ${all}`, async () => {
    await followed()
    const { captured, transaction_total } = await orderMoney(store, order.id)
    return captured === all && transaction_total === all
  })
  expect(await orderMoney(store, order.id)).toMatchObject({ pending: 0 })
  expect(await balanceOf(order.id)).toMatchObject({ outstanding: "0.00" })
}

async function sent() {
  const order = await advancedOrder()
  const line = { id: await desk.lineOf(order.id, "CUSHION-40"), quantity: 1 }
  await fulfill(store.container, order.id, [line])
  return { order, line }
}

const tea = async (unit_price: number) => [
  { variant_id: await desk.shop.variantId("TEA-250"), quantity: 1, unit_price },
]

async function receive({ id }: Advanced, line: { id: string; quantity: number }): Promise<void> {
  const { rows } = await store.db.raw("SELECT id FROM return WHERE order_id = ?", [id])
  await receiveReturn(store.container, rows[0].id, { items: [line] })
}

const noneProposed = async ({ id }: Advanced) => expect(await proposalsOf(id)).toEqual([])
const outstanding = async ({ id }: Advanced, amount: string) =>
  expect(await balanceOf(id)).toMatchObject({ outstanding: amount })

/** By the line of the table in docs/admin.md. */
const LINES: Record<string, () => Promise<void>> = {
  "Order edit that adds": async () => {
    const order = await advancedOrder()
    await raise(order.id, 350)
    await outstanding(order, "350.00")
    await isDue(order, DUE)
    await collected(order.id)
    await bringsTheRest(order, ADVANCE + DUE + 350)
  },
  "Order edit that removes": async () => {
    const order = await advancedOrder({ "CUSHION-40": 2 })
    await isDue(order, 2 * DUE)
    await setQuantity(order.id, "CUSHION-40", 1)
    await isDue(order, DUE)
    await noneProposed(order)
    await bringsTheRest(order, ADVANCE + DUE)
  },
  Cancel: async () => {
    const order = await advancedOrder()
    await cancelOrderWorkflow(store.container).run({ input: { order_id: order.id } })
    await until("no cash is due", async () => {
      await followed()
      return (await order.cash()).state === "cancelled"
    })
    expect(await order.due()).toBe(0)
    expect(await orderMoney(store, order.id)).toMatchObject({ captured: ADVANCE, refunded: ADVANCE })
  },
  "Return, requested": async () => {
    const { order, line } = await sent()
    await requestReturn(store.container, order.id, [line])
    await isDue(order, DUE)
    await noneProposed(order)
  },
  "Return, received": async () => {
    const { order, line } = await sent()
    const return_id = await requestReturn(store.container, order.id, [line])
    await receiveReturn(store.container, return_id, { items: [line] })
    await isDue(order, 0)
    await noneProposed(order)
  },
  "Exchange for dearer goods": async () => {
    const { order, line } = await sent()
    await exchange(store.container, order.id, { back: [line], out: await tea(1400) })
    await isDue(order, DUE)
    await outstanding(order, "150.00")
    await collected(order.id)
    await receive(order, line)
    await bringsTheRest(order, ADVANCE + 1400)
  },
  "Exchange for cheaper goods": async () => {
    const { order, line } = await sent()
    await exchange(store.container, order.id, { back: [line], out: await tea(1000) })
    await isDue(order, DUE)
    await noneProposed(order)
    await receive(order, line)
    await isDue(order, 1000)
    await bringsTheRest(order, ADVANCE + 1000)
  },
  "Claim, refund": async () => {
    const { order, line } = await sent()
    await claimRefund(store.container, order.id, [line])
    await isDue(order, DUE)
    await noneProposed(order)
  },
  "Claim, replacement": async () => {
    const { order, line } = await sent()
    await replaceClaimed(store.container, order.id, { claimed: [line], out: await tea(120) })
    await isDue(order, DUE)
    await outstanding(order, "120.00")
    await collected(order.id)
    await bringsTheRest(order, ADVANCE + DUE + 120)
  },
  Fulfilment: async () => {
    const { order } = await sent()
    await isDue(order, DUE)
    await outstanding(order, "0.00")
  },
  Capture: async () => {
    const order = await advancedOrder()
    const capture = (amount?: number) =>
      capturePaymentWorkflow(store.container).run({
        input: { payment_id: order.payment_id, ...(amount === undefined ? {} : { amount }) },
        throwOnError: false,
      })
    expect((await capture()).errors).not.toEqual([])
    expect((await capture(100)).errors).toEqual([])
    await isDue(order, DUE - 100, ADVANCE + 100)
    await bringsTheRest(order, ADVANCE + DUE)
  },
  Refund: async () => {
    const order = await advancedOrder()
    const refund = (amount: number) =>
      refundPaymentWorkflow(store.container).run({
        input: { payment_id: order.payment_id, amount },
        throwOnError: false,
      })
    expect((await refund(ADVANCE + 1)).errors).not.toEqual([])
    expect((await refund(30)).errors).toEqual([])
    expect(await orderMoney(store, order.id)).toMatchObject({ captured: ADVANCE, refunds: [30] })
    expect(await order.due()).toBe(DUE)
  },
  "Mark as paid": async () => {
    const order = await advancedOrder()
    await raise(order.id, 350)
    const unpaid = () =>
      store.db
        .raw<{ rows: { id: string; amount: string }[] }>(
          `SELECT c.id, c.amount FROM payment_collection c JOIN order_payment_collection o ON o.payment_collection_id = c.id
           WHERE o.order_id = ? AND c.status = 'not_paid'`,
          [order.id]
        )
        .then(({ rows }) => rows[0])
    await until("what the door does not bring is left to mark", async () => {
      await followed()
      return Number((await unpaid()).amount) === 350
    })
    await markPaymentCollectionAsPaid(store.container).run({
      input: { order_id: order.id, payment_collection_id: (await unpaid()).id },
    })
    await outstanding(order, "0.00")
    await bringsTheRest(order, ADVANCE + DUE + 350)
  },
}

describe("docs/admin.md — what happens to the money of an order in cash whose advance is paid", () => {
  it("each line of the table has a test", () => {
    expect(Object.keys(LINES)).toEqual(linesOfTheTable())
  })

  it.each(Object.entries(LINES))("%s", async (_line, check) => {
    await check()
    expect(await store.brokenInvariants()).toEqual([])
  })
})

describe("orders in cash that follow their orders in Medusa (docs/decisions/14)", () => {
  it("one that cannot be followed stops no other, and is followed later", async () => {
    await followed()
    const orders = [await advancedOrder(), await advancedOrder()]
    await store.container.resolve(Modules.ORDER).cancel(orders.map(({ id }) => id))
    const states = async () => (await Promise.all(orders.map(({ cash }) => cash()))).map(({ state }) => state).sort()
    const cancel = jest.spyOn(store.gateway.cash, "cancel").mockRejectedValueOnce(new Error("the database is gone"))
    await followed()
    cancel.mockRestore()
    expect(await states()).toEqual(["cancelled", "due"])
    await followed()
    expect(await states()).toEqual(["cancelled", "cancelled"])
    expect(await store.brokenInvariants()).toEqual([])
  })
})

describe("an order in cash that is refused at the door (docs/decisions/14)", () => {
  it("does not ask again for cash that came while Medusa does not show it yet", async () => {
    const order = await advancedOrder()
    const { id } = await order.cash()
    const sum = { amount: BigInt(DUE) * 100n, charge: 0n, source: "csv" as const, courier: null, note: null }
    await store.gateway.cash.collect(id, { ...sum, request_key: "csv:came" }, {})
    expect(await orderMoney(store, order.id)).toMatchObject({ captured: ADVANCE })
    expect(await balanceOf(order.id)).toMatchObject({ outstanding: "0.00" })
    await raise(order.id, 350)
    expect(await balanceOf(order.id)).toMatchObject({ outstanding: "350.00" })
    await followed()
    expect(await orderMoney(store, order.id)).toMatchObject({ captured: ADVANCE + DUE })
    expect(await balanceOf(order.id)).toMatchObject({ outstanding: "350.00" })
  })

  it("keeps a balance that was paid online until an admin refunds it, and proposes that", async () => {
    const order = await advancedOrder(undefined, [])
    await raise(order.id, 350)
    await outstanding(order, "350.00")
    await collected(order.id)
    await outstanding(order, "0.00")
    const { id } = await order.cash()
    const { gateway } = store
    const { merchant_id, environment } = await order.cash()
    await gateway.cash.giveUp({ merchant_id, environment }, id, { note: null }, false)
    await followed()
    const [{ status }] = await store.db("order").where({ id: order.id })
    expect(status).toBe("canceled")
    expect(await orderMoney(store, order.id)).toMatchObject({ captured: 350, refunds: [] })
    // A cancellation is looked at some minutes later, when Medusa has made its own refunds.
    await until("the cancellation is noticed", async () => {
      await processReturns(store.container)
      const due = { next_attempt_at: new Date(0) }
      return (await store.db("gateway_return_notice").where({ source_id: order.id }).update(due)) === 1
    })
    expect(await proposalsOf(order.id)).toHaveLength(1)
    expect(await store.brokenInvariants()).toEqual([])
  })

  it("takes back what was sent, and offers for sale again what was not", async () => {
    const order = await advancedOrder({ "CUSHION-40": 2 })
    const line = await desk.lineOf(order.id, "CUSHION-40")
    await fulfill(store.container, order.id, [{ id: line, quantity: 1 }])
    const { id, merchant_id, environment } = await order.cash()
    await store.gateway.cash.giveUp({ merchant_id, environment }, id, { note: null }, true)
    await followed()
    const returned = await store.db("return_item").where({ item_id: line, deleted_at: null }).select("quantity")
    expect(returned.map(({ quantity }) => Number(quantity))).toEqual([1])
    expect(await store.db("reservation_item").where({ line_item_id: line, deleted_at: null })).toEqual([])
    expect(await store.brokenInvariants()).toEqual([])
  })

  it("gives back all that is left of its advance", async () => {
    const order = await advancedOrder()
    const { id, merchant_id, environment, transaction_id } = await order.cash()
    const { cash, refunds } = store.gateway
    const part = { reason: "late", requested_by: "the test", request_key: null }
    await refunds.create({ ...part, transaction_id: transaction_id ?? "", amount: 2_000n })
    await cash.giveUp({ merchant_id, environment }, id, { note: null, advance: "give_back" }, true)
    await followed()
    const given = await refunds.list(transaction_id ?? "")
    expect(given.map(({ state, amount_minor }) => [state, amount_minor])).toEqual([
      ["completed", 2_000],
      ["completed", ADVANCE * 100 - 2_000],
    ])
    expect(await store.brokenInvariants()).toEqual([])
  })

  it("waits for an admin when the acquirer refuses to give its advance back", async () => {
    const order = await advancedOrder(undefined, undefined, FAILS)
    const { id, merchant_id, environment, transaction_id } = await order.cash()
    const { cash, cashOrders, refunds } = store.gateway
    const owner = { merchant_id, environment }
    await cash.giveUp(owner, id, { note: null, advance: "give_back" }, true)
    for (let failure = 0; failure < 5; failure++) {
      await followed()
    }
    expect((await cashOrders.find(id))?.stuck_since).not.toBeNull()
    expect((await cashOrders.find(id))?.last_error).toMatchObject({ kind: "refusal.cash_advance_not_refunded" })
    const [failed, ...others] = await refunds.list(transaction_id ?? "")
    expect([failed.state, others]).toEqual(["failed", []])
    await store.gateway.refundOperator.dealWith(owner, failed.id, "sent by hand")
    await followed()
    expect(await cashOrders.find(id)).toMatchObject({ stuck_since: null, last_error: null })
    expect(await store.brokenInvariants()).toEqual([])
  })
})

describe("an order in cash with a capture in Medusa that a killed process left (docs/decisions/14)", () => {
  const ALL = ADVANCE + DUE
  /** Medusa writes the row before it asks the payment provider: no money is behind it. */
  const left = async ({ payment_id }: Advanced, amount: number) => {
    const id = `capt_left_${payment_id}`
    await store.db("capture").insert({ id, payment_id, amount, raw_amount: { value: String(amount) } })
    const age = (seconds: number) =>
      store
        .db("capture")
        .where({ id })
        .update({ created_at: new Date(Date.now() - seconds * 1_000) })
    return { age }
  }
  const bring = async (order: Advanced, amount: number) => {
    const { id } = await order.cash()
    return desk.admin.post(`/cash-orders/${id}/collect`, { amount: amount.toFixed(2) })
  }
  const collectionOf = async ({ payment_id }: Advanced) => {
    const payments = store.container.resolve(Modules.PAYMENT)
    const payment = await payments.retrievePayment(payment_id, { relations: ["payment_collection"] })
    return payments.retrievePaymentCollection(payment.payment_collection_id ?? payment.payment_collection?.id ?? "")
  }

  it("waits while Medusa may be at work on it, and then gives its room to the cash that came", async () => {
    const order = await advancedOrder()
    const row = await left(order, DUE)
    expect((await bring(order, DUE)).status).toBe(200)
    await followed()
    expect(await orderMoney(store, order.id)).toMatchObject({ transaction_total: ADVANCE })
    expect(await order.cash()).toMatchObject({ state: "collected", last_error: null, stuck_since: null })
    await row.age(200)
    await followed()
    expect(await orderMoney(store, order.id)).toMatchObject({ captured: ALL, transaction_total: ALL, pending: 0 })
    expect(await store.db("gateway_cash_order").where({ order_id: order.id }).first()).toMatchObject({
      next_attempt_at: null,
    })
    expect(await store.brokenInvariants()).toEqual([])
  })

  it("captures what Medusa counted as captured by it, and takes off what the order shows of it", async () => {
    const order = await advancedOrder()
    const row = await left(order, 250)
    const { payment_id } = order
    const input = { payment_id, amount: DUE - 250, captured_by: "user_of_medusa" }
    await capturePaymentWorkflow(store.container).run({ input })
    expect(await collectionOf(order)).toMatchObject({ captured_amount: ALL })
    await row.age(200)
    await followed()
    expect(await orderMoney(store, order.id)).toMatchObject({ captured: ALL - 250, transaction_total: ALL - 250 })
    expect(await collectionOf(order)).toMatchObject({ captured_amount: ALL - 250 })
    expect((await bring(order, 250)).status).toBe(200)
    await until("the order shows all", async () => {
      await followed()
      return (await orderMoney(store, order.id)).transaction_total === ALL
    })
    expect(await orderMoney(store, order.id)).toMatchObject({ captured: ALL, pending: 0 })
    expect(await collectionOf(order)).toMatchObject({ captured_amount: ALL })
    expect(await store.brokenInvariants()).toEqual([])
  })
})
