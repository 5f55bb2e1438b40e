import { randomBytes } from "node:crypto"
import { createServer, type RequestListener, type Server } from "node:http"
import { createServer as createTlsServer } from "node:https"
import { createServer as createNetServer, type AddressInfo, type Socket } from "node:net"
import { gzipSync } from "node:zlib"
import type { Agent } from "undici"
import { until } from "../../../../../../integration-tests/support/until"
import { translate } from "../../../../../i18n/translate"
import { guardedAgent } from "../guarded-agent"
import { send } from "../send"
import { CLAIM } from "../statements"
import { makeCertificate, type Certificate } from "./certificates"

const closing: (() => Promise<unknown>)[] = []
const DAY_MS = 86_400_000
const DEADLINE_MS = 400

afterEach(async () => {
  await Promise.all(closing.splice(0).map((close) => close()))
})

async function listening(server: Server): Promise<number> {
  await new Promise<void>((done) => server.listen(0, "localhost", done))
  closing.push(() => {
    server.closeAllConnections?.()
    return new Promise((done) => server.close(done))
  })
  return (server.address() as AddressInfo).port
}

async function serve(listener: RequestListener): Promise<string> {
  return `http://localhost:${await listening(createServer(listener))}/`
}

/** A server that writes these bytes whatever the request. */
async function serveBytes(write: (socket: Socket) => void): Promise<string> {
  const sockets = new Set<Socket>()
  const server = createNetServer((socket) => {
    sockets.add(socket)
    socket.on("error", () => socket.destroy())
    socket.once("data", () => write(socket))
  })
  closing.unshift(async () => sockets.forEach((socket) => socket.destroy()))
  return `http://localhost:${await listening(server as unknown as Server)}/`
}

function agentWith(options: { ca?: string } = {}): Agent {
  const agent = guardedAgent({ allowPrivate: true, ...options })
  closing.unshift(() => agent.destroy())
  return agent
}

/** With what went wrong in words, as a merchant reads it. */
const post = async (url: string, agent = agentWith(), deadline = 5_000) => {
  const result = await send(agent, { url, headers: { "x-webhook-signature": "abc" }, body: '{"a":"ক"}' }, deadline)
  return { ...result, error: result.error && translate(result.error) }
}

describe("decisions: Webhooks — what is sent", () => {
  it("one POST of exactly these bytes, with a length and without asking for compression", async () => {
    const got: { method?: string; headers: NodeJS.Dict<string | string[]>; body: string }[] = []
    const url = await serve(async (request, response) => {
      const chunks: Buffer[] = []
      for await (const chunk of request) {
        chunks.push(chunk as Buffer)
      }
      got.push({ method: request.method, headers: request.headers, body: Buffer.concat(chunks).toString("utf8") })
      response.end("thanks")
    })
    const result = await post(`${url}hook?a=1`)
    expect(result).toEqual({
      status_code: 200,
      response: "thanks",
      error: null,
      duration_ms: expect.any(Number),
      retry_after_seconds: 0,
    })
    expect(got).toHaveLength(1)
    expect(got[0]).toMatchObject({ method: "POST", body: '{"a":"ক"}' })
    expect(got[0].headers).toMatchObject({
      "content-type": "application/json",
      "content-length": "11",
      "x-webhook-signature": "abc",
    })
    expect(got[0].headers["accept-encoding"]).toBeUndefined()
  })
})

