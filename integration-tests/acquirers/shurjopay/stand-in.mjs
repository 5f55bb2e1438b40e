import { randomBytes } from "node:crypto"
import { Faults, HttpStandIn } from "../http-stand-in.mjs"
import { endedPage, payPage } from "./page.mjs"

/** What the stand-in's merchant signs in with. */
export const CREDENTIALS = { username: "sp_stand_in", password: "stand-in&8k2", prefix: "SPT" }

const STORE_ID = 7
/** The shorter of the times that sources give. */
const TOKEN_SECONDS = 900

/**
 * Faults that the stand-in plays, each for the next `times` calls of an operation (once without it). Operations: token,
 * create, verification, status.
 *
 * before it acts: `slow` (ms), `lost_before`, `html`, `http` (status), `error` (code, message, status)
 * after it has acted: `lost_after`, `change` (fields of the answer; null removes one), `object` (no list around the
 *   payment), `twice` (the payment two times), `none` (an empty list)
 */
const KINDS = {
  before: ["slow", "lost_before", "html", "http", "error"],
  after: ["lost_after", "change", "object", "twice", "none"],
}
const ROUTES = {
  "/api/get_token": "token",
  "/api/secret-pay": "create",
  "/api/verification": "verification",
  "/api/payment-status": "status",
}
const REQUIRED = [
  ...["prefix", "token", "store_id", "return_url", "cancel_url", "amount", "order_id", "currency", "client_ip"],
  ...["customer_name", "customer_phone", "customer_address", "customer_city"],
]
const CODES = {
  waiting: ["1068", "Initiated"],
  paid: ["1000", "Success"],
  declined: ["1001", "Failed"],
  cancelled: ["1002", "Cancelled by customer"],
  refunded: ["2002", "Refund completed"],
}

class Refusal extends Error {
  constructor(code, message, status = 200) {
    super(message)
    this.code = code
    this.status = status
  }
}
const refuse = (...args) => {
  throw new Refusal(...args)
}

/** `2023-05-29 12:46:01pm`, as shurjoPay writes it: 24 hours, and a suffix all the same. */
const shownTime = (date) => {
  const dhaka = new Date(date.getTime() + 6 * 3_600_000).toISOString()
  return `${dhaka.slice(0, 19).replace("T", " ")}${Number(dhaka.slice(11, 13)) < 12 ? "am" : "pm"}`
}
const shownAmount = (minor) => `${minor / 100n}.${String(minor % 100n).padStart(2, "0")}00`

/**
 * shurjoPay v2.1 on loopback. It refuses what shurjoPay would refuse, keeps a book, and plays faults. Nothing of it comes
 * from shurjoPay. `ipn`: the merchant's address for notifications, as its panel keeps it.
 */
export class StandIn extends HttpStandIn {
  faults = new Faults(KINDS)
  credentials = CREDENTIALS
  #tokens = new Map()
  #sent = []

  /** @param options.needsBearerOnCreate the vendor's own Node client leaves that header out */
  constructor({ ipn = null, needsBearerOnCreate = true } = {}) {
    super()
    this.ipn = ipn
    this.needsBearerOnCreate = needsBearerOnCreate
  }

  /** Every token ends now. */
  revoke() {
    this.#tokens.clear()
  }

  /** After every notification so far has been answered. */
  async delivered() {
    await Promise.all(this.#sent)
  }

  /** Money that has moved: what the shoppers paid, and what they got back. */
  movements() {
    const { payments, refunds } = this.book
    const paid = payments.filter(({ bank_trx_id }) => bank_trx_id !== null)
    return [
      ...paid.map(({ bank_trx_id: id, order_id: key, amount }) => ({ type: "payment", id, key, amount })),
      ...refunds.map(({ sp_order_id: id, amount }) => ({ type: "refund", id, key: id, amount })),
    ]
  }

  /** What a shopper does on the page at an address. @returns where shurjoPay sends the browser */
  shop(checkout_url, action = "pay", method = "Visa") {
    return this.sendForm(checkout_url, { action, method })
  }

  /** What somebody refunds in shurjoPay's panel: the whole of a payment. */
  refundInPanel(sp_order_id) {
    const payment = this.#payment(sp_order_id)
    payment.state = "refunded"
    this.book.refunds.push({ sp_order_id, amount: payment.amount })
  }

  async handle(request, response, raw) {
    const { pathname } = new URL(request.url, this.url)
    if (pathname.startsWith("/spaycheckout/")) {
      return this.#shopper(request, response, pathname.slice("/spaycheckout/".length), raw)
    }
    if (pathname === "/control/book") {
      const text = JSON.stringify({ ...this.book, movements: this.movements() }, (_, one) =>
        typeof one === "bigint" ? String(one) : one
      )
      return response.writeHead(200, { "content-type": "application/json" }).end(text)
    }
    return this.#api(request, response, pathname, raw)
  }

  async #api(request, response, pathname, raw) {
    const { method, headers } = request
    const operation = (method === "POST" && ROUTES[pathname]) || "unknown"
    const entry = { operation, method, path: request.url, headers, body: raw, answer: null }
    this.book.requests.push(entry)
    const reply = (status, body) => {
      entry.answer = { status, body }
      const isText = typeof body === "string"
      response.writeHead(status, { "content-type": isText ? "text/html" : "application/json" })
      response.end(isText ? body : JSON.stringify(body))
    }
    const before = this.faults.take(operation, KINDS.before)
    if (before && (await disturb(before, request, reply))) {
      return
    }
    const { status, body } = this.#act(operation, headers, raw)
    const after = this.faults.take(operation, KINDS.after)
    if (after?.kind === "lost_after") {
      request.socket.destroy()
      return
    }
    reply(status, changed(body, after))
  }

