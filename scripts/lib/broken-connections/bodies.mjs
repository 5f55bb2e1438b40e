import { setTimeout as sleep } from "node:timers/promises"
import { headOf } from "./requests.mjs"

/** More than any limit of ours, in bytes. */
const OVERSIZE_BYTES = 1_000_000
const LARGE_BYTES = 200_000
const PART = Buffer.alloc(32_768, "a")
const CHUNK = Buffer.concat([Buffer.from(`${PART.length.toString(16)}\r\n`), PART, Buffer.from("\r\n")])
const CHUNKED = ["Transfer-Encoding: chunked"]
const CLIENTS_FAULT = /^HTTP\/1\.1 4\d\d/

/** Writes so many bytes in chunks, or until the other side has answered or closed. */
async function flood({ socket }, bytes) {
  let answered = false
  socket.once("data", () => (answered = true))
  for (let sent = 0; sent < bytes && !answered && !socket.destroyed; sent += PART.length) {
    if (!socket.write(CHUNK)) {
      await new Promise((resolve) => {
        for (const event of ["drain", "data", "end", "close"]) {
          socket.once(event, resolve)
        }
      })
    }
  }
}

/** Bodies that are too large, endless, or no bodies at all. */
export const BODIES = [
  {
    name: "chunks beyond every limit",
    play: async (connection, { request }) => {
      connection.socket.write(headOf(request, CHUNKED))
      await flood(connection, OVERSIZE_BYTES)
      connection.socket.end("0\r\n\r\n")
      return connection.mustAnswerOrEnd()
    },
  },
  {
    name: "chunks beyond every limit, then reset",
    play: async (connection, { request }) => {
      connection.socket.write(headOf(request, CHUNKED))
      await flood(connection, OVERSIZE_BYTES)
      connection.socket.resetAndDestroy()
    },
  },
  {
    name: "endless chunks",
    play: async (connection, { request }) => {
      const { socket } = connection
      let over = false
      void connection.ended.then(() => (over = true))
      const writeOn = async () => {
        for (socket.write(headOf(request, CHUNKED)); !over; await sleep(20)) {
          await new Promise((resolve) => socket.write(CHUNK, resolve))
        }
      }
      void writeOn()
      const wrong = await connection.mustEnd()
      over = true
      return wrong
    },
  },
  {
    name: "large chunks",
    play: async (connection, { request }) => {
      connection.socket.write(headOf(request, CHUNKED))
      await flood(connection, LARGE_BYTES)
      connection.socket.write("0\r\n\r\n")
      return connection.mustAnswerOrEnd()
    },
  },
  {
    name: "a length beyond every limit, and nothing sent",
    play: async (connection, { request }) => {
      connection.socket.write(headOf(request, ["Content-Length: 99999999999"]))
      return connection.mustAnswer(CLIENTS_FAULT)
    },
  },
  {
    name: "a length beyond every limit, and all of it sent",
    play: async (connection, { request }) => {
      connection.socket.write(headOf(request, [`Content-Length: ${OVERSIZE_BYTES}`]))
      connection.socket.write(Buffer.alloc(OVERSIZE_BYTES, "x"))
      return connection.mustAnswerOrEnd()
    },
  },
  {
    name: "chunk sizes that are none",
    play: async (connection, { request, random }) => {
      const size = random.pick(["zz", "-1", "0x5", "fffffffffffffffff", "1;a=\0", "", "5 5", "１"])
      connection.socket.write(`${headOf(request, CHUNKED)}${size}\r\n{"a":1}\r\n0\r\n\r\n`)
      return connection.mustAnswerOrEnd()
    },
  },
  {
    name: "chunk extensions and trailers",
    play: async (connection, { request }) => {
      const head = headOf(request, [...CHUNKED, "Trailer: X-Merchant-API-Key"])
      const trailers = "X-Merchant-API-Key: x\r\nContent-Length: 5\r\n\r\n"
      connection.socket.write(`${head}2;${"a".repeat(2_000)}=b\r\n{}\r\n0\r\n${trailers}`)
      return connection.mustAnswerOrEnd()
    },
  },
  {
    name: "a length and chunks at once",
    play: async (connection, { request }) => {
      connection.socket.write(`${headOf(request, [...CHUNKED, "Content-Length: 2"])}{}`)
      return connection.mustAnswerOrEnd()
    },
  },
  {
    name: "Expect: 100-continue, then reset",
    play: async (connection, { request }) => {
      connection.socket.write(headOf(request, ["Content-Length: 500", "Expect: 100-continue"]))
      await connection.answered(2_000)
      connection.socket.resetAndDestroy()
    },
  },
  {
    name: "Expect: something else",
    play: async (connection, { request }) => {
      connection.socket.write(`${headOf(request, ["Content-Length: 2", "Expect: a-miracle"])}{}`)
      return connection.mustAnswer(CLIENTS_FAULT)
    },
  },
]
