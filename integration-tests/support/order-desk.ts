import { ContainerRegistrationKeys } from "@medusajs/framework/utils"
import { processReturns } from "../../src/store/returns/propose"
import { Admin, prepareAdmin, signIn, type AdminAnswer } from "./admin"
import { CartShop } from "./carts"
import { editOrder } from "./order-edits"
import { CARD, post, visit, type Visited } from "./pages"
import type { Store } from "./store"
import { until } from "./until"

type Balance = {
  outstanding: string
  currency: string
  settling: boolean
  obstacle: { message: string } | null
  payment_link: { id: string; url: string; amount: string; status: string } | null
}
type BalanceLink = NonNullable<Balance["payment_link"]>

type Proposal = {
  id: string
  kind: string
  status: string
  amount: string
  transaction_id: string
  refundable_amount: string | null
}

type Collection = { status: string; amount: number; captured_amount: number }

/**
 * Orders of the demo's shop that are paid through the gateway, and what an admin and a shopper do about their money. For
 * stores with `container: true, shop: true`. Its methods need no `desk.` before them.
 */
export class OrderDesk {
  #store?: Store
  #shop?: CartShop
  #admin?: Admin

  /** For `prepare` of `useStore`. */
  readonly open = async (store: Store): Promise<void> => {
    this.#store = store
    this.#shop = new CartShop(store)
    await Promise.all([this.#shop.open(), prepareAdmin(store)])
    const visitor = new Admin(store, await signIn(store), null)
    this.#admin = visitor.at((await visitor.get("")).body.default_merchant_id)
  }

  get store(): Store {
    return opened(this.#store)
  }

  get shop(): CartShop {
    return opened(this.#shop)
  }

  get admin(): Admin {
    return opened(this.#admin)
  }

  readonly balanceOf = async (order_id: string): Promise<Balance> =>
    balanceIn(await this.admin.get(`/orders/${order_id}/balance`))

  /** An admin presses Collect. */
  readonly collect = (order_id: string) => this.admin.post(`/orders/${order_id}/balance`)

  /** The link that Collect makes or shows. */
  readonly linkOf = async (order_id: string): Promise<BalanceLink> => {
    const answer = await this.collect(order_id)
    expect([answer.status, answer.body.message]).toEqual([200, undefined])
    return balanceIn(answer).payment_link as BalanceLink
  }

  readonly paidOrder = async (items?: Record<string, number>): Promise<{ id: string; cart_id: string }> => {
    const { cart, session } = await this.shop.checkout(items)
    expect((await this.shop.pay(session.data.session_id)).body.data.status).toBe("SUCCESS")
    const [id] = await this.shop.ordersOf(cart.id)
    return { id, cart_id: cart.id }
  }

  /** An admin adds tea at this price. */
  readonly raise = async (order_id: string, unit_price: number): Promise<void> => {
    const add = [{ variant_id: await this.shop.variantId("TEA-250"), quantity: 1, unit_price }]
    await editOrder(this.store.container, order_id, { add })
  }

  readonly lineOf = async (order_id: string, sku: string): Promise<string> => {
    const { rows } = await this.store.db.raw(
      "SELECT l.id FROM order_line_item l JOIN order_item i ON i.item_id = l.id WHERE i.order_id = ? AND l.variant_sku = ?",
      [order_id, sku]
    )
    return rows[0].id
  }

  /** An admin changes how much of a line is ordered; 0 removes it. */
  readonly setQuantity = async (order_id: string, sku: string, quantity: number): Promise<void> =>
    editOrder(this.store.container, order_id, { set: [{ id: await this.lineOf(order_id, sku), quantity }] })

  /** Presses the button of the link's page; answers the checkout that it leads to. */
  readonly press = async (url: string, visited?: Visited) => {
    const { status, text, location } = await post(url, visited ?? (await visit(url)), {})
    return { status, text, session_id: /ses_[A-Za-z0-9_-]+/.exec(location)?.[0] ?? "" }
  }

  readonly payAt = async (session_id: string) => {
    const page = `${this.store.url}/pay/${session_id}`
    return post(page, await visit(page), CARD)
  }

  /** An order with a link for 350.00 and the checkout that it leads to. */
  readonly asked = async () => {
    const order = await this.paidOrder()
    await this.raise(order.id, 350)
    const link = await this.linkOf(order.id)
    const { session_id } = await this.press(link.url)
    return { ...order, link, session_id }
  }

  /** What is outstanding is collected: an admin sends the link, and the shopper pays. */
  readonly collected = async (order_id: string): Promise<void> => {
    const { session_id } = await this.press((await this.linkOf(order_id)).url)
    expect((await this.payAt(session_id)).location).toContain("status=SUCCESS")
  }

  /** The order's payment collections, as Medusa has them: state, amount and what is captured. */
  readonly collectionsOf = async (order_id: string): Promise<[string, number, number][]> => {
    const query = this.store.container.resolve(ContainerRegistrationKeys.QUERY)
    const fields = ["status", "amount", "captured_amount"].map((field) => `payment_collections.${field}`)
    const { data } = await query.graph({ entity: "order", fields, filters: { id: order_id } })
    const { payment_collections } = data[0] as unknown as { payment_collections: Collection[] }
    return payment_collections.map(({ status, amount, captured_amount }) => [
      status,
      Number(amount),
      Number(captured_amount),
    ])
  }

  /** Processes every notice that is due, beside the store's own subscriber, which may be faster. */
  readonly seen = async (): Promise<void> => {
    const left = () => this.store.db("gateway_return_notice").where("next_attempt_at", "<=", new Date()).first()
    await until("no notice is due", async () => {
      await processReturns(this.store.container)
      return (await left()) === undefined
    })
  }

  /** The refunds that are proposed for the order, the newest first. */
  readonly proposalsOf = async (order_id: string): Promise<Proposal[]> => {
    await this.seen()
    const { body } = await this.admin.get(`/orders/${order_id}/refunds`)
    return (body as unknown as { refund_proposals: Proposal[] }).refund_proposals
  }

  readonly confirm = (proposal_id: string, body?: object) =>
    this.admin.post(`/refund-proposals/${proposal_id}/confirm`, body)
}

function opened<Part>(part: Part | undefined): Part {
  if (part === undefined) {
    throw new Error("the desk is not open: give useStore its `open` as `prepare`")
  }
  return part
}

const balanceIn = ({ body }: AdminAnswer) => (body as unknown as { balance: Balance }).balance
