import { join } from "node:path"
import { DateTime } from "luxon"
import { ContainerRegistrationKeys } from "@medusajs/framework/utils"
import GatewayModule from "../../src/modules/gateway"
import type { Environment } from "../../src/modules/gateway/kernel/money/clock"
import { gatewayOf } from "../support/api"
import { CartShop, DECLINED_CARD } from "../support/carts"
import { ADMIN, cookieOf, Admin, prepareAdmin, signIn } from "../support/admin"
import { importModule } from "../support/import-module.cjs"
import { expectLoggedErrors } from "../support/logged-errors"
import { insertPlans } from "../support/many-rows"
import { Shopper } from "../support/shoppers"
import { monthly, soldOn } from "../support/sold-plans"
import { completePaidCart } from "../../src/store/cart/complete-paid-cart"
import { ROOT, useStore } from "../support/store"
import { DAY, monthsLater } from "../support/subscriptions"

// An invoice that the database refuses stops Medusa's subscriber; the next run of the task makes it.
expectLoggedErrors(/An error occurred while processing order\.placed/, /violates check constraint \\?"none_today/)

let shop: CartShop
let admin: Admin
let tenant: { merchant_id: string; environment: Environment }
const store = useStore({
  container: true,
  shop: true,
  env: { STORE_CORS: "http://shop.example:8000" },
  prepare: async (booted) => {
    shop = new CartShop(booted)
    await shop.open()
    await prepareAdmin(booted)
    admin = new Admin(booted, await signIn(booted, ADMIN), null)
    const { id: merchant_id } = await shop.gateway.merchants.storeMerchant("")
    tenant = { merchant_id, environment: "sandbox" }
  },
})

type PlanTerms = { amount?: bigint; days?: number; name?: string }

/** A monthly plan of the store's merchant, and the variant that is sold on it. */
async function sellOnPlan(sku: string, { amount = 45_000n, days, name = "Monthly tea" }: PlanTerms = {}) {
  const scope = { ...tenant, now: new Date() }
  const plan = await shop.gateway.plans.create(scope, {
    plan_name: name,
    plan_description: null,
    amount,
    currency: "BDT",
    interval_count: 1,
    interval_unit: "MONTH",
    trial_period_days: days ?? null,
    trial_amount: null,
    meta_data: {},
  })
  const variant_id = await shop.variantId(sku)
  const answer = await admin.post("/variant-plans", { variant_id, plan_id: plan.number })
  if (answer.status !== 200) {
    throw new Error(`variant-plans: ${answer.status} ${answer.text}`)
  }
  return { plan, variant_id }
}

const recordsOf = (uuid: string) =>
  store
    .db("gateway_billing_record")
    .whereIn("subscription_id", store.db("gateway_subscription").where({ uuid }).select("id"))
    .orderBy("period")

describe("the demo's plans, made and linked at each of its starts", () => {
  type Demo = { ensurePlans(container: unknown): Promise<void> }
  const start = async () =>
    (await importModule<Demo>(join(ROOT, "scripts/demo/plans.mjs"))).ensurePlans(store.container)
  const sku = "TEA-CLUB"

  async function linked(): Promise<string[]> {
    const { data } = await store.container.resolve(ContainerRegistrationKeys.QUERY).graph({
      entity: "product_variant_gateway_plan",
      fields: ["gateway_plan_id"],
      filters: { product_variant_id: await shop.variantId(sku) },
    })
    return (data as unknown as { gateway_plan_id: string }[]).map(({ gateway_plan_id }) => gateway_plan_id)
  }
  const demoPlans = () => store.db("gateway_plan").where({ plan_name: "Tea club", ...tenant })

  it("are there once, however often it starts", async () => {
    await start()
    await start()
    const plans = await demoPlans()
    expect(plans).toHaveLength(1)
    expect(await linked()).toEqual([plans[0].id])
  })

  it.each<[string, (plan: { id: string; uuid: string }) => Promise<unknown>]>([
    ["an admin has archived the plan", ({ uuid }) => shop.gateway.plans.setActive(tenant, uuid, false)],
    [
      "somebody has written other meta_data",
      ({ uuid }) => shop.gateway.plans.update(tenant, uuid, { meta_data: { theirs: 1 } }),
    ],
    [
      "a hundred younger plans have been made",
      () =>
        insertPlans(
          store,
          tenant,
          Array.from({ length: 120 }, () => "Filler")
        ),
    ],
  ])("it starts again after %s, and what was made of plan and link stays", async (_what, change) => {
    await start()
    const [plan] = await demoPlans()
    await change(plan)
    const before = await linked()
    await start()
    await start()
    expect(await linked()).toEqual(before)
  })

  it("a link that an admin has removed stays away, and one to another plan stays", async () => {
    await start()
    const variant_id = await shop.variantId(sku)
    await admin.delete(`/variant-plans/${variant_id}`)
    await start()
    expect(await linked()).toEqual([])
    const { plan } = await sellOnPlan(sku, { name: "Another club" })
    await start()
    expect(await linked()).toEqual([plan.id])
  })
})

describe("decisions: Origins — a shopper whom the session cookie signs in", () => {
  it("is served from pages of STORE_CORS, and not from another site's or by a form", async () => {
    const shopper = await Shopper.register(store, shop)
    const Cookie = await cookieOf(store, { Authorization: `Bearer ${shopper.token}` })
    const { token } = await store.db("api_key").where({ type: "publishable" }).first()
    const cancel = async (headers: Record<string, string>): Promise<number> => {
      const sent = { Cookie, "x-publishable-api-key": token, "Content-Type": "application/json", ...headers }
      return (
        await fetch(`${store.url}/store/gateway/subscriptions/one-of-nobody/cancel`, {
          method: "POST",
          headers: sent,
          body: "{}",
        })
      ).status
    }
    expect(await cancel({ Origin: "http://shop.example:8000", "Sec-Fetch-Site": "same-site" })).toBe(404)
    expect(await cancel({})).toBe(404)
    expect(await cancel({ Origin: "https://evil.example", "Sec-Fetch-Site": "cross-site" })).toBe(403)
    expect(await cancel({ "Content-Type": "text/plain" })).toBe(403)
    const list = await fetch(`${store.url}/store/gateway/subscriptions`, {
      headers: { Cookie, "x-publishable-api-key": token, Origin: "https://evil.example" },
    })
    expect(list.status).toBe(200)
  })
})

describe("the plans of variants: /admin/gateway/variant-plans", () => {
  it("a variant that is on a plan of another merchant or environment is put on one of the store's own", async () => {
    const variant_id = await shop.variantId("CUSHION-40")
    const scope = { merchant_id: tenant.merchant_id, environment: "production" as const, now: new Date() }
    const elsewhere = await shop.gateway.plans.create(scope, monthly("Elsewhere", 45_000n))
    await store.container.resolve(ContainerRegistrationKeys.LINK).create(soldOn(variant_id, elsewhere.id))
    const { plan } = await sellOnPlan("CUSHION-40")
    expect((await admin.get(`/variant-plans?plan_id=${plan.uuid}`)).body.count).toBe(1)
  })

  it("puts a variant on a plan, on another one, on none; lists them; writes down who did it", async () => {
    const first = await sellOnPlan("POSTER-50", { name: "Poster a month" })
    const second = await sellOnPlan("POSTER-50", { name: "Another poster" })
    const { body } = await admin.get(`/variant-plans?plan_id=${second.plan.uuid}`)
    expect(body).toMatchObject({
      count: 1,
      variant_plans: [{ variant_id: second.variant_id, plan: { uuid: second.plan.uuid, plan_name: "Another poster" } }],
    })
    expect((await admin.get(`/variant-plans?plan_id=${first.plan.uuid}`)).body).toMatchObject({
      count: 0,
      variant_plans: [],
    })
    const { product_id } = await store.db("product_variant").where({ id: second.variant_id }).first()
    const { variant_plans: variants, count } = (await admin.get(`/variant-plans?product_id=${product_id}`)).body
    expect(variants).toHaveLength(count)
    expect(variants.filter(({ plan }) => plan !== null)).toMatchObject([
      { variant_id: second.variant_id, variant: { sku: "POSTER-50", product_id } },
    ])
    for (let asked = 0; asked < 2; asked += 1) {
      const { status, body: answer } = await admin.delete(`/variant-plans/${second.variant_id}`)
      expect([status, answer]).toEqual([200, { id: second.variant_id, object: "variant_plan", deleted: true }])
    }
    expect((await admin.get(`/variant-plans?plan_id=${second.plan.uuid}`)).body.count).toBe(0)
    const changes = await admin.at(tenant.merchant_id).changes(first.variant_id)
    expect(changes.map(({ action, changes: { plan } }) => [action, plan.from, plan.to])).toEqual([
      ["variant_plan.removed", second.plan.uuid, null],
      ["variant_plan.set", first.plan.uuid, second.plan.uuid],
      ["variant_plan.set", null, first.plan.uuid],
    ])
    // People read the names of the plans, which an admin may have changed since.
    const [first_name, second_name] = ["Poster a month", "Renamed"]
    await admin.at(tenant.merchant_id).post(`/plans/${second.plan.uuid}`, { plan_name: second_name })
    const log = await admin.at(tenant.merchant_id).get(`/audit?q=${first.variant_id}`)
    expect(log.body.audit_entries.map(({ plan_names }) => plan_names)).toEqual([
      { [second.plan.uuid]: second_name },
      { [first.plan.uuid]: first_name, [second.plan.uuid]: second_name },
      { [first.plan.uuid]: first_name },
    ])
  })

  it("refuses an unknown plan and an unknown variant", async () => {
    const variant_id = await shop.variantId("BAG-HILSA")
    expect((await admin.post("/variant-plans", { variant_id, plan_id: 2_147_483_647 })).body.code).toBe(
      "PLAN_NOT_FOUND"
    )
    const { plan } = await sellOnPlan("SCARF-S")
    const unknown = await admin.post("/variant-plans", { variant_id: "variant_none", plan_id: plan.uuid })
    expect([unknown.status, unknown.body.field]).toEqual([400, "variant_id"])
    expect((await admin.post("/variant-plans", { variant_id })).body).toMatchObject({
      code: "MISSING_REQUIRED_FIELD",
      field: "plan_id",
    })
  })

  it("is for signed-in admins", async () => {
    expect((await fetch(`${store.url}/admin/gateway/variant-plans`)).status).toBe(401)
  })
})

describe("buying a subscription (design: Subscriptions → plans)", () => {
  beforeAll(() => sellOnPlan("TEA-250"))

  it("the order's payment settles the first period and keeps the card, the order is made, the customer has the subscription", async () => {
    const shopper = await Shopper.register(store, shop)
    const { cart, transaction_id } = await shopper.buy({ "TEA-250": 2, "MUG-GREEN": 1 })
    const [order_id] = await shop.ordersOf(cart.id)
    const [subscription, ...others] = await shopper.subscriptions()
    expect(others).toEqual([])
    expect(subscription).toMatchObject({
      status: "ACTIVE",
      plan_name: "Monthly tea",
      amount: "970.00",
      delivery_amount: "70.00",
      quantity: 2,
      order_id,
      interval_unit: "MONTH",
      variant_id: await shop.variantId("TEA-250"),
      instrument: { method: "card", last_four: "4242" },
      cancel_at_period_end: false,
    })
    // decisions: Quantity: goods have no price of one, because the amount contains their delivery.
    expect(await store.db("gateway_subscription").where({ uuid: subscription.id }).first("quantity")).toEqual({
      quantity: 2,
    })
    const [transaction] = await store.db("gateway_transaction").where({ id: transaction_id })
    expect(subscription.next_billing_date).toBe(monthsLater(transaction.verified_at, 1).toISOString())
    const records = await recordsOf(subscription.id)
    expect(records).toEqual([
      expect.objectContaining({ period: 1, status: "SUCCESS", amount_minor: 97_000, transaction_id }),
    ])
    const { body } = await shopper.about(subscription.id, "/invoices")
    expect(body).toMatchObject({
      count: 1,
      invoices: [{ status: "PAID", amount: (transaction.amount_minor / 100).toFixed(2) }],
    })
    const events = await store
      .db("gateway_event")
      .where({ resource_id: records[0].subscription_id })
      .orderBy("id")
      .pluck("event_type")
    expect(events).toEqual(["subscription.created", "subscription.payment_succeeded", "subscription.activated"])
  })

  it("with a trial: the order pays for the trial at the cart's price, and the plan's price comes after it", async () => {
    await sellOnPlan("MUG-TERRACOTTA", { days: 14, amount: 60_000n, name: "Mug with trial" })
    const shopper = await Shopper.register(store, shop)
    await shopper.buy({ "MUG-TERRACOTTA": 1 })
    const [subscription] = await shopper.subscriptions()
    expect(subscription).toMatchObject({ status: "TRIALING", amount: "670.00" })
    const [record, ...others] = await recordsOf(subscription.id)
    expect([record, others]).toEqual([
      expect.objectContaining({ period: 0, status: "SUCCESS", amount_minor: 62_000 }),
      [],
    ])
    expect(new Date(String(subscription.trial_end_date)).getTime() - record.period_start.getTime()).toBe(
      14 * DAY * 1_000
    )
  })

  it("two such lines begin two subscriptions with one card", async () => {
    await sellOnPlan("CUSHION-40", { amount: 125_000n, name: "A cushion a month" })
    const shopper = await Shopper.register(store, shop)
    await shopper.buy({ "TEA-250": 1, "CUSHION-40": 1 })
    const subscriptions = await shopper.subscriptions()
    expect(subscriptions.map(({ plan_name, status }) => `${plan_name} ${status}`).sort()).toEqual([
      "A cushion a month ACTIVE",
      "Monthly tea ACTIVE",
    ])
    const instruments = await store
      .db("gateway_subscription")
      .whereIn(
        "uuid",
        subscriptions.map(({ id }) => id)
      )
      .distinct("instrument_id")
    expect(instruments).toHaveLength(1)
  })

  it("a guest must sign in before anything can be paid", async () => {
    const { status, body } = await shop.initiate((await shop.cart({ "TEA-250": 1 })).id)
    expect([status, body.message]).toEqual([
      400,
      "Sign in to buy a subscription: it is managed in the customer's account",
    ])
  })

  it("a guest with a customer's e-mail address is still a guest, though Medusa assigns the cart to that customer", async () => {
    const { email, id } = await Shopper.register(store, shop)
    const cart = await shop.cart({ "TEA-250": 1 }, { email })
    expect(await store.db("cart").where({ id: cart.id }).first("customer_id")).toEqual({ customer_id: id })
    const other = await Shopper.register(store, shop)
    for (const token of [undefined, other.token]) {
      const { status, body } = await shop.initiate(cart.id, {}, token)
      expect([status, body.message]).toEqual([
        400,
        "Sign in to buy a subscription: it is managed in the customer's account",
      ])
    }
  })

  it("a variant that is put on a plan while a guest pays ends the checkout; nothing is charged", async () => {
    const { session } = await shop.checkout({ "SCARF-L": 1 })
    await sellOnPlan("SCARF-L", { name: "Scarf a month" })
    const { status, body } = await shop.pay(session.data.session_id)
    expect([status, body.error.code]).toEqual([409, "CART_CHANGED"])
    expect((await shop.status(`session_id=${session.data.session_id}`)).body.status).toBe("EXPIRED")
  })

  it("an archived plan is not sold", async () => {
    const { plan } = await sellOnPlan("BAG-HILSA", { name: "Bag a month" })
    await shop.gateway.plans.setActive(tenant, plan.uuid, false)
    const shopper = await Shopper.register(store, shop)
    const { body } = await shop.initiate((await shopper.cart({ "BAG-HILSA": 1 })).id, {}, shopper.token)
    expect(body.message).toBe("Jute bag with hilsa is no longer sold as a subscription; remove it from the cart")
  })

  it("a declined payment begins nothing", async () => {
    const shopper = await Shopper.register(store, shop)
    await shopper.buy({ "TEA-250": 1 }, DECLINED_CARD)
    expect(await shopper.subscriptions()).toEqual([])
  })

  it("said twice, at once and later, that the cart has its order: one subscription", async () => {
    const shopper = await Shopper.register(store, shop)
    const { cart, transaction_id } = await shopper.buy({ "TEA-250": 1 })
    const [order_id] = await shop.ordersOf(cart.id)
    await store
      .db("gateway_cart_completion")
      .where({ transaction_id })
      .update({ state: "waiting", order_id: null, next_attempt_at: new Date() })
    const again = () =>
      shop.gateway.cartCompletions.ordered(transaction_id, { order_id, order_number: null, tax_minor: null })
    await Promise.all([again(), again(), again()])
    await again()
    expect(await store.db("gateway_subscription").where({ store_order_id: order_id })).toHaveLength(1)
    expect(await shopper.subscriptions()).toHaveLength(1)
  })

  it("what cannot be written down as a whole is not written at all, and the task does it later", async () => {
    const shopper = await Shopper.register(store, shop)
    const cart = await shopper.cart({ "TEA-250": 1 })
    const session = await shopper.startPayment(cart)
    await store.db.raw(
      `ALTER TABLE gateway_invoice ADD CONSTRAINT none_today CHECK (opened_at < '2000-01-01') NOT VALID`
    )
    const paid = await shop
      .pay(session.data.session_id)
      .finally(() => store.db.raw("ALTER TABLE gateway_invoice DROP CONSTRAINT none_today"))
    expect(paid.body.data.status).toBe("SUCCESS")
    expect(await shopper.subscriptions()).toEqual([])
    // The paying request's right to make the order has expired.
    await store
      .db("gateway_cart_completion")
      .where({ cart_id: cart.id })
      .update({ lock_token: null, locked_until: null })
    const complete = () => completePaidCart(store.container, paid.body.data.transaction_id)
    await Promise.all([complete(), complete(), complete()])
    await complete()
    expect((await shopper.subscriptions()).map(({ status }) => status)).toEqual(["ACTIVE"])
    expect(await shop.ordersOf(cart.id)).toHaveLength(1)
  })

  it("a full refund of the order marks the period as refunded; the subscription goes on", async () => {
    const shopper = await Shopper.register(store, shop)
    const { transaction_id } = await shopper.buy({ "TEA-250": 1 })
    await shop.gateway.refunds.create({
      transaction_id,
      reason: "Broken",
      requested_by: "tests",
      request_key: `tests:${transaction_id}`,
    })
    const [{ id, status }] = await shopper.subscriptions()
    expect([status, (await recordsOf(id)).map((record) => record.status)]).toEqual(["ACTIVE", ["REFUNDED"]])
  })
})

describe("what a shopper sees before paying (docs/decisions/07)", () => {
  it("a storefront asks which variants are subscriptions; what its key may not see is left out", async () => {
    const { plan, variant_id } = await sellOnPlan("SCARF-S", { name: "Scarf a month", amount: 145_000n })
    const once = await shop.variantId("SARI-SILK")
    const ask = (ids: string) =>
      shop.call<{ variant_plans: unknown[]; message: string }>("GET", `/store/gateway/variant-plans?variant_id=${ids}`)
    const { body } = await ask(`${variant_id},${once},variant_none`)
    const terms = {
      id: plan.uuid,
      plan_name: "Scarf a month",
      amount: "1450.00",
      interval_count: 1,
      interval_unit: "MONTH",
      trial_period_days: null,
    }
    expect(body.variant_plans).toEqual([{ variant_id, plan: { ...terms, currency: "BDT", is_sold: true } }])
    await shop.gateway.plans.setActive(tenant, plan.uuid, false)
    expect((await ask(variant_id)).body.variant_plans).toEqual([
      { variant_id, plan: expect.objectContaining({ is_sold: false }) },
    ])
    await store.db("product").where({ handle: "jamdani-scarf" }).update({ status: "draft" })
    expect((await ask(variant_id)).body.variant_plans).toEqual([])
    await store.db("product").where({ handle: "jamdani-scarf" }).update({ status: "published" })
    expect((await ask("")).status).toBe(400)
    await admin.delete(`/variant-plans/${variant_id}`)
  })

  it("the payment page says what is kept, what renewals cost and when they begin, in both languages", async () => {
    const shopper = await Shopper.register(store, shop)
    const { data } = await shopper.startPayment(await shopper.cart({ "TEA-250": 2 }))
    const page = await shop.page(data.session_id)
    const first = monthsLater(new Date((await shop.gateway.clock.read(tenant)).now), 1)
    const day = DateTime.fromJSDate(first, { zone: "Asia/Dhaka" }).toFormat("d LLL yyyy")
    expect(page).toContain(`Monthly tea: ৳970.00 every month, for the first time on ${day} (with ৳70.00 for delivery)`)
    expect(page).toContain(
      "The card or account you pay with now is kept and charged for it. You can stop it at any time, in your account at "
    )
    expect(await shop.page(data.session_id, "bn")).toContain("প্রতি মাসে ৳৯৭০.০০")
    await shop.pay(data.session_id)
    const [{ id }] = await shopper.subscriptions()
    const { body } = await shopper.about(id, "/instrument")
    const change = await shop.page(body.session_id)
    expect(change).toContain("This costs nothing: ৳100.00 is taken to check the new payment method")
    expect(change).not.toContain("for the first time on")
  })

  it("a payment that is once and for all says nothing of the kind", async () => {
    const { session } = await shop.checkout({ "MUG-GREEN": 1 })
    expect(await shop.page(session.data.session_id)).not.toContain("kept")
  })

  it.each(["put on a plan", "sold at another renewal price"])(
    "a variant that is %s while the page is open ends the checkout; nothing is charged",
    async (what) => {
      const shopper = await Shopper.register(store, shop)
      const isPlanned = what !== "put on a plan"
      const sold = isPlanned ? await sellOnPlan("POSTER-50", { name: "Poster a month" }) : null
      const { data } = await shopper.startPayment(await shopper.cart({ "POSTER-50": 1 }))
      expect((await shop.page(data.session_id)).includes("Poster a month: ")).toBe(isPlanned)
      if (sold) {
        await shop.gateway.plans.update(tenant, sold.plan.uuid, { amount: 99_000n })
      } else {
        await sellOnPlan("POSTER-50", { name: "Poster a month" })
      }
      const { status, body } = await shop.pay(data.session_id)
      expect([status, body.error.code]).toEqual([409, "CART_CHANGED"])
      expect(await shop.page(data.session_id)).toContain("This payment page is out of date")
      expect(await shopper.subscriptions()).toEqual([])
      await admin.delete(`/variant-plans/${await shop.variantId("POSTER-50")}`)
    }
  )

  it("a page whose cart has changed in the shop says that, and not that the time is over", async () => {
    const { cart, session } = await shop.checkout({ "MUG-GREEN": 1 })
    await shop.addItem(cart.id, "MUG-GREEN")
    const page = await shop.page(session.data.session_id)
    expect(page).toContain("This payment page is out of date")
    expect(page).not.toContain("time to pay is over")
  })
})

describe("managing one's own: /store/gateway/subscriptions", () => {
  let owner: Shopper
  let id: string
  beforeAll(async () => {
    owner = await Shopper.register(store, shop)
    await owner.buy({ "TEA-250": 1 })
    ;[{ id }] = await owner.subscriptions()
  })

  it.each(["", "/pause", "/resume", "/cancel", "/uncancel", "/invoices", "/instrument"])(
    "another customer's is unknown: %s",
    async (what) => {
      const other = await Shopper.register(store, shop)
      const { status, body } = await other.about(id, what)
      expect([status, body.code]).toEqual([404, "SUBSCRIPTION_NOT_FOUND"])
      expect((await other.about("no-id", what)).status).toBe(404)
    }
  )

  it("a visitor who is not signed in gets 401", async () => {
    expect((await shop.call("GET", "/store/gateway/subscriptions")).status).toBe(401)
    expect((await shop.call("POST", `/store/gateway/subscriptions/${id}/cancel`)).status).toBe(401)
  })

  it("an account with the same e-mail address in its merchant's list does not own it", async () => {
    const other = await Shopper.register(store, shop)
    await store.db("gateway_customer").where({ email: owner.email }).update({ store_customer_id: other.id })
    expect(await other.subscriptions()).toEqual([])
    expect((await owner.subscriptions()).map((one) => one.id)).toEqual([id])
  })

  it("the PDF of an invoice is its owner's alone", async () => {
    const [invoice] = (await owner.about(id, "/invoices")).body.invoices
    expect(invoice).toMatchObject({ status: "PAID", payment_url: null })
    const pdf = await owner.pdf(id, invoice.id)
    expect([pdf.status, pdf.headers.get("content-type"), pdf.headers.get("cache-control")]).toEqual([
      200,
      "application/pdf",
      "no-store",
    ])
    expect(pdf.headers.get("content-disposition")).toBe(`attachment; filename="${invoice.invoice_id}.pdf"`)
    expect(
      Buffer.from(await pdf.arrayBuffer())
        .subarray(0, 5)
        .toString()
    ).toBe("%PDF-")
    expect((await owner.pdf(id, invoice.invoice_id)).status).toBe(200)

    const other = await Shopper.register(store, shop)
    await other.buy({ "TEA-250": 1 })
    const [theirs] = await other.subscriptions()
    const refusals = [
      await other.pdf(id, invoice.id),
      await other.pdf(theirs.id, invoice.id),
      await other.pdf(theirs.id, invoice.invoice_id),
    ]
    const codes = await Promise.all(
      refusals.map(async (refusal) => [refusal.status, ((await refusal.json()) as { code: string }).code])
    )
    expect(codes).toEqual([
      [404, "SUBSCRIPTION_NOT_FOUND"],
      [404, "INVOICE_NOT_FOUND"],
      [404, "INVOICE_NOT_FOUND"],
    ])
    const anonymous = await shop.download(`/store/gateway/subscriptions/${id}/invoices/${invoice.id}/pdf`)
    expect(anonymous.status).toBe(401)
  })

  it("pauses and resumes; what the state forbids is 409", async () => {
    expect((await owner.about(id, "/pause")).body.subscription.status).toBe("PAUSED")
    const again = await owner.about(id, "/pause")
    expect([again.status, again.body.code]).toEqual([409, "INVALID_STATE_TRANSITION"])
    expect((await owner.about(id, "/resume")).body.subscription.status).toBe("ACTIVE")
  })

  it("docs/decisions/13: offers no plan without a family, and refuses one that nobody may choose, and what is no plan", async () => {
    expect((await owner.about<{ plans: object[] }>(id, "/plans")).body.plans).toEqual([])
    const asked = async (body: unknown) => {
      const { status, body: answer } = await owner.about(id, "/change", body)
      return [status, answer.code]
    }
    expect(await asked({ subscription_plan_id: 999_999_999 })).toEqual([404, "PLAN_NOT_FOUND"])
    for (const body of [{}, { subscription_plan_id: "x" }, { subscription_plan_id: 0 }, [], { amount: "1.234" }]) {
      expect((await asked(body))[0]).toBe(422)
    }
    expect((await owner.about(id, "/keep-plan")).status).toBe(200)
  })

  it("docs/decisions/11: a cancellation is undone until the period's end; the reasons to offer are in both languages", async () => {
    const { cancellation_reasons } = (await owner.about(id)).body as unknown as {
      cancellation_reasons: { reason: string; text: string; text_bn: string }[]
    }
    expect(cancellation_reasons[0]).toEqual({ reason: "too_expensive", text: "Too expensive", text_bn: "দাম বেশি" })
    const before = (await owner.about(id)).body.subscription
    const why = { cancellation_reason: "too_expensive", cancellation_note: "Back in spring" }
    expect((await owner.about(id, "/cancel", why)).body.subscription).toMatchObject({
      status: "CANCELLED",
      cancel_at_period_end: true,
      ...why,
    })
    expect((await owner.about(id, "/uncancel", {})).body.subscription).toEqual(before)
    expect((await owner.about(id)).body.subscription).toEqual(before)
  })

  it("another card costs nothing: a small amount is given back at once, and the card is charged from then on", async () => {
    const before = (await owner.about(id)).body.subscription
    const answer = await owner.about(id, "/instrument", { return_url: "http://shop.example:8000/account" })
    expect(answer.body.checkout_url).toBe(`${store.url}/pay/${answer.body.session_id}`)
    const paid = await shop.pay(answer.body.session_id, "5555555555554444")
    expect(paid.body.data.redirect_url).toMatch(/^http:\/\/shop\.example:8000\/account\?/)
    const after = (await owner.about(id)).body.subscription
    expect(after.instrument?.last_four).toBe("4444")
    expect({ ...after, instrument: null }).toEqual({ ...before, instrument: null })
    expect((await owner.about(id, "/invoices")).body.count).toBe(1)
    const { transaction_id } = paid.body.data
    expect(await store.db("gateway_transaction").where({ id: transaction_id }).first()).toMatchObject({
      state: "REFUNDED",
      amount_minor: 10_000,
      refunded_minor: 10_000,
      charge_minor: 0,
    })
  })

  it("a link to the portal opens what the account owns, not what has its e-mail address, and needs a sign-in", async () => {
    type Link = { url: string; expires_at: string; code: string }
    const ask = (shopper: Shopper, return_url?: string) =>
      shopper.call<Link>("POST", "/store/gateway/portal-sessions", { return_url })
    const { url } = (await ask(owner, "http://shop.example:8000/account")).body
    const page = await (await fetch(url)).text()
    expect(page).toContain(`/subscriptions/${id}`)
    expect(page).toMatch(/<a href="http:\/\/shop\.example:8000\/account"[^>]*>(<bdi>)?Back to (?!shop\.example)/)
    const other = await Shopper.register(store, shop)
    await store.db("gateway_customer").where({ email: owner.email }).update({ store_customer_id: other.id })
    const theirs = (await ask(other)).body.url
    expect(await (await fetch(theirs)).text()).toContain("You have no subscriptions.")
    expect((await fetch(`${theirs}/subscriptions/${id}`)).status).toBe(404)
    const elsewhere = await ask(owner, "https://elsewhere.example/")
    expect([elsewhere.status, elsewhere.body.code]).toEqual([422, "VALIDATION_ERROR"])
    expect((await shop.call("POST", "/store/gateway/portal-sessions")).status).toBe(401)
  })

  it("leads back to the shop's own origins only", async () => {
    const { status, body } = await owner.about(id, "/instrument", { return_url: "https://elsewhere.example/" })
    expect([status, body.code]).toEqual([422, "VALIDATION_ERROR"])
  })

  it("cancels with the end of what is paid, unless the shopper wants it now", async () => {
    const { body } = await owner.about(id, "/cancel")
    expect(body.subscription).toMatchObject({ status: "CANCELLED", cancel_at_period_end: true })
    expect(new Date(String(body.subscription.current_period_end)).getTime()).toBeGreaterThan(Date.now())
    await owner.buy({ "TEA-250": 1 })
    const [another] = await owner.subscriptions()
    const now = await owner.about(another.id, "/cancel", { cancel_at_period_end: false })
    expect(now.body.subscription).toMatchObject({ status: "CANCELLED", cancel_at_period_end: false })
  })
})

describe("the periods after the first one", () => {
  // The other subscriptions above would be renewed too, each with an order of Medusa's.
  beforeAll(async () => {
    const live = await store
      .db("gateway_subscription")
      .whereIn("status", ["ACTIVE", "TRIALING", "PAST_DUE", "PAUSED"])
      .select("uuid")
    const now = (await shop.gateway.clock.read(tenant)).now
    for (const { uuid } of live) {
      await shop.gateway.subscriptions.cancel({ ...tenant, now }, uuid, { atPeriodEnd: false, reason: "tests" })
    }
  })

  it("are charged to the kept card at the plan's price, with the delivery that the order had, when they begin", async () => {
    const shopper = await Shopper.register(store, shop)
    await shopper.buy({ "TEA-250": 3 })
    const [{ id, next_billing_date }] = await shopper.subscriptions()
    await shop.gateway.clock.move(tenant, { now: new Date(new Date(String(next_billing_date)).getTime() + 1_000) })
    expect((await recordsOf(id)).map(({ period, status, amount_minor }) => [period, status, amount_minor])).toEqual([
      [1, "SUCCESS", 142_000],
      [2, "SUCCESS", 142_000],
    ])
    expect((await shopper.about(id)).body.subscription.status).toBe("ACTIVE")
  })
})

describe("the gateway as a module of Medusa", () => {
  /** Every method of the module's service, inherited ones too. */
  function methods(): string[] {
    const names: string[] = []
    for (let object: object = gatewayOf(store); object !== Object.prototype; object = Object.getPrototypeOf(object)) {
      names.push(...Object.getOwnPropertyNames(object))
    }
    return [...new Set(names)]
  }

  it("has of what Medusa generates for models only the readers that links need: every writer goes past rules and audit", () => {
    const generated = /^(retrieve|list|listAndCount|create|update|upsert|delete|softDelete|restore)[A-Z]/
    expect(
      methods()
        .filter((name) => generated.test(name))
        .sort()
    ).toEqual(["listAndCountGatewayPlans", "listGatewayPlans", "retrieveGatewayPlan"])
  })

  it("offers plans for links, and Query reads them", async () => {
    expect(Object.keys(GatewayModule.linkable)).toEqual(["gatewayPlan"])
    const { id: merchant_id } = await gatewayOf(store).merchants.create({ name: "Linked" })
    const plan = await gatewayOf(store).plans.create(
      { merchant_id, environment: "sandbox", now: new Date() },
      {
        plan_name: "Tea",
        plan_description: null,
        amount: 45_000n,
        currency: "BDT",
        interval_count: 1,
        interval_unit: "MONTH",
        trial_period_days: null,
        trial_amount: null,
        meta_data: {},
      }
    )
    const query = store.container.resolve(ContainerRegistrationKeys.QUERY)
    const { data } = await query.graph({
      entity: "gateway_plan",
      fields: ["id", "plan_name"],
      filters: { id: plan.id },
    })
    expect(data).toEqual([{ id: plan.id, plan_name: "Tea" }])
  })
})
