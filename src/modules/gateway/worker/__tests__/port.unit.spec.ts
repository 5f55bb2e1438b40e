import type { Server } from "node:http"
import type { AddressInfo } from "node:net"
import type { Facade } from "../../container"
import { WorkerPort } from "../port"

const TOKEN = "Bearer a-token-for-the-metrics-alone"

let problem: string | null
let broken: boolean
const logged: string[] = []
const gateway = {
  metrics: {
    admits: (authorization?: string) => authorization === TOKEN,
    render: () =>
      broken
        ? Promise.reject(new Error("no database"))
        : Promise.resolve({ type: "text/plain; version=0.0.4", text: "gateway_x 1\n" }),
  },
  readiness: { problem: () => Promise.resolve(problem) },
} as unknown as Facade
const logger = { error: (text: string) => void logged.push(text) }

let open: WorkerPort | undefined
beforeEach(() => {
  problem = null
  broken = false
  logged.length = 0
})
afterEach(() => open?.close())

async function opened(): Promise<(path: string, init?: RequestInit) => Promise<[number, string]>> {
  open = new WorkerPort(gateway, logger, 0)
  await open.open()
  const { port } = (open as unknown as { server: Server }).server.address() as AddressInfo
  return async (path, init) => {
    const answer = await fetch(`http://localhost:${port}${path}`, init)
    return [answer.status, await answer.text()]
  }
}

describe("docs/decisions/30: a worker answers metrics and health checks at a port of its own", () => {
  it("metrics, to whom the token admits", async () => {
    const ask = await opened()
    expect(await ask("/gateway/metrics", { headers: { authorization: TOKEN } })).toEqual([200, "gateway_x 1\n"])
    const refused = [404, '{"type":"not_found","message":"Not found"}']
    expect(await ask("/gateway/metrics")).toEqual(refused)
    expect(await ask("/gateway/metrics", { headers: { authorization: TOKEN }, method: "POST" })).toEqual(refused)
    expect(await ask("/api/v2/events", { headers: { authorization: TOKEN } })).toEqual(refused)
  })

  it("whether it lives, and whether its database answers", async () => {
    const ask = await opened()
    problem = "database"
    expect(await ask("/health/live")).toEqual([200, '{"status":"ok"}'])
    expect(await ask("/health/ready?probe=1")).toEqual([503, '{"status":"database"}'])
    problem = null
    expect(await ask("/health/ready")).toEqual([200, '{"status":"ok"}'])
  })

  it("503 while the metrics cannot be read, and the reason only in the log", async () => {
    const ask = await opened()
    broken = true
    const [status, text] = await ask("/gateway/metrics", { headers: { authorization: TOKEN } })
    expect([status, text.includes("no database")]).toEqual([503, false])
    expect(logged).toEqual([expect.stringContaining("no database")])
  })

  it("a server that fails later is logged, and ends no process", async () => {
    await opened()
    const { server } = open as unknown as { server: Server }
    server.emit("error", new Error("too many open files"))
    expect(logged).toEqual([expect.stringContaining("too many open files")])
  })

  it("without a port nothing is opened", async () => {
    open = new WorkerPort(gateway, logger, undefined)
    await open.open()
    expect(open).toMatchObject({ server: null })
  })
})
