import { dayNumber } from "../../src/i18n/days"
import { HOME_TIME_ZONE } from "../../src/i18n/formats"
import type { IPaymentModuleService } from "@medusajs/framework/types"
import { Modules } from "@medusajs/framework/utils"
import { cancelOrderWorkflow, refundPaymentWorkflow } from "@medusajs/medusa/core-flows"
import { attemptsOf, newMerchant } from "../support/api"
import { CartShop, DECLINED_CARD, type Cart } from "../support/carts"
import { DOLLARS, sellAbroad, YEN, type RegionOfCart } from "../support/dollars"
import { expectLoggedErrors } from "../support/logged-errors"
import { orderMoney } from "../support/order-money"
import { sellMonthly, sellWithoutPlans } from "../support/sold-plans"
import { useStore } from "../support/store"
import { until } from "../support/until"

expectLoggedErrors(
  /Error was thrown trying to cancel payment .*The payment is captured: refund it instead/,
  /Error was thrown trying to cancel payment .*The acquirer refused the refund/
)

let shop: CartShop
let payments: IPaymentModuleService
// Before the store is closed.
afterAll(() => sellWithoutPlans(store, shop, "POSTER-50"))
const store = useStore({
  container: true,
  shop: true,
  prepare: async (booted) => {
    shop = new CartShop(booted)
    await shop.open()
    payments = booted.container.resolve(Modules.PAYMENT)
  },
})

async function paidCart(): Promise<{ cart: Cart; transaction_id: string; payment_id: string; session_id: string }> {
  const { cart, session } = await shop.checkout()
  const { body } = await shop.pay(session.data.session_id)
  const [payment] = await payments.listPayments({ payment_session_id: session.id })
  return { cart, transaction_id: body.data.transaction_id, payment_id: payment.id, session_id: session.data.session_id }
}

async function stateOf(session_id: string): Promise<{ state: string; amount_minor: number; refunded_minor: number }> {
  return shop.gateway.transactions.bySession(session_id)
}

const refundsOf = (transaction_id: string) => shop.gateway.refunds.list(transaction_id)

describe("the payment provider (design: The store's side)", () => {
  it("changes the amount of an unpaid checkout in place", async () => {
    const { session } = await shop.checkout()
    const updated = await payments.updatePaymentSession({
      id: session.id,
      amount: 777.125,
      currency_code: "bdt",
      data: session.data,
      context: { idempotency_key: session.id },
    })
    expect(updated.data).toEqual(session.data)
    expect(await stateOf(session.data.session_id)).toMatchObject({ state: "OPEN", amount_minor: 77_713 })
  })

  it("opens a new checkout when the amount of a declined one changes, under an order_id of its own", async () => {
    const { session } = await shop.checkout(undefined, { payment_method: "card" })
    await shop.pay(session.data.session_id, DECLINED_CARD)
    const updated = await payments.updatePaymentSession({
      id: session.id,
      amount: 500,
      currency_code: "bdt",
      data: session.data,
      context: { idempotency_key: session.id },
    })
    expect(updated.status).toBe("pending")
    expect(updated.data.session_id).not.toBe(session.data.session_id)
    const [row] = await store.db("gateway_checkout_session").where({ id: updated.data.session_id })
    expect(row).toMatchObject({
      order_id: `${session.id.replace("payses_", "")}-2`,
      amount_minor: 50_000,
      payment_info: { payment_service_id: 1 },
    })
  })

  it("refuses another amount once the checkout is paid", async () => {
    const { session } = await shop.checkout()
    await shop.pay(session.data.session_id)
    const update = payments.updatePaymentSession({
      id: session.id,
      amount: 500,
      currency_code: "bdt",
      data: session.data,
      context: { idempotency_key: session.id },
    })
    await expect(update).rejects.toThrow("The amount of a paid checkout cannot change")
  })

  it("ends the checkout when Medusa deletes the payment session", async () => {
    const { session } = await shop.checkout()
    await payments.deletePaymentSession(session.id)
    expect(await stateOf(session.data.session_id)).toMatchObject({ state: "EXPIRED" })
    expect((await shop.pay(session.data.session_id)).status).toBe(408)
  })

  it("keeps the payment session while money is being captured, and when it is", async () => {
    const { session } = await shop.checkout()
    const of = { session_id: session.data.session_id }
    await store.db("gateway_transaction").where(of).update({ state: "PROCESSING" })
    await expect(payments.deletePaymentSession(session.id)).rejects.toThrow(/is PROCESSING/)
    await store.db("gateway_transaction").where(of).update({ state: "OPEN" })
    await shop.pay(session.data.session_id)
    await expect(payments.deletePaymentSession(session.id)).rejects.toThrow(/is SUCCESS/)
    expect(await payments.listPaymentSessions({ id: session.id })).toHaveLength(1)
  })

  it("does not cancel captured money", async () => {
    const { payment_id, session_id } = await paidCart()
    await expect(payments.cancelPayment(payment_id)).rejects.toThrow("refund it instead of cancelling it")
    expect(await stateOf(session_id)).toMatchObject({ state: "SUCCESS", refunded_minor: 0 })
  })

  it("captures again and again without a change", async () => {
    const { payment_id, session_id } = await paidCart()
    const captured = await payments.capturePayment({ payment_id })
    expect(captured.captures).toHaveLength(1)
    expect(await stateOf(session_id)).toMatchObject({ state: "SUCCESS" })
  })

  it("answers the gateway's truth about a payment", async () => {
    const { payment_id, session_id } = await paidCart()
    const [payment] = await payments.listPayments({ id: [payment_id] })
    expect(payment.data).toMatchObject({ session_id, status: "SUCCESS" })
  })

  it("has nothing to say to webhooks", async () => {
    const payload = { data: { session_id: "ses_x" }, rawData: "", headers: {} }
    expect(await payments.getWebhookActionAndData({ provider: "gateway_default", payload })).toEqual({
      action: "not_supported",
    })
  })
})

