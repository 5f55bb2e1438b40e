import { randomUUID } from "node:crypto"
import type { Logger } from "@medusajs/framework/types"
import { Database } from "../../src/modules/gateway/kernel/database/database"
import { PartitionService } from "../../src/modules/gateway/kernel/database/partitions"
import { gatewayOf, newMerchant, type ApiMerchant } from "../support/api"
import { Emitter } from "../support/deliveries"
import { blocked } from "../support/locks"
import { useStore } from "../support/store"

const store = useStore()

const MONTHLY = ["gateway_event", "gateway_webhook_delivery", "gateway_webhook_attempt", "gateway_ledger_entry"]
const DAY_MS = 86_400_000
/** `202611` or `20261125` of a moment some months or days from now, in UTC. */
const monthOf = (months: number, now = new Date()) =>
  new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + months)).toISOString().slice(0, 7).replace("-", "")
const dayOf = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10).replace(/-/g, "")
/** The tenth of a month, some months from now. */
const monthsAway = (months: number) => {
  const now = new Date()
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + months, 10))
}

const partitions = async (table: string) =>
  (
    await store.db.raw<{ rows: { name: string }[] }>("SELECT name FROM gateway_partitions(?) ORDER BY name", [table])
  ).rows.map(({ name }) => name.slice(table.length + 1))
/** The partitions that a merchant's rows are in. */
const placesOf = async (table: string, merchant_id: string) =>
  (
    await store.db.raw<{ rows: { place: string }[] }>(
      `SELECT DISTINCT tableoid::regclass::text AS place FROM ${table} WHERE merchant_id = ? ORDER BY 1`,
      [merchant_id]
    )
  ).rows.map(({ place }) => place.slice(table.length + 1))
const codeOf = (work: PromiseLike<unknown>) =>
  Promise.resolve(work).then(
    () => "done",
    ({ code, constraint }: { code: string; constraint?: string }) => `${code} ${constraint ?? ""}`.trim()
  )
const broken = async () => (await gatewayOf(store).invariants.check()).map(({ name, examples }) => ({ name, examples }))
const warnings: string[] = []
/** Another process's, which does not try again within one run. */
const other = () =>
  new PartitionService(
    {
      database: new Database(store.db),
      logger: { warn: (text: string) => void warnings.push(text) } as unknown as Logger,
    },
    []
  )

const tenantOf = ({ id }: { id: string }) => ({ merchant_id: id, environment: "sandbox" }) as const
const totals = async (owner: { id: string }) => ({
  events: (await gatewayOf(store).events.list(tenantOf(owner), {}, { per_page: 50, offset: 0 })).total,
  deliveries: (await gatewayOf(store).webhookDeliveries.list(tenantOf(owner), {}, { per_page: 50, offset: 0 })).total,
})

/** An event with a delivery and an attempt, as they would have been written at `at`. */
async function written(merchant_id: string, at: Date): Promise<string> {
  const id = randomUUID()
  const common = { merchant_id, environment: "sandbox", event_id: id, event_type: "payment.succeeded", occurred_at: at }
  await store.db("gateway_event").insert({ ...common, id: `gev_${id}`, resource_id: "x", data: {}, created_at: at })
  const delivery = { receiver_key: "x", ipn_url: "https://shop.example.com/", state: "delivered", next_attempt_at: at }
  await store.db("gateway_webhook_delivery").insert({ ...common, ...delivery, id: `gwd_${id}`, created_at: at })
  await store.db("gateway_webhook_attempt").insert({
    id: `gwa_${id}`,
    delivery_id: `gwd_${id}`,
    delivery_created_at: at,
    attempt: 1,
    attempted_at: at,
    url: "https://shop.example.com/",
    duration_ms: 1,
  })
  return id
}

