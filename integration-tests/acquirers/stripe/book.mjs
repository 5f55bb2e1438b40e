import { randomBytes } from "node:crypto"
import { cardOf } from "./cards.mjs"
import { StripeFault } from "./form.mjs"

const DAY = 86_400

/** How long a bank reserves money. Visa does it for less when the cardholder is not there. */
const heldSeconds = ({ card }, when) => (when === "later" && card.brand === "visa" ? 5 * DAY - 21_600 : 7 * DAY)

/** An account's objects, and what moves between them. `now`: seconds. */
export class Book {
  constructor({ live, version, now, faults }) {
    Object.assign(this, { live, version, now, faults })
    const kinds =
      "sessions payment_intents charges balance_transactions payouts customers payment_methods refunds disputes files events"
    for (const kind of kinds.split(" ")) {
      this[kind] = new Map()
    }
    /** Every request, in order: { method, path, headers, params, status, replayed }. */
    this.requests = []
    this.cards = new Map()
    /** By balance transaction: the payout that contains it; null: one that was made by hand. */
    this.paid_out = new Map()
    /** What of each fee is tax, in percent. */
    this.fee_tax = 0
  }

  id(prefix) {
    return `${prefix}_${randomBytes(12).toString("hex")}`
  }

  /** Every movement of money, as the account's statement would show it. */
  movements() {
    const paid = [...this.charges.values()].filter(({ status, captured }) => status === "succeeded" && captured)
    // Without a balance transaction it only says that reserved money was released.
    const given = [...this.refunds.values()].filter(
      ({ status, balance_transaction }) => ["succeeded", "pending"].includes(status) && balance_transaction !== null
    )
    const keyOf = (intent) => this.payment_intents.get(intent)?.metadata.gateway_attempt
    return [
      ...paid.map((charge) => ({
        kind: "payment",
        id: charge.payment_intent,
        key: keyOf(charge.payment_intent),
        amount: charge.amount_captured,
        currency: charge.currency,
      })),
      ...given.map((refund) => ({
        kind: "refund",
        id: refund.id,
        key: refund.metadata.gateway_refund,
        amount: refund.amount,
        currency: refund.currency,
      })),
    ]
  }

  newIntent(fields) {
    const id = this.id("pi")
    const intent = {
      id,
      object: "payment_intent",
      amount: 0,
      amount_capturable: 0,
      amount_details: { tip: {} },
      amount_received: 0,
      application: null,
      application_fee_amount: null,
      automatic_payment_methods: null,
      canceled_at: null,
      cancellation_reason: null,
      capture_method: "automatic",
      client_secret: `${id}_secret_${randomBytes(12).toString("hex")}`,
      confirmation_method: "automatic",
      created: this.now(),
      currency: "usd",
      customer: null,
      customer_account: null,
      description: null,
      excluded_payment_method_types: null,
      last_payment_error: null,
      latest_charge: null,
      livemode: this.live,
      managed_payments: null,
      metadata: {},
      next_action: null,
      on_behalf_of: null,
      payment_method: null,
      payment_method_configuration_details: null,
      payment_method_options: {},
      payment_method_types: ["card"],
      processing: null,
      receipt_email: null,
      review: null,
      setup_future_usage: null,
      shipping: null,
      source: null,
      statement_descriptor: null,
      statement_descriptor_suffix: null,
      status: "requires_payment_method",
      transfer_data: null,
      transfer_group: null,
      ...fields,
    }
    this.payment_intents.set(id, intent)
    return intent
  }

  newCustomer(fields) {
    const customer = {
      id: this.id("cus"),
      object: "customer",
      address: null,
      balance: 0,
      created: this.now(),
      currency: null,
      default_source: null,
      delinquent: false,
      description: null,
      discount: null,
      email: null,
      invoice_prefix: "AB12CD34",
      invoice_settings: { custom_fields: null, default_payment_method: null, footer: null, rendering_options: null },
      livemode: this.live,
      metadata: {},
      name: null,
      phone: null,
      preferred_locales: [],
      shipping: null,
      tax_exempt: "none",
      test_clock: null,
      ...fields,
    }
    this.customers.set(customer.id, customer)
    return customer
  }

