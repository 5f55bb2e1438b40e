import { createServer } from "node:http"

/** The faults that a stand-in plays, each for the next `times` calls of an operation (once without it). */
export class Faults {
  #queue = []
  #kinds

  /** `kinds`: the names of the faults, in groups. An unknown name is an error: it would test nothing. */
  constructor(kinds) {
    this.#kinds = Object.values(kinds).flat()
  }

  add(fault) {
    if (!this.#kinds.includes(fault.kind)) {
      throw new Error(`Unknown fault ${fault.kind}`)
    }
    this.#queue.push({ times: 1, ...fault })
  }

  clear() {
    this.#queue = []
  }

  /** The next fault of an operation among these kinds; taking it uses it up. */
  take(operation, kinds) {
    const fault = this.#queue.find(({ on, kind, times }) => on === operation && kinds.includes(kind) && times > 0)
    if (fault) {
      fault.times -= 1
    }
    return fault
  }
}

/** A server on loopback with a book and a clock. A subclass answers in `handle(request, response, raw)`. */
export class HttpStandIn {
  /** `requests`: every API call, with what was answered; amounts in poisha. */
  book = { requests: [], payments: [], refunds: [] }
  url = ""
  #server
  #offsetMs = 0

  async listen(port = 0) {
    this.#server = createServer((request, response) => {
      this.#receive(request, response).catch((error) => {
        this.book.requests.push({ operation: "fault of the stand-in", error: String(error?.stack ?? error) })
        response.destroy()
      })
    })
    await new Promise((resolve) => this.#server.listen(port, "127.0.0.1", resolve))
    this.url = `http://127.0.0.1:${this.#server.address().port}`
    return this
  }

  async close() {
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }

  /** The time of payments. That of the requests' time stamps stays. */
  now() {
    return new Date(Date.now() + this.#offsetMs)
  }

  advance(seconds) {
    this.#offsetMs += seconds * 1_000
  }

  /** API calls of an operation. */
  calls(operation) {
    return this.book.requests.filter((request) => request.operation === operation)
  }

  /** Opens a page as a shopper and sends its form. @returns where the browser is sent; null: nowhere */
  async sendForm(address, fields) {
    const page = await fetch(address)
    if (page.status !== 200 || !(await page.text()).includes("<form")) {
      throw new Error("The page of this payment has ended")
    }
    const answer = await fetch(address, { method: "POST", body: new URLSearchParams(fields), redirect: "manual" })
    return answer.headers.get("location")
  }

  async #receive(request, response) {
    const chunks = []
    for await (const chunk of request) {
      chunks.push(chunk)
    }
    await this.handle(request, response, Buffer.concat(chunks).toString("utf8"))
  }
}
