import { readFileSync } from "node:fs"
import { request as httpRequest } from "node:http"
import { join } from "node:path"
import {
  type Answer,
  brief,
  call,
  fields,
  gatewayOf,
  newMerchant,
  order,
  orderId,
  rawCall,
  type ApiMerchant,
} from "../support/api"
import { ROOT, useStore } from "../support/store"
import { Subscriber } from "../support/subscriptions"

const QUOTA = 40

/** Loopback is a trusted proxy here, so that each test may use an address of its own. */
const store = useStore({
  production: true,
  env: { GATEWAY_RATE_LIMIT: String(QUOTA), TRUSTED_PROXIES: "127.0.0.1,::1" },
  prepare: async (booted) => {
    merchant = await unlimited(booted)
  },
})
let merchant: ApiMerchant

type Refunds = { pagination: { limit: number } }

async function unlimited(booted = store, requests = 0): Promise<ApiMerchant> {
  const created = await newMerchant(booted)
  await gatewayOf(booted).merchants.configure(
    { merchant_id: created.id, environment: "sandbox" },
    { rate_limit_requests: requests }
  )
  return created
}

let addresses = 0
const fromElsewhere = () => ({ "X-Forwarded-For": `198.51.100.${(addresses += 1)}` })
const post = (raw: string | Buffer, headers: Record<string, string> = {}, path = "/payments/checkout") =>
  merchant.call("POST", path, undefined, { raw, headers })
const anonymous = (method: string, path: string, headers: Record<string, string> = fromElsewhere()) =>
  call(store.url, method, path, undefined, { headers })

function expectErrorShape(answer: Answer): void {
  const { code, message, request_id, status } = answer.body.error
  expect(answer.headers.get("content-type")).toBe("application/json; charset=utf-8")
  expect(answer.body.success).toBe(false)
  expect([status, typeof code, typeof message, message.length > 0]).toEqual([answer.status, "string", "string", true])
  expect(answer.body.message).toBe(message)
  expect(request_id).toBe(answer.headers.get("x-request-id"))
  expect(answer.headers.get("x-powered-by")).toBeNull()
  expect(answer.text).not.toMatch(/<html|<!doctype|node_modules|\bat .+:\d+:\d+|\.ts\b|\.js\b/i)
}