  /** The number itself is kept only here, in a test's memory, to know how the card behaves. */
  newPaymentMethod(number, { exp_month = 12, exp_year = 2034, customer = null } = {}) {
    const { brand, last4 } = cardOf(number)
    const method = {
      id: this.id("pm"),
      object: "payment_method",
      allow_redisplay: "limited",
      billing_details: { address: null, email: null, name: null, phone: null, tax_id: null },
      card: { brand, country: "BD", display_brand: brand, exp_month, exp_year, funding: "credit", last4, wallet: null },
      created: this.now(),
      customer,
      customer_account: null,
      livemode: this.live,
      metadata: {},
      type: "card",
    }
    this.payment_methods.set(method.id, method)
    this.cards.set(method.id, number)
    return method
  }

  /** One try of a card. `when`: "page" or "later" (without its holder); `authenticated`: the holder has just agreed. */
  pay(intent, method, when, authenticated = false) {
    const card = cardOf(this.cards.get(method.id))
    const outcome = card[when]
    intent.payment_method = method.id
    intent.next_action = null
    if (this.faults.take("processing")) {
      intent.status = "processing"
      return { result: "processing" }
    }
    if (this.faults.take("requires_action") || (outcome.result === "requires_action" && !authenticated)) {
      intent.status = "requires_action"
      intent.next_action = { type: "use_stripe_sdk", use_stripe_sdk: {} }
      return { result: "requires_action" }
    }
    return outcome.result === "declined" ? this.decline(intent, method, outcome) : this.succeed(intent, method, when)
  }

  decline(intent, method, { code, decline_code }) {
    const charge = this.newCharge(intent, method, { status: "failed", paid: false, captured: false })
    charge.failure_code = code
    charge.outcome = {
      ...charge.outcome,
      network_status: "declined_by_network",
      type: "issuer_declined",
      reason: decline_code,
    }
    intent.status = "requires_payment_method"
    intent.payment_method = null
    intent.last_payment_error = {
      advice_code: decline_code === "processing_error" ? "try_again_later" : undefined,
      charge: charge.id,
      code,
      decline_code,
      doc_url: `https://stripe.com/docs/error-codes/${code}`,
      message: `Your card was declined (${decline_code ?? code}).`,
      payment_method: structuredClone(method),
      type: "card_error",
    }
    return { result: "declined", error: intent.last_payment_error }
  }

  succeed(intent, method, when = "page") {
    const charge = this.newCharge(intent, method, { status: "succeeded", paid: true, captured: false })
    intent.last_payment_error = null
    if (intent.setup_future_usage === "off_session" && intent.customer !== null) {
      method.customer = intent.customer
    }
    if (intent.capture_method === "manual") {
      intent.status = "requires_capture"
      intent.amount_capturable = intent.amount
      if (!this.faults.take("no_capture_before")) {
        charge.payment_method_details.card.capture_before = charge.created + heldSeconds(method, when)
      }
      return { result: "requires_capture" }
    }
    this.capture(intent, intent.amount)
    return { result: "succeeded" }
  }

  /** The one capture: what it leaves is released. */
  capture(intent, amount) {
    const charge = this.charges.get(intent.latest_charge)
    const fee = Math.round((amount * 29) / 1_000) + 30
    const { currency, description } = intent
    const transaction = this.move({ amount, fee, currency, description, category: "charge", source: charge.id })
    charge.balance_transaction = transaction.id
    Object.assign(charge, { amount_captured: amount, captured: true })
    Object.assign(intent, { status: "succeeded", amount_received: amount })
    this.release(intent)
    for (const session of this.sessions.values()) {
      if (session.payment_intent === intent.id) {
        session.payment_status = "paid"
      }
    }
  }

