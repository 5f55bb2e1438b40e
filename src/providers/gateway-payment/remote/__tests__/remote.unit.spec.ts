import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { signatureHeaders } from "../../../../modules/gateway/webhooks/signature"
import { paymentSessionOf, orderIdOf, type ProviderCradle } from "../../store"
import { RemoteGateway } from "../client"
import { demand } from "../demand"
import { RemoteCheckoutOpener } from "../opener"
import { isRemote, parseRemoteOptions } from "../options"
import { wireOrder } from "../opener"
import { quotaOf } from "../quota"
import { sessionData, statusOf } from "../session"
import { readDelivery } from "../webhook"

const SECRET = `whsec_${Buffer.alloc(32, 1).toString("base64")}`
const GOOD = { baseUrl: "https://pay.example.com/api/v2/", apiKey: "sk_live_abc", webhookSecret: SECRET }

describe("options", () => {
  it("take a base URL, a key and a secret; the rest has defaults", () => {
    expect(parseRemoteOptions(GOOD)).toEqual({
      ...GOOD,
      baseUrl: "https://pay.example.com/api/v2",
      id: "remote",
      allowPrivateUrls: false,
      timeoutMs: 15_000,
    })
    expect([isRemote({}), isRemote(undefined), isRemote({ baseUrl: undefined }), isRemote(GOOD)]).toEqual([
      false,
      false,
      false,
      true,
    ])
  })

  it.each([
    ["baseUrl", { baseUrl: "http://pay.example.com/api/v2" }],
    ["baseUrl", { baseUrl: "https://localhost/api/v2" }],
    ["baseUrl", { baseUrl: "https://10.0.0.1/api/v2" }],
    ["baseUrl", { baseUrl: "https://user:pw@pay.example.com/api/v2" }],
    ["baseUrl", { baseUrl: "https://pay.example.com" }],
    ["apiKey", { apiKey: "" }],
    ["apiKey", { apiKey: "Bearer x" }],
    ["webhookSecret", { webhookSecret: "" }],
    ["webhookSecret", { webhookSecret: undefined }],
    ["ipnSecret", { ipnSecret: "whsec_short" }],
    ["timeoutMs", { timeoutMs: 0 }],
  ])("a wrong %s is named, without its value: %j", (name, change) => {
    const parse = () => parseRemoteOptions({ ...GOOD, ...change })
    expect(parse).toThrow(name)
    expect(parse).not.toThrow("short")
  })

  it("http and private hosts are for tests", () => {
    expect(
      parseRemoteOptions({ ...GOOD, baseUrl: "http://localhost:9000/api/v2", allowPrivateUrls: true }).baseUrl
    ).toBe("http://localhost:9000/api/v2")
  })
})

describe("the order on the wire", () => {
  const order = {
    order_id: "ORDER-1",
    currency: "BDT",
    amount: 125_050n,
    description: "Two scarves",
    success_url: "https://shop.example.com/done",
    fail_url: "https://shop.example.com/done",
    cancel_url: "https://shop.example.com/done",
    ipn_url: null,
    customer: { name: "", email: "", address: "", city: "", postcode: "", country: "", phone: "" },
    customer_phone: "+8801712345678",
    shipping: null,
    items: null,
    payment_info: null,
    metadata: null,
  }

  it("has the cart's language among the payment's members, and nothing that the contract does not know", () => {
    expect(wireOrder({ ...order, payment_info: { payment_service_id: 1 }, language: "bn" })).toMatchObject({
      order_amount: "1250.50",
      payment_info: { payment_service_id: 1, language: "bn" },
    })
    expect(wireOrder({ ...order, language: "bn" }).payment_info).toEqual({ language: "bn" })
    expect(wireOrder({ ...order, language: null })).toMatchObject({ payment_info: null })
    expect(wireOrder({ ...order, description: null, order_number: "7QK2M9XP" })).toMatchObject({
      order_description: "Order 7QK2M9XP",
    })
    expect(wireOrder({ ...order, description: null })).toMatchObject({ order_description: null })
    for (const member of ["language", "amount", "customer_phone", "order_number"]) {
      expect(wireOrder({ ...order, language: "bn", order_number: "7QK2M9XP" })).not.toHaveProperty(member)
    }
  })
})

