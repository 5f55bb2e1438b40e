import { join } from "node:path"
import { InvoiceService } from "../../src/modules/gateway/invoices/service"
import { startingWith } from "../../src/modules/gateway/kernel/database/conditions"
import { once } from "../../src/modules/gateway/kernel/database/paging"
import { foundIds, type TextSearch } from "../../src/modules/gateway/kernel/database/text-search"
import type { Cradle } from "../../src/modules/gateway/kernel/types"
import { AuditLogService } from "../../src/modules/gateway/merchants/audit-log"
import type { TransactionStatus } from "../../src/modules/gateway/payments/states"
import { foundPayments } from "../../src/modules/gateway/payments/search"
import { SubscriptionListService } from "../../src/modules/gateway/subscriptions/list"
import { WebhookDeliveryService } from "../../src/modules/gateway/webhooks/deliveries"
import { gatewayOf, newMerchant, type ApiMerchant } from "../support/api"
import { importModule } from "../support/import-module.cjs"
import { insertPlans } from "../support/many-rows"
import { planOf, RecordingDatabase } from "../support/statements"
import { ROOT, useStore } from "../support/store"

type DeliveryCradle = ConstructorParameters<typeof WebhookDeliveryService>[0]
type InvoiceCradle = ConstructorParameters<typeof InvoiceService>[0]
type Query = (text: string, values: unknown[]) => Promise<unknown>
type Fill = Record<"BILLING_FILL" | "LOGS_FILL", string[]> & {
  AUDIT: string
  PAYOUTS: string
  LINKS: string
  ENTRIES: string
  SESSIONS: string
  TRANSACTIONS: string
  fillLists(query: Query, statements: string[], merchant: string, count: number): Promise<void>
}

/** More than a list shows, so that a text can find more than that. */
const ROWS = 12_000
const store = useStore({ production: true, prepare: async (booted) => void (owner = await newMerchant(booted)) })
let owner: ApiMerchant
const tenant = () => ({ merchant_id: owner.id, environment: "sandbox", now: new Date() }) as const

beforeAll(async () => {
  const { BILLING_FILL, LOGS_FILL, AUDIT, PAYOUTS, LINKS, ENTRIES, SESSIONS, TRANSACTIONS, fillLists } =
    await importModule<Fill>(join(ROOT, "lab/bench/fill-lists.mjs"))
  const client = await store.db.client.acquireConnection()
  try {
    const payments = [SESSIONS, TRANSACTIONS]
    const statements = [...BILLING_FILL, ...LOGS_FILL, AUDIT, PAYOUTS, LINKS, ENTRIES, ...payments]
    await fillLists((text, values) => client.query(text, values), statements, owner.id, ROWS)
    // Another merchant's rows of the same names and numbers.
    const other = await newMerchant(store)
    await fillLists(
      (text, values) => client.query(text, values),
      [...BILLING_FILL, PAYOUTS, LINKS, ...payments],
      other.id,
      50
    )
  } finally {
    await store.db.client.releaseConnection(client)
  }
})

/** In the order of the list; `begins` is compared with the beginning of this expression. */
async function expected(table: string, text: string, order: string, begins: string, id = "id"): Promise<unknown[]> {
  const { rows } = await store.db.raw<{ rows: { id: unknown }[] }>(
    `SELECT ${id} AS id FROM ${table} WHERE merchant_id = ? AND starts_with(${text}, ?) ORDER BY ${order}`,
    [owner.id, begins]
  )
  return rows.map((row) => row.id)
}

