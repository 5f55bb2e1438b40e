import {
  brief,
  CUSTOMER,
  gatewayOf,
  newMerchant,
  order,
  orderId,
  type ApiMerchant,
  customer,
  checkoutSession,
} from "../support/api"
import { useStore } from "../support/store"
import { MONTHLY, someone, SUBSCRIPTIONS, subscriptionOf } from "../support/subscriptions"

/** Private addresses are refused here, as in a deployment. */
const store = useStore({
  production: true,
  env: { GATEWAY_ALLOW_PRIVATE_URLS: "" },
  prepare: async (booted) => {
    merchant = await newMerchant(booted)
  },
})
let merchant: ApiMerchant

describe("decisions: Compatible with shop modules — a setting of the merchant", () => {
  let shop: ApiMerchant
  const sessionsOf = (order_id: string) =>
    store.db("gateway_checkout_session").where({ order_id, merchant_id: shop.id }).orderBy("opened_at")

  beforeAll(async () => {
    shop = await newMerchant(store)
    const tenant = { merchant_id: shop.id, environment: "sandbox" } as const
    expect((await gatewayOf(store).merchants.configure(tenant, { shop_modules: true })).shop_modules).toBe(true)
  })

  it("the same order while its session is open: the same session again, with 200", async () => {
    const order_id = orderId()
    const first = await shop.open({ order_id })
    expect(await shop.open({ order_id, order_amount: 1250.5, order_description: "again" })).toEqual(first)
    expect(await sessionsOf(order_id)).toHaveLength(1)
    expect(await shop.events(first.transaction_id)).toEqual([])
  })

  it("a changed amount: the open session expires first, and another one takes the order_id", async () => {
    const order_id = orderId()
    const first = await shop.open({ order_id })
    const second = await shop.open({ order_id, order_amount: "20.00" })
    expect(second.session_id).not.toBe(first.session_id)
    expect(brief(await shop.pay(first.session_id))).toBe("408 PAYMENT_TIMEOUT")
    expect(await shop.verified(first.transaction_id)).toMatchObject({
      status: "EXPIRED",
      order_id,
      amount: "1250.5000",
    })
    expect((await shop.events(first.transaction_id)).map(({ event_type }) => event_type)).toEqual(["payment.expired"])
    await shop.pay(second.session_id)
    expect(await shop.verified(second.transaction_id)).toMatchObject({ status: "SUCCESS", order_id, amount: "20.0000" })
    const rows = await sessionsOf(order_id)
    expect(rows.map(({ id, replaced_at }) => [id, replaced_at === null]).sort()).toEqual(
      [
        [first.session_id, false],
        [second.session_id, true],
      ].sort()
    )
  })

  it.each([
    ["failed", "300.00", (session_id: string) => shop.pay(session_id), "FAILED"],
    ["cancelled", "1250.50", (session_id: string) => shop.cancel(session_id), "CANCELLED"],
    ["expired", "1250.50", () => shop.advance(1_801), "EXPIRED"],
  ] as const)("one that has %s gets a new session and transaction", async (_name, order_amount, end, status) => {
    const order_id = orderId()
    const first = await shop.open({ order_id, order_amount })
    await end(first.session_id)
    const events = await shop.events(first.transaction_id)
    const second = await shop.open({ order_id, order_amount })
    expect(second.transaction_id).not.toBe(first.transaction_id)
    expect((await shop.verified(first.transaction_id)).status).toBe(status)
    expect(await shop.events(first.transaction_id)).toEqual(events)
    expect((await shop.verified(second.transaction_id)).status).toBe("PENDING")
  })

  it("a paid order_id stays 409 for ever, refunded too, and nothing is opened for it", async () => {
    const order_id = orderId()
    const { session_id, transaction_id } = await shop.open({ order_id })
    await shop.pay(session_id)
    const again = async () => brief(await shop.checkout({ order_id, order_amount: "20.00" }))
    expect([await again(), brief(await shop.checkout({ order_id }))]).toEqual(
      Array(2).fill("409 DUPLICATE_TRANSACTION order_id")
    )
    await shop.call("POST", "/payments/refund", { transaction_id, refund_reason: "returned" })
    await shop.advance(60)
    expect((await shop.verified(transaction_id)).status).toBe("REFUNDED")
    expect(await again()).toBe("409 DUPLICATE_TRANSACTION order_id")
    expect(await sessionsOf(order_id)).toHaveLength(1)
  })

  it.each(["PROCESSING", "HELD"])("never while an attempt is under way or in doubt: %s is 409", async (state) => {
    const order_id = orderId()
    const { transaction_id } = await shop.open({ order_id })
    await store.db("gateway_transaction").where({ id: transaction_id }).update({ state })
    const answers = [await shop.checkout({ order_id }), await shop.checkout({ order_id, order_amount: "20.00" })]
    expect(answers.map(brief)).toEqual(Array(2).fill("409 DUPLICATE_TRANSACTION order_id"))
    expect(answers[0].body.message).toContain("order_id")
    expect(await sessionsOf(order_id)).toHaveLength(1)
    await store.db("gateway_transaction").where({ id: transaction_id }).update({ state: "OPEN" })
  })

  it("an Idempotency-Key still replays its own answer", async () => {
    const body = order()
    const options = { headers: { "Idempotency-Key": String(body.order_id) } }
    const send = () => shop.call("POST", "/payments/checkout", body, options)
    const first = await send()
    await shop.open({ ...body, order_amount: "20.00" })
    const replayed = await send()
    expect([replayed.status, replayed.text]).toEqual([200, first.text])
    expect(replayed.headers.get("Idempotent-Replayed")).toBe("true")
  })

  it("a subscription's customer with a phone of zeros has none, until a later one brings a number", async () => {
    const customer = { ...someone(), phone: "+8800000000000" }
    const create = (owner: ApiMerchant, phone = customer.phone) =>
      owner.call("POST", SUBSCRIPTIONS, { ...MONTHLY, customer: { ...customer, phone } })
    expect(brief(await create(merchant))).toBe("422 INVALID_PHONE customer.phone")
    const phones = [await create(shop), await create(shop), await create(shop, "01812345678"), await create(shop)]
    expect(phones.map((answer) => [answer.status, subscriptionOf(answer).customer.phone])).toEqual([
      [201, ""],
      [201, ""],
      [201, "01812345678"],
      [201, "01812345678"],
    ])
    expect(brief(await create(shop, "0000"))).toBe("422 INVALID_PHONE customer.phone")
  })

  it("gaps that modules leave: no postcode, no methods named, a phone of zeros", async () => {
    const zeros = "+8800000000000"
    const { session_id, transaction_id } = await shop.open({
      customer: { ...CUSTOMER, postcode: "", phone: zeros },
      shipping: { name: "Rahima", address: "Road 3", city: "Dhaka", postcode: "", country: "Bangladesh" },
      payment_info: { allowed_payment_methods: [] },
    })
    const row = await checkoutSession(store, session_id)
    expect([row.customer_phone, row.shipping.postcode, row.payment_info.allowed_payment_methods]).toEqual([
      "",
      "",
      undefined,
    ])
    expect((await shop.verified(transaction_id)).customer).toMatchObject({ postcode: "", phone: zeros })
    expect((await shop.pay(session_id, { payment_method: "wallet" })).body.data.status).toBe("SUCCESS")
  })

  it("an order as a module of WooCommerce sends it, with what it leaves empty", async () => {
    const { session_id, transaction_id } = await shop.open({
      order_amount: "640.00",
      ipn_url: null,
      shipping: null,
      customer: { ...CUSTOMER, address: "House 7, Road 3 ", country: "BD", postcode: "" },
      order_items: [{ sku: "", product_name: "Tea", quantity: 2, unit_price: "320.00" }],
      payment_info: {
        is_recurring: false,
        installments: 0,
        currency_conversion: false,
        allowed_payment_methods: ["card", "mobile_banking"],
        requires_emi: false,
      },
      metadata: { source: "woocommerce", plugin_version: "2.0.1", order_id_wc: 1043 },
    })
    expect((await shop.pay(session_id)).body.data.status).toBe("SUCCESS")
    expect((await shop.verified(transaction_id)).status).toBe("SUCCESS")
  })

  it("what is wrong otherwise stays refused", async () => {
    expect(brief(await shop.checkout(customer({ phone: "+880171" })))).toBe("422 INVALID_PHONE customer.phone")
    expect(brief(await shop.checkout(customer({ city: "" })))).toBe("422 MISSING_REQUIRED_FIELD customer.city")
    expect(brief(await shop.checkout({ payment_info: { allowed_payment_methods: ["cash"] } }))).toBe(
      "422 VALIDATION_ERROR payment_info.allowed_payment_methods[0]"
    )
  })

  it.each([
    [customer({ postcode: "" }), "422 MISSING_REQUIRED_FIELD customer.postcode"],
    [customer({ phone: "+8800000000000" }), "422 INVALID_PHONE customer.phone"],
    [{ payment_info: { allowed_payment_methods: [] } }, "422 VALIDATION_ERROR payment_info.allowed_payment_methods"],
  ])("it is off by default: %j is refused", async (changes, expected) => {
    expect(brief(await merchant.checkout(changes))).toBe(expected)
  })
})
