import { cardOf } from "./cards.mjs"
import { closeDispute, createFile, updateDispute } from "./disputes.mjs"
import { invalid, StripeFault } from "./form.mjs"
import { list } from "./lists.mjs"
import * as parameters from "./parameters.mjs"
import { listPayouts, listTransactions } from "./payouts.mjs"

/** About 0.50 USD, and eight digits. Other currencies have no minimum here. */
const MINIMUM = { usd: 50, eur: 50, gbp: 30, inr: 5_000, bdt: 6_000 }
const MAXIMUM = 99_999_999
const CURRENCIES = new Set(Object.keys(MINIMUM).concat("aud", "cad", "chf", "sgd", "jpy", "kwd"))

function checkAmount(amount, currency, param) {
  if (!CURRENCIES.has(currency)) {
    throw invalid(`Invalid currency: ${currency}`, { param: "currency" })
  }
  if (amount > MAXIMUM) {
    throw invalid("Amount must be no more than 999999.99", { code: "amount_too_large", param })
  }
  if (amount < (MINIMUM[currency] ?? 1)) {
    throw invalid("Amount must convert to at least 50 cents", { code: "amount_too_small", param })
  }
}

function createSession(account, params) {
  const { book, now } = account
  const { line_items, mode, ui_mode = "hosted_page", expires_at = now() + 86_400 } = params
  if (mode !== "payment" || ui_mode !== "hosted_page") {
    throw invalid("This stand-in knows hosted payments only", { param: mode === "payment" ? "ui_mode" : "mode" })
  }
  for (const name of ["line_items", "success_url"]) {
    if (params[name] === undefined) {
      throw invalid(`Missing required param: ${name}.`, { code: "parameter_missing", param: name })
    }
  }
  if (params.customer !== undefined && (params.customer_email ?? params.customer_creation) !== undefined) {
    throw invalid("You may only specify one of customer, customer_email and customer_creation", { param: "customer" })
  }
  if (expires_at < now() + 1_800) {
    throw invalid("The `expires_at` timestamp must be at least 30 minutes from Checkout Session creation.", {
      param: "expires_at",
    })
  }
  if (expires_at > now() + 86_400) {
    throw invalid("The `expires_at` timestamp must be less than 24 hours from Checkout Session creation.", {
      param: "expires_at",
    })
  }
  const [{ price_data }] = line_items
  const amount = line_items.reduce(
    (sum, { quantity = 1, price_data: { unit_amount = 0 } }) => sum + quantity * unit_amount,
    0
  )
  checkAmount(amount, price_data.currency, "line_items[0][price_data][unit_amount]")
  const id = book.id(`cs_${account.live ? "live" : "test"}`)
  const session = {
    id,
    object: "checkout.session",
    adaptive_pricing: params.adaptive_pricing ?? { enabled: true },
    after_expiration: null,
    allow_promotion_codes: null,
    amount_subtotal: amount,
    amount_total: amount,
    automatic_tax: { enabled: false, liability: null, provider: null, status: null },
    billing_address_collection: null,
    cancel_url: params.cancel_url ?? null,
    client_reference_id: params.client_reference_id ?? null,
    client_secret: null,
    consent: null,
    consent_collection: null,
    created: now(),
    currency: price_data.currency,
    currency_conversion: null,
    custom_fields: [],
    custom_text: { after_submit: null, shipping_address: null, submit: null, terms_of_service_acceptance: null },
    customer: params.customer ?? null,
    customer_account: null,
    customer_creation: params.customer_creation ?? "if_required",
    customer_details: null,
    customer_email: params.customer_email ?? null,
    discounts: [],
    expires_at,
    invoice: null,
    invoice_creation: { enabled: false, invoice_data: null },
    livemode: account.live,
    locale: params.locale ?? null,
    metadata: params.metadata ?? {},
    mode,
    payment_intent: null,
    payment_link: null,
    payment_method_collection: "if_required",
    payment_method_configuration_details: null,
    payment_method_options: {},
    payment_method_types: params.payment_method_types ?? ["card", "link"],
    payment_status: "unpaid",
    phone_number_collection: { enabled: false },
    recovered_from: null,
    saved_payment_method_options: null,
    setup_intent: null,
    shipping_address_collection: null,
    shipping_cost: null,
    shipping_options: [],
    status: "open",
    submit_type: null,
    subscription: null,
    success_url: params.success_url,
    total_details: { amount_discount: 0, amount_shipping: 0, amount_tax: 0 },
    ui_mode,
    url: `${account.url}/c/pay/${id}`,
    wallet_options: params.wallet_options ?? null,
  }
  book.sessions.set(id, session)
  account.asked.set(id, { description: line_items[0].price_data.product_data?.name, ...params.payment_intent_data })
  return session
}