describe("what a shopper sends as a payment session's data decides nothing", () => {
  /** The state after a process was killed before the provider had written its own data. */
  async function withDataOf(session_id: string): Promise<Unpaid> {
    const { cart, session } = await shop.checkout()
    await store
      .db("payment_session")
      .where({ id: session.id })
      .update({ data: { ...session.data, session_id } })
    return { cart, id: session.id, own: session.data.session_id }
  }
  type Unpaid = { cart: Cart; id: string; own: string }

  it("over the Store API nothing but requests is kept of it, however the path is written", async () => {
    const { session } = await shop.checkout()
    const cart = await shop.cart()
    const { body } = await shop.call("POST", "/store/payment-collections", { cart_id: cart.id })
    const forged = { ...session.data, transaction_id: "txn1", status: "SUCCESS", payment_method: "card" }
    const held = await store.db.transaction()
    await held.raw("LOCK TABLE gateway_checkout_session IN EXCLUSIVE MODE")
    for (const path of ["payment-collections", "Payment-Collections"]) {
      const running = shop.call("POST", `/store/${path}/${body.payment_collection.id}/payment-sessions`, {
        provider_id: "pp_gateway_default",
        data: forged,
      })
      void running.catch(() => undefined)
    }
    const committed = () =>
      store.db("payment_session").where({ payment_collection_id: body.payment_collection.id }).select("data")
    await until("both payment sessions are there", async () => (await committed()).length === 2)
    const rows = await committed()
    await held.rollback()
    expect(rows).toEqual([{ data: { payment_method: "card" } }, { data: { payment_method: "card" } }])
    expect(await stateOf(session.data.session_id)).toMatchObject({ state: "OPEN" })
  })

  it("another cart's paid checkout pays no other cart", async () => {
    const paid = await paidCart()
    const forged = await withDataOf(paid.session_id)
    expect((await shop.complete(forged.cart.id)).body.type).toBe("cart")
    await expect(payments.authorizePaymentSession(forged.id, {})).rejects.toThrow("not authorized")
    expect(await shop.ordersOf(forged.cart.id)).toEqual([])
    await shop.pay(forged.own)
    expect(await shop.ordersOf(forged.cart.id)).toHaveLength(1)
  })

  it("the amount of another cart's checkout stays; a change that names no payment session is refused", async () => {
    const { session } = await shop.checkout()
    const forged = await withDataOf(session.data.session_id)
    const change = {
      id: forged.id,
      amount: 777,
      currency_code: "bdt",
      data: session.data as unknown as Record<string, unknown>,
    }
    await expect(payments.updatePaymentSession(change)).rejects.toThrow("names no payment session")
    await payments.updatePaymentSession({ ...change, context: { idempotency_key: forged.id } })
    expect(await stateOf(session.data.session_id)).toMatchObject({ state: "OPEN", amount_minor: 132_000 })
    expect(await stateOf(forged.own)).toMatchObject({ state: "OPEN", amount_minor: 77_700 })
  })

  it("a merchant's checkout that came over the API is not ended by it, and the deleted session's own takes no money", async () => {
    const { session_id } = await (await newMerchant(store)).open()
    const forged = await withDataOf(session_id)
    await payments.deletePaymentSession(forged.id)
    expect(await stateOf(session_id)).toMatchObject({ state: "OPEN" })
    expect((await shop.pay(forged.own)).body.error).toMatchObject({ code: "CART_CHANGED" })
  })

  it("a payment gives back its own money, whatever its data says", async () => {
    const [mine, theirs] = [await paidCart(), await paidCart()]
    await store
      .db("payment")
      .where({ id: mine.payment_id })
      .update({ data: { session_id: theirs.session_id } })
    const since = async (at: Date) => (await shop.gateway.invariants.check(at)).map(({ name }) => name)
    const [before, after] = [new Date(Date.now() - 600_000), new Date(Date.now() + 60_000)]
    expect([await since(before), await since(after)]).toEqual([["one_medusa_payment_for_each_transaction"], []])
    expect((await store.brokenInvariants()).map(({ name, count }) => [name, count])).toEqual([
      ["one_medusa_payment_for_each_transaction", 1],
    ])
    await payments.refundPayment({ payment_id: mine.payment_id, amount: 100 })
    await expect(payments.cancelPayment(mine.payment_id)).rejects.toThrow("refund it instead of cancelling it")
    expect([await stateOf(mine.session_id), await stateOf(theirs.session_id)]).toMatchObject([
      { refunded_minor: 10_000 },
      { refunded_minor: 0 },
    ])
    // The refund has written the payment's own data again.
    expect(await store.brokenInvariants()).toEqual([])
  })
})