  /** The balance changes by `amount` less `fee`; answers the balance transaction. */
  move({
    amount,
    fee = 0,
    currency,
    description = null,
    category,
    type = category,
    source = null,
    status = "pending",
  }) {
    const tax = Math.round((fee * this.fee_tax) / 100)
    const part = (what, cents) => ({ amount: cents, application: null, currency, description: what, type: what })
    const transaction = {
      id: this.id("txn"),
      object: "balance_transaction",
      amount,
      available_on: this.now() + 172_800,
      balance_type: "payments",
      created: this.now(),
      currency,
      description,
      exchange_rate: null,
      fee,
      fee_details: [part("stripe_fee", fee - tax), part("tax", tax)].filter(({ amount: cents }) => cents !== 0),
      net: amount - fee,
      reporting_category: category,
      source,
      status,
      type,
    }
    this.balance_transactions.set(transaction.id, transaction)
    return transaction
  }

  cancel(intent, cancellation_reason) {
    Object.assign(intent, { status: "canceled", canceled_at: this.now(), cancellation_reason, next_action: null })
    this.release(intent)
  }

  /** What was reserved and not captured shows as a refund that nobody has asked for. */
  release(intent) {
    const charge = this.charges.get(intent.latest_charge)
    const rest = intent.amount_capturable - intent.amount_received
    if (rest > 0) {
      const refund = this.newRefund(charge, { amount: rest, status: "succeeded" })
      charge.amount_refunded += rest
      charge.refunded = charge.amount_refunded === charge.amount
      this.refunds.set(refund.id, refund)
    }
    intent.amount_capturable = 0
  }

  newRefund(charge, fields) {
    return {
      id: this.id("re"),
      object: "refund",
      amount: 0,
      balance_transaction: null,
      charge: charge.id,
      created: this.now(),
      currency: charge.currency,
      destination_details: {
        card: { type: "refund", reference: "5550001", reference_status: "available" },
        type: "card",
      },
      metadata: {},
      payment_intent: charge.payment_intent,
      reason: null,
      receipt_number: null,
      source_transfer_reversal: null,
      status: "succeeded",
      transfer_reversal: null,
      ...fields,
    }
  }

  newCharge(intent, method, fields) {
    const { brand, country, exp_month, exp_year, funding, last4 } = method.card
    const { risk_level } = cardOf(this.cards.get(method.id))
    const charge = {
      id: this.id("ch"),
      object: "charge",
      amount: intent.amount,
      amount_captured: 0,
      amount_refunded: 0,
      balance_transaction: null,
      billing_details: structuredClone(method.billing_details),
      created: this.now(),
      currency: intent.currency,
      customer: intent.customer,
      description: intent.description,
      disputed: false,
      failure_code: null,
      failure_message: null,
      fraud_details: {},
      livemode: this.live,
      metadata: { ...intent.metadata },
      outcome: {
        advice_code: null,
        network_advice_code: null,
        network_decline_code: null,
        network_status: "approved_by_network",
        reason: risk_level === "elevated" ? "elevated_risk_level" : null,
        risk_level,
        risk_score: risk_level === "elevated" ? 71 : 12,
        seller_message: risk_level === "elevated" ? "Payment reviewed." : "Payment complete.",
        type: risk_level === "elevated" ? "manual_review" : "authorized",
      },
      payment_intent: intent.id,
      payment_method: method.id,
      payment_method_details: {
        card: {
          brand,
          checks: { address_line1_check: null, address_postal_code_check: null, cvc_check: "pass" },
          country,
          exp_month,
          exp_year,
          funding,
          issuer: "Eastern Test Bank",
          last4,
          network: brand,
          three_d_secure: null,
          wallet: null,
        },
        type: "card",
      },
      receipt_email: null,
      refunded: false,
      review: null,
      ...fields,
    }
    this.charges.set(charge.id, charge)
    intent.latest_charge = charge.id
    return charge
  }

  find(kind, id, param, what) {
    const found = this[kind].get(id)
    if (found === undefined) {
      throw new StripeFault(404, { code: "resource_missing", message: `No such ${what}: '${id}'`, param })
    }
    return found
  }
}
