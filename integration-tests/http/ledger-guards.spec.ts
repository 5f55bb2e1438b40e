import { Client } from "@medusajs/framework/pg"
import { paid, refund, refundData } from "../support/refunds"
import { useStore } from "../support/store"
import { PRODUCTION } from "../support/store-options"
import { sandbox, ledgerIn } from "../support/ledger"

/** A production deployment, which also serves its merchants' sandbox. */
const store = useStore({ production: true, env: PRODUCTION })
const { sandboxMerchant, balances, live } = ledgerIn(store)

describe("design: the database is the last guard of the ledger", () => {
  const CHECK = "23514"
  const UNIQUE = "23505"
  const FOREIGN_KEY = "23503"
  const refused = (work: PromiseLike<unknown>) =>
    Promise.resolve(work).then(
      () => "written",
      (error: { code: string }) => error.code
    )

  it("what does not sum to zero, is posted twice, changed, or taken from production is refused", async () => {
    const owner = await sandboxMerchant()
    const { transaction_id } = await paid(owner)
    const { refund_id } = refundData(await refund(owner, transaction_id))
    const entry = (posting: string, account: string, amount_minor: number, changes = {}) => ({
      id: `${posting}:${account}`,
      posting,
      kind: "payment",
      account,
      ...sandbox(owner),
      currency: "BDT",
      amount_minor,
      occurred_at: new Date(),
      ...changes,
    })
    const insert = (...rows: object[]) => refused(store.db("gateway_ledger_entry").insert(rows))
    const other = await sandboxMerchant()
    expect([
      await insert(entry("x", "fees", 5)),
      await insert(entry("x", "fees", 5), entry("x", "merchant_balance", -4)),
      await insert(entry("x", "fees", 5), entry("y", "merchant_balance", -5)),
      await insert(entry("x", "fees", 5), entry("x", "merchant_balance", -5, { merchant_id: other.id })),
      await insert(entry("x", "fees", 5), entry("x", "merchant_balance", -5, { currency: "USD" })),
      await insert(entry("x", "fees", 5), entry("x", "refunds", 0), entry("x", "merchant_balance", -5)),
      await insert(entry(`${transaction_id}:paid`, "fees", 5), entry(`${transaction_id}:paid`, "merchant_balance", -5)),
      await insert(entry(`${refund_id}:settled`, "merchant_balance", 5), entry(`${refund_id}:settled`, "refunds", -5)),
      await insert(entry("x", "fees", 5, { transaction_id: "txn_of_nobody" }), entry("x", "merchant_balance", -5)),
      await refused(store.db("gateway_ledger_entry").where({ transaction_id }).update({ amount_minor: 1 })),
      await refused(store.db.raw("TRUNCATE gateway_ledger_entry")),
      await refused(
        store
          .db("gateway_ledger_entry")
          .where({ id: `${transaction_id}:paid:fees` })
          .delete()
      ),
    ]).toEqual([CHECK, CHECK, CHECK, CHECK, CHECK, CHECK, UNIQUE, UNIQUE, FOREIGN_KEY, CHECK, CHECK, CHECK])
    const { transactions } = await live([100_000])
    expect(await refused(store.db("gateway_ledger_entry").where({ transaction_id: transactions[0] }).delete())).toBe(
      CHECK
    )
    expect(await balances(owner)).toEqual([-2_500, 0, 2_500, 0, 0])
  })

  it("first postings at once on one shard of the totals are both written", async () => {
    const owner = await sandboxMerchant()
    const clients: Client[] = []
    // A connection's process decides on its shard: of 17 connections, two have the same one.
    const shards = new Map<number, Client>()
    const pair = async (): Promise<[Client, Client]> => {
      for (;;) {
        const client = new Client({ connectionString: store.databaseUrl })
        clients.push(client)
        await client.connect()
        const { rows } = await client.query<{ shard: number }>("SELECT pg_backend_pid() % 16 AS shard")
        const other = shards.get(rows[0].shard)
        if (other !== undefined) {
          return [other, client]
        }
        shards.set(rows[0].shard, client)
      }
    }
    const POST = `
      INSERT INTO gateway_ledger_entry (id, posting, kind, account, merchant_id, environment, currency, amount_minor, occurred_at)
      SELECT $1::text || account, $1, 'payment', account, $2::text, 'sandbox', $3::text, amount, now()
      FROM (VALUES ('acquirer_clearing', -7), ('merchant_balance', 7)) AS entry (account, amount)`
    try {
      const both = await pair()
      for (let round = 0; round < 100; round++) {
        const currency = `C${round}`
        await Promise.all(
          both.map((client, index) => client.query(POST, [`${owner.id}:${round}:${index}`, owner.id, currency]))
        )
        expect([currency, await balances(owner, currency)]).toEqual([currency, [14, -14, 0, 0, 0]])
      }
    } finally {
      await Promise.all(clients.map((client) => client.end()))
    }
    await store.db("gateway_ledger_entry").where(sandbox(owner)).delete()
  })

  it("the totals follow what is deleted in the sandbox, too", async () => {
    const owner = await sandboxMerchant()
    const [first] = [await paid(owner), await paid(owner, "500.00")]
    await store.db("gateway_ledger_entry").where({ transaction_id: first.transaction_id }).delete()
    expect(await balances(owner)).toEqual([48_750, -50_000, 1_250, 0, 0])
    await store.db("gateway_payment_attempt").where({ transaction_id: first.transaction_id }).delete()
    await store.db("gateway_transaction").where({ id: first.transaction_id }).delete()
    await store.db("gateway_checkout_session").where({ id: first.session_id }).delete()
  })
})
