import { ask, bearer } from "../hostile/client.mjs"

const CASH = "pp_gateway_cod"
const ONLINE = "pp_gateway_default"
const CARD = {
  method: "card",
  card_number: "4242 4242 4242 4242",
  card_expiry: "12/40",
  card_cvc: "123",
  card_name: "Rahim",
}
const MOST_RAISES = 2
const AT_ONCE = 3

/** A parcel's two lines: their amounts differ, so that a line recorded twice is seen. */
const COURIER_LINES = ["200.00,30.00,2026-11-20", "260.00,30.00,2026-11-21"]

const pick = (items) => items[Math.floor(Math.random() * items.length)]

/** The newest orders of the store that are placed, with what was asked of each. */
const ORDERS = `
  SELECT o.id, (s.totals->>'pending_difference')::numeric AS pending FROM "order" o
  JOIN order_summary s ON s.order_id = o.id AND s.deleted_at IS NULL AND s.version = o.version
  WHERE o.status <> 'canceled' AND o.deleted_at IS NULL ORDER BY o.created_at DESC LIMIT 40`

const RESERVED = `
  SELECT z.transaction_id, p.id AS payment_id FROM gateway_authorization z
  JOIN payment p ON p.payment_session_id = z.payment_session_id WHERE z.state = 'open' ORDER BY z.created_at DESC LIMIT 12`

/** Also those whose cash has come: their lines come again. */
const IN_CASH =
  "SELECT order_number FROM gateway_cash_order WHERE placed_at IS NOT NULL ORDER BY placed_at DESC LIMIT 10"

/**
 * What shoppers, couriers and admins do in a store whose process is killed at any moment. Each method does one thing, and
 * a request that nobody answers is no fault: somebody does it again. `line` gives the processes that answer now.
 */
export class Desk {
  #raised = new Map()
  #editing = Promise.resolve()
  /** Answers of 500 and more by kind, to be looked at. */
  failures = new Map()

  constructor({ shop, token, query, line }) {
    Object.assign(this, { shop, token, query, line })
    this.tenant = `merchant_id=${shop.merchant_id}&environment=sandbox`
  }

