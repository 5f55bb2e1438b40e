import { createHash } from "node:crypto"
import { type Answer, brief, call, gatewayOf, newMerchant, order, rawCall, type ApiMerchant } from "../support/api"
import { useStore } from "../support/store"
import { until } from "../support/until"

/** No proxy is trusted, and the deployment does not know its own address. */
const store = useStore({
  production: true,
  env: { GATEWAY_PUBLIC_URL: "", TRUSTED_PROXIES: "" },
  prepare: async (booted) => {
    merchant = await newMerchant(booted)
  },
})
let merchant: ApiMerchant

const tail = "A".repeat(43)
const clock = (key: string | null, headers?: Record<string, string>) =>
  call(store.url, "GET", "/sandbox/clock", undefined, { key, headers })
const anotherKey = (input: { name?: string; expires_at?: Date } = {}) =>
  gatewayOf(store).apiKeys.create({ merchant_id: merchant.id, environment: "sandbox", name: "another", ...input })

/** One call of every operation, with the results that this caller gets. */
async function everywhere(caller: ApiMerchant): Promise<Answer[]> {
  return Promise.all([
    caller.checkout(),
    caller.verify(`txn${"0".repeat(32)}`),
    caller.pay(`ses_${"0".repeat(32)}`),
    caller.cancel(`ses_${"0".repeat(32)}`),
    caller.call("GET", "/sandbox/clock"),
    caller.advance(0),
  ])
}

describe("contract 5.1, 5.4 — the key comes in X-Merchant-API-Key and nowhere else", () => {
  it("a good key is let in, whatever the case of the header's name", async () => {
    expect((await clock(merchant.key)).status).toBe(200)
    expect((await clock(null, { "x-MERCHANT-api-KEY": merchant.key })).status).toBe(200)
  })

  it.each([
    ["no header", () => ({})],
    ["an empty header", () => ({ "X-Merchant-API-Key": "" })],
    ["Authorization: Bearer", () => ({ Authorization: `Bearer ${merchant.key}` })],
    ["API-Key", () => ({ "API-Key": merchant.key })],
    ["X-API-Key", () => ({ "X-API-Key": merchant.key })],
    ["Basic", () => ({ Authorization: `Basic ${Buffer.from(`${merchant.key}:`).toString("base64")}` })],
  ])("%s: 401 API_KEY_MISSING", async (_name, headers) => {
    expect(brief(await clock(null, headers()))).toBe("401 API_KEY_MISSING")
  })

  it("a key in the query string or in a cookie is none", async () => {
    expect(
      brief(await call(store.url, "GET", `/sandbox/clock?api_key=${merchant.key}&X-Merchant-API-Key=${merchant.key}`))
    ).toBe("401 API_KEY_MISSING")
    expect(brief(await clock(null, { Cookie: `X-Merchant-API-Key=${merchant.key}` }))).toBe("401 API_KEY_MISSING")
  })

  it.each([
    ["unknown", `sk_test_${tail}`],
    ["no prefix", tail],
    ["unknown prefix", `pk_test_${tail}`],
    ["too short", "sk_test_abc"],
    ["too long", `sk_test_${tail}A`],
    ["a live key too short to be one", "sk_live_abc"],
    ["in capitals", `SK_TEST_${tail}`],
    ["SQL", "sk_test_' OR '1'='1"],
    ["bytes beyond ASCII", `sk_test_${"\u00e9".repeat(43)}`],
    ["10 kB", "x".repeat(10_000)],
  ])("%s: 401 INVALID_API_KEY", async (_name, key) => {
    expect(brief(await clock(key))).toBe("401 INVALID_API_KEY")
  })

  it("two keys in two headers are no key", async () => {
    const answer = await rawCall(store.url, "GET", "/api/v2/sandbox/clock", {
      "X-Merchant-API-Key": [merchant.key, merchant.key],
    })
    expect(brief(answer)).toBe("401 INVALID_API_KEY")
  })

  it("a good key is not repeated in any answer", async () => {
    const answers = [
      await merchant.checkout(),
      await merchant.checkout({ order_amount: "x" }),
      await clock(merchant.key),
    ]
    expect(answers.some(({ text }) => text.includes(merchant.key))).toBe(false)
  })

  it("contract 5.8: no request has to be signed, and none is refused for a signature: the contract names no header for it", async () => {
    for (const name of ["X-Signature", "X-Request-Signature", "X-Webhook-Signature"]) {
      expect((await merchant.checkout({}, { headers: { [name]: "0".repeat(64) } })).status).toBe(200)
    }
  })

  it("authentication comes before the body is looked at", async () => {
    expect(brief(await call(store.url, "POST", "/payments/checkout", undefined, { raw: "{", key: null }))).toBe(
      "401 API_KEY_MISSING"
    )
    expect(
      brief(await call(store.url, "POST", "/payments/checkout", undefined, { raw: "{", key: `sk_test_${tail}` }))
    ).toBe("401 INVALID_API_KEY")
  })
})

