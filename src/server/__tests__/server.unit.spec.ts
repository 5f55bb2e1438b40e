import cluster, { type Worker } from "node:cluster"
import { EventEmitter } from "node:events"
import { request as httpRequest, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { setImmediate as nextTurn } from "node:timers/promises"
import { acceptsEncoding } from "../../api/accept-encoding"
import { AccessLog, together } from "../access-log"
import { appOf } from "../app"
import { Backoff, serveInCluster } from "../cluster"
import { gatewayEntry } from "../config-entry"

afterEach(() => {
  jest.useRealTimers()
  jest.restoreAllMocks()
})

describe("a process of the cluster that ends", () => {
  it("is replaced ever later while it dies young, and at once after a sound life", () => {
    const backoff = new Backoff()
    expect([10, 10, 10].map((lived) => backoff.after(lived))).toEqual([500, 1_000, 2_000])
    expect(Array.from({ length: 10 }, () => backoff.after(0)).at(-1)).toBe(30_000)
    expect(backoff.after(60_000)).toBe(0)
    expect(backoff.after(10)).toBe(500)
  })
})

describe("a cluster of which no process can ever serve gives up", () => {
  it.each([
    // With such a variable every process of Node ends at its start.
    ["they end", __dirname, { NODE_OPTIONS: "--nonsense" }, "has ended (9)"],
    ["they cannot be started", join(__dirname, "none"), {}, "could not be started (spawn"],
    ["starting them throws", __dirname, { LONG: "x".repeat(200_000) }, "could not be started (spawn E2BIG)"],
  ])(
    "%s",
    async (_why, directory, env, said) => {
      const ended: string[] = []
      const say = { ready: () => undefined, ended: (text: string) => ended.push(text) }
      const options = { directory, port: 0, host: undefined, workers: 1, env }
      await expect(serveInCluster(options, new AbortController().signal, say)).rejects.toThrow(
        "none of 3 API processes"
      )
      expect(ended).toEqual(Array(2).fill(expect.stringContaining(said)))
    },
    60_000
  )
})

it("a process of the cluster that is asked to end is killed only when it takes longer than one may", async () => {
  jest.useFakeTimers()
  const signals: string[] = []
  const worker = Object.assign(new EventEmitter(), { process: { pid: 1, kill: (name: string) => signals.push(name) } })
  jest.spyOn(cluster, "fork").mockReturnValue(worker as unknown as Worker)
  const stop = new AbortController()
  const options = { directory: __dirname, port: 0, host: undefined, workers: 1, env: {} }
  const served = serveInCluster(options, stop.signal, { ready: () => undefined, ended: () => undefined })
  stop.abort()
  // Half a minute for requests, another one for work whose client has left, and ten seconds to wait for a connection.
  jest.advanceTimersByTime(70_000)
  expect(signals).toEqual(["SIGTERM"])
  jest.advanceTimersByTime(5_000)
  expect(signals).toEqual(["SIGTERM", "SIGKILL"])
  worker.emit("exit", null, "SIGKILL")
  await served
})

describe("the gateway in a store's configuration", () => {
  const entry = { resolve: "medusa-payment-gateway", options: { worker: false } }

  it.each([
    ["a plugin with options", { plugins: [entry] }, entry],
    ["a plugin by its name", { plugins: ["medusa-payment-gateway"] }, { resolve: "medusa-payment-gateway" }],
    ["a module by key", { modules: { gateway: { resolve: "./src/modules/gateway" }, off: false } }, undefined],
    ["a module in a list", { modules: [{ resolve: "@medusajs/x" }, { resolve: "./src/modules/gateway" }] }, undefined],
  ])("%s", (_what, config, expected) => {
    expect(gatewayEntry(config)).toEqual(expected ?? { resolve: "./src/modules/gateway" })
  })

  it("none", () => expect(gatewayEntry({ plugins: ["other"], modules: { gateway: true } })).toBeUndefined())
})

describe("Accept-Encoding of the reference's files", () => {
  it.each([
    ["gzip", true],
    ["br, GZIP;q=0.5", true],
    ["*", true],
    ["gzip;q=0, *", false],
    ["gzip; q=0.000", false],
    ["identity", false],
    ["", false],
    [undefined, false],
  ])("%p: %p", (header, expected) => expect(acceptsEncoding("gzip", header)).toBe(expected))
})

describe("the access log of an API process", () => {
  const KEY = "sk_test_0123456789abcdef0123456789abcdef"

  function lineOf(nodeEnv: string): { printed: string[]; short: string[] } {
    const printed: string[] = []
    const short: string[] = []
    const logger = { shouldLog: () => true, http: (text: string) => short.push(text) }
    const log = new AccessLog(logger as never, ["127.0.0.1"], nodeEnv, (line) => printed.push(line))
    const response = Object.assign(new EventEmitter(), { headersSent: true, statusCode: 404, getHeader: () => 12 })
    const request = {
      method: "GET",
      url: `/api/v2/payments?key=${KEY}`,
      httpVersion: "1.1",
      headers: { "x-forwarded-for": "203.0.113.9", "user-agent": "curl/8" },
      socket: { remoteAddress: "127.0.0.1" },
    }
    log.follow(request as unknown as IncomingMessage, response as unknown as ServerResponse, "req-12345678")
    response.emit("close")
    return { printed, short }
  }

  it("has the members of Medusa's, without secrets and with the address behind the proxy", () => {
    const [line] = lineOf("production").printed.map((text) => JSON.parse(text) as Record<string, unknown>)
    expect(line).toEqual({
      level: "http",
      client_ip: "203.0.113.9",
      request_id: "req-12345678",
      http_version: "1.1",
      method: "GET",
      path: "/api/v2/payments?key=sk_test_[hidden]",
      status: 404,
      response_size: 12,
      request_size: 0,
      duration: expect.any(Number) as number,
      referrer: "-",
      user_agent: "curl/8",
      timestamp: expect.stringMatching(/Z$/) as string,
    })
  })

  it("is written once a turn of the event loop, in order", async () => {
    const written: string[] = []
    const print = together((lines) => written.push(lines))
    print("one")
    print("two")
    expect(written).toEqual([])
    await nextTurn()
    print("three")
    await nextTurn()
    expect(written).toEqual(["one\ntwo\n", "three\n"])
  })

  it("is short in development, and empty in tests", () => {
    const { printed, short } = lineOf("development")
    expect([printed.length, short.length]).toEqual([0, 1])
    expect(short[0]).not.toContain(KEY)
    expect(lineOf("test")).toEqual({ printed: [], short: [] })
  })
})

describe("the application of an API process", () => {
  const asked: string[] = []
  let problem: "database" | "stopping" | null = null
  const app = appOf({
    answer: async (request, response, requestId) => {
      asked.push(`${request.method} ${request.url}`)
      response.writeHead(418, { "X-Request-Id": requestId }).end()
      await Promise.resolve()
    },
    readiness: { problem: () => Promise.resolve(problem) },
    log: { follow: () => undefined } as unknown as AccessLog,
    logger: { error: () => undefined } as never,
  })
  beforeAll(() => app.listen({ port: 0, host: "127.0.0.1" }))
  afterAll(() => app.close())

  function ask(method: string, path: string, headers: Record<string, string> = {}, content = "") {
    const { port } = app.server.address() as AddressInfo
    return new Promise<{ status?: number; headers: IncomingMessage["headers"]; text: string }>((done, failed) => {
      const request = httpRequest({ host: "127.0.0.1", port, method, path, headers }, (response) => {
        let text = ""
        response.setEncoding("utf8")
        response.on("data", (chunk: string) => (text += chunk))
        response.on("end", () => done({ status: response.statusCode, headers: response.headers, text }))
      })
      request.on("error", failed)
      request.end(content)
    })
  }

  it.each([
    ["GET", "/api/v2"],
    ["GET", "/API/V2/payments/"],
    ["POST", "/api/v2/payments/checkout"],
    ["HEAD", "/api/v2/events"],
    ["OPTIONS", "/api/v2/payments"],
    ["PROPFIND", "/api/v2/payments"],
    ["GET", "/api/v2/payments/verify/%ff"],
    ["GET", `/api/v2/payments/verify/${"x".repeat(500)}`],
    ["GET", "/sandbox/api/v2/payments"],
    ["DELETE", "/anything?else=1"],
    ["GET", "/%ff"],
    ["GET", "http://store.example/api/v2/payments"],
  ])("passes %s %s on as it was sent", async (method, path) => {
    asked.length = 0
    const { status } = await ask(method, path)
    expect([status, asked]).toEqual([418, [`${method} ${path}`]])
  })

  it.each([
    ["text/plain", "x"],
    [";;;", "x"],
    ["application/json", "{"],
  ])("reads no body itself: Content-Type %p", async (type, content) => {
    expect((await ask("POST", "/api/v2/payments/checkout", { "Content-Type": type }, content)).status).toBe(418)
    expect((await ask("POST", "/elsewhere", { "Content-Type": type }, content)).status).toBe(418)
  })

  it("keeps a request's id where it is safe", async () => {
    expect((await ask("GET", "/api/v2", { "X-Request-Id": "caller-1234" })).headers["x-request-id"]).toBe("caller-1234")
    expect((await ask("GET", "/api/v2", { "X-Request-Id": "<b>" })).headers["x-request-id"]).toMatch(/^[0-9a-f-]{36}$/)
  })

  it("says that it lives, and whether it is ready", async () => {
    expect(await ask("GET", "/health/live")).toMatchObject({ status: 200, text: '{"status":"ok"}' })
    expect(await ask("GET", "/health/ready")).toMatchObject({ status: 200, text: '{"status":"ok"}' })
    problem = "database"
    expect(await ask("GET", "/health/ready")).toMatchObject({ status: 503, text: '{"status":"database"}' })
    expect(await ask("GET", "/health/live")).toMatchObject({ status: 200 })
  })
})
