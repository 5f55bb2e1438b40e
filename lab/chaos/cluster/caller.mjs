import { setTimeout as sleep } from "node:timers/promises"

/** Longer than the lease of an idempotency key (60 seconds) and a start of everything that may be down. */
const PATIENCE_MS = 180_000
/** Longer than nginx waits for a process. */
const REQUEST_MS = 100_000
const BETWEEN_TRIES_MS = 500

/** What all clients together were answered. */
export class Answers {
  /** How often which answer came: a status with the code of a refusal, or the code of a broken connection. */
  counts = new Map()
  /** Answers of 500 or more and broken connections: `{ from, to, what }`, milliseconds of this process's clock. */
  faults = []
  /** Requests that nobody answered within the patience of a client. */
  unanswered = 0

  note({ from, what, isFault }) {
    this.counts.set(what, (this.counts.get(what) ?? 0) + 1)
    if (isFault) {
      this.faults.push({ from, to: Date.now(), what })
    }
  }
}

/** A client of the deployment that repeats a request as long as nobody can know what became of it. */
export class Caller {
  #url
  #headers
  #answers

  /**
   * @param url address that paths are appended to
   * @param headers of every request
   * @param answers where answers are counted
   */
  constructor(url, headers, answers) {
    this.#url = url
    this.#headers = headers
    this.#answers = answers
  }

  /**
   * One request, repeated under the same key, as docs/api.md asks of clients. Returns the parsed body; null: it was
   * refused, or nobody answered. `requestMs`: how long one answer is waited for.
   */
  async ask(method, path, { key, body, patienceMs = PATIENCE_MS, requestMs = REQUEST_MS } = {}) {
    for (const deadline = Date.now() + patienceMs; Date.now() < deadline; await sleep(BETWEEN_TRIES_MS)) {
      const from = Date.now()
      const { status, answer } = await this.#once(method, path, { key, body, requestMs })
      const isRefused = status >= 400 && status < 500
      const code = isRefused ? (answer?.error?.code ?? answer?.type) : undefined
      const what = isRefused ? `${status} ${code} of ${method} ${path.split("/").slice(0, 3).join("/")}` : status
      this.#answers.note({ from, what, isFault: typeof status !== "number" || status >= 500 })
      if (status >= 200 && status < 300) {
        return answer
      }
      if (isRefused && code !== "IDEMPOTENCY_KEY_IN_USE") {
        return null
      }
    }
    this.#answers.unanswered += 1
    return null
  }

  async #once(method, path, { key, body, requestMs }) {
    try {
      const response = await fetch(`${this.#url}${path}`, {
        method,
        headers: { ...this.#headers, "Content-Type": "application/json", ...(key && { "Idempotency-Key": key }) },
        body: body && JSON.stringify(body),
        signal: AbortSignal.timeout(requestMs),
      })
      const text = await response.text()
      // nginx answers a 502 of its own with HTML.
      const isJson = /json/.test(response.headers.get("content-type") ?? "")
      return { status: response.status, answer: isJson ? JSON.parse(text) : null }
    } catch (error) {
      return { status: error.cause?.code ?? error.name, answer: null }
    }
  }
}