describe("contract 7.1 — the main shape, whatever went wrong", () => {
  it.each<[string, string, () => Promise<Answer>]>([
    ["no key", "401 API_KEY_MISSING", () => anonymous("GET", "/sandbox/clock")],
    [
      "bad key",
      "401 INVALID_API_KEY",
      () => call(store.url, "GET", "/sandbox/clock", undefined, { key: "x", headers: fromElsewhere() }),
    ],
    ["bad key on verify", "401 UNAUTHORIZED", () => anonymous("GET", "/payments/verify/txn1")],
    [
      "other environment",
      "403 INVALID_ENVIRONMENT",
      () => merchant.verify("txn1", { key: `sk_live_${"a".repeat(43)}` }),
    ],
    ["amount range", "400 INVALID_REQUEST order_amount", () => merchant.checkout({ order_amount: 1 })],
    ["malformed JSON", "400 INVALID_REQUEST", () => post("{")],
    ["validation", "422 VALIDATION_ERROR order_id", () => merchant.call("POST", "/payments/checkout", {})],
    ["one field", "422 INVALID_CURRENCY currency", () => merchant.checkout({ currency: "EUR" })],
    ["callback URL", "400 INVALID_CALLBACK_URL fail_url", () => merchant.checkout({ fail_url: "ftp://x.example.com" })],
    ["unknown transaction", "404 TRANSACTION_NOT_FOUND", () => merchant.verify("txn1")],
    ["unknown session", "404 SESSION_NOT_FOUND", () => merchant.pay("ses_1")],
    ["unknown path", "404 NOT_FOUND", () => anonymous("GET", "/nothing")],
    ["wrong method", "405 METHOD_NOT_ALLOWED", () => anonymous("DELETE", "/payments/checkout")],
    [
      "the sandbox of a sandbox",
      "404 NOT_FOUND",
      () => call(store.url, "GET", "/sandbox/clock", undefined, { base: "/sandbox/api/v2", headers: fromElsewhere() }),
    ],
    [
      "media type",
      "415 UNSUPPORTED_MEDIA_TYPE",
      () => post("a=1", { "Content-Type": "application/x-www-form-urlencoded" }),
    ],
    ["size", "413 PAYLOAD_TOO_LARGE", () => post("x".repeat(262_145))],
  ])("%s: %s", async (_name, expected, request) => {
    const answer = await request()
    expect(brief(answer)).toBe(expected)
    expectErrorShape(answer)
    expect(answer.body.detail).toBeUndefined()
    expect(answer.body.status_code).toBeUndefined()
  })

  it("an unexpected failure is 500 INTERNAL_SERVER_ERROR without details", async () => {
    const order_id = orderId()
    store.expectServerError("/api/v2/payments/checkout")
    await failFor(order_id, async () => {
      const answer = await merchant.checkout({ order_id })
      expect(brief(answer)).toBe("500 INTERNAL_SERVER_ERROR")
      expectErrorShape(answer)
      expect(answer.text).not.toMatch(/told nobody|trigger|gateway_checkout_session|SQL|insert/i)
    })
  })

  it.each([
    ["without a key", undefined],
    ["with an Idempotency-Key", { "Idempotency-Key": "acquirer gone" }],
  ])("contract 7.2: a 503 of an operation says when to ask again: %s", async (_name, headers) => {
    store.expectServerError("/api/v2/payments/refund")
    const { session_id, transaction_id } = await merchant.open()
    await merchant.pay(session_id)
    await store.db("gateway_transaction").where({ id: transaction_id }).update({ acquirer: "gone" })
    const refund = { transaction_id, refund_reason: "Broken" }
    const answer = await merchant.call("POST", "/payments/refund", refund, { headers })
    expect([brief(answer), answer.headers.get("retry-after")]).toEqual(["503 SERVICE_UNAVAILABLE", "5"])
    expectErrorShape(answer)
  })
})

describe("decisions: Requests — validation", () => {
  const OWN_LENGTH = { length: { toString: 1, valueOf: 1 } }

  it.each([
    ["/payments/refunds/batch", { refunds: OWN_LENGTH }],
    ["/payments/checkout", { ...order(), order_items: OWN_LENGTH }],
    ["/payments/checkout", { ...order(), order_description: OWN_LENGTH }],
    ["/payments/checkout", { ...order(), payment_info: { allowed_payment_methods: OWN_LENGTH } }],
    ["/payments/emi-amounts", { order_amount: "5000.00", emi_configuration_id: OWN_LENGTH }],
    ["/merchants/webhooks", { endpoint_url: "https://shop.example.com/hook", event_types: OWN_LENGTH }],
  ])("an object with a `length` of its own is no list and no text: %s %j", async (path, body) => {
    expect(brief(await merchant.call("POST", path, body))).toMatch(/^422 /)
  })

  it.each([
    ["/payments", "status=paid&q=a&q=b&from=today&to=2027-01-01", "status q from to page per_page"],
    ["/payments/subscription-plans", "include_inactive=perhaps", "include_inactive page per_page"],
    [
      "/payments/subscriptions",
      "customer_id=me&subscription_status=OPEN",
      "customer_id subscription_status page per_page",
    ],
    ["/payments/customers", "email=a&email=b", "email page per_page"],
    ["/payments/invoices", "subscription_id=a&subscription_id=b&status=OPEN", "subscription_id status page per_page"],
    ["/payments/links", "status=OPEN", "status page per_page"],
    ["/payments/disputes", "status=OPEN&transaction_id=a&transaction_id=b", "status transaction_id page per_page"],
    ["/payments/refunds", "status=OPEN&from_date=1.1.&to_date=today", "from_date to_date status page limit"],
    ["/payments/refunds", "status=OPEN&from_date=2027-01-02&to_date=2027-01-01", "status to_date page limit"],
    ["/payments/balance/entries", "account=mine", "account page limit"],
    ["/events", "event_type=paid&from=today&to=2027-01-01", "event_type from to page per_page"],
    [
      "/webhooks/deliveries",
      "endpoint_id=a&endpoint_id=b&event_id=a&event_id=b&event_type=a&event_type=b&status=OPEN",
      "endpoint_id event_id event_type status page per_page",
    ],
  ])("a list reports all that is wrong with its filter and its page: %s?%s", async (path, filter, expected) => {
    const answer = await merchant.call("GET", `${path}?${filter}&page=0&per_page=101&limit=101`)
    expect(brief(answer)).toBe(`422 VALIDATION_ERROR ${expected.split(" ")[0]}`)
    expect(fields(answer)).toEqual(expected.split(" "))
  })
})

