import { Faults, HttpStandIn } from "../http-stand-in.mjs"
import { parseBody, Refusal } from "./checks.mjs"
import { KINDS } from "./faults.mjs"
import { Operations } from "./operations.mjs"
import { endedPage, payPage, WALLET, WALLETS } from "./page.mjs"
import { Sns } from "./sns.mjs"
import { Tokens } from "./tokens.mjs"

/** What the stand-in's merchant signs in with. */
export const CREDENTIALS = {
  app_key: "standin-app-key",
  app_secret: "standin-app-secret",
  username: "standin-merchant",
  password: "standin-password",
}
export const TOPIC = "arn:aws:sns:ap-southeast-1:123456789012:bpt_standin"

const CHECKOUT = "/v1.2.0-beta/tokenized/checkout"
const REFUND = "/v2/tokenized-checkout/refund/payment"
const ROUTES = {
  [`${CHECKOUT}/token/grant`]: "grant",
  [`${CHECKOUT}/token/refresh`]: "refresh",
  [`${CHECKOUT}/create`]: "create",
  [`${CHECKOUT}/execute`]: "execute",
  [`${CHECKOUT}/payment/status`]: "query",
  [`${CHECKOUT}/general/searchTransaction`]: "search",
  [`${CHECKOUT}/general/searchTran`]: "search",
  [`${CHECKOUT}/agreement/status`]: "agreement_status",
  [`${CHECKOUT}/agreement/cancel`]: "agreement_cancel",
  [`${REFUND}/transaction`]: "refund",
  [`${REFUND}/status`]: "refund_status",
}
const CALLBACK_STATUS = { pay: "success", decline: "failure", cancel: "cancel" }
const SHOPPER = { pay: "agreed", decline: "declined", cancel: "cancelled" }

/**
 * bKash's tokenized checkout on loopback. It refuses what bKash would refuse, keeps a book, and plays the faults of
 * faults.mjs. Nothing of it comes from bKash.
 */
export class StandIn extends HttpStandIn {
  /** `requests`: every API call, with what was answered. */
  book = { requests: [], payments: [], refunds: [], agreements: [], notifications: [] }
  faults = new Faults(KINDS)
  #notificationUrl = null
  #deliveries = []
  #shoppers = 0

  constructor(options = {}) {
    super()
    this.options = { credentials: CREDENTIALS, topic: TOPIC, unattended: false, refundDays: 15, ...options }
    this.sns = new Sns(this.options.topic)
    this.tokens = new Tokens(this)
    this.operations = new Operations(this)
  }

  /** Money that has moved: what the shoppers paid, and what they got back. */
  movements() {
    const { payments, refunds } = this.book
    return [
      ...payments
        .filter(({ trxID }) => trxID !== null)
        .map(({ trxID, payerReference, amount }) => ({ type: "payment", id: trxID, key: payerReference, amount })),
      ...refunds
        .filter(({ state }) => state === "Completed")
        .map(({ refundTrxId, sku, amount }) => ({ type: "refund", id: refundTrxId, key: sku, amount })),
    ]
  }

  async handle(request, response, raw) {
    const { pathname, searchParams } = new URL(request.url, this.url)
    if (pathname.startsWith("/redirect/tokenized/")) {
      return this.#shopper(request, response, request.method === "POST" ? new URLSearchParams(raw) : searchParams)
    }
    if (pathname.startsWith("/sns/")) {
      return this.#amazon(response, pathname.slice("/sns".length), searchParams)
    }
    if (pathname.startsWith("/control/")) {
      return this.#control(request, response, pathname.slice("/control/".length), raw)
    }
    return this.#api(request, response, pathname, raw)
  }

