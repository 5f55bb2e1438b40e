import {
  cancelOrderWorkflow,
  completeCartWorkflow,
  updateCustomersWorkflow,
  updateOrderWorkflow,
} from "@medusajs/medusa/core-flows"
import { ContainerRegistrationKeys, Modules } from "@medusajs/framework/utils"
import type { IPromotionModuleService, MedusaContainer } from "@medusajs/framework/types"
import type { InvoiceLine } from "../../src/modules/gateway/subscriptions/invoice-line-rules"
import type { InvoiceView } from "../../src/modules/gateway/invoices/records"
import type { Tenant } from "../../src/modules/gateway/kernel/types"
import { planPurchaseOf } from "../../src/providers/gateway-payment/plan-lines"
import { completeDuePaidCarts } from "../../src/store/cart/complete-paid-cart"
import { agreeToFreePlans, lockFreePlans } from "../../src/store/cart/free-plans"
import { ADDRESS, CartShop, DECLINED_CARD } from "../support/carts"
import { StoreSubscriber } from "../support/renewals"
import { Shopper } from "../support/shoppers"
import { sellMonthly, sellWithTrial } from "../support/sold-plans"
import { useStore } from "../support/store"
import { until } from "../support/until"

/** In percent. A delivery of 70.00 then costs 80.50. */
const TAX = 15

let shop: CartShop
let tenant: Tenant
const store = useStore({
  production: false,
  shop: true,
  prepare: async (booted) => {
    shop = new CartShop(booted)
    await shop.open()
    const { id: merchant_id } = await shop.gateway.merchants.storeMerchant("")
    tenant = { merchant_id, environment: "sandbox" }
    const taxes = booted.container.resolve(Modules.TAX)
    const [region] = await taxes.listTaxRegions({ country_code: "bd" })
    await taxes.createTaxRates({ tax_region_id: region.id, name: "VAT", code: "VAT", rate: TAX, is_default: true })
  },
})

/** A discount of so many percent on every line of the carts with this code. */
async function promotion(code: string, percent: number): Promise<void> {
  await store.container.resolve<IPromotionModuleService>(Modules.PROMOTION).createPromotions({
    code,
    type: "standard",
    status: "active",
    is_automatic: false,
    application_method: { type: "percentage", target_type: "items", allocation: "across", value: percent },
  })
}

/** With these a cart costs nothing. */
const promo_codes = ["ALLFREE", "FREEDELIVERY"]
beforeAll(async () => {
  await promotion("ALLFREE", 100)
  await store.container.resolve<IPromotionModuleService>(Modules.PROMOTION).createPromotions({
    code: "FREEDELIVERY",
    type: "standard",
    status: "active",
    is_automatic: false,
    application_method: { type: "percentage", target_type: "shipping_methods", allocation: "across", value: 100 },
  })
})

/** The paid invoices of a payment, by the numbers. */
async function invoicesOf(shopper: Shopper) {
  const uuids = (await shopper.subscriptions()).map(({ id }) => id)
  const found = await Promise.all(
    uuids.map((subscription_id) => shop.gateway.invoices.list(tenant, { subscription_id }, { per_page: 20, offset: 0 }))
  )
  return found.flatMap(({ rows }) => rows).sort((one, other) => one.number - other.number)
}

const linesOf = ({ lines }: { lines: readonly InvoiceLine[] | null }) =>
  (lines ?? []).map(({ kind, amount_minor }) => [kind, amount_minor])

const paidBy = async (transaction_id: string): Promise<number> =>
  (await store.db("gateway_transaction").where({ id: transaction_id }).first()).amount_minor

