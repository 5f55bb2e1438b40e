import { connect } from "node:net"
import { brotliDecompressSync, gunzipSync, inflateSync } from "node:zlib"

/** How a connection ends that the other side has closed. */
const ENDED = ["closed", "ECONNRESET", "EPIPE"]
const HEAD_END = Buffer.from("\r\n\r\n")
const DECODERS = { br: brotliDecompressSync, gzip: gunzipSync, deflate: inflateSync }

/** The bytes of a request, exactly as given: nothing is corrected, added or refused. */
export function requestBytes({ method = "GET", target, headers = {}, body }) {
  const lines = [`${method} ${target} HTTP/1.1`]
  for (const [name, value] of Object.entries(headers)) {
    for (const one of Array.isArray(value) ? value : [value]) {
      lines.push(`${name}: ${one}`)
    }
  }
  // latin1: a header or target may hold any byte.
  const head = Buffer.from(`${lines.join("\r\n")}\r\n\r\n`, "latin1")
  return body === undefined ? head : Buffer.concat([head, Buffer.isBuffer(body) ? body : Buffer.from(body)])
}

/**
 * One keep-alive connection that speaks HTTP/1.1 as instructed. Requests go one after another; what the server answers is
 * read strictly: an answer that breaks HTTP ends as `{ fault }`.
 */
export class Wire {
  #socket = null
  #buffer = Buffer.alloc(0)
  #waiting = null

  constructor({ host = "127.0.0.1", port, timeoutMs = 30_000 }) {
    this.host = host
    this.port = port
    this.timeoutMs = timeoutMs
  }

  /**
   * Sends one request and waits for its answer.
   * @returns `{ status, headers, body, ms }`, or `{ fault: "closed" | "timeout" | …, ms }`
   */
  async send(bytes, { method = "GET" } = {}) {
    const isReused = this.#socket !== null
    if (!isReused) {
      const fault = await this.#open()
      if (fault) {
        return { fault, ms: 0 }
      }
    }
    const at = performance.now()
    const answer = await this.#exchange(bytes, method)
    answer.ms = performance.now() - at
    if (isReused && ENDED.includes(answer.fault)) {
      // A server may end an idle connection at the very moment that the next request sets out (RFC 9112, 9.3.1).
      this.close()
      return this.send(bytes, { method })
    }
    if (answer.fault || /\bclose\b/i.test(answer.headers.get("connection") ?? "")) {
      this.close()
    }
    return answer
  }

  #exchange(bytes, method) {
    const socket = this.#socket
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.#settle({ fault: "timeout" }), this.timeoutMs)
      this.#waiting = { resolve, timer, method }
      socket.write(bytes)
    })
  }

  close() {
    this.#socket?.removeAllListeners()
    this.#socket?.on("error", () => undefined)
    this.#socket?.destroy()
    this.#socket = null
    this.#buffer = Buffer.alloc(0)
  }

  #open() {
    return new Promise((resolve) => {
      const socket = connect({ host: this.host, port: this.port, noDelay: true })
      socket.once("error", (error) => resolve(error.code ?? "connect"))
      socket.once("connect", () => {
        socket.removeAllListeners("error")
        socket.on("error", (error) => this.#ended(error.code ?? "error"))
        socket.on("close", () => this.#ended("closed"))
        socket.on("data", (chunk) => this.#take(chunk))
        this.#socket = socket
        this.#buffer = Buffer.alloc(0)
        resolve(null)
      })
    })
  }

  #ended(fault) {
    this.#socket = null
    const partial = this.#waiting && answerIn(this.#buffer, this.#waiting.method, true)
    this.#settle(partial ? partial.answer : { fault })
  }

  #take(chunk) {
    this.#buffer = this.#buffer.length === 0 ? chunk : Buffer.concat([this.#buffer, chunk])
    if (this.#waiting === null) {
      return
    }
    const read = answerIn(this.#buffer, this.#waiting.method, false)
    if (read !== null) {
      this.#buffer = this.#buffer.subarray(read.length)
      this.#settle(read.answer)
    }
  }

  #settle(answer) {
    const waiting = this.#waiting
    if (waiting !== null) {
      this.#waiting = null
      clearTimeout(waiting.timer)
      waiting.resolve(answer)
    }
  }
}

/** The first whole answer in the bytes, or null. `ended`: no more bytes come, which ends a body without a length. */
export function answerIn(buffer, method, ended) {
  const headEnd = buffer.indexOf(HEAD_END)
  if (headEnd === -1) {
    return null
  }
  const lines = buffer.latin1Slice(0, headEnd).split("\r\n")
  const status = Number(/^HTTP\/1\.[01] (\d{3})/.exec(lines[0])?.[1] ?? NaN)
  if (Number.isNaN(status)) {
    return { answer: { fault: `no status line: ${lines[0].slice(0, 80)}` }, length: buffer.length }
  }
  const headers = new Map(
    lines
      .slice(1)
      .map((line) => [line.slice(0, line.indexOf(":")).toLowerCase(), line.slice(line.indexOf(":") + 1).trim()])
  )
  const from = headEnd + HEAD_END.length
  if (status < 200) {
    // 100 Continue: the answer itself follows.
    const rest = answerIn(buffer.subarray(from), method, ended)
    return rest && { ...rest, length: rest.length + from }
  }
  const body = bodyOf(buffer.subarray(from), {
    headers,
    bodiless: method === "HEAD" || status === 204 || status === 304,
    ended,
  })
  return body && { answer: { status, headers, ...decoded(headers, body.content) }, length: from + body.length }
}

/** The body as a client reads it, or a fault: what is compressed is judged like what is not. */
function decoded(headers, content) {
  const encoding = headers.get("content-encoding") ?? "identity"
  if (encoding === "identity" || content.length === 0) {
    return { body: content }
  }
  try {
    return { body: DECODERS[encoding](content) }
  } catch {
    return { fault: `a body that is no ${encoding.slice(0, 20)}` }
  }
}

function bodyOf(buffer, { headers, bodiless, ended }) {
  if (bodiless) {
    return { content: Buffer.alloc(0), length: 0 }
  }
  if (/chunked/i.test(headers.get("transfer-encoding") ?? "")) {
    return chunksOf(buffer)
  }
  const length = headers.get("content-length")
  if (length === undefined) {
    return ended ? { content: buffer, length: buffer.length } : null
  }
  return buffer.length < Number(length) ? null : { content: buffer.subarray(0, Number(length)), length: Number(length) }
}

function chunksOf(buffer) {
  const parts = []
  for (let at = 0; ;) {
    const lineEnd = buffer.indexOf("\r\n", at)
    if (lineEnd === -1) {
      return null
    }
    const size = parseInt(buffer.latin1Slice(at, lineEnd), 16)
    const from = lineEnd + 2
    if (buffer.length < from + size + 2) {
      return null
    }
    parts.push(buffer.subarray(from, from + size))
    at = from + size + 2
    if (size === 0) {
      return { content: Buffer.concat(parts), length: at }
    }
  }
}
