import { EventEmitter } from "node:events"
import { createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { setImmediate as nextTurn } from "node:timers/promises"
import { AREAS, areaOf } from "../../api/areas"
import { findPage, methodsIn, pageFiles } from "../../api/page-kit/routes"
import { everyRoute } from "../../api/v2-kit/routes"
import { ConnectionGuard } from "../../modules/gateway/http-server/connections"
import { serverSettings } from "../../modules/gateway/kernel/http/server-settings"
import { AccessLog, together } from "../access-log"
import { openFrontDoor } from ".."
import { FrontDoor } from "../door"
import { beforeGateway } from "../hooks"

describe("docs/decisions/29 — what the front door answers", () => {
  it.each([
    ["/api/v2", "/api/v2"],
    ["/API/V2/payments/", "/api/v2"],
    ["/api/v2?x=1", "/api/v2"],
    ["/api/v2/payments/verify/%ff", "/api/v2"],
    ["http://store.example/api/v2/payments", "/api/v2"],
    ["/sandbox/api/v2/payments", "/sandbox/api/v2"],
    ["/pay/ses_1", "/pay"],
    ["/PAY", "/pay"],
    ["/portal/ptl_1/invoices", "/portal"],
    ["/gateway/return?transaction_id=x", "/gateway/return"],
    ["/gateway/acquirers/stripe/notify/default", "/gateway/acquirers"],
    ["/gateway/metrics", "/gateway/metrics"],
    ["/health/live", "/health/live"],
    ["/health/ready?probe=1", "/health/ready"],
  ])("%s: the area %s", (target, root) => expect(areaOf(target)?.root).toBe(root))

  it.each([
    "/",
    "/health",
    "/payments",
    "/pays/x",
    "/api/v22/payments",
    "/api",
    "/sandbox",
    "/admin/gateway/plans",
    "/store/gateway/subscriptions",
    "/gateway",
    "ftp://host/api/v2",
    "//api/v2",
    "*",
  ])("%s is Medusa's", (target) => expect(areaOf(target)).toBeNull())

  it("every operation has the handler of its route file", () => {
    everyRoute().forEach(({ handler }) => expect(handler).toBeInstanceOf(Function))
  })

  it.each(pageFiles().map(({ path }) => path))("the page %s is in an area", (path) => {
    expect(path.startsWith(areaOf(path)?.root ?? "none")).toBe(true)
  })

  it("every area has a page or operations", () => {
    const used = [...pageFiles().map(({ path }) => areaOf(path)), areaOf("/api/v2"), areaOf("/sandbox/api/v2")]
    expect(AREAS.filter((area) => !used.includes(area))).toEqual([])
  })

  it.each(pageFiles().map((file) => [file.path, file]))("the page %s gives its parameters patterns", (path, file) => {
    const named = path.match(/(?<=\{)\w+(?=\})/g) ?? []
    const pages = Object.entries(file.exports())
    expect(pages.length).toBeGreaterThan(0)
    for (const [method, page] of pages) {
      expect(["GET", "POST"]).toContain(method)
      expect(Object.keys(page?.params ?? {}).sort()).toEqual(named.sort())
    }
  })
})

describe("the paths under /gateway and /health", () => {
  it.each([
    ["/gateway/acquirers/stripe/notify/default", ["GET", "HEAD", "POST"]],
    ["/gateway/acquirers/stripe/notify/De.fault", null],
    ["/gateway/acquirers/stripe/notify", null],
    ["/gateway/acquirers/stripe/return/any text", ["GET", "HEAD", "POST"]],
    ["/gateway/acquirers/stripe/return/%ff", null],
    ["/gateway/acquirers/Stripe/return/x", null],
    ["/gateway/acquirers//return/x", null],
    ["/gateway/csp-reports", ["POST"]],
    ["/gateway/metrics", ["GET", "HEAD"]],
    ["/gateway/return", ["GET", "HEAD"]],
    ["/gateway/reference/page.js", ["GET", "HEAD"]],
    ["/gateway/reference/", null],
    ["/gateway/reference/{file}/x", null],
    ["/gateway", null],
    ["/health/live", ["GET", "HEAD"]],
    ["/health/ready", ["GET", "HEAD"]],
  ])("%s has the methods %s", (path, methods) => {
    const found = findPage(path)
    expect(found && methodsIn(found.route)).toEqual(methods)
  })
})

describe("docs/decisions/29 — who has a front door", () => {
  it.each([
    ["server", 1],
    ["shared", 1],
    ["worker", 0],
  ])("a process in mode %s: %s", (workerMode, opened) => {
    const openDoor = jest.fn()
    const gateway = { connectionGuard: { openDoor }, options: { trustedProxies: [] } }
    const projectConfig = { workerMode, http: { storeCors: "" } }
    const known: Record<string, unknown> = {
      gateway,
      configModule: { projectConfig },
      logger: { shouldLog: () => true },
    }
    openFrontDoor({ resolve: (name: string) => known[name] } as never)
    expect(openDoor).toHaveBeenCalledTimes(opened)
  })
})

describe("docs/decisions/29 — a server with a front door", () => {
  const asked: string[] = []
  const errors: string[] = []
  const [area] = AREAS
  const logger = { error: (text: string) => void errors.push(text), warn: () => undefined }
  const door = new FrontDoor({ logger } as never, { follow: () => undefined })
  const guard = new ConnectionGuard(serverSettings.parse({}))
  const server = createServer((request, response) => response.end(`Medusa: ${request.url}`))
  const watched: string[] = []

  beforeAll(async () => {
    server.on("request", (request: IncomingMessage) => void watched.push(request.url ?? ""))
    guard.start()
    guard.openDoor(door)
    await new Promise<void>((done) => server.listen(0, "127.0.0.1", done))
  })
  afterAll(async () => {
    guard.stop()
    server.closeAllConnections()
    await new Promise((done) => server.close(done))
  })
  beforeEach(() => {
    asked.length = errors.length = watched.length = 0
    jest.spyOn(area, "answer").mockImplementation(async ({ response, target, requestId }) => {
      asked.push(target)
      response.writeHead(418, { "X-Request-Id": requestId }).end()
      await Promise.resolve()
    })
  })
  afterEach(() => jest.restoreAllMocks())

  function ask(path: string, headers: Record<string, string> = {}, method = "GET") {
    const { port } = server.address() as AddressInfo
    return new Promise<{ status?: number; headers: IncomingMessage["headers"]; text: string }>((done, failed) => {
      const request = httpRequest({ host: "127.0.0.1", port, method, path, headers }, (response) => {
        let text = ""
        response.setEncoding("utf8")
        response.on("data", (chunk: string) => (text += chunk))
        response.on("end", () => done({ status: response.statusCode, headers: response.headers, text }))
      })
      request.on("error", failed)
      request.end()
    })
  }

  it("answers what is the gateway's as it was sent, and leaves the rest to the application; who only watches sees both", async () => {
    expect((await ask("/api/v2/payments/%ff?x=1", {}, "PROPFIND")).status).toBe(418)
    expect(await ask("/store/products")).toMatchObject({ status: 200, text: "Medusa: /store/products" })
    expect([asked, watched]).toEqual([["/api/v2/payments/%ff?x=1"], ["/api/v2/payments/%ff?x=1", "/store/products"]])
  })

  it("keeps a request's id where it is safe", async () => {
    expect((await ask("/api/v2", { "X-Request-Id": "caller-1234" })).headers["x-request-id"]).toBe("caller-1234")
    expect((await ask("/api/v2", { "X-Request-Id": "<b>" })).headers["x-request-id"]).toMatch(/^[0-9a-f-]{36}$/)
  })

  it("an error is an answer without what happened, which the log has", async () => {
    jest.spyOn(area, "answer").mockRejectedValue(new Error("a column is missing"))
    const { status, text } = await ask("/api/v2")
    expect([status, text.includes("column")]).toEqual([500, false])
    expect(errors).toEqual([expect.stringContaining("a column is missing")])
  })

  it("a host's middleware runs first: it lets in, answers, or fails", async () => {
    const remove = beforeGateway((request, response, next) => {
      if (request.url === "/api/v2/closed") {
        response.writeHead(503).end("closed")
        return
      }
      next(request.url === "/api/v2/broken" ? new Error("the host's own") : undefined)
    })
    try {
      const statuses = []
      for (const path of ["/api/v2/open", "/api/v2/closed", "/api/v2/broken", "/store/products"]) {
        statuses.push((await ask(path)).status)
      }
      expect([statuses, asked]).toEqual([[418, 503, 500, 200], ["/api/v2/open"]])
    } finally {
      remove()
      // A second time it takes nobody else's away.
      const other = beforeGateway((_request, response) => void response.writeHead(402).end())
      remove()
      expect((await ask("/api/v2")).status).toBe(402)
      other()
    }
  })

  it("an ending process waits for work whose client has left", async () => {
    let release = () => undefined as void
    jest.spyOn(area, "answer").mockImplementation(() => new Promise((done) => (release = done)))
    const { port } = server.address() as AddressInfo
    const left = httpRequest({ host: "127.0.0.1", port, path: "/api/v2" }).on("error", () => undefined)
    const begun = new Promise((done) => server.once("request", done))
    left.end()
    await begun
    left.destroy()
    let isSettled = false
    const settled = guard.settled().then(() => (isSettled = true))
    await nextTurn()
    expect(isSettled).toBe(false)
    release()
    await settled
  })
})

describe("the access log of the front door", () => {
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