const entries = (owner: ApiMerchant, posting: string, created_at?: Date, environment = "sandbox") =>
  [
    ["fees", 25],
    ["merchant_balance", -25],
  ].map(([account, amount_minor]) => ({
    id: `${posting}:${account}`,
    posting,
    kind: "payment",
    account,
    merchant_id: owner.id,
    environment,
    currency: "BDT",
    amount_minor,
    occurred_at: new Date(),
    ...(created_at === undefined ? {} : { created_at }),
  }))

describe("docs/decisions/23: partitions", () => {
  // The database is a copy of one that was migrated on the day before, when tests run at midnight.
  beforeAll(() => gatewayOf(store).partitions.make())

  it("are there for this month and three more, and for this day and seven more", async () => {
    const fromNow = async (table: string, first: string) => (await partitions(table)).filter((name) => name >= first)
    for (const table of MONTHLY) {
      const months = [0, 1, 2, 3].map((month) => monthOf(month))
      expect([table, await fromNow(table, months[0])]).toEqual([table, months])
    }
    const days = [0, 1, 2, 3, 4, 5, 6, 7].map(dayOf)
    expect(await fromNow("gateway_request_log", days[0])).toEqual(days)
    expect(await gatewayOf(store).partitions.make()).toBe(0)
  })

  it("take the rows of their time, by the real clock and not the merchant's", async () => {
    const owner = await newMerchant(store)
    await owner.advance(400 * 86_400)
    const { session_id } = await owner.open({ ipn_url: "https://shop.example.com/ipn" })
    await owner.pay(session_id)
    for (const table of ["gateway_event", "gateway_webhook_delivery", "gateway_ledger_entry"]) {
      expect([table, await placesOf(table, owner.id)]).toEqual([table, [monthOf(0)]])
    }
    const [{ late }] = (
      await store.db.raw(
        `SELECT count(*)::int AS late FROM gateway_event v JOIN gateway_webhook_delivery d USING (event_id)
         WHERE v.merchant_id = ? AND v.created_at <> d.created_at`,
        [owner.id]
      )
    ).rows
    expect(late).toBe(0)
  })

  it("a row without one is written all the same, is reported, and is moved with what belongs to it", async () => {
    const owner = await newMerchant(store)
    const event_id = await written(owner.id, monthsAway(5))
    await written(owner.id, monthsAway(-2))
    await store.db("gateway_ledger_entry").insert(entries(owner, `moved-${owner.id}`, monthsAway(5)))
    await store.db("gateway_ledger_entry").insert(entries(owner, `live-${owner.id}`, monthsAway(5), "production"))
    expect(await placesOf("gateway_event", owner.id)).toEqual(["default"])
    expect(await placesOf("gateway_ledger_entry", owner.id)).toEqual(["default"])
    const waiting = async () =>
      (await gatewayOf(store).metrics.render()).text.match(
        /gateway_default_partition_used\{table="gateway_ledger_entry"\} ./
      )
    expect((await waiting())?.[0]).toMatch(/ 1$/)
    const before = await totals(owner)
    expect(await gatewayOf(store).partitions.make()).toBe(5)
    expect(await placesOf("gateway_event", owner.id)).toEqual([monthOf(-2), monthOf(5)].sort())
    expect(await placesOf("gateway_webhook_delivery", owner.id)).toEqual([monthOf(-2), monthOf(5)].sort())
    expect(await placesOf("gateway_ledger_entry", owner.id)).toEqual([monthOf(5)])
    const attempt = await store.db("gateway_webhook_attempt").where({ id: `gwa_${event_id}` })
    expect(attempt).toHaveLength(1)
    expect(
      await codeOf(
        store
          .db("gateway_webhook_delivery")
          .where({ id: `gwd_${event_id}` })
          .delete()
      )
    ).toMatch(/^23503/)
    expect([before, await totals(owner)]).toEqual([
      { events: 2, deliveries: 2 },
      { events: 2, deliveries: 2 },
    ])
    expect(await broken()).toEqual([])
  })

  it("an attempt points to a delivery that exists, in every partition", async () => {
    const attempt = (at: Date) => ({
      id: `gwa_${randomUUID()}`,
      delivery_id: "gwd_of_nobody",
      delivery_created_at: at,
      attempt: 1,
      attempted_at: at,
      url: "https://shop.example.com/",
      duration_ms: 1,
    })
    expect([
      await codeOf(store.db("gateway_webhook_attempt").insert(attempt(new Date()))),
      await codeOf(store.db("gateway_webhook_attempt").insert(attempt(monthsAway(40)))),
    ]).toEqual(["23503 gateway_webhook_attempt_delivery_id_fk", "23503 gateway_webhook_attempt_delivery_id_fk"])
  })
})

