import { setTimeout as sleep } from "node:timers/promises"
import { sampleOrder } from "../../demo/payment.mjs"

/** Longer than the lease of an idempotency key (60 seconds) and a start of everything that may be down. */
const PATIENCE_MS = 180_000
/** Longer than nginx waits for a process. */
const REQUEST_MS = 100_000
const BETWEEN_TRIES_MS = 500

/**
 * Servers of a merchant, and their own record of what they asked and what they were answered. Nothing of the record is
 * read from the database: it is what the database is compared with.
 */
export class Clients {
  /** By the order's number: `{ order_id, amount, transaction_id, paid }`; `paid` once an answer said so. */
  orders = new Map()
  /** By the request's key: `{ key, transaction_id, amount, refund_id }`; without an id nobody has acknowledged it. */
  refunds = new Map()
  /** How often which answer came: a status, or the code of a broken connection. */
  answers = new Map()
  /** Requests that nobody answered within the patience of a client. */
  unanswered = 0
  #stopped = false
  #number = 0
  #run
  #random
  #base_url
  #api_key

  constructor({ base_url, api_key }, random, run) {
    this.#base_url = base_url
    this.#api_key = api_key
    this.#random = random
    this.#run = run
  }

  /** Buys and refunds in `count` loops until `stop`; resolves once each has finished what it had begun. */
  async work(count) {
    const loop = async () => {
      while (!this.#stopped) {
        await this.#order()
      }
    }
    await Promise.all(Array.from({ length: count }, loop))
  }

  stop() {
    this.#stopped = true
  }

  async #order() {
    const order_id = `${this.#run}-${(this.#number += 1)}`
    // Some whole amounts decide in the sandbox what becomes of a payment.
    const amount = `${this.#random.between(100, 5_000)}.50`
    const order = { order_id, amount, transaction_id: null, paid: false }
    this.orders.set(order_id, order)
    const body = { ...sampleOrder(order_id), order_amount: amount }
    const checkout = await this.#ask("POST", "/payments/checkout", `${order_id}-checkout`, body)
    if (checkout === null) {
      return
    }
    order.transaction_id = checkout.transaction_id
    const card = { payment_method: "card", card_number: "4242424242424242" }
    const path = `/sandbox/sessions/${checkout.session_id}/pay`
    const payment = await this.#ask("POST", path, `${order_id}-pay`, card)
    order.paid ||= payment?.status === "SUCCESS"
    const verified = await this.#ask("GET", `/payments/verify/${order.transaction_id}`)
    order.paid ||= verified?.status === "SUCCESS"
    if (order.paid && this.#random.chance(0.5)) {
      await this.#refund(order)
    }
  }

  /** Two refunds of a part at the same time, which together may be more than the payment. */
  async #refund({ order_id, transaction_id, amount }) {
    const refunds = ["a", "b"].map((letter) => ({
      key: `${order_id}-refund-${letter}`,
      transaction_id,
      amount: `${this.#random.between(1, Math.floor(Number(amount)))}.00`,
      refund_id: null,
    }))
    await Promise.all(
      refunds.map(async (refund) => {
        this.refunds.set(refund.key, refund)
        const body = { transaction_id, refund_type: "partial", refund_amount: refund.amount, refund_reason: refund.key }
        const made = await this.#ask("POST", "/payments/refund", refund.key, body)
        refund.refund_id = made?.refund_id ?? null
      })
    )
  }

  /**
   * One request, repeated under the same key as long as nobody can know what became of it, as docs/api.md asks of
   * clients. Null: it was refused, or nobody answered.
   */
  async #ask(method, path, key, body) {
    for (const deadline = Date.now() + PATIENCE_MS; Date.now() < deadline; await sleep(BETWEEN_TRIES_MS)) {
      const { status, answer } = await this.#once(method, path, key, body)
      const code = answer?.error?.code
      this.#count(status >= 400 && status < 500 ? `${status} ${code}` : status)
      if (status >= 200 && status < 300) {
        return answer.data ?? answer
      }
      if (status >= 400 && status < 500 && code !== "IDEMPOTENCY_KEY_IN_USE") {
        return null
      }
    }
    this.unanswered += 1
    return null
  }

  async #once(method, path, key, body) {
    try {
      const response = await fetch(`${this.#base_url}${path}`, {
        method,
        headers: {
          "X-Merchant-API-Key": this.#api_key,
          "Content-Type": "application/json",
          ...(key && { "Idempotency-Key": key }),
        },
        body: body && JSON.stringify(body),
        signal: AbortSignal.timeout(REQUEST_MS),
      })
      const text = await response.text()
      // nginx answers a 502 of its own with HTML.
      const isJson = /json/.test(response.headers.get("content-type") ?? "")
      return { status: response.status, answer: isJson ? JSON.parse(text) : null }
    } catch (error) {
      return { status: error.cause?.code ?? error.name, answer: null }
    }
  }

  #count(what) {
    this.answers.set(what, (this.answers.get(what) ?? 0) + 1)
  }
}
