import { type Answer, brief, call, gatewayOf, newMerchant, orderId, type ApiMerchant } from "../support/api"
import { anonymousIn, expectErrorShape, fromElsewhere, LIMITED, limitedMerchant, QUOTA } from "../support/limited"
import { useStore } from "../support/store"

const store = useStore({
  production: true,
  env: LIMITED,
  prepare: async (booted) => {
    merchant = await limitedMerchant(booted, 0)
  },
})
let merchant: ApiMerchant

const anonymous = anonymousIn(store)

describe("contract 8, decisions: Rate limits", () => {
  const limits = ({ headers }: Answer) =>
    ["limit", "remaining", "reset"].map((name) => headers.get(`x-ratelimit-${name}`))

  it("every answer of a key carries the headers; past the quota 429 RATE_LIMIT_EXCEEDED with Retry-After", async () => {
    const limited = await limitedMerchant(store, 5)
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
    const limited = await limitedMerchant(store, 1)
    await limited.verify("txn1")
    const order_id = orderId()
    expect((await limited.checkout({ order_id })).status).toBe(429)
    expect(await store.db("gateway_checkout_session").where({ order_id })).toEqual([])
  })

  it("per key: a merchant's other key has a quota of its own", async () => {
    const limited = await limitedMerchant(store, 1)
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
