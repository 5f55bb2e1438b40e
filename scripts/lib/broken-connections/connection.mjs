import { connect } from "node:net"

/** The shortest time limit for requests of the stores that are tried. */
const REQUEST_MS = 1_000
/** How long an answer, or the end of a connection, is waited for: longer than the time limits of the stores that are tried. */
const ANSWER_MS = 30_000
const HEAD_END = "\r\n\r\n"
const ANY_ANSWER = /^HTTP\/1\.1 [1234]\d\d/
const SERVER_ERROR = /HTTP\/1\.1 5\d\d/

/** A raw connection. This side stays open when the other ends, as a client's that does not care. */
export class Connection {
  #received = []
  #hasHead = false
  #firstHead
  #onFirstHead

  constructor({ port, host = "localhost" }) {
    this.socket = connect({ port, host, allowHalfOpen: true, noDelay: true })
    // A reset is one of the answers that are looked for; what is broken on purpose ends in errors on this side too.
    this.socket.on("error", () => undefined)
    this.#firstHead = new Promise((resolve) => (this.#onFirstHead = resolve))
    this.socket.on("data", (chunk) => this.#take(chunk))
    /** The other side has ended or reset it. */
    this.ended = new Promise((resolve) => this.socket.once("end", resolve).once("close", resolve))
    this.closed = new Promise((resolve) => this.socket.once("close", resolve))
  }

  static async open(to) {
    const connection = new Connection(to)
    await new Promise((resolve) => connection.socket.once("connect", resolve).once("close", resolve))
    return connection
  }

  /** What has come so far. */
  text() {
    return Buffer.concat(this.#received).toString("latin1")
  }

  /** Whether the head of an answer comes before the connection ends. */
  async answered(ms = ANSWER_MS) {
    await within(Promise.race([this.#firstHead, this.ended]), ms)
    return this.#hasHead
  }

  /** What is wrong when an answer must come, one that matches. */
  async mustAnswer(allowed = ANY_ANSWER) {
    if (!(await this.answered())) {
      return "not answered"
    }
    return allowed.test(this.text()) ? undefined : `answered ${firstLine(this.text())}`
  }

  /**
   * The same for a request that was begun at `from`: one that took longer than the store allows, as on a busy machine,
   * may be ended instead.
   */
  async mustAnswerInTime(allowed, from) {
    const wrong = await this.mustAnswer(allowed)
    return wrong !== undefined && Date.now() - from > REQUEST_MS ? this.mustAnswerOrEnd() : wrong
  }

  /** What is wrong when either an answer or the end of the connection must come. */
  async mustAnswerOrEnd() {
    const over = await within(Promise.race([this.#firstHead, this.ended]), ANSWER_MS)
    return over ? undefined : "neither answered nor closed"
  }

  /** What is wrong when the other side must end the connection. */
  async mustEnd() {
    return (await within(this.ended, ANSWER_MS)) ? undefined : "not closed"
  }

  /**
   * Ends this side and waits for the other.
   * @returns what is wrong with the exchange as a whole, or nothing
   */
  async finish() {
    this.socket.end()
    const isClosed = await within(this.closed, ANSWER_MS)
    this.socket.destroy()
    if (!isClosed) {
      return "not closed after this side has ended"
    }
    const failed = SERVER_ERROR.exec(this.text())
    return failed === null ? undefined : `answered ${firstLine(this.text().slice(failed.index))}`
  }

  #take(chunk) {
    this.#received.push(chunk)
    if (!this.#hasHead && this.text().includes(HEAD_END)) {
      this.#hasHead = true
      this.#onFirstHead()
    }
  }
}

const firstLine = (text) => text.slice(0, 60).split("\r\n")[0]

async function within(promise, ms) {
  let timer
  const late = new Promise((resolve) => (timer = setTimeout(() => resolve(false), ms)))
  const done = await Promise.race([promise.then(() => true), late])
  clearTimeout(timer)
  return done
}