async function expireSession(account, params, id) {
  const session = account.book.find("sessions", id, "session", "checkout.session")
  if (account.faults.take("paid_before_expire")) {
    await account.payOnPage(id, "4242424242424242")
  }
  if (session.status !== "open") {
    throw invalid(`Only Checkout Sessions with a status in ["open"] can be expired. This one is ${session.status}.`)
  }
  await account.expire(session)
  return session
}

async function createIntent(account, params) {
  const { book } = account
  checkAmount(params.amount, params.currency, "amount")
  if (params.off_session && !params.confirm) {
    throw invalid("`off_session` can only be used with `confirm`", { param: "off_session" })
  }
  const customer = params.customer && book.find("customers", params.customer, "customer", "customer")
  const method =
    params.payment_method && book.find("payment_methods", params.payment_method, "payment_method", "PaymentMethod")
  if (params.off_session && (!method || !customer || method.customer !== customer.id)) {
    throw invalid("The provided PaymentMethod cannot be used without the Customer that it is attached to.", {
      code: "payment_method_unexpected_state",
      param: "payment_method",
    })
  }
  const intent = book.newIntent({
    amount: params.amount,
    capture_method: params.capture_method ?? "automatic",
    currency: params.currency,
    customer: params.customer ?? null,
    description: params.description ?? null,
    metadata: params.metadata ?? {},
    payment_method_types: params.payment_method_types ?? ["card"],
    setup_future_usage: params.setup_future_usage ?? null,
  })
  await account.notify("payment_intent.created", intent)
  if (!params.confirm) {
    return intent
  }
  const { result, error } = book.pay(intent, method, params.off_session ? "later" : "page")
  await account.notifyOf(intent, result)
  if (result === "declined") {
    throw new StripeFault(
      402,
      { ...structuredClone(error), payment_intent: structuredClone(intent), type: "card_error" },
      true
    )
  }
  return intent
}

async function cancelIntent(account, { cancellation_reason = null }, id) {
  const intent = account.book.find("payment_intents", id, "intent", "payment_intent")
  const open = ["requires_payment_method", "requires_action", "requires_confirmation", "requires_capture", "processing"]
  if (!open.includes(intent.status)) {
    throw invalid(`You cannot cancel this PaymentIntent because it has a status of ${intent.status}.`, {
      code: "payment_intent_unexpected_state",
      payment_intent: structuredClone(intent),
    })
  }
  const isOfSession = [...account.book.sessions.values()].some(({ payment_intent }) => payment_intent === id)
  if (isOfSession && intent.status !== "requires_capture") {
    throw invalid("You cannot cancel this PaymentIntent directly: expire its Checkout Session.")
  }
  account.book.cancel(intent, cancellation_reason)
  await account.notify("payment_intent.canceled", intent)
  return intent
}

async function captureIntent(account, { amount_to_capture, final_capture = true, metadata = {} }, id) {
  const intent = account.book.find("payment_intents", id, "intent", "payment_intent")
  if (intent.status !== "requires_capture") {
    throw invalid(`This PaymentIntent could not be captured because it has a status of ${intent.status}.`, {
      code: "payment_intent_unexpected_state",
      payment_intent: structuredClone(intent),
    })
  }
  if (!final_capture) {
    throw invalid("This account may not capture a PaymentIntent more than once.", { param: "final_capture" })
  }
  const { amount_capturable } = intent
  const amount = amount_to_capture ?? amount_capturable
  if (amount > amount_capturable) {
    throw invalid(`You may only capture up to ${amount_capturable}.`, {
      code: "amount_too_large",
      param: "amount_to_capture",
    })
  }
  if (account.faults.take("capture_declined")) {
    const error = { code: "card_declined", decline_code: "generic_decline", message: "Your card was declined." }
    throw new StripeFault(402, { ...error, payment_intent: structuredClone(intent), type: "card_error" }, true)
  }
  Object.assign(intent.metadata, metadata)
  account.book.capture(intent, amount)
  await account.notify("payment_intent.succeeded", intent)
  return intent
}