describe("decisions: Requests — subscription paths answer both shapes merged", () => {
  it.each([
    "/payments/subscriptions/x/nothing",
    "/payments/subscription-plans/1/nothing",
    "/payments/subscriptions/a/b/c",
  ])("%s", async (path) => {
    const answer = await anonymous("GET", path)
    expect(brief(answer)).toBe("404 NOT_FOUND")
    expectErrorShape(answer)
    expect(answer.body).toMatchObject({ detail: answer.body.error.message, code: "NOT_FOUND", status_code: 404 })
  })

  it("a path that only begins alike does not", async () => {
    expect((await anonymous("GET", "/payments/subscriptionsX")).body.detail).toBeUndefined()
  })
})

describe("decisions: Requests — unknown paths and methods, never HTML", () => {
  it.each([
    "",
    "/",
    "/nothing",
    "/payment",
    "/payments/checkout/more",
    "/payments/verify",
    "/payments/verify/a/b",
    "/%ff",
    "/%",
    "/%00",
    "/payments/%ff/checkout",
    "/..%2f..%2fadmin",
    "/payments//checkout",
    "/$&",
    "/nothing?a=%ff",
    "/PAYMENTS/CHECKOUT",
    "/admin/users",
    "/sandbox/cards",
  ])("404 NOT_FOUND for %p", async (path) => {
    for (const method of ["GET", "POST"]) {
      const answer = await rawCall(store.url, method, `/api/v2${path}`, fromElsewhere())
      expect(brief(answer)).toBe("404 NOT_FOUND")
      expectErrorShape(answer)
    }
  })

  it("a request's target may be a whole URL, as HTTP/1.1 has it", async () => {
    const target = (path: string) =>
      rawCall(store.url, "GET", `http://api.example.com/api/v2${path}`, { "X-Merchant-API-Key": merchant.key })
    const answers = [await target("/sandbox/clock"), await target("/payments/verify/%ff"), await target("/nothing")]
    expect(answers.map(brief)).toEqual(["200", "404 TRANSACTION_NOT_FOUND", "404 NOT_FOUND"])
  })

  it("the base path in other letters is no way around: still JSON", async () => {
    const answer = await rawCall(
      store.url,
      "POST",
      "/API/V2/payments/checkout",
      { ...fromElsewhere(), "Content-Type": "application/json" },
      "{"
    )
    expect(answer.headers.get("content-type")).toContain("application/json")
    expect(answer.status).toBeGreaterThanOrEqual(400)
    expect(answer.status).toBeLessThan(500)
  })

  it.each([
    ["PUT", "/payments/checkout", "POST"],
    ["GET", "/payments/checkout", "POST"],
    ["HEAD", "/payments/checkout", "POST"],
    ["PATCH", "/payments/checkout", "POST"],
    ["OPTIONS", "/payments/checkout", "POST"],
    ["POST", "/payments/verify/txn1", "GET, HEAD"],
    ["DELETE", "/payments/verify/%ff", "GET, HEAD"],
    ["DELETE", "/sandbox/clock", "GET, POST, HEAD"],
    ["GET", "/sandbox/sessions/ses_1/pay", "POST"],
  ])("405 METHOD_NOT_ALLOWED with Allow: %s %s allows %s", async (method, path, allow) => {
    const answer = await anonymous(method, path)
    expect([answer.status, answer.headers.get("allow")]).toEqual([405, allow])
    expect(method === "HEAD" ? answer.text : brief(answer)).toBe(method === "HEAD" ? "" : "405 METHOD_NOT_ALLOWED")
  })

  it.each(["SEARCH", "TRACE", "PROPFIND"])(
    "405 METHOD_NOT_ALLOWED in the contract's shape: %s with a body that is no JSON",
    async (method) => {
      for (const base of ["/api/v2", "/sandbox/api/v2"]) {
        const answer = await rawCall(
          store.url,
          method,
          `${base}/payments/checkout`,
          { ...fromElsewhere(), "Content-Type": "application/json", "Content-Length": "1" },
          "{"
        )
        expect([answer.status, JSON.parse(answer.text).success]).toEqual([base === "/api/v2" ? 405 : 404, false])
        expect(answer.headers.get("x-request-id")).toBe(JSON.parse(answer.text).error.request_id)
      }
    }
  )
})

