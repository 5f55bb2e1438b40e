import type GatewayModuleService from "../../src/modules/gateway/service"
import type { CartPayment } from "../../src/api/gateway/cart-payment"
import { CartCopies } from "./cart-copies"
import { call as callApi } from "./api"
import type { Store } from "./store"

export const PROVIDER = "pp_gateway_default"
export const DECLINED_CARD = "4000000000000002"

/** The members of the store's responses that tests read; the route determines which exist. */
interface Body {
  cart: Cart
  payment_collection: { id: string; payment_sessions: PaymentSession[] }
  shipping_options: { id: string; name: string }[]
  type: string
  message: string
  success: boolean
  data: { status: string; transaction_id: string; redirect_url: string }
  error: { code: string; type: string; message: string }
  order: { id: string; total: number }
}

export interface Answer<Read = Body> {
  status: number
  body: Read
}

export interface PaymentSession {
  id: string
  status: string
  amount: number
  data: { session_id: string; checkout_url: string; expires_at: string; status: string }
}

export interface Cart {
  id: string
  total: number
  currency_code: string
  items: { id: string; quantity: number }[]
  payment_collection?: { id: string; payment_sessions: PaymentSession[] }
}

export const ADDRESS = {
  first_name: "Ayesha",
  last_name: "Rahman",
  address_1: "House 5, Road 2",
  address_2: "Dhanmondi",
  city: "Dhaka",
  postal_code: "1205",
  country_code: "bd",
  phone: "01712345678",
}

/** The demo's shop in a store under test (`shop: true`), used as a storefront uses it: only through the Store API. */
export class CartShop {
  #key = ""
  #apiKey = ""
  readonly #copies: CartCopies<Cart>
  regionId = ""

  constructor(private readonly store: Store) {
    this.#copies = new CartCopies(store)
  }

  get gateway(): GatewayModuleService {
    return this.store.gateway
  }

  async open(): Promise<void> {
    const region = await this.store.db("region").where({ name: "Bangladesh" }).first()
    const publishable = await this.store.db("api_key").where({ type: "publishable", title: "Shapla" }).first()
    if (!region || !publishable) {
      throw new Error("there is no shop in this database: ask for one with useStore({ shop: true })")
    }
    this.regionId = region.id
    this.#key = publishable.token
    const merchant = await this.gateway.merchants.storeMerchant(this.gateway.options.storeMerchantName)
    const { key } = await this.gateway.apiKeys.create({
      merchant_id: merchant.id,
      environment: "sandbox",
      name: "tests",
    })
    this.#apiKey = key
  }

  /** The shop's publishable key, for Medusa's own SDK. */
  get publishableKey(): string {
    return this.#key
  }

