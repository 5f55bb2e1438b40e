import { CartShop } from "../support/carts"
import { useStore } from "../support/store"

let shop: CartShop
const store = useStore({
  env: { STORE_CORS: "http://shop.example:8000" },
  prepare: async (booted) => {
    shop = new CartShop(booted)
    await shop.open()
  },
})

describe("a cart is paid on the hosted page", () => {
  it("opens a checkout whose data holds four members only, whatever the client sent", async () => {
    const cart = await shop.cart()
    const session = await shop.startPayment(cart.id, {
      payment_method: "card",
      return_url: "http://shop.example:8000/done",
      status: "SUCCESS",
      amount: 1,
      "anything else": true,
    })
    expect(Object.keys(session.data).sort()).toEqual(["checkout_url", "expires_at", "session_id", "status"])
    expect(session.data).toMatchObject({
      status: "PENDING",
      checkout_url: `${store.url}/pay/${session.data.session_id}`,
    })
    expect(session.status).toBe("pending")
  })

  it("has its order before the payment's answer, and exactly one", async () => {
    const { cart, session } = await shop.checkout()
    const paid = await shop.pay(session.data.session_id)
    expect(paid).toMatchObject({ status: 200, body: { data: { status: "SUCCESS" } } })
    const orders = await shop.ordersOf(cart.id)
    expect(orders).toHaveLength(1)
    expect(await shop.moneyOf(cart.id)).toEqual({ payments: 1, captured: "1320.00", recorded: "1320.00" })
  })
})
