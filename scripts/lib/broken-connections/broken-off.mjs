import { setTimeout as sleep } from "node:timers/promises"
import { bytesOf, headOf } from "./requests.mjs"

const PIPELINED = 20
const LENGTH = ["Content-Length: 500"]
const CHUNKED = ["Transfer-Encoding: chunked"]

const reset = ({ socket }) => socket.resetAndDestroy()

/** Writes all of it before anything else happens: the other side may have answered by then. */
const written = ({ socket }, bytes) => new Promise((resolve) => socket.write(bytes, resolve))

/** Writes byte by byte, with pauses here and there, so that they arrive in many pieces. */
async function drip({ socket }, bytes, random) {
  for (const byte of Buffer.from(bytes)) {
    socket.write(Buffer.of(byte))
    if (random.chance(0.05)) {
      await sleep(1)
    }
  }
}

/** The client goes away, or comes slowly: in the head, in the body, before the answer. Nobody may wait for its answer. */
export const BROKEN_OFF = [
  { name: "closed at once", play: async ({ socket }) => void socket.end() },
  { name: "reset at once", play: async (connection) => void reset(connection) },
  {
    name: "half-closed in the head",
    play: async ({ socket }, { request, random }) => void socket.end(headOf(request).slice(0, random.between(1, 40))),
  },
  {
    name: "reset in the head",
    play: async (connection, { request, random }) => {
      await written(connection, headOf(request).slice(0, 40))
      await sleep(random.int(5))
      reset(connection)
    },
  },
  {
    name: "a slow head, then closed",
    play: async (connection, { request }) => {
      for (const byte of headOf(request).slice(0, 10)) {
        connection.socket.write(byte)
        await sleep(5)
      }
      connection.socket.destroy()
    },
  },
  {
    name: "reset after the head",
    play: async (connection, { request }) => {
      await written(connection, headOf(request, LENGTH))
      reset(connection)
    },
  },
  {
    name: "half-closed after the head",
    play: async (connection, { request }) => {
      connection.socket.end(headOf(request, LENGTH))
      return connection.mustAnswerOrEnd()
    },
  },
  {
    name: "half-closed in the body",
    play: async (connection, { request }) => {
      connection.socket.end(`${headOf(request, LENGTH)}{"order_id":`)
      return connection.mustAnswerOrEnd()
    },
  },
  {
    name: "closed in the body",
    play: async (connection, { request, random }) => {
      await written(connection, `${headOf(request, LENGTH)}{"order_id":`)
      await sleep(random.int(15))
      connection.socket.destroy()
    },
  },
  {
    name: "reset in the body",
    play: async (connection, { request, random }) => {
      await written(connection, `${headOf(request, LENGTH)}{"order_id":`)
      await sleep(random.int(15))
      reset(connection)
    },
  },
  {
    name: "a slow body, then reset",
    play: async (connection, { request }) => {
      connection.socket.write(headOf(request, LENGTH))
      for (let sent = 0; sent < 10; sent += 1) {
        connection.socket.write(" ")
        await sleep(5)
      }
      reset(connection)
    },
  },
  {
    name: "half-closed in a chunk",
    play: async (connection, { request }) => {
      connection.socket.end(`${headOf(request, CHUNKED)}ff\r\n{`)
      return connection.mustAnswerOrEnd()
    },
  },
  {
    name: "reset in a chunk",
    play: async (connection, { request, random }) => {
      await written(connection, `${headOf(request, CHUNKED)}ffff\r\n{"a"`)
      await sleep(random.int(15))
      reset(connection)
    },
  },
  {
    name: "half-closed after the request",
    play: async (connection, { request }) => {
      connection.socket.end(bytesOf(request))
      return connection.mustAnswerOrEnd()
    },
  },
  {
    name: "closed before the answer",
    play: async (connection, { request, random }) => {
      await written(connection, bytesOf(request))
      await sleep(random.int(15))
      connection.socket.destroy()
    },
  },
  {
    name: "reset before the answer",
    play: async (connection, { request, random }) => {
      await written(connection, bytesOf(request))
      await sleep(random.int(15))
      reset(connection)
    },
  },
  {
    name: "reset at the answer",
    play: async (connection, { request }) => {
      connection.socket.once("data", () => reset(connection)).write(bytesOf(request))
      return connection.mustEnd()
    },
  },
  {
    name: "many requests at once, then half-closed",
    play: async (connection, { request }) => {
      connection.socket.end(bytesOf(request).repeat(PIPELINED))
      return connection.mustAnswerOrEnd()
    },
  },
  {
    name: "many requests at once, then reset",
    play: async (connection, { request, random }) => {
      await written(connection, bytesOf(request).repeat(PIPELINED))
      await sleep(random.int(10))
      reset(connection)
    },
  },
  {
    name: "many requests at once, and no answer read, then reset",
    play: async (connection, { request }) => {
      connection.socket.pause()
      await written(connection, bytesOf(request).repeat(2 * PIPELINED))
      reset(connection)
    },
  },
  {
    name: "the head in single bytes",
    play: async (connection, { request, random }) => {
      const { body = "" } = request
      const bytes = bytesOf(request)
      const head = bytes.slice(0, bytes.length - body.length)
      const from = Date.now()
      await drip(connection, head, random)
      connection.socket.write(body)
      return connection.mustAnswerInTime(request.success, from)
    },
  },
  {
    name: "the body in single bytes",
    play: async (connection, { request, random }) => {
      const { body = "" } = request
      const bytes = bytesOf(request)
      const from = Date.now()
      connection.socket.write(bytes.slice(0, bytes.length - body.length))
      await drip(connection, body, random)
      return connection.mustAnswerInTime(request.success, from)
    },
  },
]

/** The client says nothing more: the server's own time limits end these, and they take as long. */
export const SLOW = {
  head: {
    name: "a head that does not end",
    play: async (connection, { request }) => {
      connection.socket.write(headOf(request).slice(0, 20))
      return connection.mustEnd()
    },
  },
  body: {
    name: "a body that does not end",
    play: async (connection, { request }) => {
      connection.socket.write(`${headOf(request, LENGTH)}{`)
      return connection.mustEnd()
    },
  },
  chunks: {
    name: "chunks that do not end",
    play: async (connection, { request }) => {
      connection.socket.write(`${headOf(request, CHUNKED)}1\r\n{\r\n`)
      return connection.mustEnd()
    },
  },
}