describe("decisions/13: the invoice of a first period is of the payment", () => {
  beforeAll(async () => {
    await sellMonthly(store, shop, tenant, "TEA-250", 60_000n)
    await sellMonthly(store, shop, tenant, "CUSHION-40", 125_000n)
  })

  it("one plan with delivery: lines, tax and total are the payment's, in the API, in the store and on the document", async () => {
    const shopper = await Shopper.register(store, shop)
    const { transaction_id } = await shopper.buy({ "TEA-250": 2 })
    const [invoice, ...others] = await invoicesOf(shopper)
    expect(others).toEqual([])
    // 2 × 450.00 and 70.00, with 15 % VAT.
    expect(linesOf(invoice)).toEqual([
      ["plan", 103_500],
      ["delivery", 8_050],
    ])
    expect([invoice.amount_minor, invoice.tax_minor]).toEqual([111_550, 14_550])
    expect(await paidBy(transaction_id)).toBe(111_550)
    const records = await store.db("gateway_billing_record").where({ transaction_id })
    expect(records.map(({ amount_minor }) => amount_minor)).toEqual([111_550])
    const [{ id }] = await shopper.subscriptions()
    expect((await shopper.about(id, "/invoices")).body.invoices).toMatchObject([{ amount: "1115.50" }])
  })

  it("other goods in the cart are on it too, and a discount is shown; the period's record is of the plan alone", async () => {
    await promotion("TENTH", 10)
    const shopper = await Shopper.register(store, shop)
    const cart = await shopper.cart({ "TEA-250": 1, "MUG-GREEN": 1 })
    await shopper.call("POST", `/store/carts/${cart.id}/promotions`, { promo_codes: ["TENTH"] })
    const session = await shopper.startPayment(cart)
    const { transaction_id } = (await shop.pay(session.data.session_id)).body.data
    const [invoice, ...others] = await invoicesOf(shopper)
    expect(others).toEqual([])
    expect((invoice.lines ?? []).map(({ kind }) => kind)).toEqual(["plan", "goods", "delivery"])
    expect(invoice.lines?.[0]).toMatchObject({ amount_minor: 46_575, discount_minor: 5_175, tax_minor: 6_075 })
    expect(invoice.amount_minor).toBe(await paidBy(transaction_id))
    const [record] = await store.db("gateway_billing_record").where({ transaction_id })
    expect(record.amount_minor).toBe(46_575 + 8_050)
  })

  it("of two plans in one cart each has its invoice, and both together are the payment", async () => {
    const shopper = await Shopper.register(store, shop)
    const { transaction_id } = await shopper.buy({ "TEA-250": 1, "CUSHION-40": 1, "MUG-GREEN": 1 })
    const invoices = await invoicesOf(shopper)
    const paid = await paidBy(transaction_id)
    expect(invoices.map(linesOf).map((lines) => lines.map(([kind]) => kind))).toEqual([
      ["plan", "goods", "delivery"],
      ["plan"],
    ])
    expect(invoices[0].amount_minor + invoices[1].amount_minor).toBe(paid)
    expect(invoices.map(({ payment_minor }) => payment_minor)).toEqual([paid, paid])
    expect(invoices.map(({ paid_together }) => paid_together)).toEqual([[invoices[1].number], [invoices[0].number]])
  })

  it("a renewal's invoice shows the delivery, and its order has the same total", async () => {
    const subscriber = await StoreSubscriber.buys({ store, shop, tenant }, "TEA-250", 1)
    await subscriber.letMonthsPass()
    const invoices = await invoicesOf(subscriber.shopper)
    expect(invoices.map(linesOf)).toEqual([
      [
        ["plan", 51_750],
        ["delivery", 8_050],
      ],
      [
        ["plan", 60_000],
        ["delivery", 8_050],
      ],
    ])
    const [order] = await subscriber.orders()
    expect(order.total).toBe(invoices[1].amount_minor / 100)
    expect(invoices[1].tax_minor).toBe(Math.round(order.tax_total * 100))
    await subscriber.stop()
  })
})

describe("decisions: An end — a variant sold on a plan that ends", () => {
  const SKU = "TEA-250"
  const limit = async (billing_cycles: number | null) => {
    const plans = await store.db("gateway_plan").where({ plan_name: `${SKU} a month` })
    await store
      .db("gateway_plan")
      .whereIn(
        "id",
        plans.map(({ id }) => String(id))
      )
      .update({ billing_cycles })
  }
  beforeAll(async () => {
    await sellMonthly(store, shop, tenant, SKU, 60_000n)
    await limit(2)
  })
  afterAll(() => limit(null))

  it("the payment page says so before the shopper pays; after the last renewal no order follows", async () => {
    const shopper = await Shopper.register(store, shop)
    const cart = await shopper.cart({ [SKU]: 1 })
    const { session_id } = (await shopper.startPayment(cart)).data
    const page = async (lang: string) => (await fetch(`${store.url}/pay/${session_id}?lang=${lang}`)).text()
    expect(await page("en")).toContain("2 payments with this one, then it ends")
    expect(await page("bn")).toContain("এটিসহ ২টি পেমেন্ট, তারপর শেষ")
    const subscriber = await StoreSubscriber.buys({ store, shop, tenant }, SKU, 1)
    expect(await subscriber.now()).toMatchObject({ billing_cycles: 2, billing_cycles_paid: 1 })
    await subscriber.letMonthsPass()
    const last = (await subscriber.now()) as unknown as Record<string, string | number | null>
    expect(last).toMatchObject({ status: "ACTIVE", billing_cycles_paid: 2, next_billing_date: null })
    expect((await subscriber.orders()).length).toBe(1)
    await shop.gateway.clock.move(tenant, { now: new Date(Date.parse(String(last.last_period_end)) + 1_000) })
    expect(await subscriber.now()).toMatchObject({ status: "EXPIRED", billing_cycles_paid: 2 })
    expect((await subscriber.orders()).length).toBe(1)
  })

  it("a plan that changes while the page is open is seen again before it is paid", async () => {
    const shopper = await Shopper.register(store, shop)
    const cart = await shopper.cart({ [SKU]: 1 })
    const { session_id } = (await shopper.startPayment(cart)).data
    await limit(3)
    const paid = await shop.pay(session_id)
    expect([paid.status, await shopper.subscriptions()]).toEqual([409, []])
    await limit(2)
  })
})