async function createRefund(account, params) {
  const { book, faults } = account
  if ((params.payment_intent === undefined) === (params.charge === undefined)) {
    throw invalid("One of charge and payment_intent is required", { param: "charge" })
  }
  const intent =
    params.payment_intent && book.find("payment_intents", params.payment_intent, "payment_intent", "payment_intent")
  const charge = book.find("charges", params.charge ?? intent.latest_charge, "charge", "charge")
  if (charge.status !== "succeeded" || !charge.captured) {
    throw invalid("This PaymentIntent does not have a successful charge to refund.", { param: "payment_intent" })
  }
  if (charge.disputed || faults.take("dispute")) {
    throw invalid("This charge has been charged back.", { code: "charge_disputed", param: "charge" })
  }
  const left = charge.amount - charge.amount_refunded
  if (left === 0) {
    throw invalid(`Charge ${charge.id} has already been refunded.`, { code: "charge_already_refunded" })
  }
  const { amount = left } = params
  if (amount > left) {
    throw invalid(`Refund amount (${amount}) is greater than unrefunded amount on charge (${left})`, {
      param: "amount",
    })
  }
  const refund = book.newRefund(charge, {
    amount,
    metadata: params.metadata ?? {},
    reason: params.reason ?? null,
    status: statusOf(cardOf(book.cards.get(charge.payment_method)), faults),
  })
  if (refund.status === "pending") {
    refund.pending_reason = "processing"
  }
  const { id: source, currency } = refund
  refund.balance_transaction = book.move({ amount: -amount, currency, category: "refund", source }).id
  book.refunds.set(refund.id, refund)
  charge.amount_refunded += amount
  charge.refunded = charge.amount_refunded === charge.amount
  if (refund.status === "failed") {
    account.failRefund(refund, "declined")
  }
  await account.notify("refund.created", refund)
  return refund
}

function statusOf(card, faults) {
  if (faults.take("refund_failed")) {
    return "failed"
  }
  if (faults.take("refund_requires_action")) {
    return "requires_action"
  }
  return card.refund === "pending" || faults.take("refund_pending") ? "pending" : "succeeded"
}

async function detach(account, params, id) {
  const method = account.book.find("payment_methods", id, null, "PaymentMethod")
  if (method.customer === null) {
    throw invalid("The payment method you provided is not attached to a customer so detachment is impossible.")
  }
  method.customer = null
  await account.notify("payment_method.detached", method)
  return method
}

const pick = (params, names) =>
  Object.fromEntries(names.filter((name) => params[name] !== undefined).map((name) => [name, params[name]]))

const lists = (kind, names) => (account, params, id, path) => {
  if (params.customer !== undefined) {
    account.book.find("customers", params.customer, "customer", "customer")
  }
  return list(account.book[kind], params, path, pick(params, names))
}

const retrieves = (kind, param, what) => (account, params, id) => account.book.find(kind, id, param, what)

function balance({ live }) {
  const none = [{ amount: 0, currency: "usd", source_types: { card: 0 } }]
  return { object: "balance", available: none, livemode: live, pending: none }
}

/** Method and path, `:id` for an object's; how its parameters are read, and what it does. */
export const OPERATIONS = {
  "POST /v1/checkout/sessions": [parameters.createSession, createSession],
  "GET /v1/checkout/sessions": [parameters.listSessions, lists("sessions", ["customer", "payment_intent", "status"])],
  "GET /v1/checkout/sessions/:id": [parameters.onlyExpand, retrieves("sessions", "session", "checkout.session")],
  "POST /v1/checkout/sessions/:id/expire": [parameters.onlyExpand, expireSession],
  "POST /v1/payment_intents": [parameters.createIntent, createIntent],
  "GET /v1/payment_intents": [parameters.listIntents, lists("payment_intents", ["customer"])],
  "GET /v1/payment_intents/:id": [parameters.onlyExpand, retrieves("payment_intents", "intent", "payment_intent")],
  "POST /v1/payment_intents/:id/cancel": [parameters.cancelIntent, cancelIntent],
  "POST /v1/payment_intents/:id/capture": [parameters.captureIntent, captureIntent],
  "POST /v1/refunds": [parameters.createRefund, createRefund],
  "GET /v1/refunds": [parameters.listRefunds, lists("refunds", ["payment_intent", "charge"])],
  "GET /v1/refunds/:id": [parameters.onlyExpand, retrieves("refunds", "refund", "refund")],
  "GET /v1/disputes/:id": [parameters.onlyExpand, retrieves("disputes", "dispute", "dispute")],
  "POST /v1/disputes/:id": [parameters.updateDispute, updateDispute],
  "POST /v1/disputes/:id/close": [parameters.onlyExpand, closeDispute],
  "POST /v1/files": [parameters.createFile, createFile],
  "POST /v1/payment_methods/:id/detach": [parameters.onlyExpand, detach],
  "GET /v1/payment_methods/:id": [
    parameters.onlyExpand,
    retrieves("payment_methods", "payment_method", "PaymentMethod"),
  ],
  "POST /v1/customers": [parameters.createCustomer, ({ book }, { expand: _, ...fields }) => book.newCustomer(fields)],
  "GET /v1/customers/:id": [parameters.onlyExpand, retrieves("customers", "customer", "customer")],
  "GET /v1/payouts": [parameters.listPayouts, listPayouts],
  "GET /v1/balance_transactions": [parameters.listTransactions, listTransactions],
  "GET /v1/balance": [parameters.onlyExpand, balance],
  "GET /v1/events/:id": [parameters.onlyExpand, retrieves("events", "id", "event")],
}
