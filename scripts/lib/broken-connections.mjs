import { connect } from "node:net"

/** How much more than any limit of ours an oversized body sends, in bytes. */
const OVERSIZE_BYTES = 1_000_000
const PART = Buffer.alloc(32_768, "a")
const CHUNK = Buffer.concat([Buffer.from(`${PART.length.toString(16)}\r\n`), PART, Buffer.from("\r\n")])
const PARALLEL = 20

/**
 * The bytes of a request's head.
 * @param request `{ method, path, headers }`
 * @param more headers on top: the body's length or coding
 */
export function headOf({ method, path, headers = {} }, more = {}) {
  const lines = Object.entries({ Host: "localhost", ...headers, ...more }).map(
    ([name, value]) => `${name}: ${value}\r\n`
  )
  return `${method} ${path} HTTP/1.1\r\n${lines.join("")}\r\n`
}

/** A whole request; without a body it has no length either. */
export function bytesOf(request) {
  const { body = "" } = request
  return headOf(request, body === "" ? {} : { "Content-Length": Buffer.byteLength(body) }) + body
}

/** Opens a connection; `answer` resolves with what has come until it is closed, however it is closed. */
export function open(port, host = "localhost") {
  const socket = connect({ port, host, allowHalfOpen: true })
  const received = []
  socket.on("data", (data) => received.push(data))
  // A reset from the other side is one of the answers that are looked for.
  socket.on("error", () => undefined)
  const answer = new Promise((resolve) =>
    socket.once("close", () => resolve(Buffer.concat(received).toString("latin1")))
  )
  socket.on("end", () => socket.end())
  return { socket, answer }
}

const reset = (socket) => socket.resetAndDestroy()

/** Writes until the other side has answered or closed, then `then`. */
function flood(socket, bytes, then) {
  let sent = 0
  let over = false
  const stop = () => {
    if (!over) {
      over = true
      then(socket)
    }
  }
  const more = () => {
    while (!over && !socket.destroyed && sent < bytes) {
      sent += PART.length
      if (!socket.write(CHUNK)) {
        socket.once("drain", more)
        return
      }
    }
    if (sent >= bytes) {
      stop()
    }
  }
  socket.once("data", stop)
  socket.once("close", stop)
  more()
}

const chunked = { "Transfer-Encoding": "chunked" }
const promised = (bytes) => ({ "Content-Length": bytes })

/**
 * Every way in which a client breaks an exchange, by name. Each gets a connected socket and the request that a client in
 * order would send; the connection has to be closed in the end, by one side or the other.
 */
export const BROKEN = {
  resetAtOnce: (socket) => reset(socket),
  resetInHead: (socket, request) => socket.write(headOf(request).slice(0, 20), () => reset(socket)),
  resetAfterHead: (socket, request) => socket.write(headOf(request, promised(1_000)), () => reset(socket)),
  resetInBody: (socket, request) => socket.write(headOf(request, promised(1_000)) + "{", () => reset(socket)),
  resetAfterRequest: (socket, request) => socket.write(bytesOf(request), () => reset(socket)),
  resetAtAnswer: (socket, request) => socket.once("data", () => reset(socket)).write(bytesOf(request)),
  resetAmongPipelined: (socket, request) => socket.write(bytesOf(request).repeat(20), () => reset(socket)),
  closedInHead: (socket, request) => socket.end(headOf(request).slice(0, 20)),
  closedInBody: (socket, request) => socket.end(headOf(request, promised(1_000)) + "{"),
  closedInChunk: (socket, request) => socket.end(headOf(request, chunked) + "ff\r\n{"),
  closedAfterRequest: (socket, request) => socket.end(bytesOf(request)),
  closedAmongPipelined: (socket, request) => socket.end(bytesOf(request).repeat(20)),
  oversizedChunks: (socket, request) => {
    socket.write(headOf(request, chunked))
    flood(socket, OVERSIZE_BYTES, () => socket.end())
  },
  oversizedThenReset: (socket, request) => {
    socket.write(headOf(request, chunked))
    flood(socket, OVERSIZE_BYTES, reset)
  },
  oversizedPromise: (socket, request) =>
    socket.once("data", () => socket.end()).write(headOf(request, promised(10_000_000_000)) + "{"),
  endlessChunks: (socket, request) => {
    socket.write(headOf(request, chunked))
    const more = () => socket.destroyed || socket.write(CHUNK, () => setTimeout(more, 20))
    more()
  },
  wrongChunk: (socket, request) => socket.write(headOf(request, chunked) + "zz\r\n{}\r\n"),
  twoLengths: (socket, request) => socket.write(headOf(request, { ...chunked, ...promised(2) }) + "{}"),
  noHttp: (socket) => socket.write("\x16\x03\x01\x02\x00\x01\x00\r\n\r\n"),
  wrongVersion: (socket, { path }) => socket.write(`GET ${path} HTTP/9.9\r\nHost: x\r\n\r\n`),
  longHead: (socket, request) => socket.write(headOf(request, { "X-Long": "a".repeat(20_000) })),
  expectThenReset: (socket, request) =>
    socket.write(headOf(request, { ...promised(10), Expect: "100-continue" }), () => reset(socket)),
  wrongExpectation: (socket, request) => socket.write(headOf(request, { Expect: "a-miracle", Connection: "close" })),
  upgradeThenReset: (socket, request) =>
    socket.write(headOf(request, { Connection: "Upgrade", Upgrade: "websocket" }), () => reset(socket)),
  connectThenReset: (socket) =>
    socket.write("CONNECT localhost:22 HTTP/1.1\r\nHost: localhost:22\r\n\r\n", () => reset(socket)),
  readsNothing: (socket, request) =>
    socket.pause().write(bytesOf(request).repeat(50), () => setImmediate(() => reset(socket))),
}

/** Those that are ended by the server's time limits: they take as long as these. */
export const SLOW = {
  slowHead: (socket, request) => socket.write(headOf(request).slice(0, 20)),
  slowBody: (socket, request) => socket.write(headOf(request, promised(1_000)) + "{"),
  slowChunks: (socket, request) => socket.write(headOf(request, chunked) + "1\r\n{\r\n"),
}

/**
 * Makes `count` connections of one kind, at most 20 at a time, and waits until all of them are closed.
 * @param kind a function of BROKEN or SLOW
 * @param request `{ method, path, headers, body }`
 * @returns what each got until it was closed
 */
export async function breakConnections({ port, host, kind, request, count }) {
  const answers = []
  const one = async () => {
    while (answers.length < count) {
      const index = answers.push("") - 1
      const { socket, answer } = open(port, host)
      socket.once("connect", () => kind(socket, request))
      answers[index] = await answer
    }
  }
  await Promise.all(Array.from({ length: Math.min(count, PARALLEL) }, one))
  return answers
}