describe("docs/decisions/08: a store that sells in dollars", () => {
  let abroad: RegionOfCart
  let merchant_id: string

  beforeAll(async () => {
    abroad = await sellAbroad(store, DOLLARS)
    merchant_id = (await shop.gateway.merchants.storeMerchant("My store")).id
  })

  const inDollars = (items: Record<string, number> = { "CUSHION-40": 2 }) => shop.cart(items, { ...abroad })
  const ledger = () => shop.gateway.ledger.balancesByCurrency({ merchant_id, environment: "sandbox" })
  const overview = async (currency: string) => {
    const tenant = { merchant_id, environment: "sandbox", now: new Date() } as const
    const today = dayNumber(new Date(), HOME_TIME_ZONE)
    const period = { first: today - 1, last: today + 1, zone: HOME_TIME_ZONE }
    return shop.gateway.overview.read(tenant, period, currency)
  }
  const paidIn = async (currency: string) =>
    (await overview(currency)).payments.reduce(
      (sum, { amount, outcome }) => sum + (outcome === "SUCCESS" ? amount : 0n),
      0n
    )

  it("takes the cart in dollars: page, order, capture, fee, ledger and refunds, and no balance in BDT moves", async () => {
    const [before, revenue, taka] = [await ledger(), await paidIn("USD"), await overview("BDT")]
    const givenBack = (await overview("USD")).refunds.amount
    const dollarsBefore = before.get("USD")?.merchant_balance ?? 0n
    const cart = await inDollars()
    expect([cart.currency_code, cart.total]).toEqual(["usd", 24.5])
    const session = await shop.startPayment(cart.id, { payment_method: "card" })
    const { session_id } = session.data
    expect(await shop.page(session_id)).toMatch(/\$24\.50.*2 × \$12\.25/)
    expect(await shop.page(session_id)).not.toContain("৳")
    expect(await shop.page(session_id, "bn")).toContain("$২৪.৫০")

    const { body } = await shop.pay(session_id)
    const { transaction_id } = body.data
    const [order_id] = await shop.ordersOf(cart.id)
    const [payment] = await payments.listPayments({ payment_session_id: session.id })
    const [order] = await store.db("order").where({ id: order_id })
    expect([order.currency_code, payment.currency_code]).toEqual(["usd", "usd"])
    expect(await shop.moneyOf(cart.id)).toEqual({ payments: 1, captured: "24.50", recorded: "24.50" })
    // 2.5 % of 24.50, rounded half up.
    expect(await shop.gateway.transactions.bySession(session_id)).toMatchObject({ currency: "USD", charge_minor: 61 })
    expect((await ledger()).get("USD")?.merchant_balance).toBe(dollarsBefore + 2_389n)
    expect([await paidIn("USD"), (await overview("BDT")).payments]).toEqual([revenue + 2_450n, taka.payments])
    expect((await overview("BDT")).currencies).toEqual(["BDT", "USD"])

    await refundPaymentWorkflow(store.container).run({ input: { payment_id: payment.id, amount: 4.25 } })
    expect(await stateOf(session_id)).toMatchObject({ state: "SUCCESS", refunded_minor: 425 })
    await refundPaymentWorkflow(store.container).run({ input: { payment_id: payment.id, amount: 20.25 } })
    expect(await stateOf(session_id)).toMatchObject({ state: "REFUNDED", refunded_minor: 2_450 })
    expect(await refundsOf(transaction_id)).toMatchObject([
      { amount_minor: 425, currency: "USD", state: "completed" },
      { amount_minor: 2_025, currency: "USD", state: "completed" },
    ])
    expect(await orderMoney(store, order_id)).toMatchObject({ captured: 24.5, refunds: [4.25, 20.25], refunded: 24.5 })
    expect([(await overview("USD")).refunds.amount, (await overview("BDT")).refunds]).toEqual([
      givenBack + 2_450n,
      taka.refunds,
    ])
    const after = await ledger()
    expect([after.get("USD")?.merchant_balance, after.get("BDT")]).toEqual([dollarsBefore - 61n, before.get("BDT")])
    expect(await store.brokenInvariants()).toEqual([])
  })

  it("has a range of its own, and a refusal names the limit and the currency", async () => {
    const least = await shop.startPayment((await inDollars({ "TEA-250": 2 })).id)
    expect(await stateOf(least.data.session_id)).toMatchObject({ amount_minor: 60 })
    const refused = async (items: Record<string, number>) =>
      (await shop.initiate((await inDollars(items)).id)).body.message
    expect(await refused({ "TEA-250": 1 })).toContain("from 0.50 to 500000.00 USD; the cart comes to 0.30")
    const update = payments.updatePaymentSession({
      id: least.id,
      amount: 0.49,
      currency_code: "usd",
      data: least.data,
      context: { idempotency_key: least.id },
    })
    await expect(update).rejects.toThrow("from 0.50 to 500000.00 USD; the cart comes to 0.49")
    const inTaka = payments.updatePaymentSession({
      id: least.id,
      amount: 500,
      currency_code: "bdt",
      data: least.data,
      context: { idempotency_key: least.id },
    })
    await expect(inTaka).rejects.toThrow("The checkout is in USD, and cannot become one in BDT")
    expect(await stateOf(least.data.session_id)).toMatchObject({ currency: "USD", amount_minor: 60 })
  })

  it("refuses a currency without two decimals, and one that no acquirer takes, before there is a checkout", async () => {
    const count = async () => Number((await store.db("gateway_checkout_session").count().first())?.count)
    const yen = await shop.cart({ "CUSHION-40": 1 }, { ...(await sellAbroad(store, YEN)) })
    const dollars = await inDollars()
    const before = await count()
    expect(await shop.initiate(yen.id)).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining("currencies of two decimals, and not JPY") },
    })
    const services = store.db("gateway_payment_service").where({ merchant_id, environment: "sandbox" })
    await services.clone().update({ is_active: false })
    const refused = await shop.initiate(dollars.id)
    await services.clone().update({ is_active: true })
    expect(refused.body.message).toBe("No acquirer is configured for payments in USD in sandbox")
    expect(await count()).toBe(before)
  })

  it("has no instalments and no subscriptions in dollars: the contract's are in BDT", async () => {
    const cart = await inDollars({ "CUSHION-40": 300 })
    const emi = await shop.initiate(cart.id, { emi_configuration_id: "emi_1" })
    expect(emi.body.message).toBe("emi_configuration_id is for orders in BDT only, and not in USD")
    const session = await shop.startPayment(cart.id, { payment_method: "card" })
    expect(await shop.page(session.data.session_id)).not.toMatch(/EMI|instalment/i)

    await sellMonthly(store, shop, { merchant_id, environment: "sandbox" }, "POSTER-50", 85_000n)
    const plan = await shop.initiate((await inDollars({ "POSTER-50": 1 })).id)
    expect(plan).toMatchObject({
      status: 400,
      body: { message: expect.stringMatching(/^The subscription to .* is in BDT and the cart in USD/) },
    })
  })
})

