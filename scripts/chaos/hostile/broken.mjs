const BIG = 300 * 1024
const crlf = (...lines) => `${lines.join("\r\n")}\r\n`

/** The head of a checkout, which reads a body, with these headers on top. */
const post = (key, more = [], target = "/api/v2/payments/checkout") =>
  crlf(
    `POST ${target} HTTP/1.1`,
    "Host: localhost",
    `X-Merchant-API-Key: ${key}`,
    "Content-Type: application/json",
    ...more,
    ""
  )
const get = (key, more = [], target = "/api/v2/payments/balance", version = "1.1") =>
  crlf(`GET ${target} HTTP/${version}`, "Host: localhost", `X-Merchant-API-Key: ${key}`, ...more, "")
const chunk = (text) => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`
const form = (target, more) =>
  crlf(`POST ${target} HTTP/1.1`, "Host: localhost", "Content-Type: application/x-www-form-urlencoded", ...more, "")

const PATHS_WITH_BODIES = [
  "/pay/ses_TJOetj5b3ggzVFDt7SL86D1PYwJNrpVZ",
  "/pay/invoice/inp_ff64056f71494f0280b71dcbf59b9d9d",
  "/hooks/payment/gateway_default",
  "/admin/gateway/plans",
  "/store/gateway/subscriptions/x/cancel",
  "/auth/user/emailpass",
]
const ANSWER_MS = 20_000

/** An answer must come, and be the client's fault or fine. */
async function answered({ wait }, allowed = /^HTTP\/1\.1 [1234]\d\d/) {
  if (!(await wait.answered(ANSWER_MS))) {
    return "neither answered nor closed"
  }
  return allowed.test(wait.text()) ? undefined : `answered ${wait.text().slice(0, 40).replaceAll("\r\n", " ")}`
}

/** Either an answer or the end of the connection, but not silence. */
async function over({ wait }) {
  const ended = await Promise.race([wait.closed.then(() => true), wait.answered(ANSWER_MS)])
  if (!ended) {
    return "neither answered nor closed"
  }
  return /^HTTP\/1\.1 5/.test(wait.text()) ? `answered ${wait.text().slice(0, 40)}` : undefined
}

/** A smuggled request is one that the first one's body held: it must never be answered. */
async function notSmuggled(to) {
  const wrong = await over(to)
  await to.wait.ms(20)
  return wrong ?? (/x-request-id: smuggled/i.test(to.wait.text()) ? "a smuggled request was answered" : undefined)
}
const SMUGGLED = (key) => get(key, ["X-Request-Id: smuggled-request"])

/**
 * The ways in which connections break: `play(socket, { key, order, random, wait })` answers what is wrong in words, or
 * nothing. Nobody waits for an answer where the client is gone.
 */
export const KINDS = [
  { name: "closed at once", play: async (socket) => void socket.end() },
  { name: "reset at once", play: async (socket) => void socket.resetAndDestroy() },
  {
    name: "closed in the head",
    play: async (socket, { random }) =>
      void socket.end(
        "GET /api/v2/payments/balance HTTP/1.1\r\nHost: localhost\r\nX-Merch".slice(0, random.between(1, 60))
      ),
  },
  {
    name: "reset in the head",
    play: async (socket, { random, wait }) => {
      socket.write("POST /api/v2/payments/checkout HTTP/1.1\r\nHost: loc")
      await wait.ms(random.int(5))
      socket.resetAndDestroy()
    },
  },
  {
    name: "closed in the body",
    play: async (socket, { key, random, wait }) => {
      socket.write(`${post(key, ["Content-Length: 500"])}{"order_id":`)
      await wait.ms(random.int(15))
      socket.destroy()
    },
  },
  {
    name: "reset in the body",
    play: async (socket, { key, random, wait }) => {
      socket.write(`${post(key, ["Content-Length: 500"])}{"order_id":`)
      await wait.ms(random.int(15))
      socket.resetAndDestroy()
    },
  },
  {
    name: "reset in a chunk",
    play: async (socket, { key, random, wait }) => {
      socket.write(`${post(key, ["Transfer-Encoding: chunked"])}ffff\r\n{"a"`)
      await wait.ms(random.int(15))
      socket.resetAndDestroy()
    },
  },
  {
    name: "reset before the answer",
    play: async (socket, { key, order, random, wait }) => {
      const body = order()
      socket.write(`${post(key, [`Content-Length: ${Buffer.byteLength(body)}`])}${body}`)
      await wait.ms(random.int(15))
      socket.resetAndDestroy()
    },
  },
  {
    name: "closed before the answer",
    play: async (socket, { key, random, wait }) => {
      socket.write(get(key))
      await wait.ms(random.int(10))
      socket.destroy()
    },
  },
  {
    name: "half-closed after the head",
    play: async (socket, to) => {
      socket.end(post(to.key, ["Content-Length: 500"]))
      return over(to)
    },
  },
  {
    name: "half-closed in the body",
    play: async (socket, to) => {
      socket.end(`${post(to.key, ["Transfer-Encoding: chunked"])}5\r\n{"a":`)
      return over(to)
    },
  },
  {
    name: "half-closed after the request",
    play: async (socket, to) => {
      socket.end(get(to.key))
      return over(to)
    },
  },
  {
    name: "the head in single bytes",
    play: async (socket, to) => {
      for (const byte of get(to.key, ["Connection: close"])) {
        socket.write(byte)
        if (to.random.chance(0.1)) {
          await to.wait.ms(1)
        }
      }
      return answered(to, /^HTTP\/1\.1 200/)
    },
  },
  {
    name: "the body in single bytes",
    play: async (socket, to) => {
      const body = to.order()
      socket.write(post(to.key, [`Content-Length: ${Buffer.byteLength(body)}`]))
      for (const byte of body) {
        socket.write(byte)
        if (to.random.chance(0.05)) {
          await to.wait.ms(1)
        }
      }
      return answered(to, /^HTTP\/1\.1 200/)
    },
  },
  {
    name: "slow head, then closed",
    play: async (socket, { key, wait }) => {
      const head = get(key)
      for (let at = 0; at < 10; at++) {
        socket.write(head[at])
        await wait.ms(5)
      }
      socket.destroy()
    },
  },
  {
    name: "slow body, then reset",
    play: async (socket, { key, wait }) => {
      socket.write(post(key, ["Content-Length: 500"]))
      for (let at = 0; at < 10; at++) {
        socket.write(" ")
        await wait.ms(5)
      }
      socket.resetAndDestroy()
    },
  },
  {
    name: "chunks beyond every limit",
    play: async (socket, to) => {
      socket.write(post(to.key, ["Transfer-Encoding: chunked"]))
      for (let sent = 0; sent < BIG; sent += 16_384) {
        socket.write(chunk("x".repeat(16_384)))
      }
      socket.write("0\r\n\r\n")
      return over(to)
    },
  },
  {
    name: "chunks beyond every limit elsewhere",
    play: async (socket, to) => {
      socket.write(form(to.random.pick(PATHS_WITH_BODIES), ["Transfer-Encoding: chunked"]))
      for (let sent = 0; sent < BIG; sent += 16_384) {
        socket.write(chunk("x".repeat(16_384)))
      }
      socket.write("0\r\n\r\n")
      return over(to)
    },
  },
  {
    name: "a length beyond every limit, and nothing sent",
    play: async (socket, to) => {
      socket.write(post(to.key, ["Content-Length: 99999999999"]))
      return answered(to, /^HTTP\/1\.1 4/)
    },
  },
  {
    name: "a length beyond every limit, and all of it sent",
    play: async (socket, to) => {
      socket.write(post(to.key, [`Content-Length: ${BIG}`]))
      socket.write("x".repeat(BIG))
      return over(to)
    },
  },
  {
    name: "a large body for a path that takes none",
    play: async (socket, to) => {
      socket.write(post(to.key, ["Transfer-Encoding: chunked"], "/api/v2/payments/nothing"))
      socket.write(chunk("x".repeat(200_000)))
      socket.write("0\r\n\r\n")
      return over(to)
    },
  },
  {
    name: "chunk sizes that are none",
    play: async (socket, to) => {
      socket.write(
        `${post(to.key, ["Transfer-Encoding: chunked"])}${to.random.pick(["zz", "-1", "0x5", "fffffffffffffffff", "1;a=\0", "", "5 5", "１"])}\r\n{"a":1}\r\n0\r\n\r\n`
      )
      return over(to)
    },
  },
  {
    name: "chunk extensions and trailers",
    play: async (socket, to) => {
      socket.write(
        `${post(to.key, ["Transfer-Encoding: chunked", "Trailer: X-Merchant-API-Key"])}2;${"a".repeat(2_000)}=b\r\n{}\r\n0\r\nX-Merchant-API-Key: x\r\nContent-Length: 5\r\n\r\n`
      )
      return over(to)
    },
  },
  {
    name: "garbage after a request",
    play: async (socket, to) => {
      socket.write(get(to.key))
      socket.write(Buffer.from(Array.from({ length: 200 }, () => to.random.int(256))))
      return answered(to)
    },
  },
  {
    name: "garbage",
    play: async (socket, to) => {
      socket.write(
        Buffer.concat([Buffer.from(Array.from({ length: 300 }, () => to.random.int(256))), Buffer.from("\r\n\r\n")])
      )
      return over(to)
    },
  },
  {
    name: "a TLS greeting",
    play: async (socket, to) => {
      socket.write(Buffer.from("16030100c8010000c40303".padEnd(400, "0"), "hex"))
      return over(to)
    },
  },
  {
    name: "twenty requests at once, and gone",
    play: async (socket, { key, random, wait }) => {
      socket.write(get(key).repeat(20))
      await wait.ms(random.int(10))
      socket.resetAndDestroy()
    },
  },
  {
    name: "smuggling: length and chunks",
    play: async (socket, to) => {
      const hidden = SMUGGLED(to.key)
      socket.write(
        `${post(to.key, [`Content-Length: ${5 + hidden.length}`, "Transfer-Encoding: chunked"])}0\r\n\r\n${hidden}`
      )
      return notSmuggled(to)
    },
  },
  {
    name: "smuggling: two lengths",
    play: async (socket, to) => {
      const hidden = SMUGGLED(to.key)
      socket.write(`${post(to.key, ["Content-Length: 2", `Content-Length: ${2 + hidden.length}`])}{}${hidden}`)
      return notSmuggled(to)
    },
  },
  {
    name: "smuggling: odd transfer encodings",
    play: async (socket, to) => {
      const hidden = SMUGGLED(to.key)
      const odd = to.random.pick([
        "xchunked",
        "chunked, identity",
        "\tchunked\v",
        "chunked\r\nTransfer-Encoding: x",
        '"chunked"',
      ])
      socket.write(`${post(to.key, [`Content-Length: ${2 + hidden.length}`, `Transfer-Encoding: ${odd}`])}{}${hidden}`)
      return notSmuggled(to)
    },
  },
  {
    name: "smuggling: line feeds and folded headers",
    play: async (socket, to) => {
      const hidden = SMUGGLED(to.key)
      socket.write(
        `${post(to.key, [`Content-Length: ${2 + hidden.length}`, to.random.pick(["X: a\n b", "X: a\n\nGET / HTTP/1.1", " Content-Length: 2", "Content-Length : 2", "X\r: a"])])}{}${hidden}`
      )
      return notSmuggled(to)
    },
  },
  {
    name: "upgrade requests",
    play: async (socket, to) => {
      socket.write(
        get(
          to.key,
          [
            "Connection: Upgrade",
            `Upgrade: ${to.random.pick(["websocket", "h2c", "TLS/1.0"])}`,
            "Sec-WebSocket-Key: eA==",
            "Sec-WebSocket-Version: 13",
          ],
          to.random.pick(["/api/v2/payments/balance", "/pay/x", "/admin/gateway", "/"])
        )
      )
      return over(to)
    },
  },
  {
    name: "CONNECT",
    play: async (socket, to) => {
      socket.write("CONNECT 127.0.0.1:22 HTTP/1.1\r\nHost: 127.0.0.1:22\r\n\r\n")
      return over(to)
    },
  },
  {
    name: "Expect: 100-continue, and gone",
    play: async (socket, { key, wait }) => {
      socket.write(post(key, ["Content-Length: 500", "Expect: 100-continue"]))
      await wait.answered(2_000)
      socket.resetAndDestroy()
    },
  },
  {
    name: "Expect: something else",
    play: async (socket, to) => {
      socket.write(`${post(to.key, ["Content-Length: 2", "Expect: the-unexpected"])}{}`)
      return answered(to, /^HTTP\/1\.1 4/)
    },
  },
  {
    name: "HTTP/1.0",
    play: async (socket, to) => {
      socket.write(get(to.key, [], "/api/v2/payments/balance", "1.0"))
      return over(to)
    },
  },
  {
    name: "HTTP/0.9, 2.0 and 9.9",
    play: async (socket, to) => {
      socket.write(
        to.random.pick([
          "GET /\r\n\r\n",
          get(to.key, [], "/", "2.0"),
          get(to.key, [], "/", "9.9"),
          "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
        ])
      )
      return over(to)
    },
  },
  {
    name: "absolute targets",
    play: async (socket, to) => {
      socket.write(
        get(
          to.key,
          [],
          to.random.pick([
            "http://evil.invalid/api/v2/payments/balance",
            "https://localhost/sandbox/api/v2/payments/balance",
            "http://localhost",
            "http://[::1/api/v2",
            "*",
            "//evil.invalid/api/v2/events",
            "ftp://x/api/v2",
          ])
        )
      )
      return over(to)
    },
  },
  {
    name: "very long targets",
    play: async (socket, to) => {
      socket.write(
        get(to.key, [], `/api/v2/payments/verify/${"a".repeat(to.random.pick([2_000, 7_900, 15_000, 60_000]))}`)
      )
      return over(to)
    },
  },
  {
    name: "very many and very long headers",
    play: async (socket, to) => {
      socket.write(
        get(
          to.key,
          to.random.pick([
            Array.from({ length: 1_900 }, (_, at) => `X${at}: 1`),
            [`X: ${"a".repeat(60_000)}`],
            [`${"X".repeat(15_000)}: 1`],
            [`Cookie: ${"a=b; ".repeat(2_500)}`],
          ])
        )
      )
      return over(to)
    },
  },
  {
    name: "no Host, two Hosts",
    play: async (socket, to) => {
      socket.write(
        to.random.pick([
          "GET /api/v2/events HTTP/1.1\r\n\r\n",
          "GET /api/v2/events HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
        ])
      )
      return over(to)
    },
  },
]
