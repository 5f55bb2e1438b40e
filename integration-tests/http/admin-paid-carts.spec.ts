import { said } from "../../src/i18n/message"
import { gatewayOf, newMerchant, type ApiMerchant } from "../support/api"
import { type Admin, prepareAdmin, ids, useAdminOf } from "../support/admin"
import { useStore } from "../support/store"
import { clockTo } from "../support/subscriptions"

const store = useStore({ production: true, prepare: prepareAdmin })
const adminOf = useAdminOf(store)
let merchant: ApiMerchant
let admin: Admin

beforeEach(async () => {
  merchant = await newMerchant(store)
  admin = adminOf(merchant)
})

describe("paid carts — the trace an admin can read", () => {
  async function paidCart(state: string, at = new Date()): Promise<string> {
    const { session_id, transaction_id } = await merchant.open()
    await store.db("gateway_cart_completion").insert({
      id: `gcc_${transaction_id.slice(3)}`,
      transaction_id,
      session_id,
      merchant_id: merchant.id,
      environment: "sandbox",
      cart_id: "cart_of_the_test",
      payment_session_id: "payses_of_the_test",
      state,
      order_id: state === "ordered" ? `order_${transaction_id.slice(3, 29).toUpperCase()}` : null,
      history: JSON.stringify([
        { at, kind: "cart.paid" },
        ...(state === "waiting" ? [] : [{ at, kind: "cart.ordered", params: { order_id: "order_1" } }]),
      ]),
    })
    return transaction_id
  }

  it("lists newest first, by state, by page, and says how many there are", async () => {
    const [first, second] = [await paidCart("needs_attention"), await paidCart("ordered")]
    const found = async (query: string) =>
      (await admin.get(`/paid-carts?${query}`)).body.paid_carts.map(({ transaction_id }) => transaction_id)
    expect(await found("")).toEqual([second, first])
    expect(await found("state=open")).toEqual([first])
    expect(await found("state=ordered")).toEqual([second])
    expect(await found("limit=1&offset=1")).toEqual([first])
    expect(await found(`q=${first}`)).toEqual([first])
    const { order_id } = await store
      .db("gateway_transaction")
      .where({ id: second })
      .first<{ order_id: string }>("order_id")
    expect(await found(`q=${order_id.toLowerCase()}`)).toEqual([second])
    expect((await admin.get("/paid-carts")).body).toMatchObject({
      count: 2,
      paid_carts: [
        {
          history: [
            { kind: "cart.paid", message: "Cart paid: its order is on the way" },
            { kind: "cart.ordered", params: { order_id: "order_1" }, message: "The cart became order order_1" },
          ],
        },
        {},
      ],
    })
    expect(await admin.get("/paid-carts?state=nope")).toMatchObject({ status: 422, body: { field: "state" } })
  })

  it("with a clock that is ahead, a cart's history is on the merchant's clock, as its payment is", async () => {
    await clockTo(merchant, "2028-05-01T00:00:00Z")
    const transaction_id = await paidCart("waiting", new Date("2028-05-01T00:00:01Z"))
    await gatewayOf(store).cartCompletions.failed(transaction_id, said("out of stock"))
    const noOrder = {
      kind: "cart.no_order",
      params: { why: { kind: "said", params: { text: "out of stock" } } },
      message: "No order yet: out of stock",
    }
    const { timeline } = (await admin.get(`/payments/${transaction_id}`)).body.payment
    expect(timeline.map(({ type }) => type)).toEqual(["session_opened", "cart"])
    expect(timeline[1]).toMatchObject({ ...noOrder, at: expect.stringContaining("2028-05-01T00:") })
    const [{ id, created_at, history }] = (await admin.get("/paid-carts")).body.paid_carts
    expect([created_at, history[1]]).toEqual([
      expect.stringContaining("2028-05-01T00:"),
      expect.objectContaining(noOrder),
    ])
    expect(ids((await admin.get("/paid-carts?from=2028-05-01T00:00:00Z")).body.paid_carts)).toEqual([id])
    expect(ids((await admin.get("/paid-carts?to=2028-05-01T00:00:00Z")).body.paid_carts)).toEqual([])
  })

  it("an order of the store leads to its payments, and a payment to its order", async () => {
    const transaction_id = await paidCart("ordered")
    const order_id = `order_${transaction_id.slice(3, 29).toUpperCase()}`
    expect(ids((await admin.get(`/payments?q=${order_id}`)).body.payments)).toEqual([transaction_id])
    const { payments, count } = (await admin.at(null).get(`/orders/${order_id}/payments`)).body
    expect([count, ids(payments)]).toEqual([1, [transaction_id]])
    expect(payments[0]).toMatchObject({ merchant_id: merchant.id, environment: "sandbox", cart: { order_id } })
    expect((await admin.at(null).get("/orders/order_of_nobody/payments")).body).toMatchObject({
      payments: [],
      count: 0,
    })
  })
})