describe("decisions: Webhooks — 200 only", () => {
  it.each([201, 202, 204, 301, 302, 303, 307, 308, 400, 401, 404, 410, 429, 500, 502, 503])(
    "%i is a failure, and is not followed",
    async (status) => {
      let elsewhere = 0
      const url = await serve((request, response) => {
        elsewhere += request.url === "/" ? 0 : 1
        response.writeHead(status, { Location: "/elsewhere" }).end()
      })
      expect(await post(url)).toMatchObject({
        status_code: status,
        error: `The receiver answered ${status} instead of 200`,
      })
      expect(elsewhere).toBe(0)
    }
  )

  it("a redirect to a private address is an ordinary response and is not followed", async () => {
    let hits = 0
    const inside = await serve((_request, response) => {
      hits += 1
      response.end()
    })
    for (const location of [inside, "http://169.254.169.254/latest/meta-data/", "//127.0.0.1/", "file:///etc/passwd"]) {
      const url = await serve((_request, response) => response.writeHead(307, { Location: location }).end())
      expect((await post(url)).status_code).toBe(307)
    }
    const refreshing = await serve((_request, response) =>
      response.writeHead(200, { Refresh: `0; url=${inside}`, Link: `<${inside}>; rel=preload` }).end()
    )
    expect((await post(refreshing)).status_code).toBe(200)
    expect(hits).toBe(0)
  })

  it.each([
    ["600", 600],
    ["0", 0],
    ["86400", 86_400],
    ["-5", 0],
    ["1e9", 0],
    ["99999999999", 0],
    ["soon", 0],
    [" 7 ", 7],
  ])("Retry-After: %s is %i seconds", async (value, seconds) => {
    const url = await serve((_request, response) => response.writeHead(503, { "Retry-After": value }).end())
    expect((await post(url)).retry_after_seconds).toBe(seconds)
  })
})