  #act(operation, headers, raw) {
    try {
      if (!/^application\/json\b/.test(headers["content-type"] ?? "")) {
        refuse("1062", "The body must be JSON")
      }
      const body = JSON.parse(raw)
      switch (operation) {
        case "token":
          return { status: 200, body: this.#token(body) }
        case "create":
          this.#authenticate(this.needsBearerOnCreate ? headers : { authorization: `Bearer ${body.token}` }, body.token)
          return { status: 200, body: this.#create(body) }
        case "verification":
        case "status":
          this.#authenticate(headers)
          return { status: 200, body: [this.#shown(this.#payment(body.order_id))] }
        default:
          return refuse("404", "There is no such path", 404)
      }
    } catch (error) {
      const { code = "1062", status = 200, message } = error
      return { status, body: { sp_code: code, message } }
    }
  }

  #token({ username, password }) {
    if (username !== CREDENTIALS.username || password !== CREDENTIALS.password) {
      refuse("1003", "Invalid username or password")
    }
    const token = `${randomBytes(12).toString("hex")}.${randomBytes(12).toString("hex")}.${randomBytes(8).toString("hex")}`
    this.#tokens.set(token, this.now().getTime() + TOKEN_SECONDS * 1_000)
    return {
      token,
      store_id: STORE_ID,
      execute_url: `${this.url}/api/secret-pay`,
      token_type: "Bearer",
      sp_code: "200",
      message: "Ok",
      token_create_time: shownTime(this.now()),
      expires_in: 3600,
    }
  }

  #authenticate({ authorization = "" }, inBody) {
    const [, token] = /^Bearer (\S+)$/.exec(authorization) ?? []
    const isYoung = (this.#tokens.get(token) ?? 0) > this.now().getTime()
    if (!isYoung || (inBody !== undefined && inBody !== token)) {
      refuse("1064", "Unauthorized", 401)
    }
  }

  #create(body) {
    const missing = REQUIRED.filter((name) => body[name] === undefined || body[name] === "")
    if (missing.length > 0) {
      refuse("1062", `Missing: ${missing.join(", ")}`)
    }
    const [, taka, poisha = ""] = /^(\d{1,9})(?:\.(\d{1,2}))?$/.exec(String(body.amount)) ?? refuse("1062", "amount")
    const isWrong =
      body.prefix !== CREDENTIALS.prefix ||
      Number(body.store_id) !== STORE_ID ||
      !/^\d{11}$/.test(body.customer_phone) ||
      !/^\d{1,3}(\.\d{1,3}){3}$/.test(body.client_ip) ||
      !URL.canParse(body.return_url)
    if (isWrong || !["BDT", "USD"].includes(body.currency)) {
      refuse(isWrong ? "1062" : "1010", "A field is malformed")
    }
    // A number of the merchant's that it has seen makes another payment.
    const payment = {
      id: 100 + this.book.payments.length,
      sp_order_id: CREDENTIALS.prefix + randomBytes(7).toString("hex").slice(0, 13),
      order_id: body.order_id,
      amount: BigInt(taka) * 100n + BigInt(poisha.padEnd(2, "0")),
      currency: body.currency,
      state: "waiting",
      method: null,
      bank_trx_id: null,
      card_number: null,
      at: this.now(),
      fields: body,
    }
    this.book.payments.push(payment)
    return {
      checkout_url: `${this.url}/spaycheckout/${payment.sp_order_id}`,
      amount: String(body.amount),
      currency: body.currency,
      sp_order_id: payment.sp_order_id,
      customer_order_id: body.order_id,
      customer_name: body.customer_name,
      intent: "sale",
      transactionStatus: "Initiated",
    }
  }

  #payment(sp_order_id) {
    return this.book.payments.find((one) => one.sp_order_id === sp_order_id) ?? refuse("1011", "Invalid order id")
  }

