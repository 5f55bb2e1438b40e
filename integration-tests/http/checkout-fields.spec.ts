import {
  brief,
  CUSTOMER,
  fields,
  gatewayOf,
  newMerchant,
  order,
  orderId,
  type ApiMerchant,
  customer,
  checkoutSession,
} from "../support/api"
import { addEmi } from "../support/emi"
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

const without = (member: string) => order({ [member]: undefined })

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
    expect(await checkoutSession(store, answer.body.data.session_id)).toMatchObject({
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
    expect((await checkoutSession(store, answer.body.data.session_id)).customer).toEqual(CUSTOMER)
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
    ["phone in Bangla digits, one missing", customer({ phone: "০১৭১২৩৪৫৬৭" }), "422 INVALID_PHONE customer.phone"],
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
    [
      "item price of 21 decimals",
      { order_items: [{ vat: `1.${"3".repeat(21)}` }] },
      "422 VALIDATION_ERROR order_items[0].vat",
    ],
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
    ["a third as a float", () => ({ order_items: [{ quantity: 3, unit_price: 100 / 3, vat: 0.1 + 0.2 }] })],
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
    const row = await checkoutSession(store, session_id)
    expect([row.metadata, row.payment_info, row.items]).toEqual([{}, {}, [{}, { sku: "x", metadata: {} }]])
    expect((await merchant.verified(transaction_id)).customer.metadata).toEqual({})
    expect((await merchant.call("POST", `/payments/checkout/${session_id}/expire`, [])).status).toBe(200)
    expect(brief(await merchant.call("POST", "/payments/checkout", []))).toBe("400 INVALID_REQUEST")
  })

  it("decisions: Found by real clients: a phone is echoed as it was sent, and kept as E.164 beside it", async () => {
    const phone = "+880.1712345678"
    const { session_id, transaction_id } = await merchant.open(customer({ phone }))
    expect((await checkoutSession(store, session_id)).customer_phone).toBe("+8801712345678")
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

  describe("what depends on the merchant is said beside everything else", () => {
    const SERVICE = "payment_info.payment_service_id"
    const EMI = "payment_info.emi_configuration_id"
    const BAD_URL = { success_url: "http://shop.example.com/" }
    const BAD_EMAIL = customer({ email: "x" })
    /** A configuration from 4000.00 to 5000.00, in the bodies below. */
    let named: string
    beforeAll(async () => {
      named = await addEmi(store, merchant.id, { minimum_amount: "4000", maximum_amount: "5000" })
    })
    type Info = Record<string, unknown>
    const emi = (id: unknown = "nope", more: Info = {}) => ({
      payment_info: { requires_emi: true, emi_configuration_id: id, ...more },
    })
    const info = (payment_info: Info) => ({ payment_info })

    it.each<[string, () => Record<string, unknown>, string, string[]]>([
      [
        "a low amount, an unknown configuration",
        () => ({ order_amount: "2000.00", ...emi() }),
        "422 VALIDATION_ERROR",
        ["order_amount", EMI],
      ],
      [
        "an amount that is none, an unknown configuration",
        () => ({ order_amount: "much", ...emi() }),
        "422 VALIDATION_ERROR",
        ["order_amount", EMI],
      ],
      [
        "an e-mail, an unknown service",
        () => ({ ...BAD_EMAIL, ...info({ payment_service_id: 99 }) }),
        "422 VALIDATION_ERROR",
        ["customer.email", SERVICE],
      ],
      [
        "a URL, an unknown service",
        () => ({ ...BAD_URL, ...info({ payment_service_id: 99 }) }),
        "422 VALIDATION_ERROR",
        ["success_url", SERVICE],
      ],
      [
        "an e-mail, an amount over the maximum",
        () => ({ ...BAD_EMAIL, order_amount: "5000.01", ...emi(named) }),
        "422 VALIDATION_ERROR",
        ["customer.email", "order_amount"],
      ],
      [
        "a URL, an amount over the maximum",
        () => ({ ...BAD_URL, order_amount: "5000.01", ...emi(named) }),
        "400 INVALID_CALLBACK_URL",
        ["success_url", "order_amount"],
      ],
      [
        "a URL, an amount below 3000.00",
        () => ({ ...BAD_URL, order_amount: "2999.99", ...emi(named) }),
        "400 INVALID_CALLBACK_URL",
        ["success_url", "order_amount"],
      ],
      [
        "an amount out of all ranges, once",
        () => ({ ...BAD_URL, order_amount: "500000.01", ...emi(named) }),
        "400 INVALID_REQUEST",
        ["order_amount", "success_url"],
      ],
      [
        "an unknown service, an unknown configuration",
        () => ({ order_amount: "4000.00", ...emi("nope", { payment_service_id: 99 }) }),
        "422 VALIDATION_ERROR",
        [SERVICE, EMI],
      ],
      [
        "no card allowed, an unknown configuration",
        () => ({ order_amount: "4000.00", ...emi("nope", { allowed_payment_methods: ["wallet"] }) }),
        "422 VALIDATION_ERROR",
        ["payment_info.allowed_payment_methods", EMI],
      ],
      [
        "another member of payment_info, an unknown service, an unknown configuration",
        () => ({ order_amount: "4000.00", ...emi("nope", { payment_service_id: 99, language: "fr" }) }),
        "422 VALIDATION_ERROR",
        ["payment_info.language", SERVICE, EMI],
      ],
      [
        "methods that are none, an unknown configuration",
        () => ({ order_amount: "4000.00", ...emi("nope", { allowed_payment_methods: ["cash"] }) }),
        "422 VALIDATION_ERROR",
        ["payment_info.allowed_payment_methods[0]", EMI],
      ],
    ])("%s", async (_name, changes, expected, failing) => {
      const answer = await merchant.checkout(changes())
      expect(brief(answer)).toBe(`${expected} ${failing[0]}`)
      expect(fields(answer)).toEqual(failing)
    })

    it("a merchant without EMI: 403 SERVICE_NOT_ENABLED only for an order without a fault", async () => {
      const without = await newMerchant(store)
      await gatewayOf(store).merchants.configure(
        { merchant_id: without.id, environment: "sandbox" },
        { services: ["checkout"] }
      )
      const answers = [
        await without.checkout({ order_amount: "4000.00", ...BAD_EMAIL, ...emi() }),
        await without.checkout({ order_amount: "4000.00", ...emi("nope", { payment_service_id: 99 }) }),
        await without.checkout({ order_amount: "2999.99", ...emi() }),
        await without.checkout({ order_amount: "4000.00", ...emi() }),
      ]
      expect(answers.map(brief)).toEqual([
        "422 INVALID_EMAIL customer.email",
        `422 VALIDATION_ERROR ${SERVICE}`,
        "400 INVALID_EMI_AMOUNT order_amount",
        "403 SERVICE_NOT_ENABLED payment_info.requires_emi",
      ])
    })
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