describe("decisions: Requests — bodies", () => {
  it.each([
    ["truncated", `{"order_id":`],
    ["not JSON", "order_id=1"],
    ["an array", "[]"],
    ["an array of orders", `[${JSON.stringify(order())}]`],
    ["null", "null"],
    ["a number", "5"],
    ["text", `"x"`],
    ["empty", ""],
    ["bytes that are no UTF-8", Buffer.from([0x7b, 0xff, 0x7d])],
    ["deeper than anybody needs", `{"metadata":${`{"a":`.repeat(20_000)}1${"}".repeat(20_001)}`],
    ["arrays all the way down", `{"x":${"[".repeat(60_000)}${"]".repeat(60_000)}}`],
  ])("%s: 400 INVALID_REQUEST", async (_name, raw) => {
    expect(brief(await post(raw))).toBe("400 INVALID_REQUEST")
  })

  it("an operation without a body takes none, {} and PHP's [], and nothing else", async () => {
    const cancel = async (raw?: string) => {
      const { session_id } = await merchant.open()
      return merchant.call(
        "POST",
        `/sandbox/sessions/${session_id}/cancel`,
        undefined,
        raw === undefined ? {} : { raw }
      )
    }
    expect((await cancel()).status).toBe(200)
    expect((await cancel("{}")).status).toBe(200)
    expect((await cancel("[]")).status).toBe(200)
    expect(brief(await cancel("[{}]"))).toBe("400 INVALID_REQUEST")
    expect(brief(await cancel("{"))).toBe("400 INVALID_REQUEST")
  })

  it.each(["text/plain", "application/xml", "multipart/form-data", "application/json-patch+json", ""])(
    "content type %p: 415",
    async (type) => {
      expect(brief(await post(JSON.stringify(order()), { "Content-Type": type }))).toBe("415 UNSUPPORTED_MEDIA_TYPE")
    }
  )

  it("parameters and capitals of the content type do not matter", async () => {
    expect((await post(JSON.stringify(order()), { "Content-Type": "Application/JSON; Charset=UTF-8" })).status).toBe(
      200
    )
  })

  it("a compressed body is not read: 415", async () => {
    expect(brief(await post("{}", { "Content-Encoding": "gzip" }))).toBe("415 UNSUPPORTED_MEDIA_TYPE")
  })

  it("256 KiB are read, one byte more is 413 PAYLOAD_TOO_LARGE, again and again", async () => {
    const padded = (bytes: number) => {
      const text = JSON.stringify(order({ unknown: "" }))
      return text.replace(`"unknown":""`, `"unknown":"${"x".repeat(bytes - text.length)}"`)
    }
    expect((await post(padded(262_144))).status).toBe(200)
    for (let round = 0; round < 5; round++) {
      expect(brief(await post(padded(262_145)))).toBe("413 PAYLOAD_TOO_LARGE")
      expect(brief(await post("x".repeat(3_000_000)))).toBe("413 PAYLOAD_TOO_LARGE")
    }
  })

  it("a body without a length that grows too large: 413", async () => {
    const headers = {
      "X-Merchant-API-Key": merchant.key,
      "Content-Type": "application/json",
      "Transfer-Encoding": "chunked",
    }
    const request = httpRequest(`${store.url}/api/v2/payments/checkout`, { method: "POST", headers })
    for (let sent = 0; sent <= 262_144; sent += 0x8000) {
      request.write("x".repeat(0x8000))
    }
    const status = await new Promise((resolve, reject) =>
      request.once("response", ({ statusCode }) => resolve(statusCode)).once("error", reject)
    )
    request.destroy()
    expect(status).toBe(413)
  })

  it.each([
    ["NUL", `\\u0000`],
    ["a lone high surrogate", `\\ud800`],
    ["a lone low surrogate", `\\udfff`],
  ])("design: %s in any text is 422, not 500", async (_name, escape) => {
    const body = (changes: Record<string, unknown>) => JSON.stringify(order(changes)).replace("MARK", escape)
    expect(brief(await post(body({ order_id: "MARK" })))).toBe("422 VALIDATION_ERROR order_id")
    expect(fields(await post(body({ metadata: { a: ["MARK"] } })))).toEqual(["metadata.a[0]"])
    expect((await post(body({ metadata: { MARK: 1 } }))).status).toBe(422)
    expect((await post(body({ unknown: "MARK" }))).status).toBe(422)
  })
})

describe("decisions: Requests — X-Request-Id", () => {
  it.each(["12345678", "req_abc.DEF-123", "x".repeat(64), "6ba7b810-9dad-11d1-80b4-00c04fd430c8"])(
    "keeps %p",
    async (id) => {
      const headers = { "X-Request-Id": id }
      const good = await merchant.checkout({}, { headers })
      const bad = await merchant.verify("txn1", { headers })
      const unknown = await anonymous("GET", "/nothing", { ...headers, ...fromElsewhere() })
      expect([good, bad, unknown].map((answer) => answer.headers.get("x-request-id"))).toEqual([id, id, id])
      expect([bad, unknown].map(({ body }) => body.error.request_id)).toEqual([id, id])
    }
  )

  it.each([
    "1234567",
    "x".repeat(65),
    "has space",
    "<script>",
    "a/b/c/d/e",
    "\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9",
    "",
  ])("replaces %p by its own", async (id) => {
    const answers = await Promise.all([0, 1].map(() => merchant.verify("txn1", { headers: { "X-Request-Id": id } })))
    const ids = answers.map(({ headers }) => headers.get("x-request-id"))
    expect(ids.every((own) => /^[A-Za-z0-9._-]{8,64}$/.test(own ?? ""))).toBe(true)
    expect(new Set([...ids, id]).size).toBe(3)
  })
})

describe("contract 9 — the version is part of the base path", () => {
  it("an operation is at /api/v2, and at no other version, nor without one", async () => {
    const at = async (base: string) =>
      (await merchant.call("GET", "/payments/subscription-plans", undefined, { base })).status
    expect([await at("/api/v2"), await at("/api/v1"), await at("/api/v3"), await at("/api"), await at("")]).toEqual([
      200, 404, 404, 404, 404,
    ])
  })
})

describe("contract 8 — the size of a page: 20 unless it is asked for, at most 100", () => {
  it.each([
    ["/payments/subscription-plans", "per_page"],
    ["/payments/subscriptions", "per_page"],
    ["/payments/subscriptions/{id}/billing-history", "per_page"],
    ["/payments/refunds", "limit"],
  ])("GET %s: %s", async (template, name) => {
    const { uuid } = await Subscriber.create(merchant)
    const read = (query = "") => merchant.call("GET", `${template.replace("{id}", uuid)}${query}`)
    const sizeOf = ({ body }: Answer) =>
      name === "limit" ? (body.data as unknown as Refunds).pagination.limit : body.meta.per_page
    expect([sizeOf(await read()), sizeOf(await read(`?${name}=100`))]).toEqual([20, 100])
    for (const size of [0, 101]) {
      expect(brief(await read(`?${name}=${size}`))).toBe(`422 VALIDATION_ERROR ${name}`)
    }
  })
})

describe("contract 8, decisions: Rate limits", () => {
  const limits = ({ headers }: Answer) =>
    ["limit", "remaining", "reset"].map((name) => headers.get(`x-ratelimit-${name}`))

  it("every answer of a key carries the headers; past the quota 429 RATE_LIMIT_EXCEEDED with Retry-After", async () => {
    const limited = await unlimited(store, 5)
    const answers = [
      await limited.checkout(),
      await limited.checkout({ currency: "USD" }),
      await limited.verify("txn1"),
      await limited.call("POST", "/payments/checkout", undefined, { raw: "{" }),
      await limited.call("HEAD", "/sandbox/clock"),
      await limited.checkout(),
      await limited.verify("txn1"),
    ]
    expect(answers.map(({ status }) => status)).toEqual([200, 422, 404, 400, 200, 429, 429])
    expect(answers.map((answer) => limits(answer).slice(0, 2))).toEqual(
      [4, 3, 2, 1, 0, 0, 0].map((left) => ["5", String(left)])
    )
    const [refused] = answers.slice(-1)
    expect(brief(refused)).toBe("429 RATE_LIMIT_EXCEEDED")
    expectErrorShape(refused)
    const seconds = Number(refused.headers.get("retry-after"))
    expect(seconds).toBeGreaterThanOrEqual(1)
    expect(seconds).toBeLessThanOrEqual(60)
    const now = Date.now() / 1000
    expect(Math.abs(Number(limits(refused)[2]) - (now + seconds))).toBeLessThanOrEqual(2)
  })

  it("what is refused for its quota does nothing", async () => {
    const limited = await unlimited(store, 1)
    await limited.verify("txn1")
    const order_id = orderId()
    expect((await limited.checkout({ order_id })).status).toBe(429)
    expect(await store.db("gateway_checkout_session").where({ order_id })).toEqual([])
  })

  it("per key: a merchant's other key has a quota of its own", async () => {
    const limited = await unlimited(store, 1)
    const { key } = await gatewayOf(store).apiKeys.create({
      merchant_id: limited.id,
      environment: "sandbox",
      name: "other",
    })
    expect([(await limited.verify("txn1")).status, (await limited.verify("txn1")).status]).toEqual([404, 429])
    expect((await limited.verify("txn1", { key })).status).toBe(404)
  })

  it("a merchant without a setting of its own has the deployment's quota", async () => {
    const plain = await newMerchant(store)
    expect(limits(await plain.verify("txn1")).slice(0, 2)).toEqual([String(QUOTA), String(QUOTA - 1)])
  })

  it("0 is off, and then without the headers", async () => {
    expect(limits(await merchant.checkout())).toEqual([null, null, null])
  })

  it.each<[string, (headers: Record<string, string>) => Promise<Answer>]>([
    ["without a key", (headers) => anonymous("GET", "/sandbox/clock", headers)],
    ["with a bad key", (headers) => call(store.url, "GET", "/sandbox/clock", undefined, { key: "nonsense", headers })],
    [
      "to the sandbox of a sandbox",
      (headers) => call(store.url, "GET", "/sandbox/clock", undefined, { base: "/sandbox/api/v2", headers }),
    ],
    ["to an unknown path", (headers) => anonymous("GET", "/nothing", headers)],
  ])("requests %s are limited per address behind the trusted proxy", async (_name, request) => {
    const headers = fromElsewhere()
    const first = await request(headers)
    expect(limits(first).slice(0, 2)).toEqual([String(QUOTA), String(QUOTA - 1)])
    await Promise.all(Array.from({ length: QUOTA - 1 }, () => request(headers)))
    const refused = await request(headers)
    expect(brief(refused)).toBe("429 RATE_LIMIT_EXCEEDED")
    expect(refused.headers.get("retry-after")).toMatch(/^\d+$/)
    expect((await request(fromElsewhere())).status).toBe(first.status)
    const forged = { "X-Forwarded-For": `203.0.113.9, ${headers["X-Forwarded-For"]}` }
    expect((await request(forged)).status).toBe(429)
  })

  it("a good key is not limited by what others sent from its address", async () => {
    const headers = fromElsewhere()
    await Promise.all(Array.from({ length: QUOTA + 1 }, () => anonymous("GET", "/nothing", headers)))
    expect((await merchant.verify("txn1", { headers })).status).toBe(404)
  })
})

describe("contract 5.5 — the allow-list sees the client's address behind a trusted proxy", () => {
  it.each([
    ["198.51.100.7", ["198.51.100.0/24"], 200],
    ["203.0.113.9, 198.51.100.7", ["198.51.100.7"], 200],
    ["198.51.100.7, 203.0.113.9", ["198.51.100.7"], 403],
    ["2001:db8::9", ["2001:db8::/32"], 200],
    ["2001:db9::9", ["2001:db8::/32"], 403],
    ["::ffff:198.51.100.7", ["198.51.100.7"], 200],
    ["198.51.100.7, rubbish", ["198.51.100.7"], 403],
    ["198.51.100.7, 127.0.0.1", ["198.51.100.7"], 200],
  ])("X-Forwarded-For %p with %p: %p", async (forwarded, networks, status) => {
    const restricted = await unlimited()
    await gatewayOf(store).merchants.configure(
      { merchant_id: restricted.id, environment: "sandbox" },
      { ip_allow_list: networks }
    )
    const answer = await restricted.call("GET", "/sandbox/clock", undefined, {
      headers: { "X-Forwarded-For": forwarded },
    })
    expect(answer.status).toBe(status)
  })
})

describe("the OpenAPI document", () => {
  const get = (headers: Record<string, string> = {}, method = "GET") =>
    call(store.url, method, "/openapi.json", undefined, { headers: { ...fromElsewhere(), ...headers } })

  it("is served without a key: the one of the repository, with the servers of this deployment", async () => {
    const answer = await get()
    expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "application/json; charset=utf-8"])
    const kept = JSON.parse(readFileSync(join(ROOT, "docs/openapi.json"), "utf8")) as Record<string, unknown>
    const servers = [{ url: `${store.url}/api/v2`, description: "Sandbox" }]
    expect(JSON.parse(answer.text)).toEqual({ ...kept, servers })
    const length = String(Buffer.byteLength(answer.text))
    expect((await get({}, "HEAD")).headers.get("content-length")).toBe(length)
  })

  it("who has it already gets 304; requests count by address, and other methods are refused", async () => {
    const { headers } = await get()
    expect(headers.get("cache-control")).toBe("no-cache")
    const again = await get({ "If-None-Match": headers.get("etag") ?? "" })
    expect([again.status, again.text, again.headers.get("etag")]).toEqual([304, "", headers.get("etag")])
    expect((await get({ "If-None-Match": '"other"' })).status).toBe(200)
    const address = fromElsewhere()
    const answers = await Promise.all(Array.from({ length: QUOTA }, () => get(address)))
    expect(answers.map(({ status }) => status)).toEqual(Array(QUOTA).fill(200))
    expect(brief(await get(address))).toBe("429 RATE_LIMIT_EXCEEDED")
    expect(brief(await get({}, "POST"))).toBe("405 METHOD_NOT_ALLOWED")
  })
})

/** Makes PostgreSQL refuse one order with an unexpected error. */
async function failFor(order_id: string, work: () => Promise<void>): Promise<void> {
  await store.db.raw(`CREATE FUNCTION refuse_order() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN IF NEW.order_id = '${order_id}' THEN RAISE EXCEPTION 'told nobody'; END IF; RETURN NEW; END $$`)
  await store.db.raw(
    "CREATE TRIGGER refuse_order BEFORE INSERT ON gateway_checkout_session FOR EACH ROW EXECUTE FUNCTION refuse_order()"
  )
  try {
    await work()
  } finally {
    await store.db.raw("DROP FUNCTION refuse_order CASCADE")
  }
}