describe("answers made to hurt", () => {
  it("an endless body is cut off at 64 KiB, and counts as what its status says", async () => {
    let poured = 0
    let ended = false
    const url = await serve((_request, response) => {
      const chunk = Buffer.alloc(16_384, "x")
      const pour = () => {
        while (!response.destroyed && response.write(chunk)) {
          poured += chunk.length
        }
      }
      response.on("drain", pour).on("close", () => (ended = true))
      pour()
    })
    const result = await post(url)
    expect(result).toMatchObject({ status_code: 200, error: null })
    expect(result.response).toHaveLength(1_024)
    await until("the connection has ended", () => ended)
    expect(poured).toBeLessThan(8 * 1024 * 1024)
  })

  it("a compressed bomb is never unpacked: what is kept is the first kilobyte of what came", async () => {
    const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024))
    const url = await serve((_request, response) => response.writeHead(200, { "Content-Encoding": "gzip" }).end(bomb))
    const before = process.memoryUsage().rss
    const result = await post(url)
    expect(result.status_code).toBe(200)
    expect(Buffer.byteLength(result.response ?? "")).toBeLessThanOrEqual(3 * 1_024)
    expect(process.memoryUsage().rss - before).toBeLessThan(32 * 1024 * 1024)
  })

  it.each(["gzip, gzip", "br", "deflate", "zstd", "nonsense"])(
    "Content-Encoding %s over rubbish does not matter",
    async (encoding) => {
      const url = await serve((_request, response) =>
        response.writeHead(200, { "Content-Encoding": encoding }).end("rubbish")
      )
      expect(await post(url)).toMatchObject({ status_code: 200, response: "rubbish" })
    }
  )

  it("bytes that are no text, NUL among them, become text that PostgreSQL can store", async () => {
    const url = await serve((_request, response) =>
      response.end(Buffer.concat([Buffer.from("a\0b"), randomBytes(900), Buffer.from([0xff, 0xfe, 0x00])]))
    )
    const { response } = await post(url)
    expect(response).not.toContain("\0")
    expect(response).toMatch(/^a\ufffdb/)
    expect(Buffer.from(response ?? "").toString("utf8")).toBe(response)
  })

  it("a letter cut in two at the end of the kilobyte does no harm", async () => {
    const url = await serve((_request, response) => response.end("x".repeat(1_023) + "ক".repeat(10)))
    expect((await post(url)).response).toMatch(/^x{1023}\ufffd+$/)
  })

  it.each([
    ["headers that never end", (socket: Socket) => void socket.write(`HTTP/1.1 200 OK\r\nX: ${"x".repeat(200_000)}`)],
    ["no HTTP", (socket: Socket) => void socket.end("SSH-2.0-OpenSSH_9.6\r\n\r\n")],
    ["nothing at all", (socket: Socket) => void socket.end()],
    ["a reset", (socket: Socket) => void socket.resetAndDestroy()],
    [
      "two lengths",
      (socket: Socket) => void socket.end("HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 5\r\n\r\nhello"),
    ],
    [
      "a length and chunks",
      (socket: Socket) =>
        void socket.end("HTTP/1.1 200 OK\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n"),
    ],
    [
      "a body that breaks off",
      (socket: Socket) => void socket.end("HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\nhello"),
    ],
    [
      "an upgrade",
      (socket: Socket) =>
        void socket.end("HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n"),
    ],
    ["NUL in a header", (socket: Socket) => void socket.end("HTTP/1.1 200 OK\r\nX: a\0b\r\nContent-Length: 0\r\n\r\n")],
    ["a status that is none", (socket: Socket) => void socket.end("HTTP/1.1 20 OK\r\nContent-Length: 0\r\n\r\n")],
  ])("%s is a failure in words", async (_name, write) => {
    const result = await post(await serveBytes(write), agentWith(), 3_000)
    expect(result.status_code).toBeNull()
    expect(result.error).toMatch(/^[A-Z][^\0]{5,}/)
  })

  const OK = "HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nthanks"
  const CONTINUE = "HTTP/1.1 100 Continue\r\n\r\n"
  const HINTS = "HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n"
  const whole = (text: string) => (socket: Socket) => void socket.write(text)
  /** Each byte in a packet of its own. */
  const dripping = (text: string) => async (socket: Socket) => {
    socket.setNoDelay(true)
    for (const byte of text) {
      await new Promise((done) => socket.write(byte, done))
    }
  }
  it.each<[string, (socket: Socket) => void, number, string]>([
    ["100 Continue", whole(CONTINUE + OK), 200, "thanks"],
    ["100 Continue of HTTP/1.0, with a header", whole(`HTTP/1.0 100 C\r\nServer: x\r\n\r\n${OK}`), 200, "thanks"],
    ["103 Early Hints", whole(HINTS + OK), 200, "thanks"],
    ["several of them, in any order", whole(HINTS + CONTINUE + CONTINUE + HINTS + OK), 200, "thanks"],
    ["100 Continue byte by byte", dripping(CONTINUE + HINTS + OK), 200, "thanks"],
    ["a plain answer byte by byte", dripping(OK), 200, "thanks"],
    ["100 Continue, then a failure", whole(`${CONTINUE}HTTP/1.1 500 No\r\nContent-Length: 0\r\n\r\n`), 500, ""],
  ])("contract 6.3 — the final status decides, not what comes before it: %s", async (_name, write, status, body) => {
    const url = await serveBytes((socket) => {
      write(socket)
      socket.on("data", () => write(socket))
    })
    const agent = agentWith()
    // The second one is on the same connection.
    const results = [await post(url, agent), await post(url, agent)]
    expect(results.map(({ status_code, response }) => [status_code, response])).toEqual(Array(2).fill([status, body]))
  })

  it.each([
    ["the start of a head, and the end", (socket: Socket) => void socket.end("HTTP")],
    ["no HTTP, and silence", (socket: Socket) => void socket.write("hello")],
  ])("%s: a failure at once, not at the deadline", async (_name, write) => {
    const { status_code, error } = await post(await serveBytes(write))
    expect([status_code, error]).toEqual([null, expect.not.stringContaining("within")])
  })

  it("a receiver that sends only early hints has not answered: the delivery fails at its deadline", async () => {
    const url = await serveBytes((socket) => void socket.write(HINTS.repeat(5)))
    expect((await post(url, agentWith(), DEADLINE_MS)).error).toMatch(/within 0.4 seconds/)
  })
})

