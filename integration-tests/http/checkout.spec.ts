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

/** Private addresses are refused here, as in a deployment. */
const store = useStore({
  production: true,
  env: { GATEWAY_ALLOW_PRIVATE_URLS: "" },
  prepare: async (booted) => {
    merchant = await newMerchant(booted)
  },
})
let merchant: ApiMerchant

describe("contract 4.2 — a checkout session is created", () => {
  it("contract 2.6, 4.2: answers 200 with success, message and data", async () => {
    const before = Date.now()
    const { status, body, headers } = await merchant.checkout()
    expect(status).toBe(200)
    expect(headers.get("content-type")).toBe("application/json; charset=utf-8")
    expect(body).toEqual({
      success: true,
      message: expect.any(String),
      data: {
        checkout_url: `${store.url}/pay/${body.data.session_id}`,
        session_id: expect.stringMatching(/^ses_[A-Za-z0-9_-]{32}$/),
        expires_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/),
        transaction_id: expect.stringMatching(/^txn[0-9a-f]{32}$/),
      },
      meta: {},
    })
    const life = Date.parse(body.data.expires_at) - before
    expect(life).toBeGreaterThanOrEqual(30 * 60_000)
    expect(life).toBeLessThan(31 * 60_000)
  })

  it("contract 4.2 rule 4: the session lives 30 minutes", async () => {
    const { session_id } = await merchant.open()
    const { opened_at, expires_at } = await checkoutSession(store, session_id)
    expect(expires_at.getTime() - opened_at.getTime()).toBe(30 * 60_000)
  })

  it("decisions: Checkout — session and PENDING transaction are created together", async () => {
    const { session_id, transaction_id } = await merchant.open()
    const rows = await store.db("gateway_transaction").where({ session_id })
    expect(rows).toEqual([expect.objectContaining({ id: transaction_id, state: "OPEN", amount_minor: 125_050 })])
    expect(await merchant.verified(transaction_id)).toMatchObject({ status: "PENDING", verified: false })
    expect(await merchant.events(transaction_id)).toEqual([])
  })

  it.each([
    [{ language: "bn" }, "bn"],
    [{ language: "bn-BD" }, "bn"],
    [{ locale: "BN_bd" }, "bn"],
    [{ language: "en", locale: "bn" }, "en"],
    [{ language: null, locale: "bn" }, "bn"],
    [{ language: "" }, null],
    [{}, null],
  ])("docs/decisions/16: payment_info %j makes the page's language %s", async (payment_info, language) => {
    const { session_id } = await merchant.open({ payment_info })
    expect(await checkoutSession(store, session_id)).toMatchObject({ language })
  })

  it("docs/decisions/16: a language that the page does not have is refused, and the refusal names those it has", async () => {
    const { body } = await merchant.checkout({ payment_info: { language: "fr" } })
    expect(body.error.details).toEqual([
      { field: "payment_info.language", message: "payment_info.language must be one of en, bn" },
    ])
  })

  it("decisions: Checkout — the checkout_url is the hosted page of this deployment", async () => {
    const { checkout_url } = await merchant.open()
    const page = await fetch(checkout_url)
    expect(page.status).toBe(200)
    expect(page.headers.get("content-type")).toContain("text/html")
  })

  it("contract 2.1 to 2.5: takes and keeps every field", async () => {
    const body = order({
      order_description: "দুইটি শাড়ি — two saris 😀",
      ipn_url: "https://shop.example.com/ipn?x=1",
      shipping: {
        name: "Rahima",
        address: "Road 3",
        city: "Dhaka",
        state: "Dhaka",
        postcode: "1205",
        country: "Bangladesh",
        metadata: { floor: 3 },
      },
      order_items: [
        {
          sku: "S-1",
          product_name: "Sari",
          product_category: "Clothes",
          quantity: 2,
          unit_price: "600.25",
          vat: 10.5,
          convenience_fee: "0",
          discount_amount: "-10.00",
          net_amount: "1190.50",
          metadata: { colour: "red" },
        },
        {},
      ],
      payment_info: {
        is_recurring: false,
        installments: 0,
        currency_conversion: false,
        allowed_payment_methods: ["card", "mobile_banking"],
        requires_emi: false,
        payment_service_id: 3,
      },
      metadata: {
        source: "web",
        session_id: "abc",
        user_agent: "x",
        ip_address: "203.0.113.7",
        platform: "own",
        nested: { a: [1, null, ""] },
      },
    })
    const { session_id } = (await merchant.call("POST", "/payments/checkout", body)).body.data
    const row = await checkoutSession(store, session_id)
    expect(row).toMatchObject({
      order_id: body.order_id,
      description: body.order_description,
      ipn_url: body.ipn_url,
      shipping: body.shipping,
      metadata: body.metadata,
      customer: CUSTOMER,
      customer_phone: "+8801712345678",
    })
    expect(row.items).toEqual([{ ...(body.order_items as object[])[0], vat: "10.5" }, {}])
    expect(row.payment_info).toEqual(body.payment_info)
  })
})

describe("contract 4.2 rule 6 — an order_id is used once, for ever", () => {
  const again = (order_id: string) => merchant.checkout({ order_id })

  it("a second checkout: 409 DUPLICATE_TRANSACTION, whatever its other fields say", async () => {
    const order_id = orderId()
    await merchant.open({ order_id })
    expect(brief(await again(order_id))).toBe("409 DUPLICATE_TRANSACTION order_id")
    expect(brief(await merchant.checkout({ order_id, order_amount: "20.00" }))).toBe(
      "409 DUPLICATE_TRANSACTION order_id"
    )
  })

  it("decisions: Checkout — whatever became of the first: paid, failed, cancelled, expired", async () => {
    const [paid, failed, cancelled, expired] = [orderId(), orderId(), orderId(), orderId()]
    await merchant.pay((await merchant.open({ order_id: paid })).session_id)
    await merchant.pay((await merchant.open({ order_id: failed, order_amount: "300.00" })).session_id)
    await merchant.cancel((await merchant.open({ order_id: cancelled })).session_id)
    await merchant.open({ order_id: expired })
    await merchant.advance(1_801)
    const answers = await Promise.all([paid, failed, cancelled, expired].map(again))
    expect(answers.map(brief)).toEqual(Array(4).fill("409 DUPLICATE_TRANSACTION order_id"))
  })

  it("per merchant: another one may use the same order_id", async () => {
    const order_id = orderId()
    await merchant.open({ order_id })
    expect((await (await newMerchant(store)).checkout({ order_id })).status).toBe(200)
  })

  it("order ids differ by case and by spaces", async () => {
    const order_id = orderId()
    const answers = [await again(order_id), await again(order_id.toUpperCase()), await again(`${order_id} `)]
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
  })

  it("a refused checkout does not use up its order_id", async () => {
    const order_id = orderId()
    expect((await merchant.checkout({ order_id, order_amount: "1.00" })).status).toBe(400)
    expect((await again(order_id)).status).toBe(200)
  })
})

describe("decisions: Requests — text is stored as sent", () => {
  it("markup, quotes and SQL are only text", async () => {
    const name = `Robert'); DROP TABLE gateway_merchant;-- <script>alert("x")</script> \\ % _`
    const { transaction_id } = await merchant.open(customer({ name }))
    expect((await merchant.verified(transaction_id)).customer.name).toBe(name)
    expect((await gatewayOf(store).merchants.list()).length).toBeGreaterThan(0)
  })
})