describe("decisions/13: a free cart begins its subscriptions", () => {
  const SKU = "SCARF-S"
  const TRIAL_SKU = "MUG-TERRACOTTA"
  beforeAll(async () => {
    await sellMonthly(store, shop, tenant, SKU, 145_000n)
    await sellWithTrial(store, shop, tenant, { sku: TRIAL_SKU, amount: 60_000n })
  })

  async function freeCart(shopper: Shopper, sku: string, others: Record<string, number> = {}) {
    const cart = await shopper.cart({ [sku]: 1, ...others })
    const { body } = await shopper.call<{ cart: { total: number } }>("POST", `/store/carts/${cart.id}/promotions`, {
      promo_codes,
    })
    expect(body.cart.total).toBe(0)
    return cart
  }
  const complete = (shopper: Shopper, cart: { id: string }) =>
    shopper.call<{ type: string; message: string }>("POST", `/store/carts/${cart.id}/complete`)
  const begun = (shopper: Shopper, count = 1) =>
    until("the subscription has begun", async () => (await shopper.subscriptions()).length >= count)

  it("completed many times at once: one order, one subscription, its first period free and the usual price after it", async () => {
    const shopper = await Shopper.register(store, shop)
    const cart = await freeCart(shopper, SKU)
    const answers = await Promise.all([complete(shopper, cart), complete(shopper, cart), complete(shopper, cart)])
    expect(answers.some(({ body }) => body.type === "order")).toBe(true)
    await begun(shopper)
    const again = await complete(shopper, cart)
    expect(again.body.type).toBe("order")
    const orders = await shop.ordersOf(cart.id)
    expect(orders).toHaveLength(1)
    const [subscription, ...others] = await shopper.subscriptions()
    expect(others).toEqual([])
    expect(subscription).toMatchObject({ status: "ACTIVE", amount: "1530.50", order_id: orders[0], instrument: null })
    const [invoice] = await invoicesOf(shopper)
    expect(invoice).toMatchObject({ status: "PAID", amount_minor: 0, payment_minor: null })
    expect(invoice.lines?.map(({ discount_minor }) => discount_minor > 0)).toEqual([true, true])
    const { id } = await store.db("gateway_subscription").where({ uuid: subscription.id }).first()
    const events = await store.db("gateway_event").where({ resource_id: id }).orderBy("id").pluck("event_type")
    expect(events).toEqual(["subscription.created", "subscription.activated"])

    // Nothing was kept that could be charged: the renewal is past due, and its invoice can be paid.
    await shop.gateway.clock.move(tenant, {
      now: new Date(Date.parse(String(subscription.next_billing_date)) + 1_000),
    })
    expect((await shopper.subscriptions())[0].status).toBe("PAST_DUE")
    const open = (await invoicesOf(shopper)).at(-1)
    expect(open).toMatchObject({ status: "PENDING", amount_minor: 153_050 })
    expect(linesOf(open as InvoiceView)).toEqual([
      ["plan", 145_000],
      ["delivery", 8_050],
    ])
    const method = await shopper.about(subscription.id, "/instrument", {})
    expect(method.status).toBe(200)
    const paid = await shop.pay(method.body.session_id)
    expect(paid.body.data.status).toBe("SUCCESS")
    const [after] = await shopper.subscriptions()
    expect(after).toMatchObject({ status: "ACTIVE", instrument: { last_four: "4242" } })
    const renewals = await store.db("gateway_cart_completion").where({ subscription_id: id })
    expect(renewals).toMatchObject([{ state: "ordered" }])
    await shopper.about(subscription.id, "/cancel", { cancel_at_period_end: false })
  })

  it("a plan with a trial: the trial is free, without an invoice", async () => {
    const shopper = await Shopper.register(store, shop)
    const cart = await freeCart(shopper, TRIAL_SKU)
    expect((await complete(shopper, cart)).body.type).toBe("order")
    await begun(shopper)
    const [subscription] = await shopper.subscriptions()
    expect(subscription).toMatchObject({ status: "TRIALING" })
    expect(await invoicesOf(shopper)).toEqual([])
    await shopper.about(subscription.id, "/cancel", { cancel_at_period_end: false })
  })

  const refusal = "Sign in to buy a subscription: it is managed in the customer's account"
  const takenNow = "The cart is being completed already, or its money is going back"
  const query = () => store.container.resolve(ContainerRegistrationKeys.QUERY)
  const purchases = (cart: { id: string }) => store.db("gateway_store_purchase").where({ cart_id: cart.id })
  const letLeaseEnd = (cart: { id: string }) => purchases(cart).update({ locked_until: new Date(0) })
  const planLine = async (cart: { id: string }): Promise<{ id: string }> =>
    store
      .db("cart_line_item")
      .where({ cart_id: cart.id, variant_id: await shop.variantId(SKU) })
      .first()

  /** What Medusa's workflow has read when the hook runs. */
  async function snapshotOf(cart: { id: string }): Promise<Parameters<typeof lockFreePlans>[1]> {
    const fields = ["id", "completed_at", "total", "raw_total", "items.*"]
    const { data } = await query().graph({ entity: "cart", fields, filters: { id: cart.id } })
    return data[0] as unknown as Parameters<typeof lockFreePlans>[1]
  }

  /** The customer agrees, and a run locks the cart. */
  async function lockedBy(shopper: Shopper, cart: { id: string }): Promise<void> {
    await agreeToFreePlans(store.container, cart.id, shopper.id)
    expect(await lockFreePlans(store.container, await snapshotOf(cart))).toMatchObject({ free_cart_id: cart.id })
  }

  it("without the session of its customer nobody completes it", async () => {
    const shopper = await Shopper.register(store, shop)
    const other = await Shopper.register(store, shop)
    const cart = await freeCart(shopper, SKU)
    for (const answer of [await shop.complete(cart.id), await complete(other, cart)]) {
      expect([answer.status, answer.body.message]).toEqual([400, refusal])
    }
    expect(await shop.ordersOf(cart.id)).toEqual([])
  })

  it("a cart that became free after the request was admitted is not completed unless its customer has agreed", async () => {
    const victim = await Shopper.register(store, shop)
    const other = await Shopper.register(store, shop)
    const [nobody, stranger] = [await freeCart(victim, SKU), await freeCart(other, SKU)]
    await agreeToFreePlans(store.container, stranger.id, other.id)
    // Whoever types a customer's address into a cart makes it that customer's.
    await store.db("cart").where({ id: stranger.id }).update({ customer_id: victim.id, email: victim.email })
    for (const cart of [nobody, stranger]) {
      const { errors } = await completeCartWorkflow(store.container).run({
        input: { id: cart.id },
        throwOnError: false,
      })
      expect((errors[0].error as Error).message).toBe(refusal)
      expect(await shop.ordersOf(cart.id)).toEqual([])
      expect((await purchases(cart)).filter(({ lock_token }) => lock_token !== null)).toEqual([])
    }
    expect(await purchases(nobody)).toEqual([])
    expect(await victim.subscriptions()).toEqual([])
  })

  it("of many runs at once one gets the right to make the order", async () => {
    const shopper = await Shopper.register(store, shop)
    const cart = await freeCart(shopper, SKU)
    await agreeToFreePlans(store.container, cart.id, shopper.id)
    const purchase = await planPurchaseOf(query(), shop.gateway, tenant, cart.id)
    const tokens = ["1", "2", "3", "4", "5", "6"]
    const rights = await Promise.all(tokens.map((token) => shop.gateway.freePurchases.lock(tenant, purchase!, token)))
    expect(rights.filter(Boolean)).toHaveLength(1)
    expect((await purchases(cart)).map(({ lock_token }) => lock_token)).toEqual([tokens[rights.indexOf(true)]])
  })

  it("a cart that changed after the order's lines were read is not completed", async () => {
    const shopper = await Shopper.register(store, shop)
    const [costly, more, fewer] = [
      await freeCart(shopper, SKU),
      await freeCart(shopper, SKU),
      await freeCart(shopper, SKU, { "MUG-GREEN": 1 }),
    ]
    const carts = [costly, more, fewer]
    const read = await Promise.all(carts.map(snapshotOf))
    for (const cart of carts) {
      await agreeToFreePlans(store.container, cart.id, shopper.id)
    }
    await shopper.call("DELETE", `/store/carts/${costly.id}/promotions`, { promo_codes: ["ALLFREE"] })
    const { id } = await planLine(more)
    await shopper.call("POST", `/store/carts/${more.id}/line-items/${id}`, { quantity: 10 })
    await shopper.call("DELETE", `/store/carts/${fewer.id}/line-items/${(await planLine(fewer)).id}`)
    for (const cart of read) {
      await expect(lockFreePlans(store.container, cart)).rejects.toMatchObject({ code: "CART_CHANGED" })
      expect((await purchases(cart)).filter(({ lock_token }) => lock_token !== null)).toEqual([])
    }
  })

  it("terms that changed between the agreement and the order are not begun", async () => {
    const shopper = await Shopper.register(store, shop)
    const cart = await freeCart(shopper, SKU)
    await agreeToFreePlans(store.container, cart.id, shopper.id)
    const { id } = await planLine(cart)
    await shopper.call("POST", `/store/carts/${cart.id}/line-items/${id}`, { quantity: 3 })
    await expect(lockFreePlans(store.container, await snapshotOf(cart))).rejects.toMatchObject({ code: "CART_CHANGED" })
    expect((await complete(shopper, cart)).body.type).toBe("order")
    const [begun] = await purchases(cart)
    expect(begun).toMatchObject({ quantity: 3 })
  })

  it("a plan that is taken out after a run died does not begin; while that run may go on, nobody completes the cart", async () => {
    const shopper = await Shopper.register(store, shop)
    const cart = await freeCart(shopper, SKU, { "MUG-GREEN": 1 })
    await lockedBy(shopper, cart)
    await shopper.call("DELETE", `/store/carts/${cart.id}/line-items/${(await planLine(cart)).id}`)
    const early = await complete(shopper, cart)
    expect([early.body.type, early.body.message]).toEqual(["not_allowed", takenNow])
    await letLeaseEnd(cart)
    expect((await complete(shopper, cart)).body.type).toBe("order")
    expect(await purchases(cart)).toEqual([])
    expect(await shopper.subscriptions()).toEqual([])
  })

  it("a run that takes longer than its lease still begins the subscription, though the task has looked and the shopper tried again", async () => {
    const shopper = await Shopper.register(store, shop)
    const [slow, repeated] = [await freeCart(shopper, SKU), await freeCart(shopper, SKU)]
    for (const cart of [slow, repeated]) {
      await lockedBy(shopper, cart)
      await letLeaseEnd(cart)
    }
    await agreeToFreePlans(store.container, repeated.id, shopper.id)
    await completeDuePaidCarts(store.container)
    for (const [index, cart] of [slow, repeated].entries()) {
      expect(await purchases(cart)).toMatchObject([{ locked_until: null, subscription_id: null }])
      await shop.gateway.freePurchases.begin(cart.id, `order_late_${cart.id}`, new Date())
      expect(await shopper.subscriptions()).toHaveLength(index + 1)
    }
  })

  it("a late answer of the task takes the right from no run that came after it", async () => {
    const shopper = await Shopper.register(store, shop)
    const cart = await freeCart(shopper, SKU)
    await lockedBy(shopper, cart)
    const [{ lock_token: former }] = await purchases(cart)
    await letLeaseEnd(cart)
    await lockedBy(shopper, cart)
    await shop.gateway.freePurchases.stopWatching(cart.id, former)
    const [row] = await purchases(cart)
    expect(row.locked_until.getTime()).toBeGreaterThan(Date.now())
  })

  it("a cancelled order begins nothing", async () => {
    const shopper = await Shopper.register(store, shop)
    const cart = await freeCart(shopper, SKU)
    await complete(shopper, cart)
    await begun(shopper)
    const [order_id] = await shop.ordersOf(cart.id)
    await cancelOrderWorkflow(store.container).run({ input: { order_id } })
    // As if the process had died after the order was made.
    await purchases(cart).update({ subscription_id: null, lock_token: "died", locked_until: new Date(0) })
    await completeDuePaidCarts(store.container)
    expect(await purchases(cart)).toMatchObject([{ subscription_id: null, lock_token: null, locked_until: null }])
  })

  it("a suspended merchant's store sells no plan, and completes a free cart without one", async () => {
    const shopper = await Shopper.register(store, shop)
    const cart = await freeCart(shopper, SKU)
    const goods = await shop.cart({ "MUG-GREEN": 1 })
    await shop.call("POST", `/store/carts/${goods.id}/promotions`, { promo_codes })
    const merchant = store.db("gateway_merchant").where({ id: tenant.merchant_id })
    await merchant.clone().update({ status: "suspended" })
    try {
      expect((await complete(shopper, cart)).status).toBe(400)
      expect((await shop.complete(goods.id)).body.type).toBe("order")
    } finally {
      await merchant.clone().update({ status: "active" })
    }
  })

  it("a run that cannot read whether there is an order gives its right back", async () => {
    const shopper = await Shopper.register(store, shop)
    const cart = await freeCart(shopper, SKU)
    await agreeToFreePlans(store.container, cart.id, shopper.id)
    const graph = (asked: { entity: string }) =>
      asked.entity === "order_cart" ? Promise.reject(new Error("no connection")) : query().graph(asked as never)
    const resolve = (name: string) =>
      name === ContainerRegistrationKeys.QUERY ? { graph } : store.container.resolve(name)
    const broken = { resolve } as unknown as MedusaContainer
    await expect(lockFreePlans(broken, await snapshotOf(cart))).rejects.toThrow("no connection")
    expect(await purchases(cart)).toMatchObject([{ lock_token: null, locked_until: null }])
    expect((await complete(shopper, cart)).body.type).toBe("order")
    await begun(shopper)
  })

  it("what a lost event has left is begun by the task, once", async () => {
    const shopper = await Shopper.register(store, shop)
    const cart = await freeCart(shopper, SKU)
    await complete(shopper, cart)
    await begun(shopper)
    const [row] = await store.db("gateway_store_purchase").where({ cart_id: cart.id })
    // As if the process had died after the order was made.
    await store
      .db("gateway_store_purchase")
      .where({ id: row.id })
      .update({ subscription_id: null, lock_token: "died", locked_until: new Date(0) })
    await Promise.all([completeDuePaidCarts(store.container), completeDuePaidCarts(store.container)])
    await completeDuePaidCarts(store.container)
    const made = await store.db("gateway_subscription").where({ store_order_id: (await shop.ordersOf(cart.id))[0] })
    // The first one was taken off the row by this test; the task has begun exactly one more.
    expect(made).toHaveLength(2)
  })
})