  async #api(request, response, pathname, raw) {
    const operation = ROUTES[pathname] ?? "unknown"
    const entry = {
      operation,
      method: request.method,
      path: pathname,
      headers: request.headers,
      body: raw,
      answer: null,
    }
    this.book.requests.push(entry)
    const reply = (status, body) => {
      entry.answer = { status, body }
      const isText = typeof body === "string"
      response.writeHead(status, { "content-type": isText ? "text/html" : "application/json;charset=UTF-8" })
      response.end(isText ? body : JSON.stringify(body))
    }
    const before = this.faults.take(operation, KINDS.before)
    if (before && (await this.#disturb(before, request, reply))) {
      return
    }
    const acted = await this.#act(request, operation, raw)
    const after = this.faults.take(operation, KINDS.after)
    if (operation === "execute" && acted.body.trxID) {
      await this.#announce(acted.body)
    }
    if (after === undefined || !(await this.#disturb(after, request, reply, acted))) {
      reply(acted.status, acted.body)
    }
  }

  async #act(request, operation, raw) {
    const { headers, method } = request
    if (operation === "unknown" || method !== "POST") {
      return { status: 403, body: { message: "Missing Authentication Token" } }
    }
    try {
      if (!/^application\/json\b/.test(headers["content-type"] ?? "")) {
        throw new Refusal("2025", "Invalid request body")
      }
      const body = parseBody(raw)
      if (operation === "grant" || operation === "refresh") {
        return this.tokens[operation](body, headers)
      }
      if (!this.tokens.accepts(headers.authorization)) {
        return {
          status: 401,
          body: { message: headers.authorization ? "The incoming token has expired" : "Unauthorized" },
        }
      }
      if (headers["x-app-key"] !== this.options.credentials.app_key) {
        throw new Refusal("2001", "Invalid App Key")
      }
      return { status: 200, body: this.operations[operation](body) }
    } catch (error) {
      if (!(error instanceof Refusal)) {
        throw error
      }
      return {
        status: 200,
        body: refusal(operation.startsWith("refund") ? "refund" : "status", error.code, error.message),
      }
    }
  }

