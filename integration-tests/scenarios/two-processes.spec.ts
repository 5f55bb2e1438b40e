import { Client } from "@medusajs/framework/pg"
import { CartShop, type Cart } from "../support/carts"
import { PAYMENT_STEPS, paymentIs } from "../support/payment-steps"
import type { ServerProcess } from "../support/server-process"
import { useStore } from "../support/store"
import { until } from "../support/until"

let shop: CartShop
let other: ServerProcess
const store = useStore({
  production: true,
  shop: true,
  prepare: async (booted) => {
    shop = new CartShop(booted)
    await shop.open()
  },
})

// Without Redis the two share only the database: Medusa's own locks are in the memory of each.
beforeAll(async () => {
  other = await store.startServerProcess({ env: { GATEWAY_WORKER: "0" } })
}, 300_000)

async function paidWithoutOrder(): Promise<{ cart: Cart; transaction_id: string }> {
  const { cart, session } = await shop.checkout()
  const instrument = { method: "wallet" as const }
  const { transaction_id } = await shop.gateway.payments.pay({
    session_id: session.data.session_id,
    instrument,
    page_url: "",
  })
  return { cart, transaction_id }
}

/** Orders made for a payment, linked to its cart or not. */
async function ordersMade(transaction_id: string): Promise<string[]> {
  const rows = await store
    .db("order")
    .whereRaw("metadata->>'gateway_transaction_id' = ?", [transaction_id])
    .whereNull("deleted_at")
  return rows.map(({ id }) => id)
}

/** Blocks writes of orders (or of rows of the other table) until the returned connection ends: writers wait. */
async function holdOrders(table = "order"): Promise<Client> {
  const client = new Client({ connectionString: store.databaseUrl })
  await client.connect()
  await client.query(`BEGIN; LOCK TABLE "${table}" IN EXCLUSIVE MODE`)
  return client
}

async function runsWaiting(runs: number, table = "order"): Promise<void> {
  await until(`${runs} runs wait for ${table}`, async () => {
    const { rows } = await store.db.raw(
      `SELECT count(*)::int AS n FROM pg_locks WHERE NOT granted AND relation = '"${table}"'::regclass
       AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`
    )
    return rows[0].n >= runs
  })
}

const ordersOfCustomers = async (): Promise<number> =>
  Number((await store.db("order").whereNull("deleted_at").count())[0].count)

