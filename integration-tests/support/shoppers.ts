import { randomBytes, randomInt } from "node:crypto"
import type { CartShop, Cart, PaymentSession, Answer } from "./carts"
import type { Store } from "./store"

/** A subscription as its owner sees it. */
export interface OwnSubscription {
  id: string
  status: string
  plan_name: string
  amount: string
  quantity: number
  variant_id: string
  order_id: string
  interval_unit: string
  trial_end_date: string | null
  current_period_start: string | null
  current_period_end: string | null
  next_billing_date: string | null
  cancel_at_period_end: boolean
  instrument: { method: string; last_four?: string } | null
}

interface OwnBody {
  type: string
  code: string
  message: string
  count: number
  subscription: OwnSubscription
  subscriptions: OwnSubscription[]
  invoices: {
    id: string
    invoice_id: string
    status: string
    amount: string
    payment_url: string | null
    order_id: string | null
  }[]
  session_id: string
  checkout_url: string
}

/** A customer with an account in the shop under test. */
export class Shopper {
  private constructor(
    readonly shop: CartShop,
    readonly email: string,
    readonly id: string,
    readonly token: string
  ) {}

  static async register(store: Store, shop: CartShop): Promise<Shopper> {
    const email = `shopper-${randomBytes(6).toString("hex")}@example.com`
    const credentials = { email, password: "a-password-of-the-tests" }
    const auth = (path: string) => shop.call<{ token: string }>("POST", `/auth/customer/emailpass${path}`, credentials)
    const { token } = (await auth("/register")).body
    // Of each shopper their own: customers with one number share a trial.
    const phone = `018${randomInt(10_000_000, 99_999_999)}`
    const person = { email, first_name: "Nusrat", last_name: "Jahan", phone }
    const made = await shop.call<{ customer: { id: string } }>("POST", "/store/customers", person, store.url, token)
    return new Shopper(shop, email, made.body.customer.id, (await auth("")).body.token)
  }

  call<Read = OwnBody>(method: string, path: string, body?: unknown): Promise<Answer<Read>> {
    return this.shop.call<Read>(method, path, body, undefined, this.token)
  }

  /** A cart of this customer, ready to be paid. */
  async cart(items: Record<string, number>): Promise<Cart> {
    const cart = await this.shop.cart(items)
    const taken = await this.call<{ cart: Cart }>("POST", `/store/carts/${cart.id}/customer`)
    return taken.body.cart
  }

  /** Puts the items into a cart and pays it; returns the cart and its payment. */
  async buy(
    items: Record<string, number>,
    card?: string
  ): Promise<{ cart: Cart; session: PaymentSession; transaction_id: string }> {
    const cart = await this.cart(items)
    const session = await this.startPayment(cart)
    const paid = await this.shop.pay(session.data.session_id, card)
    if (paid.status !== 200) {
      throw new Error(`payment: ${paid.status} ${JSON.stringify(paid.body)}`)
    }
    return { cart, session, transaction_id: paid.body.data.transaction_id }
  }

  startPayment(cart: Cart): Promise<PaymentSession> {
    return this.shop.startPayment(cart.id, {}, this.token)
  }

  async subscriptions(): Promise<OwnSubscription[]> {
    return (await this.call("GET", "/store/gateway/subscriptions")).body.subscriptions
  }

  /** The PDF of an invoice, or the response instead of it. */
  pdf(id: string, invoice_id: string): Promise<Response> {
    return this.shop.download(`/store/gateway/subscriptions/${id}/invoices/${invoice_id}/pdf`, this.token)
  }

  about<Read = OwnBody>(id: string, what = "", body?: unknown): Promise<Answer<Read>> {
    const isRead = ["", "/invoices", "/plans"].includes(what)
    return this.call<Read>(isRead ? "GET" : "POST", `/store/gateway/subscriptions/${id}${what}`, body)
  }
}
