import { Faults, HttpStandIn } from "../http-stand-in.mjs"
import { checkHeaders, parseBody, Refusal, shownAmount, stamp } from "./checks.mjs"
import { newKeys, seal } from "./crypto.mjs"
import { KINDS } from "./faults.mjs"
import { Operations } from "./operations.mjs"
import { endedPage, payPage, WALLET } from "./page.mjs"

/** Nagad's own keys, the merchant's, and those of somebody else; made anew in each process. */
const KEYS = newKeys()
const MERCHANT = newKeys()
const STRANGER = newKeys()

/** What the stand-in's merchant signs in with. */
export const CREDENTIALS = {
  merchant_id: "683002007104225",
  merchant_number: "01711111111",
  public_key: KEYS.public_key,
  private_key: MERCHANT.private_key,
  server_ip: "203.0.113.7",
}

const ROUTES = [
  ["POST", /^\/api\/dfs\/check-out\/initialize\/([^/]+)\/([^/]+)$/, "initialize"],
  ["POST", /^\/api\/dfs\/check-out\/complete\/([^/]+)$/, "complete"],
  ["GET", /^\/api\/dfs\/verify\/payment\/([^/]+)$/, "verify"],
  ["POST", /^\/api\/dfs\/purchase\/cancel$/, "cancel"],
]
const CALLBACK = {
  pay: ["Success", "00_0000_000", "Successful Transaction"],
  decline: ["Failed", "50_0026_851", "Transaction over limit"],
  cancel: ["Cancelled", "50_0000_000", "Cancelled by the customer"],
}

/**
 * Nagad's remote payment gateway v-0.2.0 on loopback. It refuses what Nagad would refuse, keeps a book, and plays the
 * faults of faults.mjs. Nothing of it comes from Nagad.
 */
export class StandIn extends HttpStandIn {
  faults = new Faults(KINDS)
  keys = KEYS
  merchant = MERCHANT
  credentials = CREDENTIALS

  constructor({ needsMerchantHeader = true } = {}) {
    super()
    this.needsMerchantHeader = needsMerchantHeader
    this.operations = new Operations(this)
  }

  /** Money that has moved: what the shoppers paid, and what they got back. */
  movements() {
    const { payments, refunds } = this.book
    return [
      ...payments
        .filter(({ issuerPaymentRefNo }) => issuerPaymentRefNo !== null)
        .map(({ issuerPaymentRefNo: id, orderId: key, amount }) => ({ type: "payment", id, key, amount })),
      ...refunds.map(({ cancelTrxId: id, referenceNo: key, amount }) => ({ type: "refund", id, key, amount })),
    ]
  }

  async handle(request, response, raw) {
    const { pathname, searchParams } = new URL(request.url, this.url)
    if (pathname.startsWith("/check-out/")) {
      return this.#shopper(request, response, decodeURIComponent(pathname.slice("/check-out/".length)), raw)
    }
    if (pathname.startsWith("/control/")) {
      return this.#control(request, response, pathname.slice("/control/".length), raw)
    }
    return this.#api(request, response, { pathname, searchParams, raw })
  }

  async #api(request, response, { pathname, searchParams, raw }) {
    const { method, headers } = request
    const [, pattern, operation = "unknown"] = ROUTES.find(([one, path]) => one === method && path.test(pathname)) ?? []
    const parts = (pattern?.exec(pathname) ?? []).slice(1).map(decodeURIComponent)
    const entry = {
      operation,
      method,
      path: pathname + new URL(request.url, this.url).search,
      headers,
      body: raw,
      answer: null,
    }
    this.book.requests.push(entry)
    const reply = (status, body) => {
      entry.answer = { status, body }
      const isText = typeof body === "string"
      response.writeHead(status, { "content-type": isText ? "text/html" : "application/json" })
      response.end(isText ? body : JSON.stringify(body))
    }
    const before = this.faults.take(operation, KINDS.before)
    if (before && (await this.#disturb(before, request, reply))) {
      return
    }
    const acted = this.#act(operation, headers, () =>
      this.operations[operation](parts, method === "POST" ? parseBody(raw) : {}, searchParams)
    )
    const after = this.faults.take(operation, KINDS.after)
    if (after !== undefined && (await this.#disturb(after, request, reply))) {
      return
    }
    reply(
      acted.status,
      acted.sealed ? this.#sealed(acted.sealed, after) : withChanges(acted.plain, after?.fields ?? {})
    )
  }

