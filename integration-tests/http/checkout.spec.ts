import { brief, CUSTOMER, fields, gatewayOf, newMerchant, order, orderId, type ApiMerchant } from "../support/api"
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

const session = (id: string) => store.db("gateway_checkout_session").where({ id }).first()
const without = (member: string) => order({ [member]: undefined })
const customer = (changes: Record<string, unknown>) => ({ customer: { ...CUSTOMER, ...changes } })

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
    const { opened_at, expires_at } = await session(session_id)
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
  ])("decision 0053: payment_info %j makes the page's language %s", async (payment_info, language) => {
    const { session_id } = await merchant.open({ payment_info })
    expect(await session(session_id)).toMatchObject({ language })
  })

  it("decision 0053: a language that the page does not have is refused, and the refusal names those it has", async () => {
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
    const row = await session(session_id)
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

describe("contract 2.1, 7.3 — required fields", () => {
  it.each(["order_id", "currency", "order_amount", "success_url", "cancel_url", "fail_url", "customer"])(
    "%s absent, null or empty: 422 MISSING_REQUIRED_FIELD",
    async (member) => {
      const bodies = [without(member), order({ [member]: null }), order({ [member]: "" })]
      const answers = await Promise.all(bodies.map((body) => merchant.call("POST", "/payments/checkout", body)))
      expect(answers.map(brief)).toEqual(Array(3).fill(`422 MISSING_REQUIRED_FIELD ${member}`))
    }
  )

  it.each(Object.keys(CUSTOMER))("contract 4.2 rule 3: customer.%s is required", async (member) => {
    const values = [undefined, null, ""]
    const answers = await Promise.all(values.map((value) => merchant.checkout(customer({ [member]: value }))))
    expect(answers.map(brief)).toEqual(Array(3).fill(`422 MISSING_REQUIRED_FIELD customer.${member}`))
  })

  it.each(["name", "address", "city", "postcode", "country"])(
    "contract 2.3: shipping.%s is required",
    async (member) => {
      const shipping = { name: "a", address: "b", city: "c", postcode: "d", country: "e", [member]: undefined }
      expect(brief(await merchant.checkout({ shipping }))).toBe(`422 MISSING_REQUIRED_FIELD shipping.${member}`)
    }
  )

  it("decisions: Requests — optional fields may be null or empty: both mean absent", async () => {
    const optional = ["order_description", "ipn_url", "shipping", "order_items", "payment_info", "metadata"]
    const nulls = Object.fromEntries(optional.map((member) => [member, null]))
    expect((await merchant.checkout(nulls)).status).toBe(200)
    const info = {
      is_recurring: null,
      installments: null,
      allowed_payment_methods: null,
      emi_configuration_id: "",
      payment_service_id: null,
    }
    const answer = await merchant.checkout({
      order_description: "",
      ipn_url: "",
      payment_info: info,
      order_items: [{ sku: "", quantity: null }],
    })
    expect(answer.status).toBe(200)
    expect(await session(answer.body.data.session_id)).toMatchObject({
      description: null,
      ipn_url: null,
      payment_info: {},
    })
  })

  it("decisions: Requests — unknown fields are ignored, hostile names too", async () => {
    const raw = JSON.stringify(order({ unknown: 1, customer: { ...CUSTOMER, age: 7 } })).replace(
      /}$/,
      `,"__proto__":{"order_amount":"1"},"constructor":{"prototype":{"x":1}}}`
    )
    const answer = await merchant.call("POST", "/payments/checkout", undefined, { raw })
    expect(answer.status).toBe(200)
    expect((await session(answer.body.data.session_id)).customer).toEqual(CUSTOMER)
    expect((Object.prototype as { x?: number }).x).toBeUndefined()
  })
})

describe("contract 2.1, 7.3 — formats, one failing field with its own code", () => {
  it.each([
    ["order_id of 31 characters", { order_id: "x".repeat(31) }, "422 VALIDATION_ERROR order_id"],
    [
      "order_id of 31 characters outside the basic plane",
      { order_id: "😀".repeat(31) },
      "422 VALIDATION_ERROR order_id",
    ],
    ["order_id a number", { order_id: 5 }, "422 VALIDATION_ERROR order_id"],
    ["order_id with a control character", { order_id: "a\u0001" }, "422 VALIDATION_ERROR order_id"],
    ["currency USD", { currency: "USD" }, "422 INVALID_CURRENCY currency"],
    ["currency in small letters", { currency: "bdt" }, "422 INVALID_CURRENCY currency"],
    ["currency BDTX", { currency: "BDTX" }, "422 INVALID_CURRENCY currency"],
    ["e-mail", customer({ email: "not-an-email" }), "422 INVALID_EMAIL customer.email"],
    ["phone", customer({ phone: "12345" }), "422 INVALID_PHONE customer.phone"],
    ["phone in Bangla digits", customer({ phone: "০১৭১২৩৪৫৬৭৮" }), "422 INVALID_PHONE customer.phone"],
    ["blank name", customer({ name: "   " }), "422 VALIDATION_ERROR customer.name"],
    ["name an object", customer({ name: { first: "a" } }), "422 VALIDATION_ERROR customer.name"],
    ["name of 256 characters", customer({ name: "x".repeat(256) }), "422 VALIDATION_ERROR customer.name"],
    ["customer a list", { customer: [] }, "422 VALIDATION_ERROR customer"],
    ["customer text", { customer: "Rahima" }, "422 VALIDATION_ERROR customer"],
    ["shipping a list", { shipping: [] }, "422 VALIDATION_ERROR shipping"],
    ["order_items an object", { order_items: {} }, "422 VALIDATION_ERROR order_items"],
    ["order_items with null", { order_items: [null] }, "422 VALIDATION_ERROR order_items[0]"],
    ["item quantity text", { order_items: [{}, { quantity: "1" }] }, "422 VALIDATION_ERROR order_items[1].quantity"],
    ["item quantity 1.5", { order_items: [{ quantity: 1.5 }] }, "422 VALIDATION_ERROR order_items[0].quantity"],
    ["item price", { order_items: [{ unit_price: "1e3" }] }, "422 VALIDATION_ERROR order_items[0].unit_price"],
    ["item metadata a list", { order_items: [{ metadata: [1] }] }, "422 VALIDATION_ERROR order_items[0].metadata"],
    ["metadata text", { metadata: "x" }, "422 VALIDATION_ERROR metadata"],
    ["metadata too large", { metadata: { a: "x".repeat(17_000) } }, "422 VALIDATION_ERROR metadata"],
    ["payment_info text", { payment_info: "card" }, "422 VALIDATION_ERROR payment_info"],
    ["language of another country", { payment_info: { language: "fr" } }, "422 VALIDATION_ERROR payment_info.language"],
    ["language a name", { payment_info: { language: "Bangla" } }, "422 VALIDATION_ERROR payment_info.language"],
    ["language a number", { payment_info: { language: 1 } }, "422 VALIDATION_ERROR payment_info.language"],
    ["locale of another country", { payment_info: { locale: "hi-IN" } }, "422 VALIDATION_ERROR payment_info.locale"],
    ["is_recurring text", { payment_info: { is_recurring: "true" } }, "422 VALIDATION_ERROR payment_info.is_recurring"],
    ["installments negative", { payment_info: { installments: -1 } }, "422 VALIDATION_ERROR payment_info.installments"],
    ["installments 1.5", { payment_info: { installments: 1.5 } }, "422 VALIDATION_ERROR payment_info.installments"],
    [
      "allowed methods unknown",
      { payment_info: { allowed_payment_methods: ["card", "cash"] } },
      "422 VALIDATION_ERROR payment_info.allowed_payment_methods[1]",
    ],
    [
      "allowed methods empty",
      { payment_info: { allowed_payment_methods: [] } },
      "422 VALIDATION_ERROR payment_info.allowed_payment_methods",
    ],
    [
      "allowed methods text",
      { payment_info: { allowed_payment_methods: "card" } },
      "422 VALIDATION_ERROR payment_info.allowed_payment_methods",
    ],
    [
      "payment_service_id unknown",
      { payment_info: { payment_service_id: 99 } },
      "422 VALIDATION_ERROR payment_info.payment_service_id",
    ],
    [
      "payment_service_id beyond an integer column",
      { payment_info: { payment_service_id: 2 ** 40 } },
      "422 VALIDATION_ERROR payment_info.payment_service_id",
    ],
    [
      "payment_service_id text",
      { payment_info: { payment_service_id: "1" } },
      "422 VALIDATION_ERROR payment_info.payment_service_id",
    ],
  ])("%s", async (_name, changes, expected) => {
    const answer = await merchant.checkout(changes)
    expect(brief(answer)).toBe(expected)
    expect(fields(answer)).toEqual([expected.split(" ")[2]])
  })

  it.each([
    ["order_id of 1 character", () => ({ order_id: String(Math.random())[5] })],
    ["order_id of 30 characters", () => ({ order_id: orderId().padEnd(30, "x") })],
    [
      "order_id of 30 characters outside the basic plane",
      () => ({
        order_id: [...orderId().slice(2)]
          .map((digit) => String.fromCodePoint(0x1f600 + parseInt(digit, 16)))
          .join("")
          .padEnd(60, "😀"),
      }),
    ],
    ["order_id in Bangla", () => ({ order_id: `অর্ডার-${Math.random()}`.slice(0, 30) })],
    ["a phone of another country", () => customer({ phone: "+14155552671" })],
    ["a phone without plus", () => customer({ phone: "8801712345678" })],
    ["installments 0", () => ({ payment_info: { installments: 0 } })],
    [
      "every method",
      () => ({ payment_info: { allowed_payment_methods: ["card", "mobile_banking", "internet_banking", "wallet"] } }),
    ],
    ["no items", () => ({ order_items: [] })],
    ["a phone as WHMCS stores it", () => customer({ phone: "+880.1712345678" })],
    ["a phone with brackets", () => customer({ phone: "+880 (0)1712-345678" })],
    ["200 items", () => ({ order_items: Array.from({ length: 200 }, () => ({ sku: "x" })) })],
  ])("takes %s", async (_name, changes) => {
    const answer = await merchant.checkout(changes())
    expect([answer.status, answer.body.error]).toEqual([200, undefined])
  })

  it("decisions: Found by real clients: PHP's empty list is taken for an empty object", async () => {
    const { session_id, transaction_id } = await merchant.open({
      customer: { ...CUSTOMER, metadata: [] },
      metadata: [],
      payment_info: [],
      order_items: [[], { sku: "x", metadata: [] }],
    })
    const row = await session(session_id)
    expect([row.metadata, row.payment_info, row.items]).toEqual([{}, {}, [{}, { sku: "x", metadata: {} }]])
    expect((await merchant.verified(transaction_id)).customer.metadata).toEqual({})
    expect((await merchant.call("POST", `/payments/checkout/${session_id}/expire`, [])).status).toBe(200)
    expect(brief(await merchant.call("POST", "/payments/checkout", []))).toBe("400 INVALID_REQUEST")
  })

  it("decisions: Found by real clients: a phone is echoed as it was sent, and kept as E.164 beside it", async () => {
    const phone = "+880.1712345678"
    const { session_id, transaction_id } = await merchant.open(customer({ phone }))
    expect((await session(session_id)).customer_phone).toBe("+8801712345678")
    expect((await merchant.verified(transaction_id)).customer.phone).toBe(phone)
  })

  it("a service the merchant has switched off cannot be preselected", async () => {
    const other = await newMerchant(store)
    await store
      .db("gateway_payment_service")
      .where({ merchant_id: other.id, service_id: 3 })
      .update({ is_active: false })
    expect(brief(await other.checkout({ payment_info: { payment_service_id: 3 } }))).toBe(
      "422 VALIDATION_ERROR payment_info.payment_service_id"
    )
    expect((await other.checkout({ payment_info: { payment_service_id: 4 } })).status).toBe(200)
  })
})

describe("contract 4.2 rule 1, contract 8 — order_amount from 10.00 to 500000.00", () => {
  it.each([
    ...["10.00", "10", "10.0", 10, 10.5, "10.50", "500000.00", 500000, 499999.99, "0010.00"],
    ...["1250.5000", "10.000", "500000.000000"],
  ])("takes %p", async (order_amount) => {
    const { status, body } = await merchant.checkout({ order_amount })
    expect(status).toBe(200)
    const { amount } = await merchant.verified(body.data.transaction_id)
    expect(amount).toBe(`${Number(order_amount).toFixed(2)}00`)
  })

  it.each([
    ...["9.99", 9.99, "0", 0, "0.01", "500000.01", 500000.01, 600000, "9999999999999.99", "5.01", "4.99"],
    ...["-10", -10, "-1250.50", "-0", -0.01, "-5.00", "10000000000000.00", 1e21, -1e300, "9.9900", "500000.0100"],
  ])("%p is out of range: 400 INVALID_REQUEST, field order_amount", async (order_amount) => {
    expect(brief(await merchant.checkout({ order_amount }))).toBe("400 INVALID_REQUEST order_amount")
  })

  it.each(["5.00", "5", 5, 5.0, "5.0"])(
    "contract 7.3 sandbox triggers: exactly %p is 422 AMOUNT_TOO_LOW",
    async (order_amount) => {
      expect(brief(await merchant.checkout({ order_amount }))).toBe("422 AMOUNT_TOO_LOW order_amount")
    }
  )

  it.each([
    "1e2",
    "10.555",
    10.555,
    " 10",
    "10 ",
    "১০",
    "+10",
    "--10",
    "- 10",
    "-10.555",
    "10.5001",
    "10,50",
    "1,000",
    "10.",
    ".50",
    true,
    [],
    {},
    "NaN",
    "0x10",
    1e-7,
  ])("decisions: Requests — %p is no amount: 422 VALIDATION_ERROR", async (order_amount) => {
    expect(brief(await merchant.checkout({ order_amount }))).toBe("422 VALIDATION_ERROR order_amount")
  })
})

describe("contract 4.2 rule 2, decisions: Callback URLs", () => {
  const urls = ["success_url", "cancel_url", "fail_url", "ipn_url"]
  const long = (length: number) => `https://shop.example.com/${"a".repeat(length - 25)}`

  it.each(urls)(
    "%s must be public https, without credentials and fragment: 400 INVALID_CALLBACK_URL",
    async (field) => {
      const bad = [
        "http://shop.example.com/",
        "https://localhost/",
        "https://127.0.0.1/",
        "https://2130706433/",
        "https://10.0.0.1/x",
        "https://[::1]/",
        "https://[::ffff:10.0.0.1]/",
        "https://169.254.169.254/latest",
        "https://shop/",
        "https://db.internal/",
        "https://u:p@shop.example.com/",
        "https://shop.example.com/#x",
        "shop.example.com",
        "javascript:alert(1)",
        "https://a b.example.com/",
        "https://shop.example.com/\u0001",
      ]
      const answers = await Promise.all(bad.map((url) => merchant.checkout({ [field]: url })))
      expect(answers.map(brief)).toEqual(bad.map(() => `400 INVALID_CALLBACK_URL ${field}`))
    }
  )

  it.each(urls.slice(0, 3))("contract 8: %s has at most 255 characters", async (field) => {
    expect((await merchant.checkout({ [field]: long(255) })).status).toBe(200)
    const answers = await Promise.all([256, 4_096, 5_000].map((length) => merchant.checkout({ [field]: long(length) })))
    expect(answers.map(brief)).toEqual(Array(3).fill(`400 INVALID_CALLBACK_URL ${field}`))
  })

  it("the contract gives ipn_url no such bound, a far one holds all the same", async () => {
    expect((await merchant.checkout({ ipn_url: long(256) })).status).toBe(200)
    expect(brief(await merchant.checkout({ ipn_url: long(5_000) }))).toBe("400 INVALID_CALLBACK_URL ipn_url")
  })

  it("a URL that is no text is an ordinary validation failure", async () => {
    expect(brief(await merchant.checkout({ success_url: 5 }))).toBe("422 VALIDATION_ERROR success_url")
    expect(brief(await merchant.checkout({ ipn_url: [] }))).toBe("422 VALIDATION_ERROR ipn_url")
  })
})

describe("decisions: Requests — checkout's special codes and ordinary failures together", () => {
  it("several special failures without an ordinary one: the first one's code, all of them in details", async () => {
    const answer = await merchant.checkout({
      order_amount: "9.99",
      success_url: "http://x.example.com",
      fail_url: "https://localhost",
    })
    expect(brief(answer)).toBe("400 INVALID_REQUEST order_amount")
    expect(fields(answer)).toEqual(["order_amount", "success_url", "fail_url"])
    expect(answer.body.message).toBe("order_amount must be from 10.00 to 500000.00 BDT (and 2 more)")
  })

  it.each([
    [{ order_id: null }, "order_id is required"],
    [{ order_amount: "-1.00" }, "order_amount must be from 10.00 to 500000.00 BDT"],
    [customer({ email: "x", phone: "1" }), "customer.email must be a valid e-mail address (and 1 more)"],
    [{ order_items: [{ quantity: 1.5 }] }, "order_items[0].quantity must be a whole number"],
    [{ currency: "USD", order_id: "", fail_url: 1, ...customer({ name: 5 }) }, "order_id is required (and 3 more)"],
  ])("decisions: Found by real clients: the top-level message names the field: %p", async (changes, message) => {
    const { body } = await merchant.checkout(changes)
    expect([body.message, body.error.message]).toEqual([message, message])
    expect(body.message.startsWith(body.error.field ?? "?")).toBe(true)
  })

  it.each([
    ["amount range", { order_amount: "9.99" }, "order_amount"],
    ["callback URL", { cancel_url: "http://x.example.com" }, "cancel_url"],
    ["EMI amount", { order_amount: "2999.99", payment_info: { requires_emi: true } }, "order_amount"],
    ["AMOUNT_TOO_LOW", { order_amount: "5.00" }, "order_amount"],
  ])("%s and an ordinary failure: VALIDATION_ERROR lists both", async (_name, changes, field) => {
    const answer = await merchant.checkout({ ...changes, ...customer({ email: "x" }) })
    expect([answer.status, answer.body.error.code]).toEqual([422, "VALIDATION_ERROR"])
    expect(fields(answer).sort()).toEqual(["customer.email", field].sort())
    expect(fields(answer)).toContain(answer.body.error.field)
  })

  it("several ordinary failures: VALIDATION_ERROR, field names the first, details all with messages", async () => {
    const answer = await merchant.call(
      "POST",
      "/payments/checkout",
      order({ order_id: null, currency: "USD", customer: { ...CUSTOMER, email: "x", phone: "1" } })
    )
    expect(brief(answer)).toBe("422 VALIDATION_ERROR order_id")
    expect(fields(answer)).toEqual(["order_id", "currency", "customer.email", "customer.phone"])
    expect(answer.body.error.details?.every(({ message }) => message.length > 0)).toBe(true)
  })

  it("an empty object names every required field", async () => {
    const answer = await merchant.call("POST", "/payments/checkout", {})
    expect(brief(answer)).toBe("422 VALIDATION_ERROR order_id")
    expect(fields(answer)).toEqual([
      "order_id",
      "currency",
      "order_amount",
      "success_url",
      "cancel_url",
      "fail_url",
      "customer",
    ])
  })
})

describe("contract 4.2 rule 7, 4.4 rule 1 — EMI checkout", () => {
  const emi = { payment_info: { requires_emi: true } }

  it("below 3000.00: 400 INVALID_EMI_AMOUNT, field order_amount, naming the minimum", async () => {
    const answer = await merchant.checkout({ ...emi, order_amount: "2999.99" })
    expect(brief(answer)).toBe("400 INVALID_EMI_AMOUNT order_amount")
    expect(answer.body.error.message).toContain("3000.00")
  })

  it("below 10.00 the range comes first", async () => {
    expect(brief(await merchant.checkout({ ...emi, order_amount: "9.00" }))).toBe("400 INVALID_REQUEST order_amount")
  })

  it("decisions: Environments — a merchant without EMI: 403 SERVICE_NOT_ENABLED", async () => {
    const without = await newMerchant(store)
    await gatewayOf(store).merchants.configure(
      { merchant_id: without.id, environment: "sandbox" },
      { services: ["checkout"] }
    )
    expect(brief(await without.checkout({ ...emi, order_amount: "3000.00" }))).toBe(
      "403 SERVICE_NOT_ENABLED payment_info.requires_emi"
    )
  })

  it("requires_emi false has no minimum", async () => {
    expect((await merchant.checkout({ payment_info: { requires_emi: false }, order_amount: "10.00" })).status).toBe(200)
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

  it("gaps that modules leave: no postcode, no methods named, a phone of zeros", async () => {
    const zeros = "+8800000000000"
    const { session_id, transaction_id } = await shop.open({
      customer: { ...CUSTOMER, postcode: "", phone: zeros },
      shipping: { name: "Rahima", address: "Road 3", city: "Dhaka", postcode: "", country: "Bangladesh" },
      payment_info: { allowed_payment_methods: [] },
    })
    const row = await session(session_id)
    expect([row.customer_phone, row.shipping.postcode, row.payment_info.allowed_payment_methods]).toEqual([
      "",
      "",
      undefined,
    ])
    expect((await shop.verified(transaction_id)).customer).toMatchObject({ postcode: "", phone: zeros })
    expect((await shop.pay(session_id, { payment_method: "wallet" })).body.data.status).toBe("SUCCESS")
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

describe("decisions 0018: an unpaid session can be ended before its time", () => {
  const expire = (session_id: string, by = merchant) => by.call("POST", `/payments/checkout/${session_id}/expire`)

  it("it is EXPIRED, cannot be paid any more, says so once, and asked again answers the same", async () => {
    const { session_id, transaction_id } = await merchant.open()
    for (let asked = 0; asked < 2; asked++) {
      const { status, body } = await expire(session_id)
      expect([status, body.data]).toEqual([
        200,
        expect.objectContaining({ session_id, transaction_id, status: "EXPIRED" }),
      ])
    }
    expect(brief(await merchant.pay(session_id))).toBe("408 PAYMENT_TIMEOUT")
    expect((await merchant.verified(transaction_id)).status).toBe("EXPIRED")
    expect((await merchant.events(transaction_id)).map(({ event_type }) => event_type)).toEqual(["payment.expired"])
  })

  it("one that ended without money stays as it is; a paid one is refused; another merchant's is unknown", async () => {
    const failed = await merchant.open({ order_amount: "300.00" })
    await merchant.pay(failed.session_id)
    expect((await expire(failed.session_id)).body.data.status).toBe("FAILED")
    const paid = await merchant.open()
    await merchant.pay(paid.session_id)
    expect(brief(await expire(paid.session_id))).toBe("409 INVALID_STATE_TRANSITION")
    expect((await merchant.verified(paid.transaction_id)).status).toBe("SUCCESS")
    expect(brief(await expire((await merchant.open()).session_id, await newMerchant(store)))).toBe(
      "404 SESSION_NOT_FOUND"
    )
    expect(brief(await expire("ses_x"))).toBe("404 SESSION_NOT_FOUND")
  })

  it("paying and ending at once: one of them wins", async () => {
    for (let round = 0; round < 10; round++) {
      const { session_id, transaction_id } = await merchant.open()
      const [paid, ended] = await Promise.all([merchant.pay(session_id), expire(session_id)])
      const { status } = await merchant.verified(transaction_id)
      expect([paid.status === 200, ended.status === 200]).toEqual([status === "SUCCESS", status === "EXPIRED"])
    }
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
