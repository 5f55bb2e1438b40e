import { CartShop, PROVIDER, type Cart, type PaymentSession } from "../support/carts"
import { useStore } from "../support/store"
import { until } from "../support/until"
import type { CashSettings } from "../../src/modules/gateway/cash/rules"

const COD = "pp_gateway_cod"
const ROUNDS = 4

let shop: CartShop
let tenant: { merchant_id: string; environment: "sandbox" }
/** Another process on the same database: Medusa's lock in memory does not reach it. */
let other: string
const store = useStore({
  container: true,
  shop: true,
  prepare: async (booted) => {
    shop = new CartShop(booted)
    await shop.open()
    const merchant = await shop.gateway.merchants.storeMerchant(shop.gateway.options.storeMerchantName)
    tenant = { merchant_id: merchant.id, environment: "sandbox" }
    other = (await booted.startServerProcess()).url
  },
})

type Session = PaymentSession & { provider_id: string; data: PaymentSession["data"] & { cash_order_id: string } }

const settle = (settings: Partial<CashSettings>) => shop.gateway.cashSettings.update(tenant, settings)
const cashOrder = (session: Session) => shop.gateway.cashOrders.find(session.data.cash_order_id)

async function choose(cart: Cart, provider_id: string): Promise<Session> {
  const { body } = await shop.call("POST", "/store/payment-collections", { cart_id: cart.id })
  const path = `/store/payment-collections/${body.payment_collection.id}/payment-sessions`
  const answer = await shop.call("POST", path, { provider_id, data: {} })
  expect(answer).toMatchObject({ status: 200 })
  return answer.body.payment_collection.payment_sessions[0] as Session
}

type Chosen = { cart: Cart; cash: Session; online: Session }

/** Two requests at once each leave their session: Medusa takes no lock. A try in which one deletes the other's is no one. */
async function bothChosen(): Promise<Chosen> {
  let chosen: Chosen | undefined
  await until("both payment sessions are there", async () => {
    const cart = await shop.cart()
    const { body } = await shop.call("POST", "/store/payment-collections", { cart_id: cart.id })
    const path = `/store/payment-collections/${body.payment_collection.id}/payment-sessions`
    await Promise.all([COD, PROVIDER].map((provider_id) => shop.call("POST", path, { provider_id, data: {} })))
    const { payment_collection } = await shop.retrieve(cart.id)
    const sessions = (payment_collection?.payment_sessions ?? []) as Session[]
    const [cash, online] = [COD, PROVIDER].map((id) => sessions.find(({ provider_id }) => provider_id === id))
    chosen = cash && online ? { cart, cash, online } : undefined
    return chosen !== undefined
  })
  return chosen as Chosen
}

describe("a cart with a cash order and an online checkout (decisions: Cash on delivery)", () => {
  beforeAll(() => settle({ rules: [] }))

  it("paid online: the cash order ends first, and the order shows the money", async () => {
    const { cart, cash, online } = await bothChosen()
    expect((await shop.pay(online.data.session_id)).body.data.status).toBe("SUCCESS")
    expect(await cashOrder(cash)).toMatchObject({ state: "cancelled", placed_at: null })
    const total = cart.total.toFixed(2)
    expect(await shop.moneyOf(cart.id)).toEqual({ payments: 1, captured: total, recorded: total })
    expect(await shop.gateway.invariants.check()).toEqual([])
  })

  it("paid online and completed in cash at once, in two processes: exactly one of both happens", async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const { cart, cash, online } = await bothChosen()
      const [paid] = await Promise.all([shop.pay(online.data.session_id, undefined, other), shop.complete(cart.id)])
      const isPaid = paid.status === 200
      if (!isPaid) {
        // The cash order may have been refused as well, while the online one was still open: then it is free now.
        await shop.complete(cart.id)
      }
      await until("the cart has its order", async () => (await shop.ordersOf(cart.id)).length === 1)
      const money = isPaid ? cart.total.toFixed(2) : "0.00"
      await until("the order shows the money", async () => (await shop.moneyOf(cart.id)).recorded === money)
      expect(await shop.moneyOf(cart.id)).toEqual({ payments: 1, captured: money, recorded: money })
      const { state } = await shop.gateway.transactions.bySession(online.data.session_id)
      expect(state).toBe(isPaid ? "SUCCESS" : "EXPIRED")
      await until("the cash order has ended", async () => {
        return (await cashOrder(cash))?.state === (isPaid ? "cancelled" : "due")
      })
    }
    expect(await shop.gateway.invariants.check()).toEqual([])
  })

  it("an advance beside it ends for good when the cart is paid online", async () => {
    await settle({ rules: [{ advance: "delivery" }] })
    const { cash, online } = await bothChosen()
    expect((await shop.pay(online.data.session_id)).body.data.status).toBe("SUCCESS")
    expect(await cashOrder(cash)).toMatchObject({ state: "cancelled" })
    expect(await shop.pay(cash.data.session_id)).toMatchObject({ status: 408 })
    await settle({ rules: [] })
  })

  it("an advance that is not paid leaves the cart, opens nothing again, and lets the shopper pay in another way", async () => {
    await settle({ rules: [{ advance: "delivery" }] })
    const cart = await shop.cart()
    const cash = await choose(cart, COD)
    await shop.cancel(cash.data.session_id)
    const { payment_collection } = await shop.retrieve(cart.id)
    const { session_id } = cash.data
    const sessions = [{ status: "canceled", data: { session_id, status: "CANCELLED" } }]
    expect(payment_collection?.payment_sessions).toMatchObject(sessions)
    const again = await choose(cart, COD)
    expect(again.data.session_id).not.toBe(cash.data.session_id)
    const online = await choose(cart, PROVIDER)
    expect((await shop.pay(online.data.session_id)).body.data.status).toBe("SUCCESS")
    const total = cart.total.toFixed(2)
    expect(await shop.moneyOf(cart.id)).toEqual({ payments: 1, captured: total, recorded: total })
    await settle({ rules: [] })
  })
})
