import { Book } from "./book.mjs"
import { cardOf } from "./cards.mjs"
import { decideDispute, escalateDispute, openDispute } from "./disputes.mjs"
import { Notifier } from "./events.mjs"
import { Faults } from "./faults.mjs"
import { payOut } from "./payouts.mjs"

/** A Stripe account: its books, its key, its clock, and what happens to its payments away from the API. */
export class Account {
  constructor({ secret_key, versions, webhook }) {
    this.offset = 0
    this.now = () => Math.floor(Date.now() / 1_000) + this.offset
    Object.assign(this, {
      secret_key,
      versions,
      live: secret_key.startsWith("sk_live") || secret_key.startsWith("rk_live"),
    })
    this.faults = new Faults()
    this.book = new Book({ live: this.live, version: versions[0], now: this.now, faults: this.faults })
    this.notifier = new Notifier(this.book, this.faults, this.now, webhook)
    /** What a session's payment intent will be made of. */
    this.asked = new Map()
    this.keys = new Map()
    this.url = ""
  }

  /** Moves Stripe's clock; what ends by then ends. */
  async advance(seconds) {
    this.offset += seconds
    for (const session of this.book.sessions.values()) {
      if (session.status === "open" && session.expires_at <= this.now()) {
        await this.expire(session)
      }
    }
    for (const intent of this.book.payment_intents.values()) {
      const charge = this.book.charges.get(intent.latest_charge)
      const { capture_before = intent.created + 604_800 } = charge?.payment_method_details.card ?? {}
      if (intent.status === "requires_capture" && capture_before <= this.now()) {
        await this.cancelOutside(intent.id, "automatic")
      }
    }
  }

  /** Somebody captures the payment in the dashboard. */
  async captureOutside(intent_id, amount) {
    const intent = this.book.payment_intents.get(intent_id)
    this.book.capture(intent, amount ?? intent.amount_capturable)
    await this.notify("payment_intent.succeeded", intent)
  }

  /** Somebody cancels it there, or its time is up. */
  async cancelOutside(intent_id, reason = "requested_by_customer") {
    const intent = this.book.payment_intents.get(intent_id)
    this.book.cancel(intent, reason)
    await this.notify("payment_intent.canceled", intent)
  }

  async expire(session) {
    session.status = "expired"
    session.url = null
    const intent = this.book.payment_intents.get(session.payment_intent)
    if (intent !== undefined && intent.status !== "succeeded" && intent.status !== "processing") {
      Object.assign(intent, { status: "canceled", canceled_at: this.now(), cancellation_reason: "automatic" })
    }
    await this.notify("checkout.session.expired", session)
  }

  notify(type, object) {
    return this.notifier.notify(type, object, this.live)
  }

  async notifyOf(intent, result) {
    const types = {
      succeeded: "payment_intent.succeeded",
      requires_capture: "payment_intent.amount_capturable_updated",
      declined: "payment_intent.payment_failed",
      processing: "payment_intent.processing",
      requires_action: "payment_intent.requires_action",
    }
    await this.notify(types[result], intent)
  }

  /** The shopper pays with a card of that number. Returns what the page then shows. */
  async payOnPage(id, number, { exp_month, exp_year, authenticated = false } = {}) {
    const session = this.book.sessions.get(id)
    if (session === undefined || session.status !== "open") {
      return { result: session?.status ?? "unknown" }
    }
    if (cardOf(number) === null) {
      return { result: "declined", error: { message: "Test cards only." } }
    }
    const intent = this.intentOf(session)
    const method = this.book.newPaymentMethod(number, { exp_month, exp_year })
    const before = { customer: session.customer }
    if (session.customer === null && session.customer_creation === "always") {
      session.customer = this.book.newCustomer({ email: session.customer_email }).id
      intent.customer = session.customer
    }
    const outcome = this.book.pay(intent, method, "page", authenticated)
    session.customer_details = {
      email: session.customer_email,
      name: null,
      phone: null,
      tax_exempt: "none",
      tax_ids: [],
    }
    if (
      (outcome.result === "declined" || outcome.result === "requires_action") &&
      session.customer !== before.customer
    ) {
      this.book.customers.delete(session.customer)
      session.customer = intent.customer = before.customer
    }
    this.lastCard = number
    await this.notifyOf(intent, outcome.result)
    if (["succeeded", "requires_capture", "processing"].includes(outcome.result)) {
      session.status = "complete"
      session.url = null
      session.payment_status = outcome.result === "succeeded" ? "paid" : "unpaid"
      await this.notify("checkout.session.completed", session)
    }
    return outcome
  }