describe("the client: done, refused, unknown", () => {
  const heard: { method?: string; url?: string; key?: string; idempotency?: string; body: string }[] = []
  let answers: ((response: ServerResponse, request: IncomingMessage) => void)[] = []
  let server: Server
  let remote: RemoteGateway
  /** `hasty` gives up soon; `remote` waits longer than a busy machine takes. */
  let hasty: RemoteGateway

  beforeAll(async () => {
    server = createServer(async (request, response) => {
      let body = ""
      for await (const chunk of request) {
        body += String(chunk)
      }
      const { method, url, headers } = request
      heard.push({
        method,
        url,
        key: headers["x-merchant-api-key"] as string,
        idempotency: headers["idempotency-key"] as string,
        body,
      })
      const answer = answers.length > 1 ? answers.shift() : answers[0]
      answer?.(response, request)
    })
    await new Promise<void>((done) => server.listen(0, "localhost", done))
    const baseUrl = `http://localhost:${(server.address() as AddressInfo).port}/api/v2`
    const options = { baseUrl, apiKey: "sk_test_x", allowPrivateUrls: true }
    remote = new RemoteGateway({ ...options, timeoutMs: 30_000 })
    hasty = new RemoteGateway({ ...options, timeoutMs: 300 })
  })
  beforeEach(() => heard.splice(0))
  afterAll(async () => {
    server.closeAllConnections()
    await new Promise((done) => server.close(done))
  })

  const json = (status: number, body: unknown) => (response: ServerResponse) =>
    void response.writeHead(status).end(JSON.stringify(body))
  const verified = {
    transaction_id: "txn1",
    order_id: "o",
    verified: true,
    status: "SUCCESS",
    amount: "10.0000",
    currency: "BDT",
  }
  const error = (status: number, code: string) => json(status, { success: false, error: { code, message: "in words" } })

  it("asks with the key, and reads the answer", async () => {
    answers = [json(200, { success: true, data: verified })]
    expect(await remote.verify("txn1")).toEqual({ result: "done", data: verified })
    expect(heard).toEqual([
      { method: "GET", url: "/api/v2/payments/verify/txn1", key: "sk_test_x", idempotency: undefined, body: "" },
    ])
  })

  it("the store takes a refusal as final and does not ask again", async () => {
    answers = [error(409, "DUPLICATE_TRANSACTION")]
    expect(await remote.checkout({}, "k")).toEqual({
      result: "refused",
      status: 409,
      code: "DUPLICATE_TRANSACTION",
      message: "in words",
    })
    expect(heard).toHaveLength(1)
  })

  it.each<[string, (response: ServerResponse, request: IncomingMessage) => void]>([
    ["500", error(500, "INTERNAL_SERVER_ERROR")],
    ["a key in use", error(409, "IDEMPOTENCY_KEY_IN_USE")],
    ["HTML of a proxy", (response) => void response.writeHead(404).end("<html>")],
    ["an answer that makes no sense", json(200, { success: true, data: { status: "SUCCESS" } })],
    [
      "a redirect, which would carry the key elsewhere",
      (response) => void response.writeHead(302, { Location: "/api/v2/elsewhere" }).end(),
    ],
    ["an answer without end", (response) => void response.writeHead(200).end(Buffer.alloc(1_100_000, " "))],
    ["a broken connection", (_response, request) => void request.socket.destroy()],
    ["silence", () => undefined],
  ])("unknown stays unknown: %s, asked three times with the same key", async (what, answer) => {
    answers = [answer]
    const asking = what === "silence" ? hasty : remote
    expect(await asking.refund({ transaction_id: "txn1" }, "key-1")).toEqual({
      result: "unknown",
      reason: expect.any(String),
    })
    expect(heard.map(({ url, idempotency }) => `${url} ${idempotency}`)).toEqual(
      Array(3).fill("/api/v2/payments/refund key-1")
    )
  })

  it("a quota that is used up is not used further: 429 is unknown, and asked once", async () => {
    answers = [error(429, "RATE_LIMIT_EXCEEDED")]
    expect(await remote.refund({}, "key-1")).toMatchObject({
      result: "unknown",
      reason: "it answered 429 RATE_LIMIT_EXCEEDED",
    })
    expect(heard).toHaveLength(1)
  })

  it("what is unknown at first may be done then", async () => {
    answers = [
      error(503, "SERVICE_UNAVAILABLE"),
      json(200, { success: true, data: { refund_id: "rfd_1", refund_status: "processing" } }),
    ]
    expect(await remote.refund({}, "key-2")).toMatchObject({ result: "done" })
    expect(heard).toHaveLength(2)
  })

  it("a checkout_url that no shopper may be sent to is no answer", async () => {
    const data = {
      session_id: "ses_1",
      transaction_id: "txn1",
      expires_at: "2026-01-01T00:00:00Z",
      checkout_url: "javascript:alert(1)",
    }
    answers = [json(200, { success: true, data })]
    expect(await remote.checkout({}, "k")).toMatchObject({ result: "unknown" })
  })

  it("an id in the path is escaped and cannot lead to another path", async () => {
    answers = [error(404, "TRANSACTION_NOT_FOUND")]
    await remote.verify("../../x?y")
    expect(heard[0].url).toBe("/api/v2/payments/verify/..%2F..%2Fx%3Fy")
  })

  it("a refused key and an unknown outcome are SERVICE_UNAVAILABLE; other refusals keep their code", () => {
    const code = (called: Parameters<typeof demand>[0]) => {
      try {
        return demand(called, "payment")
      } catch (thrown) {
        return (thrown as { code: string }).code
      }
    }
    expect(code({ result: "unknown", reason: "away" })).toBe("SERVICE_UNAVAILABLE")
    expect(code({ result: "refused", status: 401, code: "INVALID_API_KEY", message: "" })).toBe("SERVICE_UNAVAILABLE")
    expect(code({ result: "refused", status: 409, code: "ALREADY_REFUNDED", message: "" })).toBe("ALREADY_REFUNDED")
    expect(code({ result: "refused", status: 409, code: "SOMETHING_NEW", message: "" })).toBe("INVALID_REQUEST")
  })
})

