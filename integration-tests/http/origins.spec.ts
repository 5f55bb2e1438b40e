import { request as httpRequest } from "node:http"
import { ContainerRegistrationKeys } from "@medusajs/framework/utils"
import { AUTH_LIMITS } from "../../src/modules/gateway/kernel/http/abuse-limits"
import { refusedRequests } from "../../src/modules/gateway/kernel/http/metrics"
import { brief, call, gatewayOf, newMerchant, type ApiMerchant } from "../support/api"
import { ADMIN, Admin, prepareAdmin, registerAdmin, signIn } from "../support/admin"
import { useStore } from "../support/store"

/*
 * The tests reach into the process: they switch its limits on and off and flush its log entries. Loopback is a trusted
 * proxy here, so that requests may use addresses of their own.
 */
const store = useStore({
  production: false,
  prepare: prepareAdmin,
  container: true,
  env: { TRUSTED_PROXIES: "127.0.0.1,::1" },
})
let merchant: ApiMerchant
let admin: Admin

beforeEach(async () => {
  merchant = await newMerchant(store)
  admin = new Admin(store, await signIn(store), merchant.id)
})

describe("the log of requests", () => {
  it("decisions: Origins — a refusal of a revoked, an expired or the other environment's key stands with its merchant", async () => {
    const { apiKeys, refusedRequests, requestLog } = gatewayOf(store)
    const tenant = { merchant_id: merchant.id, environment: "sandbox" as const }
    const revoked = await apiKeys.create({ ...tenant, name: "revoked" })
    await apiKeys.revoke(tenant, revoked.id)
    const expired = await apiKeys.create({ ...tenant, name: "expired", expires_at: new Date(Date.now() - 1_000) })
    await gatewayOf(store).merchants.update(merchant.id, { verification_status: "approved" })
    const live = await apiKeys.create({ ...tenant, environment: "production", name: "live" })
    for (const { key } of [revoked, expired, live]) {
      await merchant.call("GET", "/sandbox/clock", undefined, { key })
    }
    await refusedRequests.flush()
    await requestLog.flush()
    const seen = async (at: typeof admin) =>
      (await at.get("/requests")).body.requests
        .map(({ key_name, status, error_code }) => [key_name, status, error_code])
        .sort()
    expect(await seen(admin)).toEqual([
      ["expired", 401, "INVALID_API_KEY"],
      ["revoked", 401, "INVALID_API_KEY"],
    ])
    expect(await seen(admin.at(merchant.id, "production"))).toEqual([["live", 403, "INVALID_ENVIRONMENT"]])
  })

  it("decisions: Origins — a flood of refusals leaves a bounded number of rows", async () => {
    await admin.post(`/merchants/${merchant.id}`, { status: "suspended" })
    for (let batch = 0; batch < 8; batch += 1) {
      await Promise.all(Array.from({ length: 10 }, () => merchant.call("GET", "/sandbox/clock")))
    }
    await gatewayOf(store).requestLog.flush()
    const [{ count }] = await store.db("gateway_request_log").where({ merchant_id: merchant.id }).count()
    // The limit of one minute, or of two when the minute has ended meanwhile.
    expect(Number(count)).toBeGreaterThanOrEqual(60)
    expect(Number(count)).toBeLessThan(80)
  })

  it("decisions: Origins — requests with unknown keys and with none are counted, and summarised in one log line", async () => {
    const warn = jest
      .spyOn(store.container.resolve(ContainerRegistrationKeys.LOGGER), "warn")
      .mockImplementation(() => undefined)
    try {
      const { refusedRequests } = gatewayOf(store)
      await refusedRequests.flush()
      warn.mockClear()
      const before = await refusals()
      await merchant.call("GET", "/sandbox/clock", undefined, { key: `sk_test_${"a".repeat(43)}` })
      await merchant.call("GET", "/sandbox/clock", undefined, { key: "nonsense" })
      await merchant.call("GET", "/sandbox/clock", undefined, { key: null })
      await refusedRequests.flush()
      expect(warn.mock.calls).toEqual([
        [
          expect.stringMatching(
            /^gateway: 3 requests to \/api\/v2 without a valid key within a minute, most from (127\.0\.0\.0\/24|::\/48) \(3\)$/
          ),
        ],
      ])
      expect((await refusals()) - before).toBe(3)
    } finally {
      warn.mockRestore()
    }
  })
})