  #shown(payment) {
    const [sp_code, sp_message] = CODES[payment.state] ?? [payment.state, "As the test says"]
    const amount = shownAmount(payment.amount)
    return {
      id: payment.id,
      order_id: payment.sp_order_id,
      currency: payment.currency,
      amount,
      payable_amount: amount,
      discsount_amount: null,
      disc_percent: 0,
      // Without the merchant's fee.
      recived_amount: shownAmount((payment.amount * 98n) / 100n),
      usd_amt: "0.00",
      usd_rate: 0,
      is_verify: 0,
      card_holder_name: null,
      card_number: payment.card_number,
      phone_no: payment.fields.customer_phone,
      bank_trx_id: payment.bank_trx_id,
      invoice_no: `INV${payment.id}`,
      bank_status: sp_message,
      customer_order_id: payment.order_id,
      sp_code,
      sp_massage: sp_message,
      name: payment.fields.customer_name,
      email: payment.fields.customer_email ?? null,
      address: payment.fields.customer_address,
      city: payment.fields.customer_city,
      value1: payment.fields.value1 ?? null,
      transaction_status: null,
      method: payment.method,
      date_time: shownTime(payment.at).slice(0, 19),
    }
  }

  #shopper(request, response, sp_order_id, raw) {
    const page = (status, html) => response.writeHead(status, { "content-type": "text/html; charset=utf-8" }).end(html)
    const payment = this.book.payments.find((one) => one.sp_order_id === sp_order_id)
    if (payment === undefined || ["paid", "cancelled", "refunded"].includes(payment.state)) {
      return page(payment === undefined ? 404 : 200, endedPage())
    }
    const form = new URLSearchParams(raw)
    const state = { pay: "paid", decline: "declined", cancel: "cancelled" }[form.get("action")]
    if (request.method !== "POST" || state === undefined) {
      return page(200, payPage({ ...payment, shown: shownAmount(payment.amount).slice(0, -2) }))
    }
    this.settle(payment, state, form.get("method") ?? "Visa")
    const back = new URL(payment.fields.return_url)
    back.searchParams.set("order_id", sp_order_id)
    response.writeHead(302, { location: back.href }).end()
  }

  /** Decides a payment, and notifies the merchant of what was paid. */
  settle(payment, state, method) {
    Object.assign(payment, { state, method })
    if (state !== "paid") {
      return
    }
    payment.bank_trx_id = `TRX${randomBytes(5).toString("hex").toUpperCase()}`
    payment.card_number = method === "Visa" ? "411111******1111" : "01711223344"
    if (this.ipn !== null) {
      const body = new URLSearchParams({ order_id: payment.sp_order_id })
      this.#sent.push(fetch(this.ipn, { method: "POST", body }).catch(() => undefined))
    }
  }
}

/** @returns whether the fault has answered, or made sure that nothing answers */
async function disturb(fault, request, reply) {
  switch (fault.kind) {
    case "slow":
      await new Promise((resolve) => setTimeout(resolve, fault.ms))
      return false
    case "lost_before":
      request.socket.destroy()
      return true
    case "html":
      reply(200, "<html><body><h1>502 Bad Gateway</h1></body></html>")
      return true
    case "http":
      reply(fault.status, { message: "Internal server error" })
      return true
    default:
      reply(fault.status ?? 200, { sp_code: fault.code, message: fault.message ?? "Refused" })
      return true
  }
}

function changed(body, fault) {
  const [row] = Array.isArray(body) ? body : [body]
  switch (fault?.kind) {
    case "object":
      return row
    case "twice":
      return [row, row]
    case "none":
      return []
    case "change": {
      const all = Object.entries({ ...row, ...fault.fields })
      const kept = Object.fromEntries(all.filter(([name, value]) => value !== null || !(name in fault.fields)))
      return Array.isArray(body) ? [kept] : kept
    }
  }
  return body
}

/** @returns {Promise<StandIn>} */
export const startStandIn = (options) => new StandIn(options).listen(options?.port)
