import { attemptsOf } from "../support/api"
import { Client } from "@medusajs/framework/pg"
import { sweepRefundRows } from "../../src/store/refunds/sweep-rows"
import { syncDueRefunds } from "../../src/store/refunds/sync-order-refund"
import { CartShop, type Cart, type PaymentSession } from "../support/carts"
import { prepareAdmin, signIn } from "../support/admin"
import { orderMoney } from "../support/order-money"
import { useStore } from "../support/store"
import { until } from "../support/until"

let shop: CartShop
const store = useStore({
  container: true,
  shop: true,
  prepare: async (booted) => {
    shop = new CartShop(booted)
    await Promise.all([shop.open(), prepareAdmin(booted)])
  },
})

/**
 * The points at which completing a cart can be interrupted, last first. A lock on the table stops the next writer
 * there, so a payment waits in the middle of completing its cart, in a process that knows nothing of the test.
 */
const WINDOWS = [
  { table: "order_transaction", left: "an order whose money is not on it", sku: "TEA-250" },
  { table: "payment", left: "an order that is not paid", sku: "MUG-GREEN" },
  { table: "order_cart", left: "an order that nothing links to the cart", sku: "BAG-HILSA" },
  { table: "order", left: "no order at all", sku: "CUSHION-40" },
]

async function lockTable(table: string): Promise<Client> {
  const client = new Client({ connectionString: store.databaseUrl })
  await client.connect()
  await client.query(`BEGIN; LOCK TABLE "${table}" IN EXCLUSIVE MODE`)
  return client
}

const waitingFor = async (table: string): Promise<boolean> => {
  const { rows } = await store.db.raw(
    "SELECT 1 FROM pg_locks WHERE NOT granted AND relation = ?::regclass AND database = (SELECT oid FROM pg_database WHERE datname = current_database())",
    [`"${table}"`]
  )
  return rows.length > 0
}

describe("kill -9 between paying and completing the order", () => {
  it("ends with exactly one order and one payment for every cart, wherever it struck", async () => {
    const prepared: { cart: Cart; session: PaymentSession; table: string }[] = []
    for (const { table, sku } of WINDOWS) {
      prepared.push({ ...(await shop.checkout({ [sku]: 1 })), table })
    }
    const server = await store.startServerProcess({ env: { GATEWAY_WORKER: "0" } })
    const locks: Client[] = []
    const answers: Promise<unknown>[] = []
    for (const { session, table } of prepared) {
      locks.push(await lockTable(table))
      answers.push(shop.pay(session.data.session_id, undefined, server.url).catch((error) => error))
      await until(`a payment waits for ${table}`, () => waitingFor(table))
    }
    await server.kill("SIGKILL")
    await Promise.all(answers)
    await Promise.all(locks.map((client) => client.end()))
    await until("the killed server's statements are gone", async () => !(await waitingFor("order")))

    const paid = await store.db("gateway_cart_completion").whereIn(
      "cart_id",
      prepared.map(({ cart }) => cart.id)
    )
    expect(paid.map(({ state }) => state)).toEqual(["waiting", "waiting", "waiting", "waiting"])
    // The half minute for the paying request and the leases of dead processes have expired.
    await store.db("gateway_cart_completion").update({ next_attempt_at: new Date(0), locked_until: new Date(0) })

    const restarted = await store.startServerProcess({ env: { MEDUSA_WORKER_MODE: "shared" } })
    await until("the worker has its queue", async () => {
      const { rows } = await store.db.raw("SELECT to_regclass('graphile_worker._private_jobs') AS queue")
      return rows[0].queue !== null
    })
    // Queues what cron would queue at the next full minute.
    await store.db.raw("SELECT graphile_worker.add_job('complete-paid-carts')")
    const waiting = () => store.db("gateway_cart_completion").where({ state: "waiting" })
    await until("every paid cart has been seen to", async () => (await waiting()).length === 0)

    for (const { cart, session } of prepared) {
      const orders = await shop.ordersOf(cart.id)
      expect(orders).toHaveLength(1)
      const { transaction_id } = await shop.gateway.transactions.bySession(session.data.session_id)
      const made = await store
        .db("order")
        .whereRaw("metadata->>'gateway_transaction_id' = ?", [transaction_id])
        .whereNull("deleted_at")
      expect(made.map(({ id }) => id)).toEqual(orders)
      const amount = cart.total.toFixed(2)
      expect(await shop.moneyOf(cart.id)).toEqual({ payments: 1, captured: amount, recorded: amount })
      const charges = await store.db("gateway_sandbox_operation").whereIn("key", attemptsOf(store, transaction_id))
      expect(charges).toMatchObject([{ kind: "charge", tries: 1 }])
      const { rows: reservations } = await store.db.raw(
        `SELECT r.quantity::int AS quantity FROM reservation_item r JOIN order_item i ON i.item_id = r.line_item_id
         WHERE i.order_id = ? AND r.deleted_at IS NULL`,
        [orders[0]]
      )
      expect(reservations).toEqual([{ quantity: 1 }])
      expect((await shop.comeBack(transaction_id, restarted.url)).status).toBe(200)
    }
    const { rows: reserved } = await store.db.raw("SELECT sum(reserved_quantity)::int AS all FROM inventory_level")
    expect(reserved[0].all).toBe(WINDOWS.length)
    await restarted.kill("SIGKILL")
  }, 300_000)
})

