import Redis from "ioredis"
import { ApiMerchant, brief, gatewayOf, newMerchant } from "../support/api"
import { ADMIN, registerAdmin } from "../support/admin"
import { CARD, post, visit } from "../support/pages"
import { startRedis, type RedisServer } from "../support/redis"
import type { ServerProcess } from "../support/server-process"
import { useStore, type Store } from "../support/store"

const QUOTA = 12

const store = useStore()
let redis: RedisServer
let servers: ServerProcess[]
let callers: ApiMerchant[]

beforeAll(async () => {
  redis = await startRedis()
  const merchant = await newMerchant(store)
  await gatewayOf(store).merchants.configure(
    { merchant_id: merchant.id, environment: "sandbox" },
    { rate_limit_requests: QUOTA }
  )
  await registerAdmin(store, ADMIN)
  const env = {
    REDIS_URL: redis.url,
    LOG_LEVEL: "warn",
    GATEWAY_PAGE_LIMITS: "session=6, cardsPerSession=3",
    GATEWAY_AUTH_LIMITS: "accountAddress=4",
  }
  servers = await Promise.all([store.startServerProcess({ env }), store.startServerProcess({ env })])
  callers = servers.map(({ url }) => new ApiMerchant({ url, db: store.db } as Store, merchant.id, merchant.key, {}))
}, 180_000)

afterAll(() => redis.stop())

const remaining = (headers: Headers) => Number(headers.get("x-ratelimit-remaining"))

describe("decisions: Rate limits — shared through Redis, and working without it", () => {
  it("two processes count one quota", async () => {
    const answers = []
    for (let index = 0; index < QUOTA; index++) {
      answers.push(await callers[index % 2].verify("txn1"))
    }
    expect(answers.map(({ status }) => status)).toEqual(Array(QUOTA).fill(404))
    expect(answers.map(({ headers }) => remaining(headers))).toEqual(
      Array.from({ length: QUOTA }, (_, index) => QUOTA - 1 - index)
    )
    const refused = await Promise.all(callers.map((caller) => caller.checkout()))
    expect(refused.map(brief)).toEqual(Array(2).fill("429 RATE_LIMIT_EXCEEDED"))
  })

  it("decisions: Limits of anonymous visitors — two processes count one checkout's requests, and one checkout's cards", async () => {
    const merchant = await newMerchant(store)
    const { session_id } = await merchant.open()
    const statuses = []
    for (let index = 0; index < 8; index++) {
      statuses.push((await fetch(`${servers[index % 2].url}/pay/${session_id}`)).status)
    }
    expect(statuses).toEqual([...Array(6).fill(200), 429, 429])
    const other = await merchant.open()
    const tries = []
    for (const [index, card_number] of [
      "4012888888881881",
      "4111111111111129",
      "4012888888881899",
      "4242424242424242",
    ].entries()) {
      const page = `${servers[index % 2].url}/pay/${other.session_id}`
      tries.push((await post(page, await visit(page), { ...CARD, card_number })).status)
    }
    expect(tries).toEqual([422, 422, 422, 429])
  })

  it("decisions: Limits on signing in — two processes count one account, a success resets it in both, and Redis holds no e-mail address", async () => {
    const signIn = async (index: number, password: string) => {
      const init = {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify({ email: ADMIN.email, password }),
      }
      return (await fetch(`${servers[index % 2].url}/auth/user/emailpass`, init)).status
    }
    const wrong = async (count: number) => {
      const statuses = []
      for (let index = 0; index < count; index++) {
        statuses.push(await signIn(index, "not-the-password"))
      }
      return statuses
    }
    const client = new Redis(redis.url)
    const counted = () => client.keys("gateway_rate:auth:account:*:from:*")
    expect([await wrong(3), await signIn(3, ADMIN.password)]).toEqual([[401, 401, 401], 200])
    // The count is reset after the response, so it may take a moment.
    while ((await counted()).length > 0) {
      await new Promise((done) => setImmediate(done))
    }
    expect([await wrong(6), await signIn(0, ADMIN.password)]).toEqual([[401, 401, 401, 401, 429, 429], 429])
    const keys = (await client.keys("gateway_rate:*")).join("\n")
    client.disconnect()
    expect(keys).toContain("auth:account:")
    expect(keys).not.toMatch(/@|example|ses_|4012888888881881/)
  })

  it("when Redis dies, requests go through, with headers, and it is logged; no money path needs it", async () => {
    await redis.stop()
    for (const [index, caller] of callers.entries()) {
      const { session_id, transaction_id } = await caller.open()
      expect((await caller.pay(session_id)).body.data.status).toBe("SUCCESS")
      const page = await fetch(`${servers[index].url}/pay/${session_id}`)
      expect(page.status).toBe(200)
      const verified = await caller.verify(transaction_id)
      expect([verified.status, verified.headers.get("x-ratelimit-limit")]).toEqual([200, String(QUOTA)])
      expect(remaining(verified.headers)).toBeGreaterThan(0)
    }
    expect(servers.map((server) => server.output().includes("rate limits are not shared"))).toEqual([true, true])
  })
})
