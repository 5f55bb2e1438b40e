import {
  beginReturnOrderWorkflow,
  cancelOrderWorkflow,
  capturePaymentWorkflow,
  refundPaymentWorkflow,
} from "@medusajs/medusa/core-flows"
import { Modules } from "@medusajs/framework/utils"
import { newMerchant, type ApiMerchant } from "../support/api"
import { prepareAdmin, useAdminOf, type Admin } from "../support/admin"
import { CartShop, type Cart, type PaymentSession } from "../support/carts"
import { followCashOrders } from "../../src/store/cash/settle"
import { formatAmount } from "../../src/modules/gateway/kernel/money/money"
import { useStore } from "../support/store"
import { editOrder } from "../support/order-edits"
import { fulfill, receiveReturn, requestReturn } from "../support/returns"
import { readBalance } from "../../src/store/balance/outstanding"
import { until } from "../support/until"
import { blocked, holding } from "../support/locks"
import { DELAYED, FAILS } from "../support/refunds"
import { processReturns } from "../../src/store/returns/propose"
import { sweepRefundRows } from "../../src/store/refunds/sweep-rows"
import { syncDueRefunds } from "../../src/store/refunds/sync-order-refund"
import type { CashSettings } from "../../src/modules/gateway/cash/rules"
import type { CashOrder } from "../../src/modules/gateway/cash/records"

const COD = "pp_gateway_cod"

let shop: CartShop
let tenant: { merchant_id: string; environment: "sandbox" }
const store = useStore({
  container: true,
  shop: true,
  prepare: async (booted) => {
    shop = new CartShop(booted)
    await shop.open()
    await prepareAdmin(booted)
    const merchant = await shop.gateway.merchants.storeMerchant(shop.gateway.options.storeMerchantName)
    tenant = { merchant_id: merchant.id, environment: "sandbox" }
  },
})

const adminOf = useAdminOf(store)
let admin: Admin
beforeAll(() => {
  admin = adminOf({ id: tenant.merchant_id } as ApiMerchant)
})

type CashData = { cash_order_id: string; total: string; due_now: string; due_in_cash: string }
type CashSession = PaymentSession & { data: PaymentSession["data"] & CashData }

async function chooseCash(cart: Cart): Promise<CashSession> {
  const { body } = await shop.call("POST", "/store/payment-collections", { cart_id: cart.id })
  const path = `/store/payment-collections/${body.payment_collection.id}/payment-sessions`
  const answer = await shop.call("POST", path, { provider_id: COD, data: {} })
  expect(answer).toMatchObject({ status: 200 })
  return answer.body.payment_collection.payment_sessions[0] as CashSession
}

const settle = (settings: Partial<CashSettings>) => shop.gateway.cashSettings.update(tenant, settings)
const orderOf = async (session: CashSession): Promise<CashOrder> => {
  const order = await shop.gateway.cashOrders.find(session.data.cash_order_id)
  if (order === null) {
    throw new Error(`no cash order of ${session.id}`)
  }
  return order
}

/** A placed order that pays everything at the door. */
async function cashOrder(items?: Record<string, number>): Promise<{ cart: Cart; order: CashOrder }> {
  await settle({ rules: [] })
  const cart = await shop.cart(items)
  const session = await chooseCash(cart)
  expect((await shop.complete(cart.id)).status).toBe(200)
  await until("the order is placed", async () => (await orderOf(session)).state === "due")
  return { cart, order: await orderOf(session) }
}

/** A placed order of which the delivery charge is paid in advance. */
async function advanceOrder(
  card_number?: string
): Promise<{ cart: Cart; order: CashOrder; transaction_id: string; session: CashSession }> {
  await settle({ rules: [{ advance: "delivery" }], refused_advance: "keep" })
  const cart = await shop.cart()
  const session = await chooseCash(cart)
  const { body } = await shop.pay(session.data.session_id, card_number)
  return { cart, order: await orderOf(session), transaction_id: body.data.transaction_id, session }
}

const eventsOf = ({ id }: CashOrder) =>
  store.db("gateway_event").where({ resource_id: id }).orderBy("id").select("event_type", "data")
const intact = async () => expect(await shop.gateway.invariants.check()).toEqual([])
const minor = (amount: string | number) => Math.round(Number(amount) * 100)