/** The number that the process has counted. */
async function refusals(): Promise<number> {
  const { values } = await refusedRequests.get()
  return values.reduce((sum, { value }) => sum + value, 0)
}

describe("decisions: Limits on signing in", () => {
  let hosts = 0
  let people = 0
  const elsewhere = () => `198.51.100.${(hosts += 1)}`
  const limits = () => gatewayOf(store).options.authLimits
  const OFF = { address: 0, requests: 0, accountAddress: 0, account: 0 }
  const WRONG = "not-the-password"

  afterEach(() => Object.assign(limits(), OFF))

  /** An admin of its own, so that no test counts another's failures. */
  async function newAdmin() {
    const email = `Admin-${(people += 1)}@Example.com`
    await registerAdmin(store, { email, password: ADMIN.password })
    return email
  }

  type Attempt = { password?: string; from?: string; path?: string; method?: string }
  async function attempt(
    email: string,
    { password = WRONG, from = elsewhere(), path = "/auth/user/emailpass", method = "POST" }: Attempt = {}
  ) {
    const { status, headers, text } = await send(
      `${store.url}${path}`,
      method,
      { "X-Forwarded-For": from, Origin: "http://localhost:9000" },
      { email, password }
    )
    return {
      status,
      headers,
      body: text === "" ? {} : (JSON.parse(text) as { token?: string; type?: string; message?: string }),
    }
  }
  const right = (email: string, from = elsewhere()) => attempt(email, { password: ADMIN.password, from })
  async function wrong(count: number, email: string | (() => string), options: Attempt = {}) {
    const statuses: number[] = []
    while (statuses.length < count) {
      statuses.push((await attempt(typeof email === "string" ? email : email(), options)).status)
    }
    return statuses
  }

  it("40 wrong passwords from one address, then the right one: 429 in Medusa's shape with Retry-After; the owner signs in elsewhere", async () => {
    Object.assign(limits(), AUTH_LIMITS)
    const email = await newAdmin()
    const from = elsewhere()
    expect(await wrong(40, email, { from })).toEqual([...Array(10).fill(401), ...Array(30).fill(429)])
    const refused = await right(email, from)
    expect([refused.status, refused.body]).toEqual([
      429,
      { type: "too_many_requests", message: expect.stringContaining("try again in") },
    ])
    expect(Number(refused.headers["retry-after"])).toBeGreaterThanOrEqual(1)
    expect(Number(refused.headers["retry-after"])).toBeLessThanOrEqual(900)
    expect(refused.headers["access-control-allow-origin"]).toBe("http://localhost:9000")
    expect((await right(email)).body.token).toEqual(expect.any(String))
  })

  it("however the account is spelled, whichever kind of user it is tried as, by any method, and many at once: one count", async () => {
    limits().accountAddress = 6
    const email = await newAdmin()
    const from = elsewhere()
    const ways: [string, Attempt][] = [
      [email, {}],
      [email.toLowerCase(), {}],
      [` ${email.toUpperCase()} `, {}],
      [email, { path: "/auth/customer/emailpass" }],
      [email, { path: "/AUTH/user/%65mailpass/" }],
      [email, { method: "GET" }],
      [email, {}],
      [email, { method: "GET" }],
      [email, { method: "HEAD" }],
      [email, { path: "/auth/user/emailpass/register" }],
    ]
    const answers = await Promise.all(ways.map(([name, options]) => attempt(name, { ...options, from })))
    expect(answers.map(({ status }) => status).sort()).toEqual([...Array(6).fill(401), 429, 429, 429, 429])
    expect((await attempt("somebody-else@example.com", { from })).status).toBe(401)
  })

  /** The status of a request whose target is sent as it is written here. */
  function statusOf(target: string, from: string, body: object): Promise<number> {
    const headers = { "Content-Type": "application/json", "X-Forwarded-For": from }
    const { hostname, port } = new URL(store.url)
    return new Promise((done, failed) => {
      httpRequest({ hostname, port, method: "POST", path: target, headers }, (response) => {
        response.resume().once("end", () => done(response.statusCode ?? 0))
      })
        .once("error", failed)
        .end(JSON.stringify(body))
    })
  }

  it.each(["http://shop.example/auth/user/emailpass", "/auth/user/emailpass#1"])(
    "however the target is spelled (%s): one count",
    async (target) => {
      limits().accountAddress = 2
      const email = await newAdmin()
      const from = elsewhere()
      const ask = (password: string) => statusOf(target, from, { email, password })
      expect([await ask(WRONG), await ask(WRONG), await ask(ADMIN.password)]).toEqual([401, 401, 429])
    }
  )

  it("a costly path is limited by its address, with a fragment too", async () => {
    limits().requests = 1
    const from = elsewhere()
    const ask = () => statusOf("/auth/user/emailpass/reset-password#x", from, { identifier: "nobody@example.com" })
    expect([await ask(), await ask()]).toEqual([201, 429])
  })

  it("a success resets the account's count, and is not counted by its address", async () => {
    Object.assign(limits(), { accountAddress: 4, address: 7 })
    const email = await newAdmin()
    const from = elsewhere()
    expect(await wrong(3, email, { from })).toEqual([401, 401, 401])
    expect((await right(email, from)).status).toBe(200)
    expect(await wrong(3, email, { from })).toEqual([401, 401, 401])
    expect([(await right(email, from)).status, (await right(email, from)).status]).toEqual([200, 200])
    expect(await wrong(2, () => `nobody-${(people += 1)}@example.com`, { from })).toEqual([401, 429])
  })

  it("failures of one address, about whomever; an IPv6 customer is counted by the /64", async () => {
    limits().address = 3
    const network = `2001:db8:5:${(hosts += 1)}`
    const statuses = []
    for (const host of [1, 2, 3, 4]) {
      statuses.push((await attempt(`nobody-${(people += 1)}@example.com`, { from: `${network}:a:b:c:${host}` })).status)
    }
    expect(statuses).toEqual([401, 401, 401, 429])
    expect((await attempt("nobody@example.com")).status).toBe(401)
  })

  it("a name for another provider does not reset what counts for this one", async () => {
    limits().accountAddress = 2
    const email = await newAdmin()
    const from = elsewhere()
    await wrong(2, email, { from })
    await attempt(email, { from, path: "/auth/user/another" })
    expect((await attempt(email, { from })).status).toBe(429)
  })

  it("guessed at from everywhere, an account gets slow and is not shut: its owner signs in where it was done before", async () => {
    limits().account = 5
    const email = await newAdmin()
    const home = elsewhere()
    expect((await right(email, home)).status).toBe(200)
    expect(await wrong(5, email)).toEqual(Array(5).fill(401))
    const guesses = await Promise.all(Array.from({ length: 30 }, () => attempt(email)))
    expect(guesses.filter(({ status }) => status === 401).length).toBeLessThan(5)
    const waits = guesses.filter(({ status }) => status === 429).map(({ headers }) => Number(headers["retry-after"]))
    expect(Math.min(...waits)).toBeGreaterThanOrEqual(1)
    expect(Math.max(...waits)).toBeLessThanOrEqual(60)
    expect((await right(email, home)).status).toBe(200)
    expect(await wrong(5, email)).toEqual(Array(5).fill(401))
  })

  it.each(["register", "reset-password", "update"])(
    "/auth/user/emailpass/%s is limited by address, whether it succeeds or not",
    async (part) => {
      limits().requests = 3
      const from = elsewhere()
      const ask = () => attempt(`new-${(people += 1)}@example.com`, { from, path: `/auth/user/emailpass/${part}` })
      const statuses = [(await ask()).status, (await ask()).status, (await ask()).status, (await ask()).status]
      expect([statuses.includes(429), statuses[3]]).toEqual([true, 429])
      expect(statuses.indexOf(429)).toBe(3)
    }
  )

  it("0 is off", async () => {
    const email = await newAdmin()
    const from = elsewhere()
    expect(await wrong(12, email, { from })).toEqual(Array(12).fill(401))
    expect((await right(email, from)).status).toBe(200)
  })

  /** fetch() sends no body with GET and HEAD; other clients can. */
  function send(url: string, method: string, headers: Record<string, string>, body: object) {
    const text = JSON.stringify(body)
    return new Promise<{ status: number; headers: Record<string, string>; text: string }>((resolve, reject) => {
      const sent = httpRequest(
        url,
        {
          method,
          headers: { ...headers, "Content-Type": "application/json", "Content-Length": Buffer.byteLength(text) },
        },
        (response) => {
          const chunks: Buffer[] = []
          response.on("data", (chunk: Buffer) => chunks.push(chunk))
          response.on("end", () =>
            resolve({
              status: response.statusCode ?? 0,
              headers: response.headers as Record<string, string>,
              text: Buffer.concat(chunks).toString(),
            })
          )
        }
      )
      sent.on("error", reject)
      sent.end(text)
    })
  }
})

