import { CARD, post, visit } from "./pages"
import type { PaymentSession } from "./carts"
import type { Shopper } from "./shoppers"

/** The shop's origin: the store under test admits it (`STORE_CORS`). */
export const STOREFRONT = "http://shop.example:8000"

export interface SavedMethod {
  id: string
  service: string
  brand: string | null
  last_four: string | null
  expiry_year: number | null
  used_by_subscription: boolean
}

type Proof = { action: string; proof: string; expires_in: number }

/** What the storefront gets for a signed-in shopper's browser. */
export const proofFor = (shopper: Shopper, { data }: PaymentSession) =>
  shopper.call<Proof & { code: string }>("POST", `/store/gateway/checkouts/${data.session_id}/account`)

/** Posts a proof as the storefront's form does; answers the cookie that the browser gets, or "". */
export async function showProof(
  { action, proof }: Pick<Proof, "action" | "proof">,
  origin: string | null = STOREFRONT
): Promise<{ status: number; location: string | null; cookie: string }> {
  const response = await fetch(action, {
    method: "POST",
    redirect: "manual",
    headers: { "Content-Type": "application/x-www-form-urlencoded", ...(origin === null ? {} : { Origin: origin }) },
    body: new URLSearchParams({ proof }).toString(),
  })
  const cookie = response.headers.getSetCookie().find((line) => line.startsWith("gateway_account=")) ?? ""
  return { status: response.status, location: response.headers.get("location"), cookie: cookie.split(";")[0] }
}

/** The browser of a signed-in shopper at the payment page of a new cart. */
export class ShopperAtCheckout {
  private constructor(
    readonly shopper: Shopper,
    readonly cart_id: string,
    readonly session: PaymentSession,
    readonly cookie: string
  ) {}

  static async arrive(shopper: Shopper, items: Record<string, number>): Promise<ShopperAtCheckout> {
    const cart = await shopper.cart(items)
    const session = await shopper.startPayment(cart)
    const { body } = await proofFor(shopper, session)
    return new ShopperAtCheckout(shopper, cart.id, session, (await showProof(body)).cookie)
  }

  get session_id(): string {
    return this.session.data.session_id
  }

  /** The page as this browser gets it. */
  page(): ReturnType<typeof visit> {
    return visit(this.session.data.checkout_url, { Cookie: this.cookie })
  }

  async submit(fields: Record<string, string>): ReturnType<typeof post> {
    const { cookie, token } = await this.page()
    return post(this.session.data.checkout_url, { cookie: `${this.cookie}; ${cookie}`, token }, fields)
  }

  /** Pays by card, and saves it unless asked otherwise. */
  payByCard(changes: Record<string, string> = { save_card: "yes" }): ReturnType<typeof post> {
    return this.submit({ ...CARD, ...changes })
  }

  payWith({ id }: Pick<SavedMethod, "id">): ReturnType<typeof post> {
    return this.submit({ method: `saved_${id}` })
  }
}

export async function savedBy(shopper: Shopper): Promise<SavedMethod[]> {
  return (await shopper.call<{ payment_methods: SavedMethod[] }>("GET", "/store/gateway/payment-methods")).body
    .payment_methods
}

export const removeSaved = (shopper: Shopper, { id }: Pick<SavedMethod, "id">) =>
  shopper.call<{ deleted?: boolean; code?: string }>("DELETE", `/store/gateway/payment-methods/${id}`)