describe("docs/decisions/20 — a search finds the same rows, in the list's order, however many it finds", () => {
  const order = { by: "created_at", descending: true } as const
  const newest = "created_at DESC, id DESC"
  const key = "(SELECT email_key FROM gateway_customer WHERE id = customer_id)"
  const gateway = () => gatewayOf(store)
  type Listed = { rows: { id: string }[]; count: number; count_is_exact: boolean }
  type Window = { limit: number; offset: number }
  const LISTS: [
    name: string,
    list: (q: string, window: Window) => Promise<Listed>,
    all: (q: string) => Promise<unknown[]>,
    q: string,
  ][] = [
    [
      "plans",
      (q, w) => gateway().planList.list(tenant(), { q, order }, w),
      (q) => expected("gateway_plan", "lower(plan_name)", newest, q),
      "plan ",
    ],
    [
      "subscriptions",
      (q, w) => gateway().subscriptionList.list(tenant(), { q, order }, w),
      (q) => expected("gateway_subscription", key, "number DESC", q),
      "c",
    ],
    [
      "invoices",
      (q, w) => gateway().invoiceList.list(tenant(), { q, order }, w),
      (q) => expected("gateway_invoice", key, "number DESC", q),
      "c",
    ],
    [
      "payouts",
      (q, w) => gateway().payouts.window(tenant(), { q, descending: true }, w),
      (q) => expected("gateway_payout", "reference", "recorded_at DESC, id DESC", q),
      "TT-",
    ],
    [
      "payment links",
      (q, w) => gateway().paymentLinkList.list(tenant(), { q, order }, w),
      (q) => expected("gateway_payment_link", "customer ->> 'email'", newest, q),
      "c",
    ],
  ]

  it.each(LISTS)("%s", async (_, list, all, begins) => {
    for (const q of [begins, `${begins}1`, `${begins}11999`, `${begins}%`]) {
      const ids = await all(q)
      for (const offset of [0, 40, 9_980]) {
        const { rows, count, count_is_exact } = await list(q, { limit: 20, offset })
        expect([q, offset, rows.map(({ id }) => id)]).toEqual([q, offset, ids.slice(offset, offset + 20)])
        expect([q, count, count_is_exact]).toEqual([q, Math.min(ids.length, 10_000), ids.length <= 10_000])
      }
    }
  })

  it.each([true, false])("pages of the second half are read from the end: descending %s", async (descending) => {
    const filter = { status: ["CANCELLED" as const], order: { descending } }
    const database = new RecordingDatabase(store.db)
    const service = new SubscriptionListService({ database } as unknown as Cradle)
    const all: { id: string }[] = await store
      .db("gateway_subscription")
      .where({ merchant_id: owner.id, status: "CANCELLED" })
      .orderBy("number", descending ? "desc" : "asc")
    for (const offset of [0, 590, 601, 1_180, 1_195, 1_200]) {
      const { rows, count } = await service.list(tenant(), filter, { limit: 20, offset })
      expect([count, rows.map(({ id }) => id)]).toEqual([1_200, all.slice(offset, offset + 20).map(({ id }) => id)])
    }
    const skipped = database.statements.flatMap(({ text, values }) => (/OFFSET/.test(text) ? [values.at(-1)] : []))
    expect(skipped).toEqual([0, 590, 579, 0, 0, 1_200])
  })

  it("of a text that only the oldest rows have, more than a list shows", async () => {
    // 21,000 newer plans, of which none is found: the first rows of the list are not enough.
    await insertPlans(
      store,
      tenant(),
      Array.from({ length: 21_000 }, (_, index) => `Newer ${index}`)
    )
    const ids = await expected("gateway_plan", "lower(plan_name)", newest, "plan")
    const found = await gateway().planList.list(tenant(), { q: "Plan", order }, { limit: 20, offset: 5_000 })
    expect(found.rows.map(({ id }) => id)).toEqual(ids.slice(5_000, 5_020))
  })

  it.each([
    ["gateway_plan p", "lower(plan_name) LIKE ?", 'Index Only Scan using "IDX_gateway_plan_search"'],
    ["gateway_subscription s", "customer_email_key LIKE ?", 'Index Only Scan using "IDX_gateway_subscription_search"'],
    ["gateway_invoice i", "customer_email_key LIKE ?", 'Index Only Scan using "IDX_gateway_invoice_search"'],
    ["gateway_payout p", "reference LIKE ?", 'Index Only Scan using "IDX_gateway_payout_search"'],
    ["gateway_payment_link l", "lower(customer ->> 'email') LIKE ?", "IDX_gateway_payment_link_search"],
    ["gateway_audit_entry a", "actor_id = ?", "IDX_gateway_audit_entry_merchant_id_actor_id_number"],
    ["gateway_audit_entry a", "request_id = ?", "IDX_gateway_audit_entry_by_request"],
    ["gateway_audit_entry a", "address = ?", "IDX_gateway_audit_entry_by_address"],
    ["gateway_audit_entry a", "action LIKE ?", "IDX_gateway_audit_entry_search"],
  ] as const)("%s is searched along its index: %s", async (table, sql, index) => {
    const alias = table.split(" ")[1]
    const isAudit = alias === "a"
    const where = isAudit ? "a.merchant_id = $1" : `${alias}.merchant_id = $1 AND ${alias}.environment = $2`
    const values = isAudit ? [owner.id] : [owner.id, "sandbox"]
    const search: TextSearch = [{ sql, values: [sql.includes("LIKE") ? startingWith("c11") : "user_1"] }]
    const { from, values: given } = foundIds({ table, where, values, order: "" }, search)
    await store.db.raw(`VACUUM (ANALYZE) ${table.split(" ")[0]}`)
    expect(await planOf(store, `SELECT ${alias}.id FROM ${from}`, given)).toContain(index)
  })
})