describe("cash on delivery (decisions: Cash on delivery)", () => {
  it("places an order without an advance at once, with a payment of the whole sum and no capture", async () => {
    await settle({ rules: [] })
    const cart = await shop.cart()
    const session = await chooseCash(cart)
    expect(session.data).toMatchObject({ due_now: "0.00", due_in_cash: cart.total.toFixed(2) })
    expect(session.data.checkout_url).toBeUndefined()
    const { body } = await shop.complete(cart.id)
    expect(body).toMatchObject({ type: "order" })
    await until("the order is placed", async () => (await orderOf(session)).state === "due")
    expect(await orderOf(session)).toMatchObject({
      total_minor: minor(cart.total),
      advance_minor: 0,
      order_id: body.order.id,
      phone: "+8801712345678",
      district: "Dhaka",
    })
    expect(await shop.moneyOf(cart.id)).toEqual({ payments: 1, captured: "0.00", recorded: "0.00" })
    await intact()
  })

  it("takes the advance online, and has the order with its first capture before the shopper goes on", async () => {
    await settle({ rules: [{ advance: "delivery" }] })
    const cart = await shop.cart()
    const session = await chooseCash(cart)
    expect(session.data.checkout_url).toContain("/pay/ses_")
    expect(minor(session.data.due_now) + minor(session.data.due_in_cash)).toBe(minor(cart.total))
    expect(await shop.page(session.data.session_id)).toMatch(/Pay ৳[0-9.,]+ now, ৳[0-9.,]+ in cash at the door/)
    expect(await shop.page(session.data.session_id, "bn")).toContain("পণ্য হাতে পেয়ে নগদে")
    expect((await shop.complete(cart.id)).body).toMatchObject({ type: "cart" })
    const { body } = await shop.pay(session.data.session_id)
    expect(body.data.status).toBe("SUCCESS")
    expect(await orderOf(session)).toMatchObject({ state: "due", advance_minor: minor(session.data.due_now) })
    const { due_now } = session.data
    expect(await shop.moneyOf(cart.id)).toEqual({ payments: 1, captured: due_now, recorded: due_now })
    expect(await shop.ordersOf(cart.id)).toHaveLength(1)
    await intact()
  })

  it("finishes an order whose process died between the advance and its capture", async () => {
    const place = jest.spyOn(shop.gateway.cashOrders, "place").mockRejectedValue(new Error("the process has died"))
    const { cart, order, session } = await advanceOrder()
    expect(order.state).toBe("placing")
    expect(await shop.ordersOf(cart.id)).toHaveLength(1)
    place.mockRestore()
    for (let run = 0; run < 2; run++) {
      await store
        .db("gateway_cash_order")
        .where({ id: order.id })
        .update({ next_attempt_at: new Date(0) })
      await followCashOrders(store.container)
      const { due_now } = session.data
      expect(await shop.moneyOf(cart.id)).toEqual({ payments: 1, captured: due_now, recorded: due_now })
    }
    expect(await orderOf(session)).toMatchObject({ state: "due", order_id: (await shop.ordersOf(cart.id))[0] })
    await intact()
  })

  it("refuses a payment when the cart or the rules have changed since", async () => {
    await settle({ rules: [{ advance: "delivery" }] })
    const cart = await shop.cart()
    const session = await chooseCash(cart)
    await settle({ rules: [{ advance: "percent", basis_points: 5_000 }] })
    expect(await shop.pay(session.data.session_id)).toMatchObject({
      status: 409,
      body: { error: { code: "CART_CHANGED" } },
    })
    await settle({ rules: [] })
    const free = await shop.cart()
    await chooseCash(free)
    await settle({ rules: [{ advance: "delivery" }] })
    expect((await shop.complete(free.id)).body).toMatchObject({ type: "cart" })
    expect(await shop.ordersOf(free.id)).toEqual([])
  })

  it("collects in parts, each a capture, and never more than is due", async () => {
    const { cart, order } = await cashOrder()
    const path = `/cash-orders/${order.id}/collect`
    const half = { amount: "100.00", charge: "60.00", courier: "Pathao", request_key: "one" }
    const first = await admin.post(path, half)
    expect(first.body.cash_order).toMatchObject({ status: "part_collected", collected: "100.00" })
    expect((await admin.post(path, half)).body.cash_order.collections).toHaveLength(1)
    const refused = await admin.post(path, { amount: formatAmount(order.total_minor) })
    expect(refused).toMatchObject({ status: 400, body: { code: "CASH_EXCEEDED" } })
    const rest = formatAmount(order.total_minor - 10_000)
    const last = await admin.post(path, { amount: rest, note: "the rest" })
    expect(last.body.cash_order).toMatchObject({ status: "collected", due: "0.00" })
    expect(await eventsOf(order)).toMatchObject([
      { event_type: "cash_order.placed", data: { due: formatAmount(order.total_minor), order_id: order.order_id } },
      { event_type: "cash_order.collected", data: { collection_amount: "100.00", courier: "Pathao", due: rest } },
      { event_type: "cash_order.collected", data: { collection_amount: rest, status: "collected", due: "0.00" } },
    ])
    const whole = formatAmount(order.total_minor)
    expect(await shop.moneyOf(cart.id)).toEqual({ payments: 1, captured: whole, recorded: whole })
    const balances = await shop.gateway.ledger.balances(tenant, "BDT")
    expect(balances.courier_charges).toBe(-6_000n)
    await intact()
  })

  it("lets two admins at once collect the cash once, and Medusa's own button no more than is left", async () => {
    const { cart, order } = await cashOrder()
    const whole = formatAmount(order.total_minor)
    const path = `/cash-orders/${order.id}/collect`
    const answers = await Promise.all([1, 2, 3].map(() => admin.post(path, { amount: whole })))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409])
    expect(await shop.moneyOf(cart.id)).toEqual({ payments: 1, captured: whole, recorded: whole })

    const { cart: other, order: pressed } = await cashOrder()
    await capturePaymentWorkflow(store.container).run({ input: { payment_id: pressed.payment_id ?? "", amount: 100 } })
    expect(await shop.gateway.cash.collections(pressed.id)).toMatchObject([{ source: "medusa", amount_minor: 10_000 }])
    expect(await shop.moneyOf(other.id)).toEqual({ payments: 1, captured: "100.00", recorded: "100.00" })
    await intact()
  })

  it("imports a courier's file after a preview, twice without doubling", async () => {
    const [{ cart, order }, { order: second }] = [await cashOrder(), await cashOrder()]
    const whole = formatAmount(order.total_minor)
    const csv = [
      "order_number,collected,charge,date",
      `#${order.order_number},${whole},60,2026-11-20`,
      `${second.order_number},100.00,,2026-11-20`,
      `${second.order_number},100.00,,2026-11-20`,
      `${second.order_number},999999.00,,`,
      "987654,10.00,,",
    ].join("\n")
    const outcomes = ({ body }: { body: { outcomes: { outcome: string }[] } }) =>
      body.outcomes.map(({ outcome }) => outcome)
    const expected = ["recorded", "recorded", "recorded", "refused", "refused"]
    expect(outcomes(await admin.post("/cash-orders/import", { csv, dry_run: true }))).toEqual(expected)
    expect(await shop.gateway.cash.collections(order.id)).toEqual([])
    const { body: done } = await admin.post("/cash-orders/import", { csv, courier: "Steadfast" })
    expect(outcomes({ body: done })).toEqual(expected)
    expect(done.outcomes).toMatchObject([
      { cash_order_id: order.id, currency: "BDT" },
      ...[1, 2, 3].map(() => ({ cash_order_id: second.id, currency: "BDT" })),
      { cash_order_id: null, currency: null },
    ])
    const again = ["known", "known", "known", "refused", "refused"]
    expect(outcomes(await admin.post("/cash-orders/import", { csv }))).toEqual(again)
    const undated = { csv: `order_number,collected\n${second.order_number},50.00` }
    expect(outcomes(await admin.post("/cash-orders/import", undated))).toEqual(["recorded"])
    const { body: doubtful } = await admin.post("/cash-orders/import", undated)
    expect(doubtful.outcomes).toMatchObject([
      { outcome: "doubtful", reason: { message: expect.stringContaining("date") } },
    ])
    expect(await shop.gateway.cash.collections(second.id)).toHaveLength(3)
    await followCashOrders(store.container)
    expect(await shop.moneyOf(cart.id)).toEqual({ payments: 1, captured: whole, recorded: whole })
    const broken = await admin.post("/cash-orders/import", { csv: `order_number,collected\n${order.order_number},x` })
    expect(broken).toMatchObject({ status: 422, body: { details: [{ field: "lines[2].collected" }] } })
    await intact()
  })

  const follow = async (order: CashOrder) => {
    await store
      .db("gateway_cash_order")
      .where({ id: order.id })
      .update({ next_attempt_at: new Date(0) })
    await followCashOrders(store.container)
    return shop.gateway.cashOrders.find(order.id)
  }
  const lineOf = async (order: CashOrder) => {
    const { items = [] } = await store.container
      .resolve(Modules.ORDER)
      .retrieveOrder(order.order_id ?? "", { relations: ["items"] })
    return { id: items[0].id, quantity: Number(items[0].quantity), price: minor(Number(items[0].unit_price)) }
  }
  const orderIn = async ({ order_id }: CashOrder) => store.db("order").where({ id: order_id }).first()
  const returnsOf = ({ order_id }: CashOrder) => store.db("return").where({ order_id }).whereNull("deleted_at")
  const giveUp = (order: CashOrder) => admin.post(`/cash-orders/${order.id}/give-up`, { note: "not at home" })

  it("cancels an order that is refused before anything was sent, and keeps or gives back its advance by the rule", async () => {
    const kept = await advanceOrder()
    const { body } = await giveUp(kept.order)
    expect(body.cash_order).toMatchObject({ status: "refused", due: "0.00", collected: "0.00", advance_back: false })
    expect((await eventsOf(kept.order)).map(({ event_type }) => event_type)).toEqual([
      "cash_order.placed",
      "cash_order.refused",
    ])
    const [payment] = await store.db("payment").where({ id: kept.order.payment_id })
    expect(payment.canceled_at).not.toBeNull()
    expect(await orderIn(kept.order)).toMatchObject({ status: "canceled" })
    await processReturns(store.container)
    expect(await shop.gateway.refunds.list(kept.transaction_id)).toEqual([])
    expect(await store.db("gateway_refund_proposal").where({ transaction_id: kept.transaction_id })).toEqual([])
    const reserved = await store.db("reservation_item").where({ line_item_id: kept.cart.items[0].id, deleted_at: null })
    expect(reserved).toEqual([])

    const given = await advanceOrder()
    await settle({ refused_advance: "give_back" })
    await expect(shop.gateway.cash.giveUp(tenant, given.order.id, { note: null }, false)).rejects.toMatchObject({
      code: "INSUFFICIENT_SCOPE",
    })
    await giveUp(given.order)
    const [user] = await store.db("user").where({ deleted_at: null })
    expect(await shop.gateway.refunds.list(given.transaction_id)).toMatchObject([
      { state: "completed", amount_minor: given.order.advance_minor, requested_by: user.id },
    ])
    expect(await orderIn(given.order)).toMatchObject({ status: "canceled" })
    const chosen = await advanceOrder()
    const end = (advance: string) => admin.post(`/cash-orders/${chosen.order.id}/give-up`, { advance })
    expect(await end("burn")).toMatchObject({ status: 422 })
    expect((await end("give_back")).body.cash_order).toMatchObject({ status: "refused", advance_back: true })
    expect(await shop.gateway.refunds.list(chosen.transaction_id)).toMatchObject([{ state: "completed" }])
    const late = await admin.post(`/cash-orders/${given.order.id}/collect`, { amount: "10.00" })
    expect(late).toMatchObject({ status: 409 })
    await intact()
  })

  it("asks for the goods back that were sent, once, and gives the advance back, wherever a process dies", async () => {
    const { order, transaction_id } = await advanceOrder()
    await settle({ refused_advance: "give_back" })
    const { id, quantity } = await lineOf(order)
    await fulfill(store.container, order.order_id ?? "", [{ id, quantity }])
    // The process died after it had begun the return.
    const [{ id: location_id }] = await store.container.resolve(Modules.STOCK_LOCATION).listStockLocations({})
    await beginReturnOrderWorkflow(store.container).run({
      input: { order_id: order.order_id ?? "", location_id, internal_note: `gateway:${order.id}` },
    })
    const { gateway } = shop
    const dies = () => Promise.reject(new Error("the process has died"))
    const steps = [
      jest.spyOn(gateway.cashRefunds, "goodsTakenBack").mockImplementationOnce(dies),
      jest.spyOn(gateway.refunds, "create").mockImplementationOnce(dies),
      jest.spyOn(gateway.cashOrders, "settled").mockImplementationOnce(dies),
    ]
    await giveUp(order)
    for (let run = 0; run < steps.length; run++) {
      await follow(order)
    }
    steps.forEach((step) => step.mockRestore())
    const [back, ...others] = await returnsOf(order)
    expect([back.status, others]).toEqual(["requested", []])
    expect(await shop.gateway.cashOrders.find(order.id)).toMatchObject({ goods_back: false, return_id: back.id })
    const [user] = await store.db("user").where({ deleted_at: null })
    expect(await gateway.refunds.list(transaction_id)).toMatchObject([
      { state: "completed", amount_minor: order.advance_minor, requested_by: user.id },
    ])
    await receiveReturn(store.container, back.id, { items: [{ id, quantity }] })
    await processReturns(store.container)
    expect(await gateway.refunds.list(transaction_id)).toHaveLength(1)
    await intact()
  })

  it("gives back first the advance through the gateway, then cash, when Medusa refunds", async () => {
    const { cart, order, transaction_id } = await advanceOrder()
    const due = order.total_minor - order.advance_minor
    await admin.post(`/cash-orders/${order.id}/collect`, { amount: formatAmount(due) })
    const amount = (order.advance_minor + 5_000) / 100
    await refundPaymentWorkflow(store.container).run({ input: { payment_id: order.payment_id ?? "", amount } })
    expect(await shop.gateway.refunds.list(transaction_id)).toMatchObject([{ amount_minor: order.advance_minor }])
    expect(await shop.gateway.cashOrders.find(order.id)).toMatchObject({ returned_minor: 5_000 })
    expect(await shop.moneyOf(cart.id)).toMatchObject({ recorded: formatAmount(due - 5_000) })
    const { event_type, data } = (await eventsOf(order)).at(-1) ?? {}
    expect([event_type, data]).toMatchObject(["cash_order.refunded", { refund_amount: "50.00", returned: "50.00" }])
    await intact()
  })

  const collected = async (card_number?: string) => {
    const { cart, order, transaction_id } = await advanceOrder(card_number)
    const due = order.total_minor - order.advance_minor
    await admin.post(`/cash-orders/${order.id}/collect`, { amount: formatAmount(due) })
    return { cart, order, transaction_id, due }
  }
  const giveBack = (order: CashOrder, minor: number) =>
    refundPaymentWorkflow(store.container).run({ input: { payment_id: order.payment_id ?? "", amount: minor / 100 } })

  it.each([
    ["at once", async () => null],
    ["after the task has finished it", (order: CashOrder) => follow(order)],
  ])(
    "gives nothing back twice when a refund fails halfway and Medusa repeats it with a new key, %s",
    async (_when, between) => {
      const { cart, order, transaction_id, due } = await collected()
      const amount = order.advance_minor + 5_000
      const settle = jest.spyOn(shop.gateway.cashRefunds, "settle").mockRejectedValue(new Error("the database is gone"))
      await expect(giveBack(order, amount)).rejects.toBeTruthy()
      settle.mockRestore()
      expect(await shop.gateway.refunds.list(transaction_id)).toMatchObject([{ amount_minor: order.advance_minor }])
      await between(order)
      await giveBack(order, amount)
      expect(await shop.gateway.refunds.list(transaction_id)).toHaveLength(1)
      expect(await shop.gateway.cashOrders.find(order.id)).toMatchObject({ returned_minor: 5_000 })
      expect(await shop.moneyOf(cart.id)).toMatchObject({ recorded: formatAmount(due - 5_000) })
      // What the gateway shows on the order is the whole refund, its cash too.
      await store
        .db("gateway_order_refund")
        .where({ transaction_id })
        .update({ next_attempt_at: new Date(0), locked_until: null })
      await syncDueRefunds(store.container)
      expect(await shop.moneyOf(cart.id)).toMatchObject({ recorded: formatAmount(due - 5_000) })
      expect(await store.db("gateway_order_refund").where({ transaction_id }).first()).toMatchObject({
        state: "shown",
        last_error: null,
      })
      await intact()
    }
  )

  it("finishes a refund whose process died before the gateway was asked, and forgets one that Medusa removed", async () => {
    const { order, transaction_id } = await collected()
    const create = jest.spyOn(shop.gateway.refunds, "create").mockRejectedValue(new Error("the process has died"))
    await expect(giveBack(order, order.advance_minor + 5_000)).rejects.toBeTruthy()
    create.mockRestore()
    await follow(order)
    expect(await shop.gateway.cashRefunds.ofOrder(order.id)).toMatchObject([{ state: "failed", cash_minor: 5_000 }])

    // A process that dies leaves Medusa's refund where it is.
    const [kept] = await store
      .db("refund")
      .insert({ id: `ref_${order.id}`, payment_id: order.payment_id, amount: 1, raw_amount: { value: "1" } })
      .returning("id")
    await shop.gateway.cashRefunds.decide(order.id, {
      key: kept.id,
      amount: BigInt(order.advance_minor + 7_000),
      gone: [],
      only_earlier: false,
    })
    expect(await follow(order)).toMatchObject({ returned_minor: 7_000 })
    expect(await shop.gateway.refunds.list(transaction_id)).toMatchObject([{ amount_minor: order.advance_minor }])
    await intact()
  })

  it("hands no cash back for a refund of cash alone that Medusa removed before it was settled", async () => {
    const { order } = await cashOrder()
    await admin.post(`/cash-orders/${order.id}/collect`, { amount: formatAmount(order.total_minor) })
    const settled = jest.spyOn(shop.gateway.cashRefunds, "settle").mockRejectedValue(new Error("the database is gone"))
    await expect(giveBack(order, 2_500)).rejects.toBeTruthy()
    settled.mockRestore()
    expect(await follow(order)).toMatchObject({ returned_minor: 0 })
    expect(await shop.gateway.cashRefunds.ofOrder(order.id)).toMatchObject([{ state: "failed", cash_minor: 2_500 }])
    await giveBack(order, 2_500)
    expect(await shop.gateway.cashOrders.find(order.id)).toMatchObject({ returned_minor: 2_500 })
    await intact()
  })

  it("keeps a refund of cash alone in Medusa, and removes one that a dead process never asked for", async () => {
    const advanced = await collected()
    await giveBack(advanced.order, advanced.order.advance_minor)
    await giveBack(advanced.order, 2_500)
    const { order } = await cashOrder()
    await admin.post(`/cash-orders/${order.id}/collect`, { amount: formatAmount(order.total_minor) })
    const never = { id: `ref_never_${order.id}`, payment_id: order.payment_id, amount: 1, raw_amount: { value: "1" } }
    await store.db("refund").insert(never)
    const rows = () => store.db("refund").whereIn("payment_id", [order.payment_id, advanced.order.payment_id])
    await rows().update({ created_at: new Date(Date.now() - 3_600_000) })
    await sweepRefundRows(store.container)
    expect((await rows().whereNull("deleted_at")).map(({ amount }) => minor(amount)).sort()).toEqual(
      [2_500, advanced.order.advance_minor].sort()
    )
    await intact()
  })

  it("hands no cash back while the acquirer has not answered about the advance, nor when it refuses", async () => {
    const late = await collected(DELAYED)
    await giveBack(late.order, late.order.advance_minor + 5_000)
    expect(await shop.gateway.cashOrders.find(late.order.id)).toMatchObject({ returned_minor: 0 })
    await shop.gateway.clock.move(tenant, { advance_seconds: 172_800 })
    const [{ id }] = await shop.gateway.refunds.list(late.transaction_id)
    expect(await shop.gateway.refunds.inquire(id)).toMatchObject({ state: "completed" })
    expect(await follow(late.order)).toMatchObject({ returned_minor: 5_000 })

    const refused = await collected(FAILS)
    await expect(giveBack(refused.order, refused.order.advance_minor + 5_000)).rejects.toBeTruthy()
    expect(await shop.gateway.cashOrders.find(refused.order.id)).toMatchObject({ returned_minor: 0 })
    expect(await shop.gateway.cashRefunds.ofOrder(refused.order.id)).toMatchObject([{ state: "failed" }])
    await intact()
  })

  it("gives back no more than came, however many ask at once", async () => {
    const { order, due } = await collected()
    const amount = BigInt(order.advance_minor + 100)
    const decision = { amount, gone: [], only_earlier: false }
    const wanted = Array.from({ length: 6 }, (_, index) => ({ ...decision, key: `ref_${order.id}_${index}` }))
    // The task that follows the order forgets a refund that Medusa does not have.
    const rows = wanted.map(({ key: id }) => ({
      id,
      payment_id: order.payment_id,
      amount: 1,
      raw_amount: { value: "1" },
    }))
    await store.db("refund").insert(rows)
    const decided = await Promise.allSettled(wanted.map((one) => shop.gateway.cashRefunds.decide(order.id, one)))
    const refunds = await shop.gateway.cashRefunds.ofOrder(order.id)
    expect(refunds.length).toBe(decided.filter(({ status }) => status === "fulfilled").length)
    const sum = (part: "online_minor" | "cash_minor") => refunds.reduce((total, one) => total + one[part], 0)
    expect(sum("online_minor")).toBe(order.advance_minor)
    expect(sum("cash_minor")).toBeLessThanOrEqual(due)
    const rest = {
      key: `ref_${order.id}_rest`,
      amount: BigInt(due - sum("cash_minor") + 1),
      gone: [],
      only_earlier: false,
    }
    await expect(shop.gateway.cashRefunds.decide(order.id, rest)).rejects.toMatchObject({ code: "REFUND_EXCEEDED" })
    await intact()
  })

  const look = async (order: CashOrder) => {
    await store
      .db("gateway_cash_order")
      .where({ id: order.id })
      .update({ looked_at: new Date(0) })
    await followCashOrders(store.container)
    return shop.gateway.cashOrders.find(order.id)
  }

  it("expects no cash of an order that the store cancels, also when the event of it is lost", async () => {
    const { order } = await cashOrder()
    await cancelOrderWorkflow(store.container).run({ input: { order_id: order.order_id ?? "" } })
    await until("the cash order is cancelled", async () => {
      return (await shop.gateway.cashOrders.find(order.id))?.state === "cancelled"
    })
    // Medusa cancels no payment that has a capture, and its module emits no event of its own.
    const { order: advanced } = await advanceOrder()
    await store.container.resolve(Modules.ORDER).cancel([advanced.order_id ?? ""])
    await followCashOrders(store.container)
    expect(await shop.gateway.cashOrders.find(advanced.id)).toMatchObject({ state: "due" })
    expect(await look(advanced)).toMatchObject({
      state: "cancelled",
      given_up_minor: advanced.total_minor - advanced.advance_minor,
    })
    const { event_type, data } = (await eventsOf(advanced)).at(-1) ?? {}
    expect([event_type, data]).toMatchObject(["cash_order.changed", { status: "cancelled", due: "0.00" }])
    await intact()
  })

  it("keeps the payment open for cash that is recorded while the store cancels it", async () => {
    const { cart, order } = await cashOrder()
    const payments = store.container.resolve(Modules.PAYMENT)
    const [collecting, cancelling] = await holding(store, "gateway_cash_order", order.id, async () => {
      const input = { amount: 10_000n, charge: 0n, source: "admin", courier: null, note: null } as const
      const recorded = shop.gateway.cash.collect(order.id, { ...input, request_key: `beside:${order.id}` }, {})
      await blocked(store, 1)
      const ended = payments.cancelPayment(order.payment_id ?? "").catch((error: unknown) => error)
      await blocked(store, 2)
      return [recorded, ended]
    })
    await collecting
    expect(await cancelling).toBeInstanceOf(Error)
    expect(await shop.gateway.cashOrders.find(order.id)).toMatchObject({ state: "part_collected" })
    await follow(order)
    expect(await shop.moneyOf(cart.id)).toEqual({ payments: 1, captured: "100.00", recorded: "100.00" })
    await payments.cancelPayment(order.payment_id ?? "")
    expect(await shop.gateway.cashOrders.find(order.id)).toMatchObject({ state: "cancelled" })
    await intact()
  })

  it("keeps the payment open for an advance that Medusa does not show yet", async () => {
    const link = jest.spyOn(shop.gateway.cash, "linkAdvance").mockResolvedValue(false)
    const { cart, order } = await advanceOrder()
    const payments = store.container.resolve(Modules.PAYMENT)
    await until("the order is placed", async () => (await follow(order).catch(() => null))?.state === "due")
    const { payment_id } = (await shop.gateway.cashOrders.find(order.id)) ?? order
    await expect(payments.cancelPayment(payment_id ?? "")).rejects.toThrow()
    link.mockRestore()
    await follow(order)
    const advance = formatAmount(order.advance_minor)
    expect(await shop.moneyOf(cart.id)).toEqual({ payments: 1, captured: advance, recorded: advance })
    await intact()
  })

  const dueOf = async ({ id }: CashOrder) => (await admin.get(`/cash-orders/${id}`)).body.cash_order.due

  it("collects no more at the door than an edited order owes, and what an edit adds by the balance alone", async () => {
    const { cart, order } = await cashOrder({ "CUSHION-40": 3 })
    const { id, quantity, price } = await lineOf(order)
    await editOrder(store.container, order.order_id ?? "", { set: [{ id, quantity: quantity - 1 }] })
    await until("the order is due without it", async () => {
      return (await dueOf(order)) === formatAmount(order.total_minor - price)
    })
    const change = { event_type: "cash_order.changed", data: { status: "due", due: await dueOf(order) } }
    expect(await eventsOf(order)).toMatchObject([{ event_type: "cash_order.placed" }, change])
    const balance = async () => (await readBalance(store.container, order.order_id ?? ""))?.due
    expect(await balance()).toBeLessThanOrEqual(0n)
    // What Medusa would let an admin mark as paid beside the cash: nothing, and later what the edit adds.
    const unpaid = () =>
      store
        .db("order_payment_collection as link")
        .join("payment_collection as of", "of.id", "link.payment_collection_id")
        .where({ "link.order_id": order.order_id, "of.status": "not_paid" })
        .select("of.amount")
    await until("nothing can be paid twice", async () => (await unpaid()).length === 0)
    const path = `/cash-orders/${order.id}/collect`
    expect(await admin.post(path, { amount: formatAmount(order.total_minor) })).toMatchObject({
      body: { code: "CASH_EXCEEDED" },
    })
    await editOrder(store.container, order.order_id ?? "", { set: [{ id, quantity: quantity + 1 }] })
    await until("as much is due as it was placed with", async () => {
      return (await dueOf(order)) === formatAmount(order.total_minor)
    })
    expect(await balance()).toBe(BigInt(price))
    await until("the rest can be paid", async () => {
      return (await unpaid()).map(({ amount }) => minor(amount)).join() === String(price)
    })
    expect(await admin.post(path, { amount: formatAmount(order.total_minor + price) })).toMatchObject({
      body: { code: "CASH_EXCEEDED" },
    })
    const { body } = await admin.post(path, { amount: formatAmount(order.total_minor) })
    expect(body.cash_order).toMatchObject({ status: "collected" })
    expect(await balance()).toBe(BigInt(price))
    expect(await shop.moneyOf(cart.id)).toMatchObject({ captured: formatAmount(order.total_minor) })
    await intact()
  })

  it("keeps the payment of an order with an advance through an edit, for the cash that is still to come", async () => {
    const { cart, order } = await advanceOrder()
    const [variant] = await store
      .db("order_line_item")
      .where({ id: (await lineOf(order)).id })
      .select("variant_id")
    const add = [{ variant_id: variant.variant_id, quantity: 1, unit_price: 500 }]
    await editOrder(store.container, order.order_id ?? "", { add })
    expect(await look(order)).toMatchObject({ state: "due" })
    const due = formatAmount(order.total_minor - order.advance_minor)
    expect(await dueOf(order)).toBe(due)
    expect((await readBalance(store.container, order.order_id ?? ""))?.due).toBe(50_000n)
    const unpaid = await store
      .db("order_payment_collection as link")
      .join("payment_collection as of", "of.id", "link.payment_collection_id")
      .where({ "link.order_id": order.order_id, "of.status": "not_paid" })
      .select("of.amount")
    expect(unpaid.map(({ amount }) => minor(amount))).toEqual([50_000])
    const { body } = await admin.post(`/cash-orders/${order.id}/collect`, { amount: due })
    expect(body.cash_order).toMatchObject({ status: "collected" })
    expect(await shop.moneyOf(cart.id)).toMatchObject({ captured: formatAmount(order.total_minor) })
    await intact()
  })

  it("follows a return that was received without its event, and is over when nothing is owed any more", async () => {
    const { order } = await advanceOrder()
    const { id, quantity } = await lineOf(order)
    await fulfill(store.container, order.order_id ?? "", [{ id, quantity }])
    const coming = await requestReturn(store.container, order.order_id ?? "", [{ id, quantity }])
    expect(await dueOf(order)).toBe(formatAmount(order.total_minor - order.advance_minor))
    const followed = jest.spyOn(shop.gateway.cashOrders, "ofOrder").mockResolvedValue(null)
    await receiveReturn(store.container, coming, { items: [{ id, quantity }] })
    followed.mockRestore()
    expect(await look(order)).toMatchObject({ state: "collected", collected_minor: 0 })
    expect(await dueOf(order)).toBe("0.00")
    await intact()
  })

  it("tells an admin of cash that Medusa does not show, who tries again or leaves it", async () => {
    const { cart, order } = await cashOrder()
    const attention = async () => (await admin.get("/overview")).body.overview.attention.stuck_cash_orders
    const link = jest.spyOn(shop.gateway.cash, "linkCapture").mockResolvedValue(false)
    await admin.post(`/cash-orders/${order.id}/collect`, { amount: "100.00" })
    expect(await attention()).toBe(0)
    for (let failure = 1; failure < 5; failure++) {
      await follow(order)
    }
    expect(await attention()).toBe(1)
    const { body } = await admin.get("/cash-orders?status=stuck")
    expect(body.cash_orders).toMatchObject([{ id: order.id, last_error: { message: expect.any(String) } }])
    const text = (await shop.gateway.metrics.render()).text
    expect(text).toMatch(/gateway_queue_depth\{queue="stuck_cash_orders",environment="sandbox"\} 1\n/)
    const path = `/cash-orders/${order.id}/decide`
    expect(await admin.post(path, { decision: "leave", note: "written by hand" })).toMatchObject({ status: 200 })
    expect(await shop.gateway.cashOrders.find(order.id)).toMatchObject({ stuck_since: null, collected_minor: 10_000 })
    expect(await store.db("gateway_cash_order").where({ id: order.id }).first()).toMatchObject({
      next_attempt_at: null,
    })
    expect(await attention()).toBe(0)
    expect(await admin.post(path, { decision: "leave" })).toMatchObject({ status: 409 })
    link.mockRestore()
    await admin.post(path, { decision: "retry" })
    expect(await shop.moneyOf(cart.id)).toEqual({ payments: 1, captured: "100.00", recorded: "100.00" })
    await intact()
  })

  it("lists what is due and late, and sums it up with the refusals by district", async () => {
    const { order } = await cashOrder()
    await store
      .db("gateway_cash_order")
      .where({ id: order.id })
      .update({ placed_at: new Date(Date.now() - 8 * 86_400_000) })
    const { body } = await admin.get("/cash-orders?status=late&totals=true")
    const due = formatAmount(order.total_minor)
    expect(body).toMatchObject({ cash_orders: [{ id: order.id, is_late: true, due }], totals: [{ due }] })
    const listed = async (query: string) => (await admin.get(`/cash-orders?status=late&${query}`)).body.cash_orders
    expect([await listed("district=dhaka"), await listed("district=Sylhet")]).toMatchObject([[{ id: order.id }], []])
    const typed = [`#${order.order_number}`, "০১৭১২-৩৪৫৬৭৮"].map((q) => listed(`q=${encodeURIComponent(q)}`))
    expect(await Promise.all(typed)).toMatchObject([[{ id: order.id }], [{ id: order.id }]])
    const late = async () => (await admin.get("/overview")).body.overview.attention.late_cash_orders
    expect(await late()).toBe(1)
    await settle({ late_after_days: 90 })
    expect(await late()).toBe(0)
    await settle({ late_after_days: 7 })
    const { body: onOrder } = await admin.get(`/orders/${order.order_id}/payments`)
    expect(onOrder.cash_order).toMatchObject({ id: order.id, merchant_id: tenant.merchant_id, is_late: true })
    const { body: summary } = await admin.get("/cash-orders/summary")
    expect(summary.cash).toMatchObject({ late: formatAmount(order.total_minor), late_count: 1 })
    const refused = await store.db("gateway_cash_order").where({ state: "refused", district: "Dhaka" })
    expect(summary.cash.districts[0]).toMatchObject({ district: "Dhaka", refused: refused.length })
    expect(summary.cash.collected).not.toBe("0.00")
    const { body: early } = await admin.get("/cash-orders/summary?to=2020-01-01T00:00:00Z")
    const to = "2020-01-01T00:00:00.000Z"
    expect(early.cash).toMatchObject({ late_count: 1, collected: "0.00", districts: [], to })
    const many = await admin.post("/cash-orders/collect", { ids: [order.id, "gco_unknown"], courier: "RedX" })
    expect(many.body.outcomes).toMatchObject([{ outcome: "recorded" }, { outcome: "refused" }])
    // "Due" is what open orders still owe, of those that are over nothing; "Collected" all cash that came.
    const { totals, cash_orders: over } = (await admin.get("/cash-orders?totals=true&status=collected&limit=100")).body
    const collected = over.reduce((sum, one) => sum + Number(one.collected), 0).toFixed(2)
    expect([totals, over.length > 0]).toEqual([[{ currency: "BDT", due: "0.00", collected }], true])
  })

  it("records the whole cash of many once, and all that is due then, though that changes meanwhile", async () => {
    const { order } = await cashOrder()
    const { cash, cashList } = shop.gateway
    await cash.follow(order.id, BigInt(order.total_minor - 5_000))
    jest.spyOn(cashList, "some").mockResolvedValueOnce([])
    const collect = cash.collect.bind(cash)
    jest.spyOn(cash, "collect").mockImplementationOnce(async (...args) => {
      await cash.follow(order.id, BigInt(order.total_minor))
      return collect(...args)
    })
    const record = async () => (await admin.post("/cash-orders/collect", { ids: [order.id] })).body.outcomes
    expect(await record()).toMatchObject([{ outcome: "recorded" }])
    expect(await Promise.all([record(), record()])).toMatchObject([
      [{ outcome: "recorded" }],
      [{ outcome: "recorded" }],
    ])
    expect(await shop.gateway.cashOrders.find(order.id)).toMatchObject({
      state: "collected",
      collected_minor: order.total_minor,
    })
    expect(await cash.collections(order.id)).toMatchObject([{ amount_minor: order.total_minor }])
    await intact()
  })

  it("finds a cash order and cash that the ledger does not have (invariants)", async () => {
    const { order } = await cashOrder()
    const row = () => store.db("gateway_cash_order").where({ id: order.id })
    const broken = async () => (await shop.gateway.invariants.check()).map(({ name }) => name)
    await row().update({ given_up_minor: 100 })
    expect(await broken()).toEqual(["cash_orders_are_posted"])
    await row().update({ given_up_minor: 0, collected_minor: 100 })
    expect(await broken()).toEqual(["cash_is_posted"])
    await row().update({ returned_minor: 50 })
    expect(await broken()).toEqual(["cash_is_posted", "cash_refunds_are_posted"])
    await row().update({ collected_minor: 0, returned_minor: 0, state: "collected" })
    expect(await broken()).toEqual(["cash_orders_are_posted"])
    await row().update({ state: "due" })
    await intact()
  })

  it("reads and changes the rules, and shows nothing of another merchant", async () => {
    const rules = [{ advance: "percent", percent: "12.50", districts: ["Sylhet"], total_from: "500.00" }]
    const { body } = await admin.post("/cash-settings", { rules, late_after_days: 5 })
    expect(body.cash_settings).toMatchObject({ rules, late_after_days: 5, refused_advance: "keep" })
    expect(await admin.post("/cash-settings", { rules: [{ advance: "fixed" }] })).toMatchObject({ status: 422 })
    const { order } = await cashOrder()
    const other = await newMerchant(store)
    const theirs = adminOf(other)
    expect(await theirs.get(`/cash-orders/${order.id}`)).toMatchObject({ status: 404 })
    expect(await theirs.post(`/cash-orders/${order.id}/collect`, { amount: "1.00" })).toMatchObject({ status: 404 })
    expect(await theirs.post(`/cash-orders/${order.id}/give-up`, {})).toMatchObject({ status: 404 })
  })
})