describe("kill -9 while a refund is on its way from one side to the other", () => {
  async function paidOrder() {
    const { cart, session } = await shop.checkout()
    const { transaction_id } = (await shop.pay(session.data.session_id)).body.data
    const [order_id] = await shop.ordersOf(cart.id)
    const { id: payment_id } = await store.db("payment").where({ payment_session_id: session.id }).first()
    return { order_id, payment_id, transaction_id }
  }

  /** Whether a process waits for the row of a payment. The server shows only the first 1,024 bytes of a statement. */
  const waitingForRow = async (): Promise<boolean> => {
    const { rows } = await store.db.raw(
      "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%FROM gateway_transaction t%'"
    )
    return rows.length > 0
  }

  it("to Medusa's order: it stands there once; to the gateway, before it was asked for: it stands nowhere", async () => {
    const [shown, asked] = [await paidOrder(), await paidOrder()]
    const headers = { ...(await signIn(store)), "Content-Type": "application/json" }
    const server = await store.startServerProcess({ env: { MEDUSA_WORKER_MODE: "shared" } })
    const order = await lockTable("order_transaction")
    const request = {
      transaction_id: shown.transaction_id,
      amount: 7_500n,
      reason: "Late",
      requested_by: "tests",
      request_key: null,
    }
    const { id: refund_id } = await shop.gateway.refunds.create(request)
    await until("the worker writes the refund on the order", () => waitingFor("order_transaction"))

    const row = new Client({ connectionString: store.databaseUrl })
    await row.connect()
    await row.query("BEGIN")
    await row.query("SELECT 1 FROM gateway_transaction WHERE id = $1 FOR UPDATE", [asked.transaction_id])
    const answer = fetch(`${server.url}/admin/payments/${asked.payment_id}/refund`, {
      method: "POST",
      headers,
      body: JSON.stringify({ amount: 40 }),
    }).catch((error) => error)
    await until("the admin's refund waits for its payment", waitingForRow)
    await server.kill("SIGKILL")
    await answer
    // The killed server's statement must end too: its client is gone and cannot react to the lock.
    await store.db.raw(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
    )
    await until("it is gone", async () => !(await waitingForRow()))
    await Promise.all([order.end(), row.end()])

    expect(await orderMoney(store, shown.order_id)).toMatchObject({ refunds: [75], transactions: [] })
    expect(await orderMoney(store, asked.order_id)).toMatchObject({ refunds: [40], transactions: [] })
    expect(await shop.gateway.refunds.list(asked.transaction_id)).toEqual([])

    // The dead worker's lease has expired, and the admin's refund is minutes old.
    await store.db("gateway_order_refund").update({ next_attempt_at: new Date(0), locked_until: new Date(0) })
    await store
      .db("refund")
      .where({ payment_id: asked.payment_id })
      .update({ created_at: new Date(Date.now() - 3_600_000) })
    await Promise.all([syncDueRefunds(store.container), sweepRefundRows(store.container)])

    expect(await orderMoney(store, shown.order_id)).toMatchObject({
      pending: 0,
      refunds: [75],
      refunded: 75,
      transactions: [-75],
      credits: [75],
    })
    expect(await store.db("gateway_sandbox_operation").where({ key: refund_id })).toMatchObject([{ tries: 1 }])
    expect(await orderMoney(store, asked.order_id)).toMatchObject({
      pending: 0,
      refunds: [],
      refunded: 0,
      transactions: [],
    })
    expect(Object.values((await orderMoney(store, asked.order_id)).metadata?.gateway_failed_refunds as object)).toEqual(
      [expect.stringMatching(/^40\.00 BDT: .*no money has moved$/)]
    )
  }, 300_000)
})