describe("contract 6.3 — the deadline is over everything", () => {
  it.each([
    ["a receiver that never answers", () => undefined],
    ["headers, then silence", (socket: Socket) => void socket.write("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n")],
    [
      "a body that drips",
      (socket: Socket) => {
        socket.write("HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n")
        const timer = setInterval(() => socket.write("x"), 20)
        socket.on("close", () => clearInterval(timer))
      },
    ],
    [
      "headers that drip",
      (socket: Socket) => {
        socket.write("HTTP/1.1 200 OK\r\n")
        const timer = setInterval(() => socket.write("X: y\r\n"), 20)
        socket.on("close", () => clearInterval(timer))
      },
    ],
  ])("%s", async (_name, write) => {
    const started = Date.now()
    const result = await post(await serveBytes(write), agentWith(), DEADLINE_MS)
    expect(result).toMatchObject({ status_code: null, error: "The receiver did not answer within 0.4 seconds" })
    expect(Date.now() - started).toBeGreaterThanOrEqual(DEADLINE_MS - 10)
    expect(Date.now() - started).toBeLessThan(5_000)
  })

  it("contract 6.3 rule 2: connecting may take the whole 30 seconds, and a delivery's lease lasts longer", () => {
    const buildConnector = jest.spyOn(jest.requireActual<typeof import("undici")>("undici"), "buildConnector")
    agentWith()
    expect(buildConnector).toHaveBeenCalledWith(expect.objectContaining({ timeout: 30_000 }))
    buildConnector.mockRestore()
    const [, lease] = /locked_until = now\(\) \+ ([0-9]+) \* interval '1 second'/.exec(CLAIM) ?? []
    expect(Number(lease)).toBeGreaterThan(30)
  })

  it("hanging paths of a host do not hold the others of the same host back", async () => {
    let waiting = 0
    const url = await serve((request, response) => {
      if (request.url === "/hang") {
        waiting += 1
      } else {
        response.end()
      }
    })
    const agent = agentWith()
    const hanging = Array.from({ length: 100 }, () => post(`${url}hang`, agent, 2_000))
    await until("all hang", () => waiting === 100, { everyMs: 10 })
    expect((await post(`${url}healthy`, agent, 1_500)).status_code).toBe(200)
    await agent.destroy()
    expect((await Promise.all(hanging)).every(({ status_code }) => status_code === null)).toBe(true)
  })
})

describe("decisions: Callback URLs — TLS", () => {
  const authority = makeCertificate({ commonName: "Authority of the tests" })
  const serveTls = async (certificate: Certificate, heard: { count: number }) => {
    const server = createTlsServer({ cert: certificate.cert, key: certificate.key }, (_request, response) => {
      heard.count += 1
      response.end()
    })
    server.on("tlsClientError", () => undefined)
    return `https://localhost:${await listening(server as unknown as Server)}/`
  }

  it("a certificate that is right is accepted, so that the others are refused for their own reasons", async () => {
    const heard = { count: 0 }
    const url = await serveTls(makeCertificate({ commonName: "shop", hosts: ["localhost"], issuer: authority }), heard)
    expect(await post(url, agentWith({ ca: authority.cert }))).toMatchObject({ status_code: 200, error: null })
    expect(heard.count).toBe(1)
  })

  it.each([
    ["self-signed", () => makeCertificate({ commonName: "shop", hosts: ["localhost"] }), /self-signed/],
    [
      "expired",
      () =>
        makeCertificate({
          commonName: "shop",
          hosts: ["localhost"],
          issuer: authority,
          notBefore: new Date(Date.now() - 2 * DAY_MS),
          notAfter: new Date(Date.now() - DAY_MS),
        }),
      /expired/,
    ],
    [
      "not valid yet",
      () =>
        makeCertificate({
          commonName: "shop",
          hosts: ["localhost"],
          issuer: authority,
          notBefore: new Date(Date.now() + DAY_MS),
          notAfter: new Date(Date.now() + 2 * DAY_MS),
        }),
      /not.*valid/,
    ],
    [
      "for another host",
      () => makeCertificate({ commonName: "shop", hosts: ["shop.example.com"], issuer: authority }),
      /another host/,
    ],
    [
      "of an unknown authority",
      () =>
        makeCertificate({
          commonName: "shop",
          hosts: ["localhost"],
          issuer: makeCertificate({ commonName: "Nobody" }),
        }),
      /cannot be verified/,
    ],
  ])("%s: refused, and the event is never sent", async (_name, make, words) => {
    const heard = { count: 0 }
    const result = await post(await serveTls(make(), heard), agentWith({ ca: authority.cert }))
    expect(result.status_code).toBeNull()
    expect(result.error).toMatch(words)
    expect(heard.count).toBe(0)
  })

  it("plain HTTP where TLS was meant is a failure in words", async () => {
    const url = await serve((_request, response) => response.end())
    expect(await post(url.replace("http:", "https:"))).toMatchObject({ status_code: null, error: expect.any(String) })
  })
})
