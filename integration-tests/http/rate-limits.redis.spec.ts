import { ApiMerchant, brief, gatewayOf, newMerchant } from "../support/api"
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
  await gatewayOf(store).merchants.configure({ merchant_id: merchant.id, environment: "sandbox" }, { rate_limit_requests: QUOTA })
  const env = { REDIS_URL: redis.url, LOG_LEVEL: "warn" }
  servers = await Promise.all([store.startServerProcess({ env }), store.startServerProcess({ env })])
  callers = servers.map(({ url }) => new ApiMerchant({ url, db: store.db } as Store, merchant.id, merchant.key, {}))
}, 180_000)

afterAll(() => redis.stop())

const remaining = (headers: Headers) => Number(headers.get("x-ratelimit-remaining"))

describe("decisions: Rate limits — shared through Redis, and alive without it", () => {
  it("two processes count one quota", async () => {
    const answers = []
    for (let index = 0; index < QUOTA; index++) {
      answers.push(await callers[index % 2].verify("txn1"))
    }
    expect(answers.map(({ status }) => status)).toEqual(Array(QUOTA).fill(404))
    expect(answers.map(({ headers }) => remaining(headers))).toEqual(Array.from({ length: QUOTA }, (_, index) => QUOTA - 1 - index))
    const refused = await Promise.all(callers.map((caller) => caller.checkout()))
    expect(refused.map(brief)).toEqual(Array(2).fill("429 RATE_LIMIT_EXCEEDED"))
  })

  it("when Redis dies, requests go through, with headers, and it is logged; no money path needs it", async () => {
    await redis.stop()
    for (const caller of callers) {
      const { session_id, transaction_id } = await caller.open()
      expect((await caller.pay(session_id)).body.data.status).toBe("SUCCESS")
      const verified = await caller.verify(transaction_id)
      expect([verified.status, verified.headers.get("x-ratelimit-limit")]).toEqual([200, String(QUOTA)])
      expect(remaining(verified.headers)).toBeGreaterThan(0)
    }
    expect(servers.map((server) => server.output().includes("rate limits are not shared"))).toEqual([true, true])
  })
})
