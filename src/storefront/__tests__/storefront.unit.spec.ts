import { FetchError } from "@medusajs/js-sdk"
import type { Kind, Message } from "../../i18n/message"
import { translate } from "../../i18n/translate"
import { LIMITS } from "../../modules/gateway/kernel/limits"
import {
  awaitOutcome,
  formatMoney,
  isFree,
  isGateway,
  isSpent,
  languageOf,
  missedMinimum,
  LANGUAGES,
  PAYMENT_METHODS,
  readOutcome,
  returnPage,
  startPayment,
  textsOf,
  transactionOf,
  type ErrorCode,
  type Outcome,
  type PaymentSdk,
} from "../index"

const IDS = { cartId: "cart_1", sessionId: "ses_1", transactionId: "txn1" }
const answer = (status: string, order_id: string | null = null) => ({
  status,
  order_id,
  cart_id: "cart_1",
  session_id: "ses_1",
  transaction_id: "txn1",
})

describe("isGateway", () => {
  it.each([
    ["pp_gateway_default", true],
    ["pp_gateway_other", true],
    ["pp_system_default", false],
    ["pp_gatewayish_default", false],
    ["", false],
    [undefined, false],
    [null, false],
  ])("%p: %p", (provider, expected) => expect(isGateway(provider)).toBe(expected))
})

describe("formatMoney", () => {
  it.each([
    [1234.5, "bdt", "৳1,234.50", "৳১,২৩৪.৫০"],
    [12345678.9, "BDT", "৳1,23,45,678.90", "৳১,২৩,৪৫,৬৭৮.৯০"],
    [0, "BDT", "৳0.00", "৳০.০০"],
    [-150, "BDT", "-৳150.00", "-৳১৫০.০০"],
    ["123456.00", "BDT", "৳1,23,456.00", "৳১,২৩,৪৫৬.০০"],
    [19.99, "usd", "$19.99", "$১৯.৯৯"],
  ])("%p %s", (amount, currency, en, bn) => {
    expect([formatMoney(amount, currency, "en"), formatMoney(amount, currency, "bn")]).toEqual([en, bn])
  })
})

