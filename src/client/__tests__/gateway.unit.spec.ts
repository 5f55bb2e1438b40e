import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { inspect } from "node:util"
import { createGateway, GatewayApiError, GatewayConnectionError, type GatewayOptions } from "../index"

type Request = { method: string; url: string; headers: IncomingHttpHeaders; body: string }
type Reply = (response: ServerResponse) => void

const requests: Request[] = []
/** What the server does with the first request, the second, and so on; the last entry serves all that follow. */
let replies: Reply[] = []
/** The waits between attempts, in milliseconds. */
const waits: number[] = []
let server: Server

const TIMEOUT_MS = 30_000
const ORDER = {
  order_id: "order-1",
  currency: "BDT",
  order_amount: "100.00",
  success_url: "https://shop.example.com/paid",
  fail_url: "https://shop.example.com/failed",
  cancel_url: "https://shop.example.com/cancelled",
  customer: {
    name: "Rahima",
    email: "rahima@example.com",
    address: "House 7",
    city: "Dhaka",
    postcode: "1205",
    country: "Bangladesh",
    phone: "01712345678",
  },
} as const

const json =
  (status: number, body: unknown, headers: Record<string, string> = {}): Reply =>
  (response) =>
    response.writeHead(status, { "Content-Type": "application/json", ...headers }).end(JSON.stringify(body))
const ok = json(200, { success: true, data: { session_id: "ses_1" } })
const refusal = (status: number, code: string, more: object = {}, headers: Record<string, string> = {}) =>
  json(status, { success: false, error: { code, message: `It is ${code}`, status, ...more }, message: code }, headers)
const breakOff: Reply = (response) => response.destroy()
const breakInside: Reply = (response) => {
  response.writeHead(200, { "Content-Type": "application/json", "Content-Length": "100" })
  response.write('{"success":', () => response.destroy())
}
const never: Reply = () => {}

const gateway = (options: Partial<GatewayOptions> = {}) =>
  createGateway({ baseUrl: `${origin()}/api/v2`, apiKey: "sk_test_1", timeoutMs: TIMEOUT_MS, ...options })