describe("contract 5.3, 5.4, decisions: Environments — the prefix decides the environment", () => {
  it.each(["sk_live_", "rk_live_"])(
    "a well-formed %s key on the sandbox: 403 INVALID_ENVIRONMENT, known or not",
    async (prefix) => {
      expect(brief(await clock(`${prefix}${tail}`))).toBe("403 INVALID_ENVIRONMENT")
      expect(brief(await merchant.checkout({}, { key: `${prefix}${tail}` }))).toBe("403 INVALID_ENVIRONMENT")
    }
  )

  it("a sandbox deployment has no second sandbox", async () => {
    const answer = await merchant.checkout({}, { base: "/sandbox/api/v2" })
    expect(brief(answer)).toBe("404 NOT_FOUND")
    expect(answer.headers.get("x-request-id")).toBe(answer.body.error.request_id)
  })
})

describe("contract 5.2, 5.6, decisions: Environments — the life of a key", () => {
  it("several keys exist at once: create a new one, switch, revoke the old one", async () => {
    const old = await anotherKey()
    const fresh = await anotherKey()
    expect([(await clock(old.key)).status, (await clock(fresh.key)).status]).toEqual([200, 200])
    await gatewayOf(store).apiKeys.revoke({ merchant_id: merchant.id, environment: "sandbox" }, old.id)
    expect(brief(await clock(old.key))).toBe("401 INVALID_API_KEY")
    expect((await clock(fresh.key)).status).toBe(200)
  })

  it("an expired key is invalid, one that expires later is not", async () => {
    const expired = await anotherKey({ expires_at: new Date(Date.now() - 1_000) })
    const lasting = await anotherKey({ expires_at: new Date(Date.now() + 3_600_000) })
    expect([brief(await clock(expired.key)), brief(await clock(lasting.key))]).toEqual(["401 INVALID_API_KEY", "200"])
  })

  it("is shown once: stored as a SHA-256, listed by prefix and last four", async () => {
    const created = await anotherKey({ name: "shown once" })
    const row = await store.db("gateway_api_key").where({ id: created.id }).first()
    expect(row.key_hash).toBe(createHash("sha256").update(created.key).digest("hex"))
    expect(JSON.stringify(row)).not.toContain(created.key)
    const listed = (await gatewayOf(store).apiKeys.list(merchant.id, "sandbox")).find(({ id }) => id === created.id)
    expect(listed).toMatchObject({ name: "shown once", prefix: "sk_test_", last_four: created.key.slice(-4) })
    expect(Object.keys(listed ?? {})).not.toEqual(expect.arrayContaining(["key"]))
    expect(Object.keys(listed ?? {})).not.toEqual(expect.arrayContaining(["key_hash"]))
  })

  it("its last use is noted", async () => {
    const { id, key } = await anotherKey()
    await clock(key)
    const noted = async () => (await store.db("gateway_api_key").where({ id }).first()).last_used_at
    await until("the use is noted", async () => (await noted()) !== null)
    expect(Date.now() - (await noted()).getTime()).toBeLessThan(60_000)
  })

  it("production keys are for merchants whose business verification is approved", async () => {
    const gateway = gatewayOf(store)
    const create = (merchant_id: string) =>
      gateway.apiKeys.create({ merchant_id, environment: "production", name: "live" })
    for (const verification_status of ["unverified", "pending", "rejected"] as const) {
      const { id } = await gateway.merchants.create({ name: "unproven", verification_status })
      await expect(create(id)).rejects.toMatchObject({ code: "SERVICE_NOT_ENABLED" })
    }
    const { id } = await gateway.merchants.create({ name: "proven", verification_status: "approved" })
    expect((await create(id)).key).toMatch(/^sk_live_/)
  })

  it.each([
    ["sandbox", /^rk_test_/],
    ["production", /^rk_live_/],
  ] as const)("a key with scopes is a restricted one, in %s too", async (environment, begins) => {
    const { id: merchant_id } = await gatewayOf(store).merchants.create({ name: "r", verification_status: "approved" })
    const made = await gatewayOf(store).apiKeys.create({
      merchant_id,
      environment,
      name: "r",
      scopes: ["payments:read"],
    })
    expect([made.type, made.key]).toEqual(["restricted", expect.stringMatching(begins)])
  })
})

