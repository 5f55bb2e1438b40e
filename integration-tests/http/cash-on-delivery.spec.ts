import { cancelOrderWorkflow, capturePaymentWorkflow, refundPaymentWorkflow } from "@medusajs/medusa/core-flows"
import { newMerchant, type ApiMerchant } from "../support/api"
import { prepareAdmin, useAdminOf, type Admin } from "../support/admin"
import { CartShop, type Cart, type PaymentSession } from "../support/carts"
import { followCashOrders } from "../../src/store/cash/settle"
import { formatAmount } from "../../src/modules/gateway/kernel/money/money"
import { useStore } from "../support/store"
import { until } from "../support/until"
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
async function advanceOrder(): Promise<{ cart: Cart; order: CashOrder; transaction_id: string; session: CashSession }> {
  await settle({ rules: [{ advance: "delivery" }], refused_advance: "keep" })
  const cart = await shop.cart()
  const session = await chooseCash(cart)
  const { body } = await shop.pay(session.data.session_id)
  return { cart, order: await orderOf(session), transaction_id: body.data.transaction_id, session }
}

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
    expect(outcomes(await admin.post("/cash-orders/import", { csv, courier: "Steadfast" }))).toEqual(expected)
    const again = ["known", "known", "known", "refused", "refused"]
    expect(outcomes(await admin.post("/cash-orders/import", { csv }))).toEqual(again)
    await followCashOrders(store.container)
    expect(await shop.moneyOf(cart.id)).toEqual({ payments: 1, captured: whole, recorded: whole })
    const broken = await admin.post("/cash-orders/import", { csv: `order_number,collected\n${order.order_number},x` })
    expect(broken).toMatchObject({ status: 422, body: { details: [{ field: "lines[2].collected" }] } })
    await intact()
  })

  it("ends an order that is refused at the door, and keeps or gives back its advance by the store's rule", async () => {
    const kept = await advanceOrder()
    const { body } = await admin.post(`/cash-orders/${kept.order.id}/give-up`, { note: "not at home" })
    expect(body.cash_order).toMatchObject({ status: "refused", due: "0.00", collected: "0.00" })
    const [payment] = await store.db("payment").where({ id: kept.order.payment_id })
    expect(payment.canceled_at).not.toBeNull()
    expect((await shop.gateway.refunds.list(kept.transaction_id)).length).toBe(0)

    const given = await advanceOrder()
    await settle({ refused_advance: "give_back" })
    await admin.post(`/cash-orders/${given.order.id}/give-up`, {})
    expect(await shop.gateway.refunds.list(given.transaction_id)).toMatchObject([
      { state: "completed", amount_minor: given.order.advance_minor },
    ])
    const late = await admin.post(`/cash-orders/${given.order.id}/collect`, { amount: "10.00" })
    expect(late).toMatchObject({ status: 409 })
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
    await intact()
  })

  it("expects no cash of an order that the store cancels", async () => {
    const { order } = await cashOrder()
    await cancelOrderWorkflow(store.container).run({ input: { order_id: order.order_id ?? "" } })
    await until("the cash order is cancelled", async () => {
      return (await shop.gateway.cashOrders.find(order.id))?.state === "cancelled"
    })
    await intact()
  })

  it("lists what is due and late, and sums it up with the refusals by district", async () => {
    const { order } = await cashOrder()
    await store
      .db("gateway_cash_order")
      .where({ id: order.id })
      .update({ placed_at: new Date(Date.now() - 8 * 86_400_000) })
    const { body } = await admin.get("/cash-orders?status=late")
    expect(body.cash_orders).toMatchObject([{ id: order.id, is_late: true, due: formatAmount(order.total_minor) }])
    const { body: summary } = await admin.get("/cash-orders/summary")
    expect(summary.cash).toMatchObject({ late: formatAmount(order.total_minor), late_count: 1 })
    expect(summary.cash.districts[0]).toMatchObject({ district: "Dhaka", refused: 2 })
    const many = await admin.post("/cash-orders/collect", { ids: [order.id, "gco_unknown"], courier: "RedX" })
    expect(many.body.outcomes).toMatchObject([{ outcome: "recorded" }, { outcome: "refused" }])
  })

  it("finds a cash order and cash that the ledger does not have (invariants)", async () => {
    const { order } = await cashOrder()
    const row = () => store.db("gateway_cash_order").where({ id: order.id })
    const broken = async () => (await shop.gateway.invariants.check()).map(({ name }) => name)
    await row().update({ given_up_minor: 100 })
    expect(await broken()).toEqual(["cash_orders_are_posted"])
    await row().update({ given_up_minor: 0, collected_minor: 100 })
    expect(await broken()).toEqual(["cash_is_posted"])
    await row().update({ collected_minor: 0, state: "collected" })
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
