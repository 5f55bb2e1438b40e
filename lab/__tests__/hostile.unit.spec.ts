import { createServer, type Server } from "node:net"
import type { AddressInfo } from "node:net"
import { join, resolve } from "node:path"
import { brotliCompressSync, gzipSync } from "node:zlib"
import { isTokenValid } from "../../src/api/pay/http/csrf"
import { load } from "../../scripts/__tests__/load.cjs"

const HOSTILE = resolve(__dirname, "../chaos/hostile")

type Answer = { status?: number; headers?: Map<string, string>; body?: Buffer; fault?: string }
type Oracle = { faultsOf(request: object, answer: Answer): string[] }
type WireModule = {
  Wire: new (at: { port: number; timeoutMs: number }) => {
    send(bytes: Buffer, of?: { method: string }): Promise<Answer>
    close(): void
  }
  requestBytes(request: object): Buffer
}
type RandomModule = {
  Random: new (seed: number) => { int(count: number): number; fork(name: string): { int(count: number): number } }
}

const answer = (status: number, body: unknown, headers: Record<string, string> = {}): Answer => ({
  status,
  headers: new Map(
    Object.entries({ "content-type": "application/json; charset=utf-8", "x-request-id": "r-1", ...headers })
  ),
  body: Buffer.from(typeof body === "string" ? body : JSON.stringify(body)),
})
const error = (changes: object = {}) => ({
  success: false,
  error: { code: "NOT_FOUND", message: "x", request_id: "r-1", status: 404, ...changes },
  message: "x",
})

describe("what the attacks take for a fault (contract 7.1)", () => {
  let oracle: Oracle
  const api = { surface: "api", method: "GET", path: "/events", secrets: ["sk_test_own"] }

  beforeAll(async () => {
    oracle = await load<Oracle>(join(HOSTILE, "oracle.mjs"))
  })

  it.each([
    ["an error in the contract's shape", api, answer(404, error())],
    [
      "a replayed answer, with the first request's id",
      api,
      answer(404, error({ request_id: "r-0" }), { "idempotent-replayed": "true" }),
    ],
    ["a success", api, answer(200, { success: true })],
    ["a file", api, answer(200, "%PDF", { "content-type": "application/pdf" })],
    ["an answer without a body to HEAD", { ...api, method: "HEAD" }, answer(404, "")],
    [
      "a refusal of Node's own parser of what is no HTTP",
      { ...api, malformed: true },
      { status: 400, headers: new Map(), body: Buffer.alloc(0) },
    ],
    [
      "a page of ours",
      { surface: "pay", method: "GET", path: "/pay/x" },
      answer(404, "<!doctype html>", { "content-type": "text/html" }),
    ],
  ])("nothing: %s", (_what, request, given) => {
    expect(oracle.faultsOf(request, given)).toEqual([])
  })

  it.each([
    ["a 5xx", api, answer(500, error({ status: 500 })), /status 500/],
    ["no answer", api, { fault: "timeout" }, /no answer/],
    ["silence, even to what is no HTTP", { ...api, malformed: true }, { fault: "timeout" }, /no answer/],
    ["a page from the API", api, answer(404, "<html>", { "content-type": "text/html" }), /content type/],
    ["no request id", api, answer(404, error(), { "x-request-id": "" }), /X-Request-Id/],
    ["another request's id", api, answer(404, error({ request_id: "r-2" })), /request_id/],
    ["a status in the body that is not the answer's", api, answer(404, error({ status: 400 })), /status/],
    ["an error without its shape", api, answer(404, { message: "x" }), /shape/],
    [
      "subscriptions without the flat shape",
      { ...api, path: "/payments/subscriptions/1" },
      answer(404, error()),
      /flat shape/,
    ],
    ["a stack", api, answer(400, error({ message: "x\n    at f (/srv/app.js:1:2)", status: 400 })), /a stack/],
    [
      "SQL",
      { surface: "admin", method: "GET", path: "/x" },
      answer(400, { message: 'insert into "gateway_plan"' }),
      /SQL/,
    ],
    ["the caller's key", api, answer(200, { success: true, key: "sk_test_own" }), /secret/],
  ])("a fault: %s", (_what, request, given, fault) => {
    expect(oracle.faultsOf(request, given as Answer).join()).toMatch(fault)
  })
})