  /** Null: the process died. */
  async #ask(method, path, options, url = this.line()[0]) {
    const answer = await ask(url, method, path, options).catch(() => null)
    if (answer !== null && answer.status >= 500) {
      const kind = `${method} ${path.replace(/[A-Za-z]+_[A-Za-z0-9_-]{12,}/g, "…").split("?")[0]}: ${answer.text.slice(0, 200)}`
      this.failures.set(kind, (this.failures.get(kind) ?? 0) + 1)
    }
    return answer
  }

  #admin(method, path, json, url) {
    return this.#ask(method, path, { headers: bearer(this.token), json }, url)
  }

  #gateway(path, json, url) {
    return this.#admin("POST", `/admin/gateway/${path}?${this.tenant}`, json, url)
  }

  #store(method, path, json) {
    return this.#ask(method, path, { headers: { "x-publishable-api-key": this.shop.key }, json })
  }

  /** A shopper orders: in cash with an advance, or online, where the money is taken or reserved as the store wants it now. */
  async order() {
    const { region, variant, option, address } = this.shop
    const items = [{ variant_id: variant, quantity: 1 }]
    const contact = { email: "ayesha@example.com", shipping_address: address, billing_address: address }
    const made = await this.#store("POST", "/store/carts", { region_id: region, items, ...contact })
    const cart_id = made?.body.cart?.id
    await this.#store("POST", `/store/carts/${cart_id}/shipping-methods`, { option_id: option })
    const collection = await this.#store("POST", "/store/payment-collections", { cart_id })
    const collection_id = collection?.body.payment_collection?.id
    if (collection_id === undefined) {
      return
    }
    const path = `/store/payment-collections/${collection_id}/payment-sessions`
    const provider_id = Math.random() < 0.4 ? CASH : ONLINE
    const chosen = await this.#store("POST", path, { provider_id, data: {} })
    const session_id = chosen?.body.payment_collection?.payment_sessions?.[0]?.data.session_id
    if (session_id !== undefined) {
      await this.#pay(session_id)
    }
  }

  /** An admin adds goods to an order. Killed in the middle, Medusa's own edit may stay half: so nobody kills it here. */
  async raise() {
    const order = pick(await this.query(ORDERS))
    const raises = this.#raised.get(order?.id) ?? 0
    if (order === undefined || raises >= MOST_RAISES) {
      return
    }
    this.#raised.set(order.id, raises + 1)
    const edit = async () => {
      const path = `/admin/order-edits/${order.id}`
      const item = { variant_id: this.shop.variant, quantity: 1, unit_price: 50 + Math.floor(Math.random() * 200) }
      await this.#admin("POST", "/admin/order-edits", { order_id: order.id })
      await this.#admin("POST", `${path}/items`, { items: [item] })
      await this.#admin("POST", `${path}/confirm`)
    }
    const editing = this.#editing.then(edit)
    this.#editing = editing
    await editing
  }

  /** Keeps edits away while `kill` runs. */
  async between(kill) {
    const killing = this.#editing.then(kill)
    this.#editing = killing
    await killing
  }

  /** The balance of an order is asked for, and some browsers pay it at once, in all processes that answer. */
  async balance() {
    const owing = (await this.query(ORDERS)).filter(({ id, pending }) => this.#raised.has(id) && Number(pending) > 0)
    const order = pick(owing)
    if (order === undefined) {
      return
    }
    const asked = await this.#gateway(`orders/${order.id}/balance`)
    const url = asked?.body.balance?.payment_link?.url
    if (url === undefined) {
      return
    }
    const { pathname } = new URL(url)
    const line = this.line()
    const browsers = Array.from({ length: AT_ONCE }, (_, index) => line[index % line.length])
    const pressed = await Promise.all(browsers.map((base) => this.#submit(base, pathname, {})))
    const sessions = pressed.flatMap(
      (answer) => /ses_[A-Za-z0-9_-]+/.exec(answer?.headers.get("location") ?? "")?.[0] ?? []
    )
    await Promise.all(sessions.map((session_id, index) => this.#pay(session_id, browsers[index])))
  }

  #pay(session_id, base = this.line()[0]) {
    return this.#submit(base, `/pay/${session_id}`, CARD)
  }

  /** Opens a page and submits its form, as a browser does. */
  async #submit(base, path, fields) {
    const page = await this.#ask("GET", path, {}, base)
    if (page === null) {
      return null
    }
    const csrf_token = /name="csrf_token" value="([^"]+)"/.exec(page.text)?.[1] ?? ""
    const cookie = (page.headers.get("set-cookie") ?? "").split(";")[0]
    const headers = {
      "content-type": "application/x-www-form-urlencoded",
      "sec-fetch-site": "same-origin",
      origin: "null",
      cookie,
    }
    return this.#ask("POST", path, { headers, body: new URLSearchParams({ csrf_token, ...fields }).toString() }, base)
  }

  /** A part of what is reserved is captured, by Medusa's button or by ours; or the rest is let go. */
  async captureOrVoid() {
    const payment = pick(await this.query(RESERVED))
    if (payment === undefined) {
      return
    }
    const { transaction_id, payment_id } = payment
    const chance = Math.random()
    const amount = 50 + Math.floor(Math.random() * 250)
    if (chance < 0.04) {
      await this.#gateway(`payments/${transaction_id}/void`)
    } else if (chance < 0.6) {
      await this.#admin("POST", `/admin/payments/${payment_id}/capture`, chance < 0.1 ? {} : { amount })
    } else {
      const request_key = `chaos-${Math.ceil(Math.random() * 4)}`
      await this.#gateway(`payments/${transaction_id}/capture`, { amount: `${amount}.00`, request_key })
    }
  }

  /** A courier's file comes, the same lines again and again, in two processes at once. */
  async importCash() {
    const numbers = (await this.query(IN_CASH)).map(({ order_number }) => order_number)
    const lines = numbers.flatMap((number) => COURIER_LINES.map((line) => `${number},${line}`))
    if (lines.length === 0) {
      return
    }
    const csv = ["order_number,collected,charge,date", ...lines.filter(() => Math.random() < 0.5)].join("\n")
    const input = { csv, courier: "Chaos", dry_run: false }
    await Promise.all(this.line().map((url) => this.#gateway("cash-orders/import", input, url)))
  }
}