describe("the quota that is left (contract 8)", () => {
  const headers = (remaining: number, reset: number, limit = 100) =>
    new Headers({
      "X-RateLimit-Limit": String(limit),
      "X-RateLimit-Remaining": String(remaining),
      "X-RateLimit-Reset": String(reset),
    })
  const seconds = () => Math.ceil(Date.now() / 1_000)

  it("is scarce while less than half of it is left, for all who ask with the same key", () => {
    const [options, others] = [
      { baseUrl: "https://a.example/api/v2", apiKey: "k" },
      { baseUrl: "https://a.example/api/v2", apiKey: "l" },
    ]
    quotaOf(options).update(headers(50, seconds() + 30))
    expect(quotaOf(options).isScarce).toBe(false)
    quotaOf(options).update(headers(49, seconds() + 30))
    expect([quotaOf({ ...options }).isScarce, quotaOf(others).isScarce]).toEqual([true, false])
    // An answer without the headers changes nothing: the quota is off, or a proxy answered.
    quotaOf(options).update(new Headers())
    expect(quotaOf(options).isScarce).toBe(true)
  })

  it("gives a quarter of it to each run of the task; unknown, it limits nothing", () => {
    const quota = quotaOf({ baseUrl: "https://c.example/api/v2", apiKey: "k" })
    expect(quota.taskShare).toBe(Infinity)
    quota.update(headers(600, seconds() + 30, 600))
    expect(quota.taskShare).toBe(150)
  })

  it("is scarce for a minute at most, however far ahead the other deployment's clock is", () => {
    const quota = quotaOf({ baseUrl: "https://b.example/api/v2", apiKey: "k" })
    quota.update(headers(0, seconds() + 86_400))
    expect(quota.isScarce).toBe(true)
    jest.useFakeTimers({ now: Date.now() + 60_001 })
    try {
      expect(quota.isScarce).toBe(false)
    } finally {
      jest.useRealTimers()
    }
  })
})

describe("what is believed of a verification", () => {
  const payment = { transaction_id: "txn1", order_id: "o", amount_minor: 1_000, currency: "BDT" }
  const verified = {
    transaction_id: "txn1",
    order_id: "o",
    verified: true,
    status: "SUCCESS" as const,
    amount: "10.0000",
    currency: "BDT",
  }

  it("the status, when it belongs to this checkout", () => {
    expect(statusOf(payment, verified)).toBe("SUCCESS")
    expect(statusOf(payment, { ...verified, verified: false })).toBe("PENDING")
    expect(statusOf(payment, { ...verified, status: "REFUNDED" })).toBe("REFUNDED")
  })

  it.each([
    { transaction_id: "txn2" },
    { order_id: "p" },
    { amount: "9.9900" },
    { amount: "10.0001" },
    { amount: "10" },
    { amount: "1e1" },
    { currency: "USD" },
  ])("nothing when it differs: %j", (change) => {
    expect(() => statusOf(payment, { ...verified, ...change })).toThrow("not the payment of this cart")
  })

  it("a payment session shows its checkout, and no more of the row than that", () => {
    const shown = { session_id: "s", checkout_url: "u", status: "PENDING" as const, return_url: null }
    const row = {
      ...payment,
      ...shown,
      id: "grp_1",
      provider_id: "pp_gateway_remote",
      payment_session_id: "payses_1",
      expires_at: new Date(0),
      created_at: new Date(0),
      updated_at: new Date(0),
      missing_since: null,
    }
    const data = {
      ...shown,
      transaction_id: "txn1",
      order_id: "o",
      currency: "BDT",
      amount: "10.00",
      expires_at: "1970-01-01T00:00:00.000Z",
    }
    expect(sessionData(row)).toEqual(data)
    expect(sessionData(row, "SUCCESS").status).toBe("SUCCESS")
  })
})

