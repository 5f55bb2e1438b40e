import { createServer, request as httpRequest, Agent, type IncomingMessage, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { answerLive, answerReady } from "../../../modules/gateway/kernel/http/health"

type Problem = Parameters<typeof answerReady>[2] extends { problem(): Promise<infer P> } ? P : never

let problem: Problem = null
let server: Server

beforeEach(async () => {
  problem = null
  server = createServer((request, response) => {
    if (request.url === "/closing") {
      // As a process that ends: it listens no more, and connections with a request under way stay open.
      server.close()
    }
    response.setHeader("X-Powered-By", "Express")
    if (request.url === "/live") {
      answerLive(response)
    } else {
      void answerReady(request, response, { problem: () => Promise.resolve(problem) })
    }
  })
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done))
})
afterEach(() => new Promise((done) => server.close(done)))

function ask(path: string, method = "GET") {
  const { port } = server.address() as AddressInfo
  const agent = new Agent({ keepAlive: false })
  return new Promise<{ status?: number; headers: IncomingMessage["headers"]; text: string }>((done, failed) => {
    const request = httpRequest({ host: "127.0.0.1", port, path, method, agent }, (response) => {
      let text = ""
      response.setEncoding("utf8")
      response.on("data", (chunk: string) => (text += chunk))
      response.on("end", () => done({ status: response.statusCode, headers: response.headers, text }))
    })
    request.on("error", failed)
    request.end()
  })
}

describe("health checks", () => {
  it("live: whatever the database does, kept by no cache, and without a word about the software", async () => {
    problem = "database"
    const { status, headers, text } = await ask("/live")
    expect([status, text]).toEqual([200, '{"status":"ok"}'])
    expect(headers).toMatchObject({
      "content-type": "application/json; charset=utf-8",
      "content-length": "15",
      "cache-control": "no-store",
    })
    expect(headers).not.toHaveProperty("x-powered-by")
  })

  it("ready, and HEAD says the same without a body", async () => {
    expect(await ask("/ready")).toMatchObject({ status: 200, text: '{"status":"ok"}' })
    const head = await ask("/ready", "HEAD")
    expect([head.status, head.headers["content-length"], head.text]).toEqual([200, "15", ""])
  })

  it.each(["database", "migrations", "stopping"] as const)("not ready: %s", async (reason) => {
    problem = reason
    const { status, headers, text } = await ask("/ready")
    expect([status, text, headers["cache-control"]]).toEqual([503, `{"status":"${reason}"}`, "no-store"])
  })

  it("not ready: a server that takes no connection any more, over one that is still open", async () => {
    expect(await ask("/closing")).toMatchObject({ status: 503, text: '{"status":"stopping"}' })
  })
})
