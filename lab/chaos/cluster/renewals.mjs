import { setTimeout as sleep } from "node:timers/promises"
import { sampleOrder, TEST_CARD } from "../../../scripts/demo/payment.mjs"

const MONTH_SECONDS = 31 * 86_400
const BETWEEN_MONTHS_MS = 8_000
const FIRST_SUBSCRIPTIONS = 12
const TERMS = { amount: "500.00", interval_count: 1, interval_unit: "MONTH" }

/** A move does all that falls due before it answers; longer than nginx waits for it. */
const MOVE_MS = 620_000
/** It also waits for the leases of processes that died, and each of its repetitions may be killed too. */
const MOVE_PATIENCE_MS = 2 * MOVE_MS

/** A merchant with monthly subscriptions: its clock moves a month every few seconds, and a subscription is sold. */
export class Renewals {
  /** Ids of subscriptions whose first payment was acknowledged. */
  paid = new Set()
  months = 0
  #stopped = false
  #number = 0
  #caller
  #run

  constructor(caller, run) {
    this.#caller = caller
    this.#run = run
  }

  async work() {
    await Promise.all(Array.from({ length: FIRST_SUBSCRIPTIONS }, () => this.#sell()))
    while (!this.#stopped) {
      await this.#sell()
      const body = { advance_seconds: MONTH_SECONDS }
      const waits = { patienceMs: MOVE_PATIENCE_MS, requestMs: MOVE_MS }
      const moved = await this.#caller.ask("POST", "/sandbox/clock", { body, ...waits })
      this.months += moved === null ? 0 : 1
      await sleep(BETWEEN_MONTHS_MS)
    }
  }

  stop() {
    this.#stopped = true
  }

  async #sell() {
    const key = `${this.#run}-S${(this.#number += 1)}`
    const { name, phone } = sampleOrder(key).customer
    const body = { ...TERMS, customer: { name, phone, email: `${key.toLowerCase()}@example.com` } }
    const made = await this.#caller.ask("POST", "/payments/subscriptions", { key, body })
    if (made === null) {
      return
    }
    const path = `/payments/subscriptions/${made.uuid}/checkout`
    const checkout = await this.#caller.ask("POST", path, { key: `${key}-checkout`, body: {} })
    const pay = `/sandbox/sessions/${checkout?.data.session_id}/pay`
    const payment = checkout && (await this.#caller.ask("POST", pay, { key: `${key}-pay`, body: TEST_CARD }))
    if (payment?.data.status === "SUCCESS") {
      this.paid.add(made.uuid)
    }
  }
}
