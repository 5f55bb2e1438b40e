import { ContainerRegistrationKeys, Modules } from "@medusajs/framework/utils"
import { Admin, prepareAdmin, signIn } from "../support/admin"
import { CartShop } from "../support/carts"
import { editOrder } from "../support/order-edits"
import { orderMoney } from "../support/order-money"
import { CARD, post, visit } from "../support/pages"
import { useStore } from "../support/store"

let shop: CartShop
let admin: Admin
const store = useStore({
  container: true,
  shop: true,
  prepare: async (booted) => {
    shop = new CartShop(booted)
    await Promise.all([shop.open(), prepareAdmin(booted)])
    const visitor = new Admin(booted, await signIn(booted), null)
    admin = visitor.at((await visitor.get("")).body.default_merchant_id)
  },
})

type Balance = {
  outstanding: string
  currency: string
  settling: boolean
  obstacle: { message: string } | null
  payment_link: { id: string; url: string; amount: string; status: string } | null
}

const balanceOf = async (order_id: string) =>
  ((await admin.get(`/orders/${order_id}/balance`)).body as unknown as { balance: Balance }).balance
const collect = (order_id: string) => admin.post(`/orders/${order_id}/balance`)
/** The link that an admin makes for what is outstanding. */
async function linkOf(order_id: string): Promise<NonNullable<Balance["payment_link"]>> {
  const { status, body, text } = await collect(order_id)
  expect([status, text]).toEqual([200, expect.any(String)])
  return (body as unknown as { balance: Balance }).balance.payment_link as NonNullable<Balance["payment_link"]>
}

async function paidOrder(): Promise<{ id: string; cart_id: string }> {
  const { cart, session } = await shop.checkout()
  expect((await shop.pay(session.data.session_id)).body.data.status).toBe("SUCCESS")
  const [id] = await shop.ordersOf(cart.id)
  return { id, cart_id: cart.id }
}

async function raise(order_id: string, unit_price: number): Promise<void> {
  const add = [{ variant_id: await shop.variantId("TEA-250"), quantity: 1, unit_price }]
  await editOrder(store.container, order_id, { add })
}

/** Presses the button of the link's page; answers the checkout that it leads to. */
async function press(url: string): Promise<{ status: number; text: string; session_id: string }> {
  const { status, text, location } = await post(url, await visit(url), {})
  return { status, text, session_id: /ses_[A-Za-z0-9_-]+/.exec(location)?.[0] ?? "" }
}

async function payAt(session_id: string, card = CARD.card_number) {
  const page = `${store.url}/pay/${session_id}`
  return post(page, await visit(page), { ...CARD, card_number: card })
}

/** The order's payment collections, as Medusa has them. */
async function collectionsOf(order_id: string) {
  const query = store.container.resolve(ContainerRegistrationKeys.QUERY)
  const fields = [
    "payment_collections.id",
    "payment_collections.status",
    "payment_collections.amount",
    "payment_collections.captured_amount",
    "payment_status",
  ]
  const { data } = await query.graph({ entity: "order", fields, filters: { id: order_id } })
  const order = data[0] as unknown as {
    payment_collections: { status: string; amount: number; captured_amount: number }[]
  }
  return order.payment_collections.map(({ status, amount, captured_amount }) => [
    status,
    Number(amount),
    Number(captured_amount),
  ])
}

describe("docs/decisions/10 — the balance of an order: what an edit adds", () => {
  it("is collected by one link, and then the order shows no balance", async () => {
    const order = await paidOrder()
    expect(await balanceOf(order.id)).toMatchObject({ outstanding: "0.00", payment_link: null, obstacle: null })
    expect((await collect(order.id)).status).toBe(409)
    await raise(order.id, 350)
    expect(await balanceOf(order.id)).toMatchObject({ outstanding: "350.00", currency: "BDT", payment_link: null })
    const link = await linkOf(order.id)
    expect(link).toMatchObject({ amount: "350.00", status: "open" })
    expect((await linkOf(order.id)).id).toBe(link.id)

    const page = await visit(link.url)
    expect(page.text).toContain("৳350.00")
    const { session_id } = await press(link.url)
    const paid = await payAt(session_id)
    expect(paid.location).toContain(link.url)
    expect((await visit(paid.location)).text).toContain("This is paid")
    expect((await visit(link.url)).text).toContain("Nothing is left to pay for this order")
    expect(await balanceOf(order.id)).toMatchObject({ outstanding: "0.00", settling: false })
    expect(await collectionsOf(order.id)).toEqual([
      ["completed", 1320, 1320],
      ["completed", 350, 350],
    ])
    expect(await orderMoney(store, order.id)).toMatchObject({
      pending: 0,
      cost: 1670,
      transaction_total: 1670,
      captured: 1670,
    })
    const { payments } = (await admin.get(`/orders/${order.id}/payments`)).body
    expect(payments).toHaveLength(2)
    expect(await store.container.resolve(Modules.PAYMENT).listPaymentSessions({}, { take: 1 })).toHaveLength(1)
  })
})