describe("docs/decisions/20 — a search of payments finds the same rows, in the list's order, however many it finds", () => {
  type Case = { q: string; found: string; status?: "FAILED"; from?: Date; by: "created_at" | "amount" }
  // Filled payments have no ledger behind them, which the check of the invariants after each file would report.
  afterAll(async () => {
    await store.db("gateway_transaction").delete()
    await store.db("gateway_checkout_session").delete()
  })

  const begins = "starts_with(s.customer ->> 'email', ?)"
  const named = "to_tsvector('simple', s.customer ->> 'name') @@ to_tsquery('simple', ? || ':*')"
  const CASES: Case[] = [
    { q: "c", found: begins, by: "created_at" },
    { q: "c", found: begins, by: "amount" },
    { q: "c", found: begins, status: "FAILED", by: "created_at" },
    { q: "c", found: begins, from: new Date(0), by: "created_at" },
    { q: "c11", found: begins, by: "created_at" },
    { q: "c11", found: begins, from: new Date(0), by: "created_at" },
    { q: "c119", found: begins, by: "amount" },
    { q: "customer", found: named, by: "created_at" },
    { q: "customer", found: named, status: "FAILED", by: "amount" },
    { q: "list-1", found: "starts_with(s.order_id, ?)", by: "created_at" },
    { q: "list-", found: "starts_with(s.order_id, ?)", by: "amount" },
    { q: "nobody", found: begins, by: "created_at" },
  ]

  it.each(CASES)("$q, $status, from $from, by $by", async ({ q, found, status, from, by }) => {
    const column = by === "amount" ? "t.amount_minor" : "t.created_at"
    for (const descending of [true, false]) {
      const direction = descending ? "DESC" : "ASC"
      const { rows: all } = await store.db.raw<{ rows: { id: string; state: string; amount_minor: number }[] }>(
        `SELECT t.id, t.state, t.amount_minor FROM gateway_transaction t JOIN gateway_checkout_session s ON s.id = t.session_id
         WHERE t.merchant_id = ? AND ${found} AND t.state = COALESCE(?, t.state)
         ORDER BY ${column} ${direction}, t.id ${direction}`,
        [owner.id, q, status ?? null]
      )
      const filter = { q, status: status && [status], from, order: { by, descending } }
      for (const offset of [0, 40, 1_990, 9_980]) {
        const page = await gatewayOf(store).paymentList.list(tenant(), filter, { limit: 20, offset, totals: true })
        const { rows, count, count_is_exact, totals } = page
        const wanted = all.slice(offset, offset + 20).map(({ id }) => id)
        expect([offset, rows.map((row) => row.transaction_id)]).toEqual([offset, wanted])
        expect([count, count_is_exact]).toEqual([Math.min(all.length, 10_000), all.length <= 10_000])
        const sum = all.reduce((total, row) => total + (row.state === "SUCCESS" ? row.amount_minor : 0), 0)
        expect(totals?.map(({ sums }) => sums.amount)).toEqual(all.length === 0 ? [] : [String(sum)])
      }
    }
  })

  it("counts a payment once that is found by its amount and by its order's number", async () => {
    await store.db.raw("UPDATE gateway_transaction SET amount_minor = 7700 WHERE merchant_id = ?", [owner.id])
    await store.db.raw(
      "UPDATE gateway_checkout_session SET order_number = '77' WHERE merchant_id = ? AND order_id LIKE 'list-1%'",
      [owner.id]
    )
    const FAILED: TransactionStatus[] = ["FAILED"]
    for (const [narrower, most] of [
      [{}, 10_000],
      [{ from: new Date(0) }, 10_000],
      [{ status: FAILED }, 2_400],
    ] as const) {
      const filter = { q: "77", ...narrower, order: { by: "created_at", descending: true } } as const
      const first = await gatewayOf(store).paymentList.list(tenant(), filter, { limit: 20, offset: 0 })
      expect([first.count, first.count_is_exact]).toEqual([most, most < 10_000])
      const later = await gatewayOf(store).paymentList.list(tenant(), filter, { limit: 20, offset: 2_380 })
      expect(new Set(later.rows.map((row) => row.transaction_id)).size).toBe(20)
    }
  })

  it("finds an order whose session another one has replaced", async () => {
    const session = store.db("gateway_checkout_session").where({ merchant_id: owner.id, order_id: "list-11" })
    expect(await session.clone().update({ replaced_at: new Date() })).toBe(1)
    const filter = { q: "list-11", order: { by: "created_at", descending: true } } as const
    const { rows } = await gatewayOf(store).paymentList.list(tenant(), filter, { limit: 10_000, offset: 0 })
    const { id: transaction_id } = await store
      .db("gateway_transaction")
      .where({ merchant_id: owner.id, order_id: "list-11" })
      .first<{ id: string }>("id")
    expect(rows.filter((row) => row.transaction_id === transaction_id)).toHaveLength(1)
  })

  it("looks an acquirer's number up by the number, and not among a merchant's attempts", async () => {
    const { sql, values } = foundPayments("9HX1ABC2DE", { merchant_ids: [owner.id], environments: ["sandbox"] })
    expect(await planOf(store, sql, values)).toMatch(/Index Cond: \(acquirer_reference = ANY/)
  })

  it("reads no whole table", async () => {
    await store.db.raw("VACUUM (ANALYZE) gateway_transaction")
    await store.db.raw("VACUUM (ANALYZE) gateway_checkout_session")
    const tenants = { merchant_ids: [owner.id], environments: ["sandbox"] }
    for (const q of ["c7", "customer", "list-7", "01711", "1,100.00", "9HX1ABC2DE"]) {
      const { sql, values } = foundPayments(q, tenants, { where: "t.state = 'SUCCESS'", values: [] })
      expect([q, await planOf(store, sql, values)]).toEqual([q, expect.not.stringContaining("Seq Scan")])
    }
  })
})

describe("docs/decisions/20 — deliveries of a period, payment links, and entries of the balance", () => {
  // Filled rows have no payments behind them, which the check of the invariants after each file would report.
  afterAll(async () => {
    await store.db("gateway_ledger_entry").delete()
    await store.db("gateway_payout").delete()
  })

  it("a period has the deliveries whose events occurred in it, along the index by time", async () => {
    const at = async (n: number) =>
      (
        await store
          .db("gateway_webhook_delivery")
          .where({ merchant_id: owner.id })
          .orderBy("occurred_at")
          .offset(n)
          .first<{ occurred_at: Date }>("occurred_at")
      ).occurred_at
    const [from, to] = [await at(100), await at(160)]
    const order = { descending: true }
    const { rows, count } = await gatewayOf(store).webhookLog.deliveries(
      tenant(),
      { from, to, order },
      { limit: 20, offset: 20 }
    )
    const ids = await store
      .db("gateway_webhook_delivery")
      .where({ merchant_id: owner.id })
      .where("occurred_at", ">=", from)
      .where("occurred_at", "<", to)
      .orderBy("occurred_at", "desc")
      .pluck("id")
    expect([count, rows.map(({ id }) => id)]).toEqual([60, ids.slice(20, 40)])
    await store.db.raw("VACUUM (ANALYZE) gateway_webhook_delivery")
    const plan = await planOf(
      store,
      "SELECT 1 FROM gateway_webhook_delivery d WHERE merchant_id = $1 AND environment = $2 AND occurred_at >= $3 AND occurred_at < $4 ORDER BY occurred_at DESC, number DESC LIMIT 20",
      [owner.id, "sandbox", from, to]
    )
    // In each partition with rows of that time, by that partition's index.
    const { rows: used } = await store.db.raw<{ rows: { table: string; index: string }[] }>(
      `SELECT DISTINCT d.tableoid::regclass::text AS table, i.indexrelid::regclass::text AS index
       FROM gateway_webhook_delivery d JOIN pg_index i ON i.indrelid = d.tableoid
       JOIN pg_inherits h ON h.inhrelid = i.indexrelid AND h.inhparent = '"IDX_gateway_webhook_delivery_by_time"'::regclass
       WHERE d.merchant_id = ? AND d.occurred_at >= ? AND d.occurred_at < ?`,
      [owner.id, from, to]
    )
    expect(used).not.toEqual([])
    for (const { table, index } of used) {
      expect(plan).toContain(`using ${index} on ${table}`)
    }
  })

  it("a period of the audit log has the changes of that time, along the index by time", async () => {
    const newest = ["created_at", "number"].map((column) => ({ column, order: "desc" as const }))
    const all = await store
      .db("gateway_audit_entry")
      .where({ merchant_id: owner.id })
      .orderBy(newest)
      .select<{ id: string; created_at: Date }[]>("id", "created_at")
    const [from, to] = [all[160].created_at, all[100].created_at]
    const ids = all.slice(101, 161).map(({ id }) => id)
    await store.db.raw("VACUUM (ANALYZE) gateway_audit_entry")
    for (const descending of [true, false]) {
      const database = new RecordingDatabase(store.db)
      const service = new AuditLogService({ database } as unknown as Cradle)
      const filter = { from, to, order: { descending } }
      const { rows, count } = await service.list(tenant(), filter, { limit: 20, offset: 20 })
      const listed = descending ? ids : [...ids].reverse()
      expect([count, rows.map(({ id }) => id)]).toEqual([60, listed.slice(20, 40)])
      for (const { text, values } of database.statements) {
        expect(await planOf(store, text, values)).toContain("IDX_gateway_audit_entry_merchant_id_created_at_number")
      }
      const reading = { after: null, signal: new AbortController().signal, once: once() }
      const first = await service.list(tenant(), filter, { limit: 20, offset: 0, reading })
      const rest = { limit: 60, offset: 0, reading: { ...reading, after: first.next ?? null } }
      const second = await service.list(tenant(), filter, rest)
      expect([...first.rows, ...second.rows].map(({ id }) => id)).toEqual(listed)
    }
  })

  it("a delivery is found along an index to be sent again, by its number and by its row's id", async () => {
    const { id, number } = await store
      .db("gateway_webhook_delivery")
      .where({ merchant_id: owner.id })
      .first<{ id: string; number: string }>("id", "number")
    for (const [named, index] of [
      [number, /Index Cond: .*\bnumber = /],
      [id, /Index Cond: \(id = '/],
    ] as const) {
      const database = new RecordingDatabase(store.db)
      const service = new WebhookDeliveryService({ database } as unknown as DeliveryCradle)
      expect((await service.redeliver(tenant(), named)).id).toBe(id)
      const [{ text, values }] = database.statements
      expect(await planOf(store, text, values)).toMatch(index)
    }
  })

  it("invoices of a subscription are found along its index, by its number and by its uuid", async () => {
    const { id, number, uuid } = await store
      .db("gateway_subscription")
      .where({ merchant_id: owner.id })
      .first<{ id: string; number: number; uuid: string }>("id", "number", "uuid")
    const own = await store.db("gateway_invoice").where({ subscription_id: id }).pluck<string[]>("id")
    for (const [subscription_id, index] of [
      [String(number), /Index Cond: \(\(merchant_id = .*\bnumber = /],
      [uuid, /Index Cond: \(uuid = /],
    ] as const) {
      const database = new RecordingDatabase(store.db)
      const service = new InvoiceService({ database } as unknown as InvoiceCradle)
      const { rows, total } = await service.list(tenant(), { subscription_id }, { per_page: 20, offset: 0 })
      expect([total, rows.map((row) => row.id)]).toEqual([1, own])
      for (const { text, values } of database.statements) {
        expect(await planOf(store, text, values)).toMatch(index)
      }
    }
  })

  it("payment links have their exact number and their pages at any depth, before and after the counters are folded", async () => {
    const pages = async () => {
      const links = await store
        .db("gateway_payment_link")
        .where({ merchant_id: owner.id })
        .orderBy([
          { column: "created_at", order: "desc" },
          { column: "id", order: "desc" },
        ])
        .select<{ id: string; state: string }[]>("id", "state")
      for (const status of [undefined, ["open"], ["disabled"]] as const) {
        const ids = links.filter(({ state }) => status === undefined || state === status[0]).map(({ id }) => id)
        for (const offset of [0, 20, 5_000, Math.max(0, ids.length - 20), ids.length]) {
          const { rows, total } = await gatewayOf(store).paymentLinkList.page(
            tenant(),
            { status },
            { per_page: 20, offset }
          )
          expect([status, offset, total, rows.map(({ id }) => id)]).toEqual([
            status,
            offset,
            ids.length,
            ids.slice(offset, offset + 20),
          ])
        }
      }
    }
    await pages()
    await store.db.raw("DELETE FROM gateway_payment_link WHERE merchant_id = ? AND token LIKE '%7'", [owner.id])
    await store.db.raw(
      "UPDATE gateway_payment_link SET state = 'disabled', disabled_at = now() WHERE merchant_id = ? AND token LIKE '%3'",
      [owner.id]
    )
    await pages()
    while ((await gatewayOf(store).counters.fold()) > 0);
    await pages()
  })

  it("entries have their exact number and their pages at any depth, before and after the counters are folded", async () => {
    const pages = async () => {
      for (const account of ["merchant_balance", "fees"]) {
        const ids = await store
          .db("gateway_ledger_entry")
          .where({ merchant_id: owner.id, account, currency: "BDT" })
          .orderBy([
            { column: "occurred_at", order: "desc" },
            { column: "number", order: "desc" },
          ])
          .pluck<string[]>("id")
        for (const offset of [0, 20, 6_000, ids.length - 20, ids.length]) {
          const page = { per_page: 20, offset }
          const { rows, total } = await gatewayOf(store).ledger.entries(
            tenant(),
            { account: account as "fees", currency: "BDT" },
            page
          )
          expect([offset, total, rows.map(({ id }) => id)]).toEqual([
            offset,
            ids.length,
            ids.slice(offset, offset + 20),
          ])
        }
      }
    }
    await pages()
    await store.db.raw("DELETE FROM gateway_ledger_entry WHERE merchant_id = ? AND posting LIKE '%7'", [owner.id])
    await pages()
    while ((await gatewayOf(store).counters.fold()) > 0);
    await pages()
  })
})

type Page = { per_page: number; offset: number }

describe("docs/decisions/23 — events and entries are counted by the hour at first, and by the day later", () => {
  /** One each half an hour: 41 days. */
  const ROWS = 2_000
  const fold = async () => {
    while ((await gatewayOf(store).counters.fold()) > 0);
  }
  const hours = async (merchant_id: string, subject: string) => {
    const [{ old, recent }] = (
      await store.db.raw<{ rows: { old: number; recent: number }[] }>(
        `SELECT count(*) FILTER (WHERE bucket < day * 24)::int AS old, count(*) FILTER (WHERE bucket >= day * 24)::int AS recent
         FROM gateway_counter, LATERAL (SELECT floor(extract(epoch FROM now()) / 86400)::int - 9 AS day) AS nine_days_ago
         WHERE merchant_id = ? AND subject = ? AND bucket % 24 <> 0`,
        [merchant_id, subject]
      )
    ).rows
    return { old, recent: recent > 0 }
  }
  let merchant: ApiMerchant

  beforeAll(async () => {
    merchant = await newMerchant(store)
    await store.db.raw(
      `INSERT INTO gateway_event (id, event_id, merchant_id, environment, event_type, resource_id, data, occurred_at, created_at)
       SELECT 'gev_day_' || lpad(n::text, 8, '0'), md5('day' || n), :merchant, 'sandbox',
         CASE WHEN n % 3 = 0 THEN 'payment.failed' ELSE 'payment.succeeded' END, 'txn' || n, '{}', at, at
       FROM generate_series(1, ${ROWS}) n, LATERAL (SELECT now() - n * interval '30 minutes' AS at) AS one`,
      { merchant: merchant.id }
    )
    await store.db.raw(
      `INSERT INTO gateway_ledger_entry (id, posting, kind, account, merchant_id, environment, currency, amount_minor, occurred_at)
       SELECT 'day' || n || ':' || account, 'day' || n, 'payment', account, :merchant, 'sandbox', 'BDT', amount, at
       FROM generate_series(1, ${ROWS}) n, LATERAL (SELECT now() - n * interval '30 minutes' AS at) AS one,
         LATERAL (VALUES ('acquirer_clearing', -5), ('merchant_balance', 5)) AS entry (account, amount)`,
      { merchant: merchant.id }
    )
  })
  afterAll(async () => {
    await store.db("gateway_ledger_entry").where({ merchant_id: merchant.id }).delete()
  })

  async function expectPages(): Promise<void> {
    const own = { merchant_id: merchant.id, environment: "sandbox" as const }
    const newest = ["created_at", "id"].map((column) => ({ column, order: "desc" as const }))
    const lists = {
      all: {
        ids: await store.db("gateway_event").where(own).orderBy(newest).pluck<string[]>("event_id"),
        page: async (page: Page) => gatewayOf(store).events.list(own, {}, page),
      },
      failed: {
        ids: await store
          .db("gateway_event")
          .where({ ...own, event_type: "payment.failed" })
          .orderBy(newest)
          .pluck<string[]>("event_id"),
        page: async (page: Page) => gatewayOf(store).events.list(own, { event_type: "payment.failed" }, page),
      },
      entries: {
        ids: await store
          .db("gateway_ledger_entry")
          .where({ ...own, account: "merchant_balance" })
          .orderBy("occurred_at", "desc")
          .pluck<string[]>("id"),
        page: async (page: Page) =>
          gatewayOf(store).ledger.entries(own, { account: "merchant_balance", currency: "BDT" }, page),
      },
    }
    for (const [name, { ids, page }] of Object.entries(lists)) {
      for (let offset = 0; offset <= ids.length; offset += 130) {
        const { rows, total } = await page({ per_page: 20, offset })
        const shown = rows.map((row) => ("event_id" in row ? row.event_id : row.id))
        expect([name, offset, total, shown]).toEqual([name, offset, ids.length, ids.slice(offset, offset + 20)])
      }
    }
  }

  it("pages are right before and after hours become days, and when old rows go", async () => {
    await expectPages()
    await fold()
    await expectPages()
    for (const subject of ["event", "entry"]) {
      expect([subject, await hours(merchant.id, subject)]).toEqual([subject, { old: 0, recent: true }])
    }
    await store.db("gateway_event").where({ merchant_id: merchant.id }).whereRaw("id LIKE '%7'").delete()
    await store.db("gateway_ledger_entry").where({ merchant_id: merchant.id }).whereRaw("posting LIKE '%3'").delete()
    await expectPages()
    await fold()
    await expectPages()
    for (const subject of ["event", "entry"]) {
      expect([subject, await hours(merchant.id, subject)]).toEqual([subject, { old: 0, recent: true }])
    }
  })

  it("the check of everything compares days with the rows of the day", async () => {
    const counted = async () =>
      (await gatewayOf(store).invariants.check()).filter(({ name }) => name === "counters_equal_rows")
    const own = { merchant_id: merchant.id, subject: "entry" }
    expect(await counted()).toEqual([])
    const oldest = await store.db("gateway_counter").where(own).orderBy("bucket").first<{ id: string }>("id")
    const damaged = store.db("gateway_counter").where({ id: oldest.id })
    await damaged.clone().update({ count: store.db.raw("count + 1") })
    const found = await counted()
    await damaged.clone().update({ count: store.db.raw("count - 1") })
    expect(found).toMatchObject([
      { count: 1, examples: [{ subject: expect.stringContaining(`${merchant.id} sandbox entry`) }] },
    ])
  })
})