const origin = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`
const keys = () => requests.map(({ headers }) => headers["idempotency-key"])
const failed = async (call: Promise<unknown>): Promise<GatewayApiError> => {
  const error: unknown = await call.then(
    () => null,
    (reason: unknown) => reason
  )
  expect(error).toBeInstanceOf(GatewayApiError)
  return error as GatewayApiError
}

beforeAll(async () => {
  server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) {
      chunks.push(chunk as Buffer)
    }
    const { method = "", url = "", headers } = request
    requests.push({ method, url, headers, body: Buffer.concat(chunks).toString("utf8") })
    const reply = replies[Math.min(requests.length, replies.length) - 1]
    reply(response)
  })
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done))
})

afterAll(async () => {
  server.closeAllConnections()
  await new Promise((done) => server.close(done))
})

beforeEach(() => {
  requests.length = 0
  waits.length = 0
  replies = [ok]
  // Waits between attempts end at once, and are noted. Time limits stay as they are.
  const real = setTimeout
  jest.spyOn(globalThis, "setTimeout").mockImplementation(((run: () => void, ms: number) => {
    if (ms === TIMEOUT_MS || ms === SHORT_LIMIT_MS) {
      return real(run, ms)
    }
    waits.push(ms)
    return real(run, 0)
  }) as typeof setTimeout)
})
afterEach(() => jest.restoreAllMocks())

const SHORT_LIMIT_MS = 41

describe("requests", () => {
  it("a body: POST as JSON with the key of the merchant and a random Idempotency-Key", async () => {
    const answer = await gateway().createCheckout(ORDER)
    expect(answer.data.session_id).toBe("ses_1")
    const [{ method, url, headers, body }] = requests
    expect([method, url, JSON.parse(body)]).toEqual(["POST", "/api/v2/payments/checkout", ORDER])
    expect(headers).toMatchObject({ "x-merchant-api-key": "sk_test_1", "content-type": "application/json" })
    expect(headers["idempotency-key"]).toMatch(/^[0-9a-f-]{36}$/)
  })

  it("each call has another key, unless the caller chooses it", async () => {
    const { createCheckout } = gateway()
    await createCheckout(ORDER)
    await createCheckout(ORDER)
    await createCheckout(ORDER, { idempotencyKey: "order-1-pay" })
    const [first, second, third] = keys()
    expect(first).not.toBe(second)
    expect(third).toBe("order-1-pay")
  })

  it("a query: without what is undefined, and without a key on GET", async () => {
    await gateway().listRefunds({ status: "failed", page: 2, from_date: undefined })
    const [{ method, url, headers, body }] = requests
    expect([method, url, body]).toEqual(["GET", "/api/v2/payments/refunds?status=failed&page=2", ""])
    expect(headers).not.toHaveProperty("idempotency-key")
    expect(headers).not.toHaveProperty("content-type")
  })

  it("an id, a number too, stays one segment of the path; options come last", async () => {
    await gateway().verifyTransaction("a/../b?c#d")
    await gateway().pauseSubscription(7, { idempotencyKey: "pause-7" })
    await gateway().cancelSubscription("sub 1")
    expect(requests.map(({ method, url }) => `${method} ${url}`)).toEqual([
      "GET /api/v2/payments/verify/a%2F..%2Fb%3Fc%23d",
      "POST /api/v2/payments/subscriptions/7/pause",
      "POST /api/v2/payments/subscriptions/sub%201/cancel",
    ])
    expect(keys()[1]).toBe("pause-7")
    expect(requests[2].body).toBe("")
  })

  it.each(["", ".", ".."])("the id %j is refused before anything is sent", async (id) => {
    await expect(gateway().verifyTransaction(id)).rejects.toThrow(TypeError)
    expect(requests).toHaveLength(0)
  })

  it("a PDF comes as bytes, a CSV as text", async () => {
    replies = [
      (response) => response.writeHead(200, { "Content-Type": "application/pdf" }).end(Buffer.from([37, 80, 255])),
      (response) => response.writeHead(200, { "Content-Type": "text/csv" }).end("a,৳\n"),
    ]
    expect([...(await gateway().downloadInvoice("INV-1", { lang: "bn" }))]).toEqual([37, 80, 255])
    expect(await gateway().downloadStatement({ from_date: "2026-01-01", to_date: "2026-01-31" })).toBe("a,৳\n")
  })

  it.each([
    ["a path without the version", { baseUrl: "https://shop.example.com" }],
    ["no address", { baseUrl: "shop.example.com/api/v2" }],
    ["another protocol", { baseUrl: "file:///api/v2" }],
    ["no key", { apiKey: "" }],
    ["spaces for a key", { apiKey: " " }],
    ["a key that no header can have", { apiKey: "sk_test_1\nX: y" }],
    ["a password in the address", { baseUrl: "https://user:hidden@shop.example.com/api/v2" }],
    ["no time", { timeoutMs: 0 }],
    ["a time that is no number", { timeoutMs: NaN }],
    ["a time that no timer can hold", { timeoutMs: Infinity }],
  ])("options that cannot work are refused at once: %s", (_, change) => {
    expect(() => gateway(change)).toThrow(expect.objectContaining({ name: "TypeError" }))
  })

  it.each([
    ["a key", { apiKey: "sk_test_hidden\u0001" }],
    ["an address with a password", { baseUrl: "https://user:hidden@shop.example.com/api/v2" }],
    ["a broken address with a password", { baseUrl: "https://user:hidden@shop .example.com/api/v2" }],
  ])("the error repeats no secret: %s", (_, change) => {
    let error: unknown = null
    try {
      gateway(change)
    } catch (thrown) {
      error = thrown
    }
    expect(error).toMatchObject({ name: "TypeError" })
    expect(inspect(error)).not.toContain("hidden")
  })

  it("a line break at the end of the key, as from a file, does no harm", async () => {
    await gateway({ apiKey: "sk_test_1\n" }).getBalance()
    expect(requests[0].headers["x-merchant-api-key"]).toBe("sk_test_1")
  })

  it("a call with a time limit that cannot be is refused before anything is sent", async () => {
    await expect(gateway().getBalance({ timeoutMs: -1 })).rejects.toMatchObject({ name: "TypeError" })
    expect(requests).toHaveLength(0)
  })

  it("a slash at the end of baseUrl does no harm", async () => {
    await gateway({ baseUrl: `${origin()}/api/v2/` }).getBalance()
    expect(requests[0].url).toBe("/api/v2/payments/balance")
  })

  it("a key that no header can have is the caller's mistake: nothing is sent", async () => {
    const call = gateway().createCheckout(ORDER, { idempotencyKey: "order\n1" })
    await expect(call).rejects.toMatchObject({ name: "TypeError" })
    expect(requests).toHaveLength(0)
  })

  it("a redirect is not followed: the key would go to another address", async () => {
    replies = [(response) => response.writeHead(307, { Location: "/api/v2/elsewhere" }).end()]
    expect(await failed(gateway().createCheckout(ORDER))).toMatchObject({ status: 307, code: null })
    expect(requests).toHaveLength(1)
  })
})

describe("errors", () => {
  it("a page in place of a PDF or a CSV is no document", async () => {
    const page: Reply = (response) => response.writeHead(200, { "Content-Type": "text/html" }).end("<html>Sign in")
    replies = [page]
    for (const call of [
      gateway().downloadInvoice("INV-1"),
      gateway().downloadStatement({ from_date: "2026-01-01", to_date: "2026-01-31" }),
    ]) {
      expect(await failed(call)).toMatchObject({ status: 200, code: null, message: expect.stringMatching(/baseUrl/) })
    }
  })

  it("the shape of payments: code, field errors, request id, and the key that was sent", async () => {
    const details = [
      { field: "customer.email", message: "customer.email is wrong" },
      { field: "order_amount", message: "order_amount is too low" },
    ]
    replies = [refusal(422, "VALIDATION_ERROR", { details, request_id: "req-12345" })]
    const error = await failed(gateway().createCheckout(ORDER, { idempotencyKey: "k" }))
    expect(error).toMatchObject({
      name: "GatewayApiError",
      message: "It is VALIDATION_ERROR",
      status: 422,
      code: "VALIDATION_ERROR",
      fieldErrors: details,
      requestId: "req-12345",
      retryAfterSeconds: null,
      idempotencyKey: "k",
    })
    expect(requests).toHaveLength(1)
  })

  it("one wrong field without a list of details is a list of one", async () => {
    replies = [refusal(400, "INVALID_CALLBACK_URL", { field: "success_url" })]
    const { fieldErrors } = await failed(gateway().createCheckout(ORDER))
    expect(fieldErrors).toEqual([{ field: "success_url", message: "It is INVALID_CALLBACK_URL" }])
  })

  it("both shapes at once, as plans and subscriptions answer", async () => {
    const both = { detail: "No such plan", code: "PLAN_NOT_FOUND", status_code: 404 }
    const error = { code: "PLAN_NOT_FOUND", message: "The plan was not found", request_id: "req-1", status: 404 }
    replies = [json(404, { success: false, error, message: error.message, ...both })]
    expect(await failed(gateway().getPlan(1))).toMatchObject({
      status: 404,
      code: "PLAN_NOT_FOUND",
      message: "The plan was not found",
      requestId: "req-1",
      idempotencyKey: null,
    })
  })

  it("the second shape alone; the request id from the header", async () => {
    replies = [json(409, { detail: "It is archived", code: "PLAN_INACTIVE" }, { "X-Request-Id": "req-2" })]
    const { code, message, requestId, fieldErrors } = await failed(gateway().getPlan(1))
    expect([code, message, requestId, fieldErrors]).toEqual(["PLAN_INACTIVE", "It is archived", "req-2", []])
  })

  it.each([
    ["HTML of a proxy", 403, "<html>no</html>"],
    ["JSON of another program", 404, '{"type":"not_found","message":7}'],
    ["null", 400, "null"],
    ["a success that is no JSON", 200, "<html>Sign in</html>"],
  ])("%s has no code", async (_, status, text) => {
    replies = [(response) => response.writeHead(status, { "X-Request-Id": "req-3" }).end(text)]
    const error = await failed(gateway().createCheckout(ORDER, { idempotencyKey: "k" }))
    expect(error).toMatchObject({ status, code: null, requestId: "req-3", idempotencyKey: "k" })
    expect(error.message).toMatch(/baseUrl/)
  })
})

describe("outcomeUnknown", () => {
  const text =
    (status: number, body = "<html>"): Reply =>
    (response) =>
      response.writeHead(status).end(body)
  it.each([
    ["a fault of the gateway", refusal(500, "INTERNAL_SERVER_ERROR"), true],
    ["a gateway that is not ready", refusal(503, "SERVICE_UNAVAILABLE"), true],
    ["a proxy that waited too long", text(504), true],
    ["a proxy's own status", text(524), true],
    ["a body that came too slowly", refusal(408, "REQUEST_TIMEOUT"), true],
    ["a proxy's time-out", text(408), true],
    ["a key that is in use", refusal(409, "IDEMPOTENCY_KEY_IN_USE"), true],
    ["a success that cannot be read", text(200), true],
    ["an expired checkout", refusal(408, "PAYMENT_TIMEOUT"), false],
    ["a wrong request", refusal(422, "VALIDATION_ERROR"), false],
    ["a state that does not allow it", refusal(409, "ALREADY_REFUNDED"), false],
    ["a limit", refusal(429, "RATE_LIMIT_EXCEEDED"), false],
  ] as [string, Reply, boolean][])("%s", async (_, reply, expected) => {
    replies = [reply]
    const error = await failed(gateway({ maxRetries: 0 }).createCheckout(ORDER, { idempotencyKey: "k" }))
    expect([error.outcomeUnknown, error.idempotencyKey]).toEqual([expected, "k"])
  })
})

describe("retries", () => {
  it.each([
    ["429", refusal(429, "RATE_LIMIT_EXCEEDED")],
    ["502", (response: ServerResponse) => response.writeHead(502).end("Bad gateway")],
    ["503", refusal(503, "SERVICE_UNAVAILABLE")],
    ["504", (response: ServerResponse) => response.writeHead(504).end()],
    ["a broken connection", breakOff],
    ["an answer that breaks off", breakInside],
    ["a key whose first request is still running", refusal(409, "IDEMPOTENCY_KEY_IN_USE")],
    ["a body that came too slowly", refusal(408, "REQUEST_TIMEOUT")],
  ] as [string, Reply][])("after %s a POST goes again with the same key and bytes", async (_, reply) => {
    replies = [reply, reply, ok]
    expect((await gateway().createCheckout(ORDER)).success).toBe(true)
    expect(requests).toHaveLength(3)
    expect(new Set(keys()).size).toBe(1)
    expect(new Set(requests.map(({ body }) => body)).size).toBe(1)
  })

  it("the waits double, with some chance in them", async () => {
    replies = [refusal(503, "SERVICE_UNAVAILABLE")]
    await failed(gateway({ maxRetries: 6 }).getBalance())
    expect(waits).toHaveLength(6)
    const most = [500, 1000, 2000, 4000, 8000, 8000]
    waits.forEach((wait, index) => {
      expect(wait).toBeGreaterThanOrEqual(most[index] / 2)
      expect(wait).toBeLessThanOrEqual(most[index])
    })
  })

  it("Retry-After in seconds is waited for", async () => {
    replies = [refusal(429, "RATE_LIMIT_EXCEEDED", {}, { "Retry-After": "17" }), ok]
    await gateway().getBalance()
    expect(waits).toEqual([17_000])
  })

  it("Retry-After as a date is waited for", async () => {
    jest.spyOn(Date, "now").mockReturnValue(Date.parse("2026-11-23T00:00:00.500Z"))
    replies = [refusal(503, "SERVICE_UNAVAILABLE", {}, { "Retry-After": "Mon, 23 Nov 2026 00:00:20 GMT" }), ok]
    await gateway().getBalance()
    expect(waits).toEqual([20_000])
  })

  it("a Retry-After of more than a minute is for the caller", async () => {
    replies = [refusal(429, "RATE_LIMIT_EXCEEDED", {}, { "Retry-After": "61" }), ok]
    const error = await failed(gateway().getBalance())
    expect([error.code, error.retryAfterSeconds, waits]).toEqual(["RATE_LIMIT_EXCEEDED", 61, []])
  })

  it.each([
    ["400", refusal(400, "INVALID_REQUEST")],
    ["408", refusal(408, "PAYMENT_TIMEOUT")],
    ["409", refusal(409, "DUPLICATE_TRANSACTION")],
    ["500", refusal(500, "INTERNAL_SERVER_ERROR")],
  ])("never after %s", async (_, reply) => {
    replies = [reply, ok]
    await failed(gateway().createCheckout(ORDER))
    expect(requests).toHaveLength(1)
  })

  it("never for DELETE, which takes no key", async () => {
    replies = [breakOff, ok]
    await expect(gateway().deleteWebhookEndpoint(1)).rejects.toMatchObject({ idempotencyKey: null })
    expect(requests).toHaveLength(1)
  })

  it("PATCH goes again with its key", async () => {
    replies = [breakOff, ok]
    await gateway().updatePlan(1, { plan_name: "Tea" })
    expect(keys()[0]).toBe(keys()[1])
    expect(requests.map(({ method }) => method)).toEqual(["PATCH", "PATCH"])
  })

  it("as often as the client or the call says, and the last failure is the error", async () => {
    replies = [breakOff]
    await expect(gateway({ maxRetries: 0 }).getBalance()).rejects.toThrow(GatewayConnectionError)
    expect(requests).toHaveLength(1)
    await expect(gateway({ maxRetries: 0 }).getBalance({ maxRetries: 1 })).rejects.toThrow(GatewayConnectionError)
    expect(requests).toHaveLength(3)
    await expect(gateway().createCheckout(ORDER, { idempotencyKey: "k" })).rejects.toMatchObject({
      name: "GatewayConnectionError",
      timedOut: false,
      idempotencyKey: "k",
      cause: expect.anything(),
    })
    expect(requests).toHaveLength(6)
  })
})

describe("time limits", () => {
  it("each attempt has one, and the error says that the request may have been done", async () => {
    replies = [never]
    const call = gateway({ timeoutMs: SHORT_LIMIT_MS }).createCheckout(ORDER, { maxRetries: 1, idempotencyKey: "k" })
    await expect(call).rejects.toMatchObject({ name: "GatewayConnectionError", timedOut: true, idempotencyKey: "k" })
    expect(requests.length).toBeLessThanOrEqual(2)
    expect(waits).toHaveLength(1)
  })

  it("reading the answer counts", async () => {
    replies = [(response) => void response.writeHead(200).write("{")]
    const call = gateway().getBalance({ timeoutMs: SHORT_LIMIT_MS, maxRetries: 0 })
    await expect(call).rejects.toMatchObject({ timedOut: true })
  })

  it("30 seconds when nothing is said", async () => {
    await createGateway({ baseUrl: `${origin()}/api/v2`, apiKey: "sk_test_1" }).getBalance()
    expect(jest.mocked(setTimeout).mock.calls.map(([, ms]) => ms)).toContain(30_000)
  })

  it("the caller's signal ends an attempt with its own reason, without another", async () => {
    const stop = new AbortController()
    replies = [() => stop.abort(new Error("shop closed"))]
    await expect(gateway().getBalance({ signal: stop.signal })).rejects.toThrow("shop closed")
    expect(requests).toHaveLength(1)
  })

  it("the caller's signal ends a wait between attempts", async () => {
    const stop = new AbortController()
    replies = [refusal(503, "SERVICE_UNAVAILABLE")]
    jest.mocked(setTimeout).mockImplementation(((_run: () => void, ms: number) => {
      if (ms !== TIMEOUT_MS) {
        queueMicrotask(() => stop.abort(new Error("shop closed")))
      }
    }) as unknown as typeof setTimeout)
    await expect(gateway().getBalance({ signal: stop.signal })).rejects.toThrow("shop closed")
    expect(requests).toHaveLength(1)
  })

  it("nothing is sent when the signal has ended before", async () => {
    await expect(gateway().getBalance({ signal: AbortSignal.abort(new Error("too late")) })).rejects.toThrow("too late")
    expect(requests).toHaveLength(0)
  })
})