  #act(operation, headers, work) {
    try {
      if (operation === "unknown") {
        throw new Refusal("InvalidApiRequest", "There is no such path", 404)
      }
      const { merchant_id } = this.credentials
      checkHeaders(headers, { merchant_id, needsMerchant: this.needsMerchantHeader, isVerify: operation === "verify" })
      return { status: 200, ...work() }
    } catch (error) {
      if (!(error instanceof Refusal)) {
        throw error
      }
      return { status: error.status, plain: { reason: error.reason, message: error.message } }
    }
  }

  #sealed(fields, fault) {
    const to = fault?.kind === "unreadable" ? STRANGER.publicKey : this.merchant.publicKey
    const by = fault?.kind === "forged" ? STRANGER.privateKey : this.keys.privateKey
    return seal(withChanges(fields, fault?.fields ?? {}), { to, by })
  }

  /** @returns whether the fault has answered, or made sure that nothing answers */
  async #disturb(fault, request, reply) {
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
      case "empty":
      case "empty_after":
        reply(200, "")
        return true
      case "null":
        reply(200, null)
        return true
      case "http":
        reply(fault.status, { message: "Internal server error" })
        return true
      case "error":
        reply(fault.status ?? 400, { reason: fault.reason, message: fault.message ?? fault.reason })
        return true
    }
    // The answer itself is another one.
    return false
  }

  #shopper(request, response, reference, raw) {
    const page = (status, html) => response.writeHead(status, { "content-type": "text/html; charset=utf-8" }).end(html)
    const payment = this.book.payments.find(({ paymentRefId }) => paymentRefId === reference)
    const isOpen = payment?.callbackURL && !["Success", "Cancelled", "Refunded"].includes(payment.status)
    if (!isOpen) {
      return page(payment === undefined ? 404 : 200, endedPage())
    }
    if (request.method !== "POST") {
      return page(200, payPage({ ...payment, shown: shownAmount(payment.amount) }))
    }
    const form = new URLSearchParams(raw)
    const action = form.get("action")
    if (!Object.hasOwn(CALLBACK, action) || !WALLET.test(form.get("wallet"))) {
      return page(400, payPage({ ...payment, shown: shownAmount(payment.amount) }))
    }
    this.operations.act(payment, action, form.get("wallet"))
    response.writeHead(302, { location: this.#callback(payment, action) }).end()
  }

  #callback(payment, action) {
    const fault = this.faults.take("callback", KINDS.callback)
    const url = new URL(payment.callbackURL)
    const [status, status_code, message] = CALLBACK[action]
    const query = {
      merchant: this.credentials.merchant_id,
      order_id: payment.orderId,
      payment_ref_id: payment.paymentRefId,
      status,
      status_code,
      message,
      payment_dt: stamp(this.now()),
      issuer_payment_ref: payment.issuerPaymentRefNo ?? "",
    }
    if (fault?.kind !== "lost_query") {
      Object.entries(withChanges(query, fault?.fields ?? {})).forEach(([name, value]) =>
        url.searchParams.set(name, value)
      )
    }
    return url.href
  }

  /** What a shopper does on the page at an address. @returns where Nagad sends the browser */
  shop(callBackUrl, action = "pay", wallet = "01711223344") {
    return this.sendForm(callBackUrl, { action, wallet })
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
    } else {
      return response.writeHead(404).end()
    }
    return json({})
  }
}

function withChanges(body, fields) {
  const changed = Object.entries({ ...body, ...fields })
  return Object.fromEntries(changed.filter(([name, value]) => value !== null || !Object.hasOwn(fields, name)))
}

/** @returns {Promise<StandIn>} */
export const startStandIn = (options) => new StandIn(options).listen(options?.port)