describe("two processes without a common lock", () => {
  it("make one order of a paid cart that both are asked to complete in every way there is", async () => {
    for (let round = 0; round < 4; round++) {
      const before = await ordersOfCustomers()
      const { cart, transaction_id } = await paidWithoutOrder()
      const complete = (base: string) => shop.call("POST", `/store/carts/${cart.id}/complete`, undefined, base)
      await Promise.all([
        shop.comeBack(transaction_id),
        shop.comeBack(transaction_id, other.url),
        complete(store.url),
        complete(other.url),
        shop.comeBack(transaction_id, other.url),
        complete(other.url),
      ])
      expect(await shop.ordersOf(cart.id)).toHaveLength(1)
      expect(await ordersOfCustomers()).toBe(before + 1)
      expect(await shop.moneyOf(cart.id)).toEqual({ payments: 1, captured: "1320.00", recorded: "1320.00" })
      const back = await shop.comeBack(transaction_id, other.url)
      expect(await back.json()).toMatchObject({ status: "SUCCESS", order_id: (await shop.ordersOf(cart.id))[0] })
    }
  })

  it("the order shows the money once, also to who comes back while it is being written down", async () => {
    const { cart, transaction_id } = await paidWithoutOrder()
    const holder = await holdOrders("order_transaction")
    const made = shop.call("POST", `/store/carts/${cart.id}/complete`)
    await runsWaiting(1, "order_transaction")
    const back = shop.comeBack(transaction_id, other.url)
    await Promise.race([back, runsWaiting(2, "order_transaction")])
    await holder.end()
    await Promise.all([made, back])
    expect(await shop.moneyOf(cart.id)).toEqual({ payments: 1, captured: "1320.00", recorded: "1320.00" })
  })

  it("pay a cart once, when it is paid 16 times in each at the same time", async () => {
    const { cart, session } = await shop.checkout()
    const { session_id } = session.data
    const answers = await Promise.all(
      Array.from({ length: 32 }, (_, index) => shop.pay(session_id, undefined, index % 2 ? store.url : other.url))
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(31)
    expect(await shop.ordersOf(cart.id)).toHaveLength(1)
    expect((await shop.moneyOf(cart.id)).payments).toBe(1)
  })

  it("never let a cart change under a payment, when one process pays it and the other changes it", async () => {
    for (const step of PAYMENT_STEPS) {
      const { cart, session } = await shop.checkout()
      const variant_id = await shop.variantId("TEA-250")
      await Promise.all([
        shop.pay(session.data.session_id),
        paymentIs(store, step, session.data.session_id).then(() =>
          shop.call("POST", `/store/carts/${cart.id}/line-items`, { variant_id, quantity: 1 }, other.url)
        ),
      ])
      const { state, transaction_id } = await shop.gateway.transactions.bySession(session.data.session_id)
      if (state === "SUCCESS") {
        await store
          .db("gateway_cart_completion")
          .where({ cart_id: cart.id })
          .whereNotNull("next_attempt_at")
          .update({ attempts: 0 })
        await shop.comeBack(transaction_id)
        expect(await ordersMade(transaction_id)).toHaveLength(1)
        expect(await shop.moneyOf(cart.id)).toEqual({ payments: 1, captured: "1320.00", recorded: "1320.00" })
        expect((await shop.complete(cart.id)).body.order.total).toBe(1320)
      } else {
        expect(state).toBe("EXPIRED")
        expect(await shop.ordersOf(cart.id)).toHaveLength(0)
      }
    }
  })

  it("refuse a second run at once while another one is making the order", async () => {
    const { cart, session } = await shop.checkout()
    const lock = await holdOrders()
    const first = shop.pay(session.data.session_id)
    await runsWaiting(1)
    const { transaction_id } = await shop.gateway.transactions.bySession(session.data.session_id)
    const back = await shop.comeBack(transaction_id, other.url)
    expect(await back.json()).toMatchObject({ status: "SUCCESS", order_id: null })
    const complete = await shop.call("POST", `/store/carts/${cart.id}/complete`, undefined, other.url)
    expect(complete).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining("being completed already") },
    })
    await lock.end()
    expect((await first).body.data.status).toBe("SUCCESS")
    expect(await ordersMade(transaction_id)).toEqual(await shop.ordersOf(cart.id))
    const [completion] = await store.db("gateway_cart_completion").where({ cart_id: cart.id })
    expect(completion).toMatchObject({ state: "ordered", attempts: 1 })
  })

  it("leave one order when a run stands still until its lease is out and another has taken over", async () => {
    const { cart, session } = await shop.checkout()
    const lock = await holdOrders()
    const slow = shop.pay(session.data.session_id, undefined, other.url)
    await runsWaiting(1)
    process.kill(other.pid, "SIGSTOP")
    await lock.end()
    await store
      .db("gateway_cart_completion")
      .where({ cart_id: cart.id })
      .update({ locked_until: new Date(0) })
    const { transaction_id } = await shop.gateway.transactions.bySession(session.data.session_id)
    await shop.comeBack(transaction_id)
    const orders = await shop.ordersOf(cart.id)
    expect(orders).toHaveLength(1)

    process.kill(other.pid, "SIGCONT")
    expect((await slow).body.data.status).toBe("SUCCESS")
    expect(await ordersMade(transaction_id)).toEqual(orders)
    expect(await shop.ordersOf(cart.id)).toEqual(orders)
    expect(await shop.moneyOf(cart.id)).toEqual({ payments: 1, captured: "1320.00", recorded: "1320.00" })
    expect(await shop.gateway.refunds.list(transaction_id)).toHaveLength(0)
    const [{ completed_at }] = await store.db("cart").where({ id: cart.id })
    expect(completed_at).not.toBeNull()
  })
})
