import { createHmac } from "node:crypto"

export function signatureOf(secret, timestamp, body) {
  return createHmac("sha256", secret).update(`${timestamp}.${body}`).digest("hex")
}

/**
 * Sends the account's events to its endpoint. They are not repeated automatically: `again` does that, as Stripe does for
 * three days, and in any order.
 */
export class Notifier {
  constructor(book, faults, now, endpoint) {
    Object.assign(this, { book, faults, now, endpoint, sent: [], underWay: new Set() })
  }

  /** Every event that was sent has been received. */
  async settled() {
    await Promise.all(this.underWay)
  }

  /** Keeps what happened to an object, as it is now, and sends it: alone, or before the API's answer. */
  async notify(type, object, livemode) {
    const event = {
      id: this.book.id("evt"),
      object: "event",
      api_version: this.book.version,
      created: this.now(),
      data: { object: structuredClone(object) },
      livemode,
      pending_webhooks: 1,
      request: { id: null, idempotency_key: null },
      type,
    }
    this.book.events.set(event.id, event)
    if (this.endpoint === null || this.faults.take("event_never")) {
      return
    }
    const sending = this.sendTimes(event, this.faults.take("event_twice") ? 2 : 1)
    this.underWay.add(sending)
    sending.finally(() => this.underWay.delete(sending))
    if (this.faults.take("event_before_answer")) {
      await sending
    }
  }

  async sendTimes(event, times) {
    for (let time = 0; time < times; time++) {
      await this.send(event)
    }
  }

  async again(id) {
    await this.send(this.book.events.get(id))
  }

  /** The headers and body of an event, for a test that calls the adapter itself. */
  message(event, { at = this.now(), secrets = [this.endpoint?.secret] } = {}) {
    const body = JSON.stringify(event, null, 2)
    const timestamp = at + (this.faults.take("event_old") ? -301 : this.faults.take("event_future") ? 3_600 : 0)
    const keys = this.faults.take("event_forged") ? ["whsec_of_somebody_else"] : secrets
    const signatures = keys.map((secret) => `v1=${signatureOf(secret, timestamp, body)}`)
    return {
      body,
      headers: {
        "content-type": "application/json; charset=utf-8",
        "user-agent": "Stripe/1.0 (+https://stripe.com/docs/webhooks)",
        "stripe-signature": [`t=${timestamp}`, ...signatures, `v0=${"0".repeat(64)}`].join(","),
      },
    }
  }

  async send(event) {
    const { body, headers } = this.message(event)
    const delivery = { event: event.id, type: event.type, status: null }
    this.sent.push(delivery)
    try {
      const answer = await fetch(this.endpoint.url, { method: "POST", headers, body, redirect: "manual" })
      delivery.status = answer.status
      await answer.arrayBuffer()
    } catch (error) {
      delivery.error = error.message
    }
  }
}
