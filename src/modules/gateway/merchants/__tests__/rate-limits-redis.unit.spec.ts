import { createServer, type AddressInfo, type Server, type Socket } from "node:net"
import { setImmediate as nextTurn } from "node:timers/promises"
import type { Cradle } from "../../kernel/types"
import { RateLimitService } from "../rate-limits"

const INFO = "redis_version:7.0.0\r\nloading:0\r\n"
/** The count that this Redis reports. No process reaches it on its own. */
const SHARED = 700

/** A Redis that counts nothing: it can stop answering, as one that is stopped or cut off, or refuse every command. */
class FakeRedis {
  how: "counts" | "silent" | "refuses" = "counts"
  readonly asked: string[] = []
  connections = 0
  private readonly sockets = new Set<Socket>()
  private readonly server: Server = createServer((socket) => {
    this.connections += 1
    this.sockets.add(socket)
    socket.on("error", () => undefined)
    socket.on("close", () => this.sockets.delete(socket))
    socket.on("data", (data) => {
      for (const [, name] of data.toString().matchAll(/\*\d+\r\n\$\d+\r\n(\w+)\r\n/g)) {
        this.asked.push(name)
        if (this.how !== "silent") {
          socket.write(this.answer(name))
        }
      }
    })
  })

  async listen(): Promise<string> {
    await new Promise<void>((done) => this.server.listen(0, "127.0.0.1", done))
    return `redis://127.0.0.1:${(this.server.address() as AddressInfo).port}`
  }

  async stop(): Promise<void> {
    this.sockets.forEach((socket) => socket.destroy())
    await new Promise((done) => this.server.close(done))
  }

  private answer(name: string): string {
    if (name === "info") {
      return `$${INFO.length}\r\n${INFO}\r\n`
    }
    if (name === "client") {
      return "+OK\r\n"
    }
    return this.how === "counts" ? `*2\r\n:${SHARED}\r\n:60000\r\n` : "-OOM command not allowed\r\n"
  }
}

describe("decisions: Rate limits — a Redis that fails lets requests through, and it is logged", () => {
  let redis: FakeRedis
  let limits: RateLimitService
  let warnings: string[]

  const take = async () => (await limits.take("bucket", 10)).count

  async function untilShared(): Promise<void> {
    while ((await take()) !== SHARED) {
      await nextTurn()
    }
  }

  beforeEach(async () => {
    redis = new FakeRedis()
    warnings = []
    const logger = { warn: (text: string) => warnings.push(text) }
    limits = new RateLimitService({
      gatewayOptions: { redisUrl: await redis.listen() },
      logger,
    } as unknown as Cradle)
    await untilShared()
    // The requests before the connection are logged too, and one line stands for all of half a minute.
    warnings.length = 0
    jest.spyOn(Date, "now").mockReturnValue(Date.now() + 60_000)
  })

  afterEach(async () => {
    jest.restoreAllMocks()
    await limits.close()
    await redis.stop()
  })

  it("when it stops answering, and only the first requests wait for it; it is used again when it answers", async () => {
    redis.how = "silent"
    const connections = redis.connections
    expect(await take()).toBeLessThan(SHARED)
    expect(warnings).toEqual([expect.stringContaining("rate limits are not shared")])
    while (redis.connections === connections) {
      await nextTurn()
    }
    const asked = redis.asked.filter((name) => name.startsWith("eval")).length
    for (let index = 0; index < 100; index += 1) {
      await limits.take("other", 1_000)
      await limits.peek("other", 1_000)
    }
    expect((await limits.peek("other", 1_000)).count).toBe(100)
    expect(redis.asked.filter((name) => name.startsWith("eval"))).toHaveLength(asked)
    redis.how = "counts"
    await untilShared()
  }, 60_000)

  it("when it refuses what it is asked, as one whose memory is full", async () => {
    redis.how = "refuses"
    const before = (await limits.peek("bucket", 10)).count
    expect([await take(), await take()]).toEqual([before + 1, before + 2])
    expect(warnings).toEqual([expect.stringMatching(/rate limits are not shared.*(OOM|EXECABORT)/)])
    await limits.hold("held", 60, 5)
    expect((await limits.peek("held", 5)).allowed).toBe(false)
    await limits.giveBack("held")
    expect((await limits.peek("held", 5)).allowed).toBe(true)
    await limits.forget("held")
    expect((await limits.peek("held", 5)).count).toBe(0)
  })
})