describe("deliveries", () => {
  const IPN_SECRET = `whsec_${Buffer.alloc(32, 2).toString("base64")}`
  const deliver = (body: unknown, secret = SECRET, secrets = [SECRET, IPN_SECRET]) => {
    const raw = typeof body === "string" ? body : JSON.stringify(body)
    const headers = signatureHeaders({
      secrets: [secret],
      format: "prefixed",
      id: "1",
      timestamp: Math.floor(Date.now() / 1000),
      body: raw,
    })
    return readDelivery({ data: {}, rawData: Buffer.from(raw), headers }, secrets)
  }
  const payment = { transaction_id: "txn1", order_id: "o" }

  it("events and IPNs, each with its secret", () => {
    expect(deliver({ event_type: "payment.failed", data: payment })).toEqual(payment)
    expect(deliver({ ...payment, status: "SUCCESS" }, IPN_SECRET)).toEqual(payment)
  })

  it.each([
    [
      "another secret",
      { event_type: "payment.failed", data: payment },
      `whsec_${Buffer.alloc(32, 3).toString("base64")}`,
    ],
    ["another event", { event_type: "invoice.created", data: payment }, SECRET],
    ["no JSON", "nonsense", SECRET],
    ["no object", "[]", SECRET],
    ["no data", { event_type: "payment.failed", data: null }, SECRET],
    ["no ids", { event_type: "payment.failed", data: { transaction_id: 1, order_id: "o" } }, SECRET],
    ["a type that is no text", { event_type: 7, ...payment }, SECRET],
  ])("not: %s", (_what, body, secret) => {
    expect(deliver(body, secret)).toBeNull()
  })

  it("an order_id leads back to its payment session, a foreign one to none", () => {
    const id = "payses_01ARZ3NDEKTSV4RRFFQ69G5FAV"
    expect([0, 1, 4].map((earlier) => paymentSessionOf(orderIdOf(id, earlier)))).toEqual([id, id, id])
    expect([
      orderIdOf(id, 1),
      paymentSessionOf("order-1"),
      paymentSessionOf(undefined),
      paymentSessionOf(["x"]),
    ]).toEqual(["01ARZ3NDEKTSV4RRFFQ69G5FAV-2", null, null, null])
  })
})

describe("docs/decisions/0050: a cart in another currency than BDT", () => {
  it("is refused before anything is stored, and before the other deployment is asked", async () => {
    const rows: Record<string, object> = {
      payment_session: { payment_collection_id: "paycol_1" },
      cart_payment_collection: { cart_id: "cart_1" },
      cart: { id: "cart_1", currency_code: "usd", completed_at: null, items: [], shipping_methods: [] },
    }
    const stored = jest.fn()
    const cradle = {
      gateway: {
        options: { publicUrl: "https://shop.example", returnOrigins: [] },
        remotePayments: { reserve: stored },
      },
      query: { graph: ({ entity }: { entity: string }) => Promise.resolve({ data: [rows[entity]] }) },
    } as unknown as ProviderCradle
    const checkout = jest.fn()
    const opener = new RemoteCheckoutOpener(cradle, { checkout } as unknown as RemoteGateway, { id: "remote" })
    const opened = opener.open({
      payment_session_id: "payses_01ARZ3NDEKTSV4RRFFQ69G5FAV",
      amount: 1_250n,
      client_data: {},
    })
    await expect(opened).rejects.toMatchObject({ code: "INVALID_CURRENCY", message: expect.stringContaining("in USD") })
    expect([stored.mock.calls, checkout.mock.calls]).toEqual([[], []])
  })
})