describe("refunds from Medusa's order page", () => {
  it("are not held up by the balance: the store's own merchant is its own bank", async () => {
    const { id: merchant_id } = await shop.gateway.merchants.storeMerchant("My store")
    const settings = await Promise.all(
      (["sandbox", "production"] as const).map((environment) =>
        shop.gateway.merchants.environment({ merchant_id, environment })
      )
    )
    expect(settings.map(({ may_overdraw }) => may_overdraw)).toEqual([true, true])
  })

  it("give back a part, then the rest", async () => {
    const { transaction_id, payment_id, session_id } = await paidCart()
    await refundPaymentWorkflow(store.container).run({ input: { payment_id, amount: 330.5 } })
    expect(await stateOf(session_id)).toMatchObject({ state: "SUCCESS", refunded_minor: 33_050 })
    await refundPaymentWorkflow(store.container).run({ input: { payment_id, amount: 989.5 } })
    expect(await stateOf(session_id)).toMatchObject({ state: "REFUNDED", refunded_minor: 132_000 })
    expect(await refundsOf(transaction_id)).toMatchObject([
      { amount_minor: 33_050, state: "completed" },
      { amount_minor: 98_950, state: "completed" },
    ])
  })

  it("do not give back twice what Medusa asks for again under a new key", async () => {
    const { transaction_id, payment_id } = await paidCart()
    // The acquirer has refunded, and the gateway fails before it can record that.
    await store.db.raw(`
      CREATE FUNCTION refuse_all() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''no room''; END';
      CREATE TRIGGER refuse_all BEFORE UPDATE ON gateway_refund FOR EACH ROW EXECUTE FUNCTION refuse_all()`)
    const failed = await payments.refundPayment({ payment_id, amount: 500 }).catch((error: Error) => error)
    await store.db.raw("DROP TRIGGER refuse_all ON gateway_refund; DROP FUNCTION refuse_all()")
    expect(failed).toBeInstanceOf(Error)
    expect(await refundsOf(transaction_id)).toMatchObject([{ amount_minor: 50_000, state: "processing" }])
    expect(await payments.listRefunds({ payment_id })).toHaveLength(0)

    await payments.refundPayment({ payment_id, amount: 500 })
    const [medusas] = await payments.listRefunds({ payment_id })
    expect(await refundsOf(transaction_id)).toMatchObject([
      { amount_minor: 50_000, state: "completed", request_key: `medusa:${medusas.id}` },
    ])
    expect(
      await store
        .db("gateway_sandbox_operation")
        .where({ kind: "refund" })
        .whereIn("charge_key", attemptsOf(store, transaction_id))
    ).toHaveLength(1)

    // The same amount again is another request: nothing is left to adopt.
    await payments.refundPayment({ payment_id, amount: 500 })
    expect(await refundsOf(transaction_id)).toHaveLength(2)
  })

  it("fail in words when the acquirer refuses, and leave the money refundable", async () => {
    const { cart, session } = await shop.checkout()
    await shop.pay(session.data.session_id, "4000000000005126")
    const [payment] = await payments.listPayments({ payment_session_id: session.id })
    await expect(payments.refundPayment({ payment_id: payment.id, amount: 10 })).rejects.toThrow(
      "The acquirer refused the refund"
    )
    expect(await stateOf(session.data.session_id)).toMatchObject({ state: "SUCCESS", refunded_minor: 0 })
    expect(await shop.ordersOf(cart.id)).toHaveLength(1)
  })

  it("happen when an admin cancels the order", async () => {
    const { cart, session_id } = await paidCart()
    const [order_id] = await shop.ordersOf(cart.id)
    await cancelOrderWorkflow(store.container).run({ input: { order_id } })
    expect(await stateOf(session_id)).toMatchObject({ state: "REFUNDED", refunded_minor: 132_000 })
  })
})