  /** The bank has asked the shopper, who agrees or fails. */
  async authenticate(id, agrees) {
    const session = this.book.sessions.get(id)
    const intent = this.intentOf(session)
    if (agrees) {
      return this.payOnPage(id, this.lastCard, { authenticated: true })
    }
    const method = this.book.payment_methods.get(intent.payment_method)
    const failed = { code: "payment_intent_authentication_failure", decline_code: undefined }
    const outcome = this.book.decline(intent, method, failed)
    await this.notifyOf(intent, "declined")
    return outcome
  }

  intentOf(session) {
    if (session.payment_intent !== null) {
      return this.book.payment_intents.get(session.payment_intent)
    }
    const asked = this.asked.get(session.id)
    const { capture_method = "automatic", description = null, metadata = {}, setup_future_usage = null } = asked
    const intent = this.book.newIntent({
      amount: session.amount_total,
      capture_method,
      currency: session.currency,
      customer: session.customer,
      description,
      metadata,
      setup_future_usage,
    })
    session.payment_intent = intent.id
    return intent
  }

  /** What was `processing` ends. */
  async finish(intent_id, isPaid) {
    const intent = this.book.payment_intents.get(intent_id)
    const method = this.book.payment_methods.get(intent.payment_method)
    const session = [...this.book.sessions.values()].find(({ payment_intent }) => payment_intent === intent_id)
    const { result } = isPaid
      ? this.book.succeed(intent, method)
      : this.book.decline(intent, method, { code: "card_declined", decline_code: "generic_decline" })
    await this.notifyOf(intent, result)
    if (session !== undefined) {
      session.payment_status = result === "succeeded" ? "paid" : "unpaid"
      await this.notify(`checkout.session.async_payment_${isPaid ? "succeeded" : "failed"}`, session)
    }
  }

  /** A refund ends: "succeeded", or "failed", also after it had succeeded. */
  async finishRefund(id, status, failure_reason = "expired_or_canceled_card") {
    const refund = this.book.refunds.get(id)
    delete refund.pending_reason
    if (status === "failed") {
      this.failRefund(refund, failure_reason)
    } else {
      refund.status = status
    }
    await this.notify(status === "failed" ? "refund.failed" : "refund.updated", refund)
  }

  payOut(options) {
    return payOut(this, options)
  }

  /** Stripe charges or credits something that is about no payment: `category` as it reports it, "fee" for its fees. */
  charge({ amount, currency, category = "fee", ...about }) {
    return this.book.move({ amount, currency, category, ...about })
  }

  dispute(intent_id, options) {
    return openDispute(this, intent_id, options)
  }

  escalateDispute(id) {
    return escalateDispute(this, id)
  }

  decideDispute(id, status, options) {
    return decideDispute(this, id, status, options)
  }

  failRefund(refund, failure_reason) {
    const { id: source, amount, currency } = refund
    const back = this.book.move({ amount, currency, category: "refund_failure", source })
    Object.assign(refund, { status: "failed", failure_reason, failure_balance_transaction: back.id })
    const charge = this.book.charges.get(refund.charge)
    charge.amount_refunded -= refund.amount
    charge.refunded = false
  }
}