describe("decisions/13: an account that changes, and the address of renewals", () => {
  const SKU = "CUSHION-40"
  const CUSTOM = {
    plan_id: null,
    amount: 50_000n,
    unit_amount: null,
    quantity: null,
    currency: "BDT",
    interval_count: 1,
    interval_unit: "MONTH",
    trial_period_days: null,
    meta_data: {},
  } as const
  const HOME = { first_name: "Nusrat", address_1: "House 9, Road 11", city: "Dhaka", country_code: "BD" }
  const customerOf = (email: string) => store.db("gateway_customer").where({ email_key: email.toLowerCase() }).first()
  const change = (id: string, update: Record<string, unknown>) =>
    updateCustomersWorkflow(store.container).run({ input: { selector: { id }, update } })

  it("the customer who is billed has the account's new name, address and phone; the paid invoice keeps its own", async () => {
    const subscriber = await StoreSubscriber.buys({ store, shop, tenant }, SKU, 1)
    const { shopper } = subscriber
    const { uuid } = await customerOf(shopper.email)
    const email = `moved-${shopper.email}`
    await change(shopper.id, { email, first_name: "Nusrat", last_name: "Karim", phone: "01912345678" })
    await until("it is followed", async () => (await customerOf(email)) !== undefined)
    expect(await customerOf(email)).toMatchObject({ uuid, name: "Nusrat Karim", phone_e164: "+8801912345678" })
    await subscriber.letMonthsPass()
    const billed = await invoicesOf(shopper)
    expect(billed.map(({ customer_name, customer_email }) => [customer_name, customer_email])).toEqual([
      ["Nusrat Jahan", shopper.email],
      ["Nusrat Karim", email],
    ])
    await subscriber.stop()
  })

  it("takes over no address of another customer, and nobody who is billed otherwise too", async () => {
    const scope = { ...tenant, now: new Date() }
    const other = `billed-${Date.now()}@example.com`
    const somebody = { name: "Somebody Else", email: other, phone: null, phone_e164: null }
    await shop.gateway.subscriptions.create(scope, { ...CUSTOM, customer: somebody })
    const subscriber = await StoreSubscriber.buys({ store, shop, tenant }, SKU, 1)
    const { shopper } = subscriber
    await change(shopper.id, { email: other, first_name: "Nasrin" })
    await until("its name is followed", async () => (await customerOf(shopper.email))?.name === "Nasrin Jahan")
    expect((await customerOf(other)).name).toBe("Somebody Else")
    const { number } = await customerOf(shopper.email)
    await shop.gateway.subscriptions.create(scope, { ...CUSTOM, customer: { id: String(number) } })
    const kept = await shop.gateway.customers.follow(scope, shopper.id, { name: "Not Followed" })
    expect([kept, (await customerOf(shopper.email)).name]).toEqual([[], "Nasrin Jahan"])
    await subscriber.stop()
  })

  it("an edit of the first order does not change where renewals are sent; the shopper does", async () => {
    const subscriber = await StoreSubscriber.buys({ store, shop, tenant }, SKU, 1)
    const { shopper, uuid } = subscriber
    const { order_id } = await subscriber.now()
    await updateOrderWorkflow(store.container).run({
      input: { id: order_id, user_id: "tests", shipping_address: { ...ADDRESS, city: "Khulna" } },
    })
    await subscriber.letMonthsPass()
    const cities = async () => (await subscriber.orders()).map(({ shipping_address }) => shipping_address.city)
    expect(await cities()).toEqual(["Dhaka"])
    const moved = await shopper.about(uuid, "/address", { ...HOME, city: "Sylhet" })
    expect(moved.status).toBe(200)
    expect(moved.body.subscription).toMatchObject({ delivery_address: { city: "Sylhet", country_code: "bd" } })
    await subscriber.letMonthsPass()
    expect(await cities()).toEqual(["Dhaka", "Sylhet"])
    expect((await shopper.about(uuid, "/address", { ...HOME, city: "" })).status).toBe(422)
    expect((await shopper.about(uuid, "/address", { ...HOME, country_code: "in" })).status).toBe(409)
    const other = await Shopper.register(store, shop)
    expect((await other.about(uuid, "/address", HOME)).status).toBe(404)
    await subscriber.stop()
    expect((await shopper.about(uuid, "/address", HOME)).status).toBe(409)
  })
})