describe("docs/decisions/23: retention drops months", () => {
  it("with deliveries and attempts, and the counters and lists of what is left are right, folded or not", async () => {
    const owner = await newMerchant(store)
    const emitter = await Emitter.of(store.db, ["https://shop.example.com/hooks"])
    await emitter.emit(3)
    for (const months of [-6, -6, -5, -2]) {
      await written(owner.id, monthsAway(months))
      await written(emitter.merchant_id, monthsAway(months))
    }
    while ((await gatewayOf(store).counters.fold()) > 0);
    await written(owner.id, monthsAway(-5))
    await gatewayOf(store).partitions.make()
    expect(await totals(owner)).toEqual({ events: 5, deliveries: 5 })
    const dropped = await gatewayOf(store).events.purge()
    expect(dropped).toEqual(
      ["gateway_webhook_delivery", "gateway_event"].flatMap((table) => [-6, -5].map((at) => `${table}_${monthOf(at)}`))
    )
    expect(await totals(owner)).toEqual({ events: 1, deliveries: 1 })
    expect(await totals({ id: emitter.merchant_id })).toEqual({ events: 4, deliveries: 4 })
    for (const table of ["gateway_event", "gateway_webhook_delivery"]) {
      expect([table, await placesOf(table, owner.id)]).toEqual([table, [monthOf(-2)]])
    }
    expect(await partitions("gateway_webhook_attempt")).toEqual(await partitions("gateway_webhook_delivery"))
    expect(await broken()).toEqual([])
    while ((await gatewayOf(store).counters.fold()) > 0);
    expect(await broken()).toEqual([])
    const zeros = await store.db("gateway_counter").where({ merchant_id: owner.id, count: 0 })
    expect(zeros).toEqual([])
  })

  it("the request log: days, by its option; neither the ledger nor another table", async () => {
    const owner = await newMerchant(store)
    const entry = (days: number) => ({
      id: `grl_${randomUUID()}`,
      merchant_id: owner.id,
      environment: "sandbox",
      key_id: "k",
      method: "GET",
      path: "/",
      status: 200,
      duration_ms: 1,
      request_id: "r",
      address: "203.0.113.7",
      requested_at: new Date(Date.now() - days * DAY_MS),
      created_at: new Date(Date.now() - days * DAY_MS),
    })
    await store.db("gateway_request_log").insert([9, 8, 7, 6, 0].map(entry))
    await gatewayOf(store).partitions.make()
    expect(await gatewayOf(store).requestLog.purge()).toEqual(
      [-9, -8].map((days) => `gateway_request_log_${dayOf(days)}`)
    )
    expect(await placesOf("gateway_request_log", owner.id)).toEqual([-7, -6, 0].map(dayOf))
    for (const table of ["gateway_ledger_entry", "gateway_webhook_attempt", "gateway_transaction"]) {
      expect(await codeOf(store.db.raw("SELECT gateway_partition_drop(?, 'infinity')", [table]))).toBe("P0001")
    }
  })
})