describe("languages", () => {
  it.each([
    ["bn-BD", "bn"],
    ["bn", "bn"],
    ["en-GB", "en"],
    ["fr-FR", "en"],
    [null, "en"],
  ])("%p is %s", (locale, expected) => expect(languageOf(locale)).toBe(expected))

  it("have every text, and not the other language's", () => {
    const texts = LANGUAGES.map((language) => {
      const { pay, ...others } = textsOf(language)
      return JSON.stringify({ pay: pay("৳1.00"), ...others })
    })
    const [en, bn] = texts.map((text) => JSON.parse(text))
    expect(shape(bn)).toEqual(shape(en))
    expect(texts[0]).not.toMatch(/[\u0980-\u09e5]/)
    expect(texts[1].match(/: ?"[^"]*"/g)?.filter((text) => !/[\u0980-\u09ff]/.test(text))).toEqual([])
  })

  const shape = (of: unknown): unknown =>
    typeof of === "object" && of !== null
      ? Object.fromEntries(Object.entries(of).map(([name, value]) => [name, shape(value)]))
      : "text"
})

describe("startPayment", () => {
  const session = {
    provider_id: "pp_gateway_default",
    data: { checkout_url: "https://shop.example/pay/ses_1", session_id: "ses_1", expires_at: "2026-11-23T04:00:00Z" },
  }
  const initiate = jest.fn()
  const sdk: PaymentSdk = { store: { payment: { initiatePaymentSession: initiate } } }
  const returnUrl = "https://shop.example/return"
  beforeEach(() => {
    initiate.mockReset()
    initiate.mockResolvedValue({
      payment_collection: { payment_sessions: [{ provider_id: "other", data: {} }, session] },
    })
  })

  it("answers the payment page of the gateway's session", async () => {
    const headers = { authorization: "Bearer x" }
    await expect(startPayment(sdk, { id: "cart_1" }, { returnUrl, headers })).resolves.toEqual({
      ok: true,
      url: "https://shop.example/pay/ses_1",
      sessionId: "ses_1",
      expiresAt: "2026-11-23T04:00:00Z",
    })
    const body = { provider_id: "pp_gateway_default", data: { return_url: returnUrl } }
    expect(initiate.mock.calls).toEqual([[{ id: "cart_1" }, body, {}, headers]])
  })

  it.each(PAYMENT_METHODS)("sends the method %s as the fields of the payment session", async (method) => {
    await startPayment(sdk, { id: "cart_1" }, { returnUrl, method })
    const { data } = initiate.mock.calls[0][1]
    expect(data).toEqual({
      return_url: returnUrl,
      payment_method: expect.stringMatching(/^(card|mobile_banking|internet_banking|wallet)$/),
      payment_service: expect.stringMatching(new RegExp(`^${method}$`, "i")),
    })
  })

  it("an instalment offer is paid by card", async () => {
    await startPayment(sdk, { id: "cart_1" }, { returnUrl, emiConfigurationId: "emi_1" })
    expect(initiate.mock.calls[0][1].data).toMatchObject({ payment_service: "CARD", emi_configuration_id: "emi_1" })
  })

  it.each([
    ["no session of the gateway", []],
    ["a session without an address", [{ ...session, data: { session_id: "ses_1" } }]],
    [
      "an address that is no web page",
      [{ ...session, data: { ...session.data, checkout_url: "javascript:alert(1)" } }],
    ],
  ])("%s: unavailable", async (_what, payment_sessions) => {
    initiate.mockResolvedValue({ payment_collection: { payment_sessions } })
    const started = await startPayment(sdk, { id: "cart_1" }, { returnUrl })
    expect(started).toMatchObject({ ok: false, error: { code: "unavailable" } })
  })

  const said = (kind: Kind, params: Message["params"] = {}) => translate({ kind, params })
  const refusal = (message: string, status = 400) => new FetchError(message, "", status)

  // The sentences come from the catalogue that the store answers from, so that none can change unnoticed.
  it.each<[string, unknown, ErrorCode]>([
    ["no connection", new TypeError("Failed to fetch"), "network"],
    ["a fault of the program", new Error("x is not a function"), "unavailable"],
    ["429", refusal("slow down", 429), "too_many_requests"],
    ["500", refusal("An unknown error occurred.", 500), "unavailable"],
    ["a cart that Medusa has completed", refusal("Cart cart_1 is already completed."), "cart_completed"],
    ["a cart that is no longer open", refusal(said("refusal.cart_none")), "cart_completed"],
    ["a cart that is being paid", refusal(said("refusal.cart_second_payment"), 409), "being_paid"],
    ["a subscription for a guest", refusal(said("refusal.plan_sign_in")), "sign_in"],
    [
      "a total outside the limits",
      refusal(said("refusal.cart_amount", { min: "10.00", max: "500000.00", currency: "BDT", amount: "5.00" })),
      "amount",
    ],
    ["nothing to pay", refusal(said("refusal.amount_to_pay")), "amount"],
    ["too many of a plan", refusal(said("refusal.plan_too_many", { quantity: 9, name: "Tea", max: "1.00" })), "amount"],
    ["a currency that is unknown", refusal(said("refusal.cart_currency_unknown", { currency: "JPY" })), "currency"],
    [
      "a currency without an acquirer",
      refusal(said("refusal.no_acquirer_of_currency", { currency: "USD", environment: "sandbox" })),
      "currency",
    ],
    [
      "a plan in another currency",
      refusal(said("refusal.plan_currency", { name: "Tea", plan: "USD", currency: "BDT" })),
      "currency",
    ],
    ["a plan that is gone", refusal(said("refusal.plan_not_sold", { name: "Tea" })), "cart_changed"],
    ["a suspended merchant", refusal(said("error.MERCHANT_SUSPENDED")), "unavailable"],
    ["a service that is off", refusal(said("error.SERVICE_NOT_ENABLED")), "unavailable"],
    ["no public address", refusal(said("refusal.public_url_missing"), 500), "unavailable"],
    [
      "a return_url on a foreign origin",
      refusal(`return_url ${said("rule.return_origin", { origin: "https://evil.example" })}`),
      "unavailable",
    ],
    ["a wrong publishable key", refusal("Publishable API key required", 401), "unavailable"],
    ["anything else", refusal("Cart id not found: cart_1", 404), "refused"],
  ])("%s, in both languages", async (_what, error, code) => {
    initiate.mockRejectedValue(error)
    for (const language of LANGUAGES) {
      const message = textsOf(language).errors[code]
      await expect(startPayment(sdk, { id: "cart_1" }, { returnUrl, language })).resolves.toEqual({
        ok: false,
        error: { code, message, detail: (error as Error).message },
      })
    }
  })
})

describe("the outcome of a payment", () => {
  const fetchStatus = jest.fn()
  const sdk = { client: { fetch: fetchStatus } }
  beforeEach(() => {
    jest.useFakeTimers()
    fetchStatus.mockReset()
  })
  afterEach(() => jest.useRealTimers())

  const notFound = new FetchError("No payment of a cart was found with this id", "Not Found", 404)

  it.each<[unknown, Outcome]>([
    [answer("SUCCESS", "order_1"), { state: "paid", orderId: "order_1", ...IDS }],
    [answer("SUCCESS"), { state: "open", ...IDS }],
    // Authorised: the shop takes the money later.
    [answer("PENDING", "order_1"), { state: "paid", orderId: "order_1", ...IDS }],
    [answer("PENDING"), { state: "open", ...IDS }],
    [answer("FAILED"), { state: "declined", ...IDS }],
    [answer("CANCELLED"), { state: "cancelled", ...IDS }],
    [answer("EXPIRED"), { state: "expired", ...IDS }],
    [answer("REFUNDED"), { state: "refunded", ...IDS }],
    [answer("REFUNDED", "order_1"), { state: "refunded", ...IDS }],
    [answer("A_STATUS_OF_LATER"), { state: "open", ...IDS }],
    [notFound, { state: "unknown" }],
  ])("%j is %j", async (answered, outcome) => {
    fetchStatus.mockImplementation(async () => {
      if (answered instanceof Error) {
        throw answered
      }
      return answered
    })
    await expect(readOutcome(sdk, "txn1")).resolves.toEqual(outcome)
    await expect(awaitOutcome(sdk, "txn1", { timeoutMs: 0 })).resolves.toEqual(outcome)
    expect(fetchStatus).toHaveBeenCalledTimes(2)
  })

  it("is asked by the transaction or by the session, with the headers", async () => {
    fetchStatus.mockResolvedValue(answer("FAILED"))
    const headers = { authorization: "Bearer x" }
    await readOutcome(sdk, { transactionId: "txn1" }, headers)
    await readOutcome(sdk, { sessionId: "ses_1" })
    expect(fetchStatus.mock.calls).toEqual([
      ["/store/gateway/status", { query: { transaction_id: "txn1" }, headers }],
      ["/store/gateway/status", { query: { session_id: "ses_1" }, headers: {} }],
    ])
  })

  it("is asked for while the payment is pending, and while its order is being made", async () => {
    fetchStatus
      .mockResolvedValueOnce(answer("PENDING"))
      .mockResolvedValueOnce(answer("SUCCESS"))
      .mockResolvedValue(answer("SUCCESS", "order_1"))
    const outcome = awaitOutcome(sdk, "txn1")
    await jest.advanceTimersByTimeAsync(10_000)
    await expect(outcome).resolves.toMatchObject({ state: "paid", orderId: "order_1" })
    expect(fetchStatus).toHaveBeenCalledTimes(3)
  })

  it.each([
    ["no connection", new TypeError("Failed to fetch")],
    ["a server in trouble", new FetchError("oops", "Internal Server Error", 500)],
    ["too many requests", new FetchError("slow down", "Too Many Requests", 429)],
  ])("outlives %s and says so", async (_what, error) => {
    const onContact = jest.fn()
    fetchStatus.mockRejectedValueOnce(error).mockResolvedValue(answer("SUCCESS", "order_1"))
    const outcome = awaitOutcome(sdk, "txn1", { onContact })
    await jest.advanceTimersByTimeAsync(2_000)
    await expect(outcome).resolves.toMatchObject({ state: "paid" })
    expect(onContact.mock.calls).toEqual([[false], [true]])
  })

  it("rejects when the store refuses the question", async () => {
    fetchStatus.mockRejectedValue(new FetchError("Publishable API key required", "Bad Request", 400))
    await expect(awaitOutcome(sdk, "txn1")).rejects.toThrow("Publishable API key required")
    expect(fetchStatus).toHaveBeenCalledTimes(1)
  })

  it("is open after two minutes, having been asked for fewer than 40 times", async () => {
    fetchStatus.mockResolvedValue(answer("PENDING"))
    const outcome = awaitOutcome(sdk, "txn1")
    await jest.advanceTimersByTimeAsync(110_000)
    const asked = fetchStatus.mock.calls.length
    expect(asked).toBeGreaterThan(15)
    expect(asked).toBeLessThan(40)
    await jest.advanceTimersByTimeAsync(20_000)
    await expect(outcome).resolves.toEqual({ state: "open", ...IDS })
  })

  it("is open when the shopper has gone elsewhere, and is not asked for any more", async () => {
    fetchStatus.mockResolvedValue(answer("PENDING"))
    const gone = new AbortController()
    const outcome = awaitOutcome(sdk, "txn1", { signal: gone.signal })
    await jest.advanceTimersByTimeAsync(3_000)
    gone.abort()
    await expect(outcome).resolves.toMatchObject({ state: "open" })
    const asked = fetchStatus.mock.calls.length
    await jest.advanceTimersByTimeAsync(60_000)
    expect(fetchStatus).toHaveBeenCalledTimes(asked)
  })

  it.each([
    ["?lang=bn&status=SUCCESS&order_id=order_1&transaction_id=txn1", "txn1"],
    ["?lang=bn", null],
    ["", null],
  ])("transactionOf %p is %p", (search, expected) => expect(transactionOf(search)).toBe(expected))
})

describe("isFree: a cart that costs nothing", () => {
  it.each([
    [{ total: 0 }, true],
    [{ total: 10 }, false],
    [{ total: 0.5 }, false],
    [{ total: null }, false],
    [{}, false],
  ])("%p: %p", (cart, expected) => expect(isFree(cart)).toBe(expected))
})

describe("missedMinimum: a cart that costs something, but too little for a payment", () => {
  it.each([
    [{ total: 0, currency_code: "bdt" }, null],
    [{ total: 0.01, currency_code: "bdt" }, 10],
    [{ total: 9.99, currency_code: "BDT" }, 10],
    [{ total: 10, currency_code: "bdt" }, null],
    [{ total: 0.49, currency_code: "usd" }, 0.5],
    [{ total: 0.5, currency_code: "usd" }, null],
    [{ currency_code: "bdt" }, null],
  ])("%p: %p", (cart, expected) => expect(missedMinimum(cart)).toBe(expected))

  it("has the gateway's own minimum, and says total and minimum in both languages", () => {
    expect(missedMinimum({ total: 0.01, currency_code: "bdt" })).toBe(Number(LIMITS.orderAmountMinMinor) / 100)
    expect(missedMinimum({ total: 0.01, currency_code: "usd" })).toBe(Number(LIMITS.otherAmountMinMinor) / 100)
    for (const language of ["en", "bn"] as const) {
      const [total, minimum] = [5, 10].map((amount) => formatMoney(amount, "bdt", language))
      const text = textsOf(language).belowMinimum(total, minimum)
      expect([text.includes(total), text.includes(minimum)]).toEqual([true, true])
    }
  })
})

describe("isSpent: a cart that was paid in another browser", () => {
  it.each([
    [{ id: "cart_1", completed_at: "2026-11-23T03:00:00Z" }, true],
    [{ id: "cart_1", completed_at: new Date(0) }, true],
    [{ id: "cart_1", completed_at: null }, false],
    [{ id: "cart_1" }, false],
    [null, false],
    [undefined, false],
    [new FetchError("Cart cart_1 is already completed.", "Bad Request", 400), true],
    [new FetchError("Cart id not found: cart_1", "Not Found", 404), false],
    [new TypeError("Failed to fetch"), false],
  ])("%p: %p", (cartOrError, expected) => expect(isSpent(cartOrError)).toBe(expected))
})

describe("returnPage", () => {
  const options = {
    orderUrl: (id: string) => `/bd/order/${id}/confirmed?a=1&b=2`,
    checkoutUrl: "/bd/checkout?step=payment",
    shopUrl: "https://shop.example/bd",
  }
  const outcomes: [Outcome, { href: string; refresh?: string; status?: number }][] = [
    [
      { state: "paid", orderId: "order_1", ...IDS },
      { href: "/bd/order/order_1/confirmed?a=1&amp;b=2", refresh: "0;url=/bd/order/order_1/confirmed?a=1&amp;b=2" },
    ],
    [{ state: "declined", ...IDS }, { href: "/bd/checkout?step=payment" }],
    [{ state: "cancelled", ...IDS }, { href: "/bd/checkout?step=payment" }],
    [{ state: "expired", ...IDS }, { href: "/bd/checkout?step=payment" }],
    [{ state: "refunded", ...IDS }, { href: "https://shop.example/bd" }],
    [
      { state: "open", ...IDS },
      { href: "", refresh: "5" },
    ],
    [{ state: "open" }, { href: "", refresh: "5" }],
    [{ state: "unknown" }, { href: "https://shop.example/bd", status: 404 }],
  ]

  it.each(outcomes)("%j is a page, not a redirect, in both languages", async (outcome, { href, refresh, status }) => {
    for (const language of LANGUAGES) {
      const response = returnPage(outcome, { ...options, language })
      const html = await response.text()
      expect(response.status).toBe(status ?? 200)
      expect(response.headers.get("location")).toBeNull()
      expect(response.headers.get("cache-control")).toBe("no-store")
      expect(html).toContain(`<html lang="${language}">`)
      expect(html).toContain(`<h1>${textsOf(language).outcomes[outcome.state].title}</h1>`)
      expect(/<a href="([^"]*)"/.exec(html)?.[1]).toBe(href)
      expect(/http-equiv="refresh" content="([^"]*)"/.exec(html)?.[1]).toBe(refresh)
      expect(html).not.toMatch(/<script|onload=/i)
    }
  })

  it("asks again at the address it is given", async () => {
    const html = await returnPage({ state: "open" }, { ...options, selfUrl: "/return?transaction_id=txn1" }).text()
    expect(html).toContain(`content="5;url=/return?transaction_id=txn1"`)
  })

  it.each([
    "javascript:alert(1)",
    "//evil.example/",
    "/\\evil.example",
    "/\t/evil.example",
    "/\n/evil.example",
    "/\r\\evil.example",
    "\t//evil.example",
    " //evil.example",
    "https://shop.example/\u0000",
    "checkout",
    "",
  ])("refuses to lead to %p", (checkoutUrl) => {
    expect(() => returnPage({ state: "declined", ...IDS }, { ...options, checkoutUrl })).toThrow("links to a path")
  })

  it("writes what is in an address as text", async () => {
    const html = await returnPage(
      { state: "declined", ...IDS },
      { ...options, checkoutUrl: `/checkout?x="><script>alert(1)</script>` }
    ).text()
    expect(html).not.toContain("<script>")
  })
})