describe("the driver of raw requests", () => {
  let server: Server
  let wire: WireModule
  let reply: string | Buffer
  /** Ends the connection of the next request without an answer. */
  let endNext = false

  beforeAll(async () => {
    wire = await load<WireModule>(join(HOSTILE, "wire.mjs"))
    server = createServer((socket) => {
      socket.on("error", () => undefined)
      // In two pieces, because answers come in any.
      socket.on("data", () => {
        if (endNext) {
          endNext = false
          socket.destroy()
          return
        }
        socket.write(reply.slice(0, 20))
        socket.write(reply.slice(20))
        if (reply.includes("Connection: close")) {
          socket.end()
        }
      })
    })
    await new Promise<void>((done) => server.listen(0, "127.0.0.1", done))
  })

  afterAll(() => new Promise((done) => server.close(done)))

  it.each([
    ["a length", "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello", "GET", "hello"],
    ["chunks", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhe\r\n3\r\nllo\r\n0\r\n\r\n", "GET", "hello"],
    ["the end of the connection", "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nhello", "GET", "hello"],
    ["nothing after HEAD", "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n", "HEAD", ""],
    [
      "an answer after 100 Continue",
      "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello",
      "POST",
      "hello",
    ],
  ])("reads bodies by %s, twice on one connection", async (_how, text, method, body) => {
    reply = text
    const connection = new wire.Wire({ port: (server.address() as AddressInfo).port, timeoutMs: 5_000 })
    const request = wire.requestBytes({ method, target: "/", headers: { Host: "x" } })
    for (let time = 0; time < 2; time += 1) {
      const given = await connection.send(request, { method })
      expect([given.fault, given.status, given.body?.toString()]).toEqual([undefined, 200, body])
    }
    connection.close()
  })

  it("reads what is compressed as it was before, and takes what cannot be read for a fault", async () => {
    const connection = new wire.Wire({ port: (server.address() as AddressInfo).port, timeoutMs: 5_000 })
    const request = wire.requestBytes({ method: "GET", target: "/", headers: { Host: "x" } })
    const sent = (encoding: string, body: Buffer) =>
      Buffer.concat([
        Buffer.from(`HTTP/1.1 200 OK\r\nContent-Encoding: ${encoding}\r\nContent-Length: ${body.length}\r\n\r\n`),
        body,
      ])
    for (const [encoding, body] of [
      ["gzip", gzipSync("hello")],
      ["br", brotliCompressSync("hello")],
    ] as const) {
      reply = sent(encoding, body)
      expect((await connection.send(request)).body?.toString()).toBe("hello")
    }
    reply = sent("gzip", Buffer.from("hello"))
    expect((await connection.send(request)).fault).toBe("a body that is no gzip")
    reply = sent("zstd", Buffer.from("hello"))
    expect((await connection.send(request)).fault).toBe("a body that is no zstd")
    connection.close()
  })

  it("an idle connection that the server ends is opened once more; a new one that it ends is a fault", async () => {
    reply = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello"
    const connection = new wire.Wire({ port: (server.address() as AddressInfo).port, timeoutMs: 5_000 })
    const request = wire.requestBytes({ method: "GET", target: "/", headers: { Host: "x" } })
    expect((await connection.send(request, { method: "GET" })).status).toBe(200)
    endNext = true
    expect((await connection.send(request, { method: "GET" })).status).toBe(200)
    connection.close()
    endNext = true
    expect((await connection.send(request, { method: "GET" })).fault).toMatch(/closed|ECONNRESET/)
    connection.close()
  })

  it("what is no HTTP is a fault", async () => {
    reply = "SSH-2.0-x and more of it\r\n\r\n"
    const connection = new wire.Wire({ port: (server.address() as AddressInfo).port, timeoutMs: 5_000 })
    expect((await connection.send(Buffer.from("x"))).fault).toMatch(/no status line/)
    connection.close()
  })
})

it("the token of a form is one that its page takes: the attacks get past it", async () => {
  const { csrfTokenOf } = await load<{ csrfTokenOf(secret: string, subject: string): string }>(
    join(HOSTILE, "samples.mjs")
  )
  const [secret, sessionId] = ["s".repeat(43), `ses_${"a".repeat(32)}`]
  expect(isTokenValid({ secret, isNew: false, sessionId, token: csrfTokenOf(secret, sessionId) })).toBe(true)
})

it("the same seed makes the same choices, whatever another part draws", async () => {
  const { Random } = await load<RandomModule>(resolve(__dirname, "../../scripts/lib/random.mjs"))
  const draw = (random: { int(count: number): number }) => Array.from({ length: 20 }, () => random.int(1_000))
  expect(draw(new Random(7).fork("fuzz"))).toEqual(draw(new Random(7).fork("fuzz")))
  expect(draw(new Random(7).fork("fuzz"))).not.toEqual(draw(new Random(7).fork("paths")))
  expect(draw(new Random(7))).not.toEqual(draw(new Random(8)))
})