describe("decisions: Rate limits — what an unknown key costs", () => {
  const QUOTA = 40
  let hosts = 0
  const fromElsewhere = () => ({ "X-Forwarded-For": `203.0.113.${(hosts += 1)}` })
  const anonymous = (headers: Record<string, string>) => call(store.url, "GET", "/nothing", undefined, { headers })

  async function unlimited(): Promise<ApiMerchant> {
    const created = await newMerchant(store)
    await gatewayOf(store).merchants.configure(
      { merchant_id: created.id, environment: "sandbox" },
      { rate_limit_requests: 0 }
    )
    return created
  }

  beforeAll(() => void (gatewayOf(store).options.rateLimitRequests = QUOTA))
  afterAll(() => void (gatewayOf(store).options.rateLimitRequests = 0))

  it("an unknown key from an address that has used up its requests costs no query, in whatever address of its /64", async () => {
    const owner = await unlimited()
    // A key that this process has seen to be valid is looked up from any address.
    expect(brief(await owner.verify("txn1"))).toBe("404 TRANSACTION_NOT_FOUND")
    const network = `2001:db8:7:${(hosts += 1)}`
    const guess = (host: number) =>
      call(store.url, "GET", "/sandbox/clock", undefined, {
        key: `sk_test_${String(host).padStart(43, "0")}`,
        headers: { "X-Forwarded-For": `${network}:a:b:c:${host}` },
      })
    const looking = jest.spyOn(gatewayOf(store).apiKeys, "authenticate")
    try {
      const answers = []
      for (let host = 1; host <= QUOTA + 5; host++) {
        answers.push(await guess(host))
      }
      expect(answers.map(brief)).toEqual([
        ...Array(QUOTA).fill("401 INVALID_API_KEY"),
        ...Array(5).fill("429 RATE_LIMIT_EXCEEDED"),
      ])
      expect(looking).toHaveBeenCalledTimes(QUOTA)
      expect(brief(await owner.verify("txn1", { headers: { "X-Forwarded-For": `${network}::9` } }))).toBe(
        "404 TRANSACTION_NOT_FOUND"
      )
    } finally {
      looking.mockRestore()
    }
  })

  it("a key that is revoked is no longer known: from an address that is limited it costs one query more, and then none", async () => {
    const owner = await unlimited()
    const headers = fromElsewhere()
    expect((await owner.verify("txn1", { headers })).status).toBe(404)
    await Promise.all(Array.from({ length: QUOTA + 1 }, () => anonymous(headers)))
    await store.db("gateway_api_key").where({ merchant_id: owner.id }).update({ revoked_at: new Date() })
    const looking = jest.spyOn(gatewayOf(store).transactions, "verify")
    try {
      expect([
        (await owner.verify("txn1", { headers })).status,
        (await owner.verify("txn1", { headers })).status,
      ]).toEqual([429, 429])
      expect(looking).toHaveBeenCalledTimes(1)
    } finally {
      looking.mockRestore()
    }
  })
})