  /** @returns whether the fault has answered, or made sure that nothing answers */
  async #disturb(fault, request, reply, acted = { status: 200, body: {} }) {
    switch (fault.kind) {
      case "slow":
        await new Promise((resolve) => setTimeout(resolve, fault.ms))
        return false
      case "lost_before":
      case "lost_after":
        request.socket.destroy()
        return true
      case "html":
      case "html_after":
        reply(200, "<html><body><h1>502 Bad Gateway</h1></body></html>")
        return true
      case "message_only":
      case "message_only_after":
        reply(fault.status ?? 200, { message: fault.message ?? "Endpoint request timed out" })
        return true
      case "unauthorized":
        reply(401, { message: "The incoming token has expired" })
        return true
      case "http":
        reply(fault.status, { message: "Internal server error" })
        return true
      case "error":
      case "error_after":
        reply(200, refusal(fault.shape ?? "status", String(fault.code), fault.message ?? "Fault of the stand-in"))
        return true
      case "change":
        reply(acted.status, withChanges(acted.body, fault.fields))
        return true
    }
    throw new Error(`The fault ${fault.kind} has no place here`)
  }

  #shopper(request, response, form) {
    const page = (status, html) => response.writeHead(status, { "content-type": "text/html; charset=utf-8" }).end(html)
    const payment = this.book.payments.find(
      ({ paymentID, hash }) => paymentID === form.get("paymentID") && hash === form.get("hash")
    )
    if (payment === undefined || payment.shopper !== "open") {
      return page(payment === undefined ? 404 : 200, endedPage())
    }
    if (request.method !== "POST") {
      return page(200, payPage(payment))
    }
    const action = form.get("action")
    if (!Object.hasOwn(SHOPPER, action) || !WALLET.test(form.get("wallet"))) {
      return page(400, payPage(payment))
    }
    payment.wallet = form.get("wallet")
    // An agreement asks for no money yet.
    const fails = action === "pay" && payment.mode !== "0000" && WALLETS[payment.wallet]?.refusal !== undefined
    const outcome = fails ? "decline" : action
    payment.shopper = SHOPPER[outcome]
    response.writeHead(302, { location: this.#callback(payment, CALLBACK_STATUS[outcome]) }).end()
  }

  #callback(payment, status) {
    const fault = this.faults.take("callback", ["lost_query", "change"])
    const url = new URL(payment.callbackURL)
    if (fault?.kind !== "lost_query") {
      const query = withChanges({ paymentID: payment.paymentID, status, signature: "2RhmNbYwSD" }, fault?.fields ?? {})
      Object.entries(query).forEach(([name, value]) => url.searchParams.set(name, value))
    }
    return url.href
  }

  /** What a shopper does on the page of a bkashURL, from a wallet of their own. @returns where bKash sends the browser */
  async shop(bkashURL, action = "pay", wallet = this.#nextWallet()) {
    const page = await fetch(bkashURL)
    if (page.status !== 200 || !(await page.text()).includes("<form")) {
      throw new Error("The page of this payment has ended")
    }
    const { searchParams } = new URL(bkashURL)
    const form = new URLSearchParams({ ...Object.fromEntries(searchParams), action, wallet })
    const answer = await fetch(`${this.url}/redirect/tokenized/`, { method: "POST", body: form, redirect: "manual" })
    return answer.headers.get("location")
  }

  /** Each shopper pays from another wallet: two from one, with one amount, would be a repetition. */
  #nextWallet() {
    return `0${1770618575 + this.#shoppers++}`
  }

  #amazon(response, path, query) {
    if (path === this.sns.certificatePath) {
      const isLost = this.faults.take("certificate", ["http"])
      return response.writeHead(isLost?.status ?? 200, { "content-type": "text/plain" }).end(this.sns.certificate)
    }
    if (query.get("Action") === "ConfirmSubscription" && this.sns.tokens.delete(query.get("Token"))) {
      this.#notificationUrl = this.pendingNotificationUrl
      return response.writeHead(200).end("<ConfirmSubscriptionResponse/>")
    }
    return response.writeHead(404).end()
  }

  /** Registers a webhook, as bKash does for a merchant: it is confirmed before anything is sent to it. */
  async subscribe(url, options = {}) {
    this.pendingNotificationUrl = url
    return this.#post(url, this.sns.confirmation(options))
  }

  get isSubscribed() {
    return this.#notificationUrl !== null
  }

  /** The message about a payment, as SNS would send it, with `fields` of the payment changed. */
  message(paymentID, { fields = {}, ...options } = {}) {
    const payment = this.book.payments.find((one) => one.paymentID === paymentID)
    return this.sns.notification(withChanges(notificationOf(payment, this.now()), fields), options)
  }

  async #announce({ paymentID }) {
    if (this.#notificationUrl === null) {
      return
    }
    const fault = this.faults.take("notification", KINDS.other.concat("change"))
    const message = this.message(paymentID, {
      fields: fault?.fields,
      forged: fault?.kind === "forged",
      badHost: fault?.kind === "bad_host",
      asObject: fault?.kind === "object",
      ...(fault?.kind === "other_topic" && { topic: `${this.options.topic}_other` }),
    })
    const times = fault?.kind === "never" ? 0 : fault?.kind === "twice" ? 2 : 1
    const sent = Array.from({ length: times }, () => this.#post(this.#notificationUrl, message))
    this.#deliveries.push(...sent)
    // Otherwise the notification and the answer race, as they do at bKash.
    await (fault?.kind === "before_answer" ? Promise.all(sent) : undefined)
  }

  /** After every notification so far has been answered. */
  async delivered() {
    await Promise.all(this.#deliveries)
  }

  async #post(url, { body, headers }) {
    const entry = { url, body, status: null }
    this.book.notifications.push(entry)
    try {
      entry.status = (await fetch(url, { method: "POST", body, headers })).status
    } catch (error) {
      entry.status = String(error)
    }
    return entry.status
  }

  /** For a stand-in in a process of its own: the book, faults and the clock over HTTP. */
  #control(request, response, name, raw) {
    const json = (value) =>
      response
        .writeHead(200, { "content-type": "application/json" })
        .end(JSON.stringify(value, (_, one) => (typeof one === "bigint" ? String(one) : one)))
    if (request.method === "GET" && name === "book") {
      return json({ ...this.book, movements: this.movements() })
    }
    const body = request.method === "POST" ? parseBody(raw) : {}
    if (name === "faults") {
      this.faults.add(body)
    } else if (name === "clock") {
      this.advance(body.advance_seconds)
    } else if (name === "subscribe") {
      return this.subscribe(body.url).then((status) => json({ status }))
    } else {
      return response.writeHead(404).end()
    }
    return json({})
  }
}

function refusal(shape, code, message) {
  if (shape === "refund") {
    return {
      internalCode: `refund_${code}`,
      externalCode: code,
      errorMessageEn: message,
      errorMessageBn: "অনুরোধটি সম্পন্ন হয়নি",
    }
  }
  return shape === "error" ? { errorCode: code, errorMessage: message } : { statusCode: code, statusMessage: message }
}

function withChanges(body, fields) {
  return Object.fromEntries(Object.entries({ ...body, ...fields }).filter(([, value]) => value !== null))
}

function notificationOf(payment, now) {
  return {
    dateTime: now.toISOString().replace(/\D/g, "").slice(0, 14),
    debitMSISDN: `88${payment.wallet}`,
    creditOrganizationName: "Stand-in",
    creditShortCode: "500***",
    trxID: payment.trxID,
    transactionStatus: "Completed",
    transactionType: "10002294",
    amount: `${payment.amount / 100n}.${String(payment.amount % 100n).padStart(2, "0")}`,
    currency: "BDT",
    transactionReference: payment.payerReference,
    merchantInvoiceNumber: payment.invoice,
  }
}

/** @returns {Promise<StandIn>} */
export const startStandIn = (options) => new StandIn(options).listen(options?.port)
