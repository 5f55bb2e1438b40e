import { setTimeout as sleep } from "node:timers/promises"
import { sampleOrder, TEST_CARD } from "../../../scripts/demo/payment.mjs"

/** A steady load that leaves the machine time for everything else that runs on it. */
const BETWEEN_ORDERS_MS = 250
/** What may become of a payment: a later look never finds an earlier one. */
const RANKS = { PENDING: 0, SUCCESS: 1, REFUNDED: 2 }

/**
 * Servers of a merchant, and their own record of what they asked and what they were answered. Nothing of the record is
 * read from the database: it is what the database is compared with.
 */
export class Clients {
  /** By the order's number: `{ order_id, amount, transaction_id, paid, looks }`; `paid` once an answer said so. */
  orders = new Map()
  /** By the request's key: `{ key, transaction_id, amount, refund_id }`; without an id nobody has acknowledged it. */
  refunds = new Map()
  #stopped = false
  #number = 0
  #caller
  #random
  #run

  /** @param run begins the number of every order */
  constructor(caller, random, run) {
    this.#caller = caller
    this.#random = random
    this.#run = run
  }

  /** Buys and refunds in `count` loops until `stop`; resolves once each has finished what it had begun. */
  async work(count) {
    const loop = async () => {
      while (!this.#stopped) {
        await this.#order()
        await sleep(BETWEEN_ORDERS_MS)
      }
    }
    await Promise.all(Array.from({ length: count }, loop))
  }

  stop() {
    this.#stopped = true
  }

  /** Looks at which a payment had a state that it had left before. */
  wentBack() {
    return [...this.orders.values()].flatMap(({ order_id, looks }) =>
      looks
        .filter((look) => looks.some((other) => other.to < look.from && RANKS[other.status] > RANKS[look.status]))
        .map(({ status }) => ({ order_id, status }))
    )
  }

  async #order() {
    const order_id = `${this.#run}-${(this.#number += 1)}`
    // Some whole amounts decide in the sandbox what becomes of a payment.
    const amount = `${this.#random.between(100, 5_000)}.50`
    const order = { order_id, amount, transaction_id: null, paid: false, looks: [] }
    this.orders.set(order_id, order)
    const body = { ...sampleOrder(order_id), order_amount: amount }
    const checkout = await this.#ask("POST", "/payments/checkout", { key: `${order_id}-checkout`, body })
    if (checkout === null) {
      return
    }
    order.transaction_id = checkout.transaction_id
    const path = `/sandbox/sessions/${checkout.session_id}/pay`
    const payment = await this.#ask("POST", path, { key: `${order_id}-pay`, body: TEST_CARD })
    order.paid ||= payment?.status === "SUCCESS"
    await this.#look(order)
    if (order.paid && this.#random.chance(0.5)) {
      await this.#refund(order)
    }
    await this.#look(this.#random.pick([...this.orders.values()].slice(-200)))
  }

  async #look(order) {
    if (order.transaction_id === null) {
      return
    }
    const from = Date.now()
    const verified = await this.#ask("GET", `/payments/verify/${order.transaction_id}`)
    if (verified !== null) {
      order.looks.push({ from, to: Date.now(), status: verified.status })
      order.paid ||= verified.status === "SUCCESS"
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
        const made = await this.#ask("POST", "/payments/refund", { key: refund.key, body })
        refund.refund_id = made?.refund_id ?? null
      })
    )
  }

  async #ask(method, path, request) {
    return (await this.#caller.ask(method, path, request))?.data ?? null
  }
}