  /** The Store API. `base` is another server on the same database, `token` a signed-in customer's. */
  async call<Read = Body>(
    method: string,
    path: string,
    body?: unknown,
    base = this.store.url,
    token?: string
  ): Promise<Answer<Read>> {
    const signedIn: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` }
    const response = await fetch(`${base}${path}`, {
      method,
      headers: { "x-publishable-api-key": this.#key, "content-type": "application/json", ...signedIn },
      body: body === undefined ? undefined : JSON.stringify(body),
    })
    return { status: response.status, body: (await response.json()) as Read }
  }

  /** A file of the Store API, for a signed-in customer. */
  async download(path: string, token?: string): Promise<Response> {
    const signedIn: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` }
    return fetch(`${this.store.url}${path}`, { headers: { "x-publishable-api-key": this.#key, ...signedIn } })
  }

  /** The payment page of a session as the browser gets it, as text without tags. */
  async page(sessionId: string, language = "en"): Promise<string> {
    const response = await fetch(`${this.store.url}/pay/${sessionId}?lang=${language}`)
    return (await response.text()).replace(/<[^>]*>/g, "").replace(/\s+/g, " ")
  }

  private async must(method: string, path: string, body?: unknown): Promise<Body> {
    const answer = await this.call(method, path, body)
    if (answer.status !== 200) {
      throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
    }
    return answer.body
  }

  async variantId(sku: string): Promise<string> {
    const { rows } = await this.store.db.raw("SELECT id FROM product_variant WHERE sku = ? AND deleted_at IS NULL", [
      sku,
    ])
    return rows[0].id
  }

  /** A cart that is ready to be paid; a copy where the same one has been made before (cart-copies.ts). */
  async cart(
    items: Record<string, number> = { "CUSHION-40": 1 },
    changes: Record<string, unknown> = {}
  ): Promise<Cart> {
    return this.#copies.next(JSON.stringify([items, changes]), () => this.newCart(items, changes))
  }

  private async newCart(items: Record<string, number>, changes: Record<string, unknown>): Promise<Cart> {
    const variants = await Promise.all(
      Object.entries(items).map(async ([sku, quantity]) => ({ variant_id: await this.variantId(sku), quantity }))
    )
    const { cart } = await this.must("POST", "/store/carts", {
      region_id: this.regionId,
      email: "ayesha@example.com",
      items: variants,
      shipping_address: ADDRESS,
      billing_address: ADDRESS,
      ...changes,
    })
    const { shipping_options } = await this.must("GET", `/store/shipping-options?cart_id=${cart.id}`)
    const option = shipping_options.find(({ name }) => name === "Inside Dhaka")
    return (await this.must("POST", `/store/carts/${cart.id}/shipping-methods`, { option_id: option?.id })).cart
  }

  async retrieve(cartId: string): Promise<Cart> {
    return (
      await this.must("GET", `/store/carts/${cartId}?fields=*payment_collection,*payment_collection.payment_sessions`)
    ).cart
  }

  /** What `initiatePaymentSession` of Medusa's SDK does. */
  async initiate(cartId: string, data: Record<string, unknown> = {}, token?: string): Promise<Answer> {
    const { payment_collection } = await this.must("POST", "/store/payment-collections", { cart_id: cartId })
    const path = `/store/payment-collections/${payment_collection.id}/payment-sessions`
    return this.call("POST", path, { provider_id: PROVIDER, data }, undefined, token)
  }

  async startPayment(cartId: string, data: Record<string, unknown> = {}, token?: string): Promise<PaymentSession> {
    const { status, body } = await this.initiate(cartId, data, token)
    if (status !== 200) {
      throw new Error(`payment session: ${status} ${JSON.stringify(body)}`)
    }
    return body.payment_collection.payment_sessions[0]
  }

  /** A new cart and its payment session. */
  async checkout(
    items?: Record<string, number>,
    data?: Record<string, unknown>
  ): Promise<{ cart: Cart; session: PaymentSession }> {
    const cart = await this.cart(items)
    return { cart, session: await this.startPayment(cart.id, data) }
  }

  /** Pays like the hosted page's form: through the sandbox helper. */
  async pay(sessionId: string, card = "4242424242424242", base = this.store.url): Promise<Answer> {
    return this.sandbox(`${sessionId}/pay`, { payment_method: "card", card_number: card }, base)
  }

  async cancel(sessionId: string): Promise<Answer> {
    return this.sandbox(`${sessionId}/cancel`, {})
  }

  private async sandbox(path: string, body: unknown, base = this.store.url): Promise<Answer> {
    const { status, text } = await callApi(base, "POST", `/sandbox/sessions/${path}`, body, { key: this.#apiKey })
    return { status, body: JSON.parse(text) as Body }
  }

  /** Opens the return address of a transaction, without following redirects. */
  async comeBack(transactionId: string, base = this.store.url): Promise<Response> {
    return fetch(`${base}/gateway/return?transaction_id=${transactionId}`, { redirect: "manual" })
  }

  /** The Store API's own completion, which a storefront may call. */
  async complete(cartId: string): Promise<Answer> {
    return this.call("POST", `/store/carts/${cartId}/complete`)
  }

  async addItem(cartId: string, sku: string, quantity = 1): Promise<Answer> {
    return this.call("POST", `/store/carts/${cartId}/line-items`, { variant_id: await this.variantId(sku), quantity })
  }

  async status(by: string, base = this.store.url): Promise<Answer<CartPayment>> {
    return this.call("GET", `/store/gateway/status?${by}`, undefined, base)
  }

  /** The ids of the orders made from a cart. */
  async ordersOf(cartId: string): Promise<string[]> {
    const { rows } = await this.store.db.raw(
      "SELECT order_id FROM order_cart WHERE cart_id = ? AND deleted_at IS NULL",
      [cartId]
    )
    return rows.map((row: { order_id: string }) => row.order_id)
  }

  /** Medusa's records of a cart's money: its payments, captures and the order's transactions. */
  async moneyOf(cartId: string): Promise<{ payments: number; captured: string; recorded: string }> {
    const { rows } = await this.store.db.raw(
      `SELECT
         (SELECT count(*)::int FROM payment p JOIN cart_payment_collection c USING (payment_collection_id)
          WHERE c.cart_id = :id AND p.deleted_at IS NULL) AS payments,
         (SELECT COALESCE(sum(k.amount), 0)::numeric(12, 2)::text FROM capture k JOIN payment p ON p.id = k.payment_id
          JOIN cart_payment_collection c USING (payment_collection_id) WHERE c.cart_id = :id) AS captured,
         (SELECT COALESCE(sum(t.amount), 0)::numeric(12, 2)::text FROM order_transaction t JOIN order_cart o USING (order_id)
          WHERE o.cart_id = :id AND o.deleted_at IS NULL AND t.deleted_at IS NULL) AS recorded`,
      { id: cartId }
    )
    return rows[0]
  }
}