describe("decisions: One trial — in the store", () => {
  const [TEA, CUSHION, SCARF] = ["TEA-250", "CUSHION-40", "SCARF-L"]
  const NO_TRIAL = "Each customer gets one trial, so there is no further one"
  const ORDER = { [TEA]: 1 }
  beforeAll(async () => {
    await sellWithTrial(store, shop, tenant, { sku: TEA, amount: 60_000n, family: "drinks" })
    await sellWithTrial(store, shop, tenant, { sku: CUSHION, amount: 125_000n, family: "drinks" })
    await sellWithTrial(store, shop, tenant, { sku: SCARF, amount: 145_000n })
  })

  type Cart = Awaited<ReturnType<Shopper["cart"]>>
  type Priced = {
    cart: Omit<Cart, "items"> & {
      items: { id: string; unit_price: number; quantity: number; metadata: object | null }[]
    }
  }
  const read = async (shopper: Shopper, cart: Cart) =>
    (await shopper.call<Priced>("GET", `/store/carts/${cart.id}`)).body.cart
  const pricesOf = async (shopper: Shopper, cart: Cart) =>
    (await read(shopper, cart)).items.map(({ unit_price }) => unit_price).sort()
  const offered = async (shopper: Shopper | null, sku: string) => {
    const path = `/store/gateway/variant-plans?variant_id=${await shop.variantId(sku)}`
    type Answer = { variant_plans: { plan: { trial_period_days: number | null; trial_refused?: string } }[] }
    const { body } = await (shopper === null ? shop.call<Answer>("GET", path) : shopper.call<Answer>("GET", path))
    const { trial_period_days, trial_refused } = body.variant_plans[0].plan
    return { trial_period_days, trial_refused }
  }
  const statuses = async (shopper: Shopper) => (await shopper.subscriptions()).map(({ status }) => status).sort()
  const setMode = (one_trial_per_customer: "store" | "all" | "off") =>
    shop.gateway.merchants.configure(tenant, { one_trial_per_customer })

  it("who had a trial sees it in the shop, in the cart and on the payment page, and pays the plan's price", async () => {
    const shopper = await Shopper.register(store, shop)
    expect(await offered(shopper, TEA)).toEqual({ trial_period_days: 14, trial_refused: undefined })
    await shopper.buy(ORDER)
    const [first] = await shopper.subscriptions()
    expect(first.status).toBe("TRIALING")
    await shopper.about(first.id, "/cancel", { cancel_at_period_end: false })

    expect(await offered(null, TEA)).toEqual({ trial_period_days: 14, trial_refused: undefined })
    expect(await offered(shopper, TEA)).toEqual({ trial_period_days: null, trial_refused: "had_trial" })
    const cart = await shopper.cart(ORDER)
    const priced = await read(shopper, cart)
    expect([cart.total, priced.total]).toEqual([680.5, 680.5])
    expect(priced.items).toMatchObject([{ unit_price: 600, metadata: { gateway_trial_refused: true } }])
    const session = await shopper.startPayment(cart)
    const { session_id } = session.data
    expect(session.amount).toBe(680.5)
    expect(await shop.page(session_id)).toContain(`${NO_TRIAL}: ৳680.50 is due now.`)
    expect(await shop.page(session_id, "bn")).toContain(
      "প্রত্যেক গ্রাহক একটিই ট্রায়াল পান, তাই আর কোনো ট্রায়াল নেই: এখন ৳৬৮০.৫০ পরিশোধ করতে হবে।"
    )
    const paid = await shop.pay(session_id)
    expect(await paidBy(paid.body.data.transaction_id)).toBe(68_050)
    const [second] = await shopper.subscriptions()
    expect(second).toMatchObject({ status: "ACTIVE", amount: "680.50", trial_end_date: null })
    const row = (id: string) => store.db("gateway_subscription").where({ uuid: id }).first()
    expect(await row(second.id)).toMatchObject({
      trial_period_days: null,
      one_trial: "refused",
      trial_before_id: (await row(first.id)).id,
    })
  })

  it("a change of the cart keeps the plan's price, and a line that the shopper adds has it", async () => {
    const shopper = await Shopper.register(store, shop)
    await shopper.buy(ORDER)
    const cart = await shopper.cart({})
    const variant_id = await shop.variantId(TEA)
    const tea = { variant_id, quantity: 1, metadata: { gift: "yes" } }
    const added = await shopper.call<Priced>("POST", `/store/carts/${cart.id}/line-items`, tea)
    const [line] = added.body.cart.items
    expect(line.unit_price).toBe(600)
    const more = await shopper.call<Priced>("POST", `/store/carts/${cart.id}/line-items/${line.id}`, { quantity: 3 })
    expect([more.body.cart.items[0].unit_price, more.body.cart.items[0].quantity]).toEqual([600, 3])
    const elsewhere = { name: "Elsewhere", currency_code: "bdt" }
    const { id: region_id } = await store.container.resolve(Modules.REGION).createRegions(elsewhere)
    const moved = await shopper.call<Priced>("POST", `/store/carts/${cart.id}`, { region_id })
    expect(moved.body.cart.items).toMatchObject([{ unit_price: 600, quantity: 3 }])
    await setMode("off")
    const free = await shopper.call<Priced>("POST", `/store/carts/${cart.id}/line-items/${line.id}`, { quantity: 1 })
    expect(free.body.cart.items).toMatchObject([{ unit_price: 450 }])
    expect(free.body.cart.items[0].metadata).toEqual({ gift: "yes" })
    await setMode("store")
  })

  it("the same product added again is one line of two, hence one subscription, as every other line", async () => {
    const shopper = await Shopper.register(store, shop)
    await shopper.buy(ORDER)
    const cart = await shopper.cart(ORDER)
    const variant_id = await shop.variantId(TEA)
    const add = (body: object) => shopper.call<Priced>("POST", `/store/carts/${cart.id}/line-items`, body)
    const again = await add({ variant_id, quantity: 1 })
    expect(again.body.cart.items).toMatchObject([{ unit_price: 600, quantity: 2 }])
    // As Medusa has it, another wish is another line; the same wish is not.
    const wish = { variant_id, quantity: 1, metadata: { gift: "yes" } }
    await add(wish)
    const third = await add(wish)
    expect(third.body.cart.items.map(({ unit_price, quantity }) => [unit_price, quantity])).toEqual([
      [600, 2],
      [600, 2],
    ])
    // More than there is in stock: Medusa's refusal, and the cart as it was.
    const much = await add({ variant_id, quantity: 100_000 })
    expect([much.status, (await read(shopper, cart)).items]).toMatchObject([400, [{ quantity: 2 }, { quantity: 2 }]])
    const gift = third.body.cart.items.find(({ metadata }) => Object(metadata).gift === "yes")
    await shopper.call("DELETE", `/store/carts/${cart.id}/line-items/${gift?.id}`)
    await shop.pay((await shopper.startPayment(cart)).data.session_id)
    // 2 × 600.00, and 70.00 of delivery with its tax.
    expect(await shopper.subscriptions()).toMatchObject([
      { status: "ACTIVE", quantity: 2, amount: "1280.50" },
      { status: "TRIALING", quantity: 1 },
    ])
  })

  it.each<[string, (former: Shopper, shopper: Shopper) => Promise<unknown>]>([
    ["phone", (former, shopper) => samePhone(former, shopper)],
    ["e-mail, whatever the case", (former, shopper) => sameAddress(former, shopper)],
  ])("another account is recognised by the same %s", async (_by, makeSame) => {
    const former = await Shopper.register(store, shop)
    const shopper = await Shopper.register(store, shop)
    await former.buy(ORDER)
    expect(await offered(shopper, TEA)).toMatchObject({ trial_period_days: 14 })
    await makeSame(former, shopper)
    expect(await offered(shopper, TEA)).toMatchObject({ trial_refused: "had_trial" })
    expect(await pricesOf(shopper, await shopper.cart(ORDER))).toEqual([600])
  })

  async function samePhone(former: Shopper, shopper: Shopper): Promise<void> {
    const { phone } = await store.db("customer").where({ id: former.id }).first()
    await store
      .db("customer")
      .where({ id: shopper.id })
      .update({ phone: `+88${phone}` })
  }

  async function sameAddress(former: Shopper, shopper: Shopper): Promise<void> {
    // Medusa has one account of an address; the merchant's own system has billed this one before.
    const upper = shopper.email.toUpperCase()
    const { id } = await store.db("gateway_customer").where({ email_key: former.email }).first()
    await store.db("gateway_customer").where({ id }).update({ email: upper, email_key: shopper.email })
  }

  it("plans of one family share the trial, also in one cart; another family has its own", async () => {
    const shopper = await Shopper.register(store, shop)
    const both = await shopper.cart({ [TEA]: 1, [CUSHION]: 1, [SCARF]: 1 })
    const lines = (await read(shopper, both)).items
    expect(lines.filter(({ metadata }) => metadata !== null && "gateway_trial_refused" in metadata)).toHaveLength(1)
    const session = await shopper.startPayment(both)
    await shop.pay(session.data.session_id)
    expect(await statuses(shopper)).toEqual(["ACTIVE", "TRIALING", "TRIALING"])
    expect(await offered(shopper, CUSHION)).toMatchObject({ trial_refused: "had_trial" })
  })

  it("when a trial begins between showing and paying, nothing is charged, and the shopper sees the new price", async () => {
    const shopper = await Shopper.register(store, shop)
    const [one, other] = [await shopper.cart(ORDER), await shopper.cart(ORDER)]
    const shown = await shopper.startPayment(other)
    expect(await shop.page(shown.data.session_id)).not.toContain(NO_TRIAL)
    await shop.pay((await shopper.startPayment(one)).data.session_id)
    const refused = await shop.pay(shown.data.session_id)
    expect([refused.status, refused.body.error.code]).toEqual([409, "CART_CHANGED"])
    const again = await shopper.startPayment(other)
    expect(again.amount).toBe(680.5)
    expect(await shop.page(again.data.session_id)).toContain(NO_TRIAL)
    await shop.pay(again.data.session_id)
    expect(await statuses(shopper)).toEqual(["ACTIVE", "TRIALING"])
  })

  it("of two carts that are paid at the same time one gets the trial", async () => {
    for (let round = 0; round < 3; round += 1) {
      const shopper = await Shopper.register(store, shop)
      const carts = [await shopper.cart(ORDER), await shopper.cart(ORDER)]
      const sessions = await Promise.all(carts.map((cart) => shopper.startPayment(cart)))
      const paid = await Promise.all(sessions.map(({ data }) => shop.pay(data.session_id)))
      expect(paid.map(({ status }) => status).sort()).toEqual([200, 409])
      expect(await statuses(shopper)).toEqual(["TRIALING"])
    }
  })

  it("a payment that fails gives the trial back", async () => {
    const shopper = await Shopper.register(store, shop)
    const [declined, cart] = [await shopper.cart(ORDER), await shopper.cart(ORDER)]
    const first = await shopper.startPayment(declined)
    const second = await shopper.startPayment(cart)
    for (let attempt = 0; attempt < 3; attempt += 1) {
      await shop.pay(first.data.session_id, DECLINED_CARD)
    }
    expect((await shop.pay(second.data.session_id)).status).toBe(200)
    expect(await statuses(shopper)).toEqual(["TRIALING"])
  })

  it("of two free carts completed at the same time one gets the trial, and the other has the plan's price then", async () => {
    const shopper = await Shopper.register(store, shop)
    const carts = [await shopper.cart({ [SCARF]: 1 }), await shopper.cart({ [SCARF]: 1 })]
    for (const cart of carts) {
      await shopper.call("POST", `/store/carts/${cart.id}/promotions`, { promo_codes })
    }
    const answers = await Promise.all(carts.map(({ id }) => shopper.call("POST", `/store/carts/${id}/complete`)))
    expect(answers.filter(({ body }) => body.type === "order")).toHaveLength(1)
    await until("the trial has begun", async () => (await statuses(shopper)).includes("TRIALING"))
    const left = carts[answers.findIndex(({ body }) => body.type !== "order")]
    const message = expect.stringContaining("Each customer gets one trial")
    expect((await shopper.call("POST", `/store/carts/${left.id}/complete`)).body).toMatchObject({ message })
    expect(await pricesOf(shopper, left)).toEqual([1450])
    expect(await statuses(shopper)).toEqual(["TRIALING"])
  })

  it("nobody learns of a trial by typing a customer's address into a cart", async () => {
    const shopper = await Shopper.register(store, shop)
    await shopper.buy(ORDER)
    const cart = await shop.cart(ORDER)
    const typed = await shop.call<Priced>("POST", `/store/carts/${cart.id}`, { email: shopper.email })
    expect(typed.body.cart.items).toMatchObject([{ unit_price: 450 }])
  })
})