describe("docs/decisions/23: payments come first", () => {
  it("a lock that is not to be had soon is left alone and tried again: what is paid meanwhile is not held up", async () => {
    const owner = await newMerchant(store)
    await written(owner.id, monthsAway(-7))
    await gatewayOf(store).partitions.make()
    await store.db.transaction(async (reader) => {
      await reader.raw("SELECT count(*) FROM gateway_event")
      await reader.raw("SELECT count(*) FROM gateway_webhook_delivery")
      const purging = other().drop("gateway_webhook_delivery", 90)
      const { session_id, transaction_id } = await owner.open()
      await owner.pay(session_id)
      expect((await owner.verified(transaction_id)).status).toBe("SUCCESS")
      expect(await purging).toEqual([])
      // Deliveries cannot be sent without their events.
      expect(await other().drop("gateway_event", 90)).toEqual([])
    })
    expect(warnings).toEqual(
      ["gateway_webhook_delivery", "gateway_event"].map((table) =>
        expect.stringContaining(`the oldest partition of ${table} waits for the next run`)
      )
    )
    expect(await totals(owner)).toMatchObject({ events: 2 })
    expect(await broken()).toEqual([])
    expect(await gatewayOf(store).events.purge()).toEqual([
      `gateway_webhook_delivery_${monthOf(-7)}`,
      `gateway_event_${monthOf(-7)}`,
    ])
    expect(await totals(owner)).toMatchObject({ events: 1 })
  })

  it("waits for a lock less long than PostgreSQL waits before it looks for deadlocks", async () => {
    const { rows } = await store.db.raw(
      `SELECT proname, proconfig FROM pg_proc WHERE proname IN ('gateway_partition_add', 'gateway_partition_drop') ORDER BY 1`
    )
    expect(rows.map(({ proconfig }: { proconfig: string[] }) => proconfig)).toEqual([
      ["lock_timeout=300ms"],
      ["lock_timeout=300ms"],
    ])
    expect((await store.db.raw("SHOW deadlock_timeout")).rows).toEqual([{ deadlock_timeout: "1s" }])
  })

  it("several workers at once make and drop each partition once", async () => {
    const owner = await newMerchant(store)
    await written(owner.id, monthsAway(-8))
    await written(owner.id, monthsAway(-9))
    const { partitions: one } = gatewayOf(store)
    const two = new PartitionService(
      { database: new Database(store.db), logger: console as unknown as Logger },
      [50, 100, 200, 400, 800]
    )
    const made = await Promise.all([one.make(), two.make(), one.make()])
    expect(made.reduce((sum, count) => sum + count, 0)).toBe(4)
    for (const table of ["gateway_webhook_delivery", "gateway_event"] as const) {
      const dropped = await Promise.all([one.drop(table, 90), two.drop(table, 90)])
      expect(dropped.flat().sort()).toEqual([-9, -8].map((months) => `${table}_${monthOf(months)}`))
    }
    expect(await broken()).toEqual([])
  })

  it("a payment that comes while its month is being made waits, and is neither refused nor left in the default partition", async () => {
    const owner = await newMerchant(store)
    // As after months without a worker: there is none for today, and each payment goes into the default partition.
    await store.db.raw(`
      ALTER TABLE gateway_ledger_entry DETACH PARTITION gateway_ledger_entry_${monthOf(0)};
      ALTER TABLE gateway_ledger_entry_${monthOf(0)} RENAME TO kept_entries`)
    await owner.pay((await owner.open()).session_id)
    expect(await placesOf("gateway_ledger_entry", owner.id)).toEqual(["default"])
    const { session_id, transaction_id } = await owner.open()
    let paying: Promise<unknown> = Promise.resolve()
    await store.db.transaction(async (making) => {
      await making.raw("SELECT gateway_partition_add('gateway_ledger_entry', now())")
      paying = owner.pay(session_id)
      await blocked(store, 1)
    })
    await paying
    expect((await owner.verified(transaction_id)).status).toBe("SUCCESS")
    expect(await placesOf("gateway_ledger_entry", owner.id)).toEqual([monthOf(0)])
    expect(await gatewayOf(store).partitions.make()).toBe(0)
    await store.db.raw(`
      SET session_replication_role = replica;
      INSERT INTO gateway_ledger_entry SELECT * FROM kept_entries;
      SET session_replication_role = origin;
      DROP TABLE kept_entries`)
    expect(await broken()).toEqual([])
  })
})

