import { bytesOf, headOf } from "./requests.mjs"

const SMUGGLED = "smuggled-request"

/**
 * A request in another one's body must never be answered. An honest one, which asks for the end of the connection,
 * follows: so it is over when that is answered, or when the first one was refused.
 * @param lines header lines of the outer request, given how long a body with the hidden request is
 */
const smuggling = (name, { lines, body = "{}" }) => ({
  name: `smuggling: ${name}`,
  play: async (connection, { request, random }) => {
    const balance = { method: "GET", path: "/api/v2/payments/balance", headers: request.headers }
    const hidden = headOf(balance, [`X-Request-Id: ${SMUGGLED}`])
    const outer = headOf(request, lines(body.length + hidden.length, body.length, random))
    connection.socket.write(outer + body + hidden + headOf(balance, ["Connection: close"]))
    const wrong = await connection.mustEnd()
    return wrong ?? (connection.text().includes(SMUGGLED) ? "a smuggled request was answered" : undefined)
  },
})

const garbage = (random, length) => Buffer.from(Array.from({ length }, () => random.int(256)))

/** Sends these bytes, which need not be HTTP; either an answer or the end of the connection must come. */
const sending = (name, bytes) => ({
  name,
  play: async (connection, { request, random }) => {
    connection.socket.write(bytes(request, random))
    return connection.mustAnswerOrEnd()
  },
})

/** What is no HTTP, no longer HTTP, or HTTP that is read in two ways. */
export const PROTOCOL = [
  {
    name: "garbage after a request",
    play: async (connection, { request, random }) => {
      connection.socket.write(bytesOf(request))
      connection.socket.write(garbage(random, 200))
      return connection.mustAnswer()
    },
  },
  sending("garbage", (_request, random) => Buffer.concat([garbage(random, 300), Buffer.from("\r\n\r\n")])),
  sending("a TLS greeting", () => Buffer.from("16030100c8010000c40303".padEnd(400, "0"), "hex")),
  smuggling("a length and chunks", {
    lines: (length) => [`Content-Length: ${length}`, "Transfer-Encoding: chunked"],
    body: "0\r\n\r\n",
  }),
  smuggling("two lengths", {
    lines: (length, own) => [`Content-Length: ${own}`, `Content-Length: ${length}`],
  }),
  smuggling("odd transfer encodings", {
    lines: (length, _own, random) => [
      `Content-Length: ${length}`,
      `Transfer-Encoding: ${random.pick(["xchunked", "chunked, identity", "\tchunked\v", "chunked\r\nTransfer-Encoding: x", '"chunked"'])}`,
    ],
  }),
  smuggling("line feeds and folded headers", {
    lines: (length, own, random) => [
      `Content-Length: ${length}`,
      random.pick([
        "X: a\n b",
        "X: a\n\nGET / HTTP/1.1",
        ` Content-Length: ${own}`,
        `Content-Length : ${own}`,
        "X\r: a",
      ]),
    ],
  }),
  sending("upgrades", (request, random) =>
    headOf(request, [
      "Connection: Upgrade",
      `Upgrade: ${random.pick(["websocket", "h2c", "TLS/1.0"])}`,
      "Sec-WebSocket-Key: eA==",
      "Sec-WebSocket-Version: 13",
    ])
  ),
  {
    name: "an upgrade, then reset",
    play: async ({ socket }, { request }) => {
      await new Promise((resolve) => socket.write(headOf(request, ["Connection: Upgrade", "Upgrade: x"]), resolve))
      socket.resetAndDestroy()
    },
  },
  sending("CONNECT", () => "CONNECT 127.0.0.1:22 HTTP/1.1\r\nHost: 127.0.0.1:22\r\n\r\n"),
  {
    name: "CONNECT, then reset",
    play: async ({ socket }) => {
      const bytes = "CONNECT localhost:22 HTTP/1.1\r\nHost: localhost:22\r\n\r\n"
      await new Promise((resolve) => socket.write(bytes, resolve))
      socket.resetAndDestroy()
    },
  },
  sending("HTTP/1.0", (request) => headOf(request, [], "1.0")),
  sending("HTTP/0.9, 2.0 and 9.9", (request, random) =>
    random.pick([
      "GET /\r\n\r\n",
      headOf(request, [], "2.0"),
      headOf(request, [], "9.9"),
      "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    ])
  ),
  sending("absolute targets", (request, random) =>
    headOf({
      ...request,
      path: random.pick([
        `http://evil.invalid${request.path}`,
        "https://localhost/sandbox/api/v2/payments/balance",
        "http://localhost",
        "http://[::1/api/v2",
        "*",
        "//evil.invalid/api/v2/events",
        "ftp://x/api/v2",
      ]),
    })
  ),
  sending("very long targets", (request, random) =>
    headOf({ ...request, path: `${request.path}/${"a".repeat(random.pick([2_000, 7_900, 15_000, 60_000]))}` })
  ),
  sending("very many and very long headers", (request, random) =>
    headOf(
      request,
      random.pick([
        Array.from({ length: 1_900 }, (_, at) => `X${at}: 1`),
        [`X: ${"a".repeat(60_000)}`],
        [`${"X".repeat(15_000)}: 1`],
        [`X-Long: ${"a".repeat(20_000)}`],
        [`Cookie: ${"a=b; ".repeat(2_500)}`],
      ])
    )
  ),
  sending("no Host, two Hosts", ({ path }, random) =>
    random.pick([`GET ${path} HTTP/1.1\r\n\r\n`, `GET ${path} HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n`])
  ),
]