describe("contract 5.5 — the IP allow-list", () => {
  const allow = async (networks: string[]) => {
    const restricted = await newMerchant(store)
    await gatewayOf(store).merchants.configure(
      { merchant_id: restricted.id, environment: "sandbox" },
      { ip_allow_list: networks }
    )
    return restricted
  }

  it.each([
    ["IPv4 and IPv6 loopback", ["127.0.0.1", "::1"], 200],
    ["networks that hold the caller", ["198.51.100.0/24", "127.0.0.0/8", "::/64"], 200],
    ["no allow-list", [], 200],
    ["other addresses", ["198.51.100.7", "2001:db8::1"], 403],
    ["networks beside the caller", ["128.0.0.0/8", "::2/127"], 403],
  ])("%s: %p answers %p", async (_name, networks, status) => {
    expect((await (await allow(networks)).call("GET", "/sandbox/clock")).status).toBe(status)
  })

  it("a caller who is not on the list: 403 IP_NOT_WHITELISTED everywhere", async () => {
    const answers = await everywhere(await allow(["198.51.100.7"]))
    expect(answers.map(brief)).toEqual(answers.map(() => "403 IP_NOT_WHITELISTED"))
  })

  it("a forged X-Forwarded-For opens nothing where no proxy is trusted", async () => {
    const restricted = await allow(["198.51.100.7"])
    for (const header of ["X-Forwarded-For", "X-Real-IP", "Forwarded", "CF-Connecting-IP", "True-Client-IP"]) {
      const value = header === "Forwarded" ? "for=198.51.100.7" : "198.51.100.7"
      expect(brief(await restricted.call("GET", "/sandbox/clock", undefined, { headers: { [header]: value } }))).toBe(
        "403 IP_NOT_WHITELISTED"
      )
    }
  })

  it("what is no network cannot be put on the list", async () => {
    await expect(allow(["example.com"])).rejects.toMatchObject({ code: "VALIDATION_ERROR", field: "ip_allow_list" })
    await expect(allow(["10.0.0.0/40"])).rejects.toMatchObject({ code: "VALIDATION_ERROR" })
  })
})

describe("decisions: Environments — merchants that may not", () => {
  it("a suspended merchant: 403 MERCHANT_SUSPENDED on every call, and not any more once active", async () => {
    const suspended = await newMerchant(store)
    await gatewayOf(store).merchants.update(suspended.id, { status: "suspended" })
    const answers = await everywhere(suspended)
    expect(answers.map(brief)).toEqual(answers.map(() => "403 MERCHANT_SUSPENDED"))
    await gatewayOf(store).merchants.update(suspended.id, { status: "active" })
    expect((await suspended.checkout()).status).toBe(200)
  })

  it("a merchant without the checkout service: 403 SERVICE_NOT_ENABLED, what was paid can still be verified", async () => {
    const without = await newMerchant(store)
    const { transaction_id } = await without.open()
    await gatewayOf(store).merchants.configure(
      { merchant_id: without.id, environment: "sandbox" },
      { services: ["refunds"] }
    )
    expect(brief(await without.checkout())).toBe("403 SERVICE_NOT_ENABLED")
    expect((await without.verify(transaction_id)).status).toBe(200)
  })
})

describe("decisions: Environments — nothing is read across merchants", () => {
  it("another merchant's session is as unknown as a made-up one, and stays untouched", async () => {
    const thief = await newMerchant(store)
    const { session_id, transaction_id } = await merchant.open()
    const made = `ses_${"0".repeat(32)}`
    const headers = { "X-Request-Id": "same-request" }
    const card = { payment_method: "card" }
    expect((await thief.pay(session_id, card, { headers })).text).toBe((await thief.pay(made, card, { headers })).text)
    expect((await thief.cancel(session_id, { headers })).text).toBe((await thief.cancel(made, { headers })).text)
    expect(brief(await thief.pay(session_id))).toBe("404 SESSION_NOT_FOUND")
    expect((await merchant.verified(transaction_id)).status).toBe("PENDING")
  })

  it("one merchant's clock does not move another's", async () => {
    const [mover, stayer] = [await newMerchant(store), await newMerchant(store)]
    const { transaction_id } = await stayer.open()
    await mover.advance(3_600)
    expect((await stayer.call("GET", "/sandbox/clock")).body.data.offset_seconds).toBe(0)
    expect((await stayer.verified(transaction_id)).status).toBe("PENDING")
  })
})

describe("decisions: Checkout — the checkout_url where GATEWAY_PUBLIC_URL is not set", () => {
  it("is on the request's own origin", async () => {
    const { body } = await merchant.checkout()
    expect(body.data.checkout_url).toBe(`${store.url}/pay/${body.data.session_id}`)
    const headers = { Host: "pay.example.com", "Content-Type": "application/json", "X-Merchant-API-Key": merchant.key }
    const answer = await rawCall(store.url, "POST", "/api/v2/payments/checkout", headers, JSON.stringify(order()))
    expect(answer.body.data.checkout_url).toBe(`http://pay.example.com/pay/${answer.body.data.session_id}`)
  })
})