describe("docs/decisions/23: the ledger's guard", () => {
  it("holds in the name of each partition, old or new", async () => {
    const owner = await newMerchant(store)
    const { session_id } = await owner.open()
    await owner.pay(session_id)
    const own = { merchant_id: owner.id }
    const live = `guard-${owner.id}`
    await store.db("gateway_ledger_entry").insert(entries(owner, live, undefined, "production"))
    for (const place of [monthOf(0), monthOf(3), "default"]) {
      const table = `gateway_ledger_entry_${place}`
      const at = place === "default" ? monthsAway(60) : monthsAway(place === monthOf(0) ? 0 : 3)
      const insert = (rows: object[]) => codeOf(store.db(table).insert(rows))
      expect([
        place,
        await insert(entries(owner, `x-${place}`, at).slice(1)),
        await insert(entries(owner, live, at)),
        await codeOf(store.db.raw(`TRUNCATE ${table}`)),
        await codeOf(store.db(table).where(own).update({ amount_minor: 1 })),
        await insert(entries(owner, `twice-${place}`, at)),
        await insert(entries(owner, `twice-${place}`, new Date(at.getTime() + 1))),
        await codeOf(
          store
            .db(table)
            .where({ posting: `twice-${place}`, account: "fees" })
            .delete()
        ),
        await codeOf(
          store
            .db(table)
            .where({ posting: `twice-${place}` })
            .delete()
        ),
      ]).toEqual([
        place,
        "23514 gateway_ledger_balanced",
        "23505 gateway_ledger_posting_pkey",
        "23514 gateway_ledger_fixed",
        "23514 gateway_ledger_fixed",
        "done",
        "23505 gateway_ledger_posting_pkey",
        "23514 gateway_ledger_balanced",
        "done",
      ])
    }
    expect(
      await codeOf(
        store
          .db(`gateway_ledger_entry_${monthOf(0)}`)
          .where({ posting: live })
          .delete()
      )
    ).toBe("23514 gateway_ledger_kept")
    expect(await broken()).toEqual([])
  })

  it("a posting is not posted again in another month, nor its entries at two times", async () => {
    const owner = await newMerchant(store)
    const posting = `once-${owner.id}`
    const insert = (rows: object[]) => codeOf(store.db("gateway_ledger_entry").insert(rows))
    const [[one], [, two]] = [
      entries(owner, `split-${owner.id}`, monthsAway(0)),
      entries(owner, `split-${owner.id}`, monthsAway(1)),
    ]
    expect([
      await insert(entries(owner, posting, monthsAway(0))),
      await insert(entries(owner, posting, monthsAway(1))),
      await insert([one, two]),
      await codeOf(store.db("gateway_ledger_entry").where({ posting }).delete()),
      await insert(entries(owner, posting, monthsAway(1))),
    ]).toEqual(["done", "23505 gateway_ledger_posting_pkey", "23514 gateway_ledger_balanced", "done", "done"])
    expect(await broken()).toEqual([])
  })
})

it("docs/decisions/23: more than 2,147,483,647 deliveries: they are listed, filtered and sent again by their numbers", async () => {
  const FIRST = 3_000_000_000
  await store.db.raw(`ALTER SEQUENCE gateway_webhook_delivery_number_seq RESTART WITH ${FIRST}`)
  const emitter = await Emitter.of(store.db, ["https://shop.example.com/hooks"])
  await emitter.emit(3)
  const { webhookDeliveries } = gatewayOf(store)
  const tenant = tenantOf({ id: emitter.merchant_id })
  for (const filter of [{}, { status: "pending" } as const]) {
    const { rows, total } = await webhookDeliveries.list(tenant, filter, { per_page: 2, offset: 1 })
    expect([total, rows.map(({ number }) => number)]).toEqual([3, [FIRST + 1, FIRST]])
  }
  expect((await webhookDeliveries.redeliver(tenant, String(FIRST))).number).toBe(FIRST)
  expect(await broken()).toEqual([])
})
