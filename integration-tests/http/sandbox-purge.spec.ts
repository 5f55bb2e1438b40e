import { readSettlement } from "../../src/modules/gateway/settlements/files/lines"
import { readSheet } from "../../src/modules/gateway/settlements/files/sheet"
import { readTemplate } from "../../src/modules/gateway/settlements/files/template"
import { monthOf } from "../../src/modules/gateway/settlements/month-calendar"
import { brief, gatewayOf, newMerchant, type ApiMerchant, type Data } from "../support/api"
import { useStore } from "../support/store"

const store = useStore()

const row = (id: string) => store.db("gateway_transaction").where({ id }).first()

describe("decisions: Environments — sandbox data older than seven days is purged", () => {
  const tables = [
    "gateway_transaction",
    "gateway_payment_attempt",
    "gateway_checkout_session",
    "gateway_event",
    "gateway_idempotency_key",
  ] as const

  async function age(owner: ApiMerchant, days: number): Promise<void> {
    const created_at = new Date(Date.now() - days * 86_400_000)
    await Promise.all(tables.map((table) => store.db(table).where({ merchant_id: owner.id }).update({ created_at })))
    await store
      .db("gateway_sandbox_operation")
      .whereIn("key", store.db("gateway_payment_attempt").where({ merchant_id: owner.id }).select("id"))
      .update({ created_at })
  }

  const left = async (owner: ApiMerchant) =>
    Object.fromEntries(
      await Promise.all(
        tables.map(async (table) => [table, (await store.db(table).where({ merchant_id: owner.id })).length])
      )
    )

  async function used(): Promise<[ApiMerchant, Data]> {
    const owner = await newMerchant(store)
    const { body } = await owner.checkout({}, { headers: { "Idempotency-Key": "purge" } })
    await owner.pay(body.data.session_id)
    return [owner, body.data]
  }

  it("the old goes, with its book; the younger stays, and keys and merchants stay", async () => {
    const [[old, gone], [young, kept]] = [await used(), await used()]
    await gatewayOf(store).refunds.create({
      transaction_id: gone.transaction_id,
      reason: "x",
      requested_by: "x",
      request_key: "x",
    })
    await age(old, 7.01)
    await age(young, 6.99)
    const { attempt_id } = await row(gone.transaction_id)
    const book = () => store.db("gateway_sandbox_operation").where({ key: attempt_id })
    expect(await book()).toHaveLength(1)
    await gatewayOf(store).sandboxPurge.run()
    expect(await left(old)).toEqual(Object.fromEntries(tables.map((table) => [table, 0])))
    expect(await book()).toEqual([])
    expect(await left(young)).toEqual(Object.fromEntries(tables.map((table) => [table, 1])))
    expect(await young.book(kept.transaction_id)).toHaveLength(1)
    expect(brief(await old.verify(gone.transaction_id))).toBe("404 TRANSACTION_NOT_FOUND")
    expect((await old.checkout()).status).toBe(200)
    expect((await gatewayOf(store).merchants.retrieve(old.id)).id).toBe(old.id)
  })

  it("the deliveries of old events go with them, and their attempts: without its event a delivery is never sent", async () => {
    const owner = await newMerchant(store)
    const endpoint = { endpoint_url: "https://shop.example.com/hook", event_types: ["payment.succeeded"] }
    expect((await owner.call("POST", "/merchants/webhooks", endpoint)).status).toBe(201)
    const { body } = await owner.checkout()
    await owner.pay(body.data.session_id)
    const deliveries = () => store.db("gateway_webhook_delivery").where({ merchant_id: owner.id })
    await gatewayOf(store).sandboxPurge.run()
    const [{ id: delivery_id }] = await deliveries()
    await age(owner, 7.01)
    await deliveries().update({ created_at: new Date(Date.now() - 7.01 * 86_400_000) })
    await store.db.raw(
      `INSERT INTO gateway_webhook_attempt (id, delivery_id, delivery_created_at, attempt, attempted_at, url, duration_ms)
       SELECT 'gwa_' || right(id, 26), id, created_at, 1, now(), ?, 1 FROM gateway_webhook_delivery WHERE id = ?`,
      [endpoint.endpoint_url, delivery_id]
    )
    const attempts = () => store.db("gateway_webhook_attempt").where({ delivery_id })
    expect(await attempts()).toHaveLength(1)
    await gatewayOf(store).sandboxPurge.run()
    expect([await deliveries(), await attempts()]).toEqual([[], []])
  })

  it("in real time, whatever the sandbox clock says", async () => {
    const [owner, { transaction_id }] = await used()
    await owner.advance(30 * 86_400)
    await gatewayOf(store).sandboxPurge.run()
    expect((await owner.verified(transaction_id)).status).toBe("SUCCESS")
  })

  it("a month that is closed over old payments goes with them, and over younger ones stays", async () => {
    const [[old], [young]] = [await used(), await used()]
    const month = monthOf(new Date(), "Asia/Dhaka")
    for (const owner of [old, young]) {
      await owner.advance(40 * 86_400)
      const merchant_id = owner.id
      const scope = { merchant_id, environment: "sandbox", now: new Date(Date.now() + 40 * 86_400_000) } as const
      expect((await gatewayOf(store).settlementMonths.close(scope, "sandbox", month, null)).state).toBe("closed")
    }
    await age(old, 7.01)
    await gatewayOf(store).sandboxPurge.run()
    const closed = await store.db("gateway_settlement_month").whereIn("merchant_id", [old.id, young.id])
    expect(closed.map(({ merchant_id }) => merchant_id)).toEqual([young.id])
    expect(await store.brokenInvariants()).toEqual([])
  })

  it("old settlement files go with their lines and postings, and the younger stay", async () => {
    const owner = await newMerchant(store)
    const tenant = { merchant_id: owner.id, environment: "sandbox" } as const
    const { settlementTerms, settlementImports, settlementLines, sandboxPurge } = gatewayOf(store)
    const { value: definition } = readTemplate({
      kind: "settlement",
      columns: { id: "Id", reference: "No", date: "Date", gross: "Amount", fee: "Fee" },
      default_kind: "fee",
    })
    if (definition === null) {
      throw new Error("The template is wrong")
    }
    const template = await settlementTerms.save(tenant, { name: "Weekly", source: "sandbox", definition })
    const imported = async (...lines: string[]) => {
      async function* bytes() {
        yield Buffer.from(["Id,No,Date,Amount,Fee", ...lines].join("\n"))
      }
      const read = readSettlement(readSheet(bytes(), "week.csv", null), definition)
      const { id } = await settlementImports.run(tenant, { template, file_name: "week.csv" }, read)
      return id
    }
    const [old, undone, young] = [
      await imported("1,,2026-01-01,0,5.00", "2,,2026-01-01,0,6.00"),
      await imported("3,,2026-01-01,0,7.00"),
      await imported("4,,2026-01-01,0,8.00"),
    ]
    const [line] = await store.db("gateway_settlement_line").where({ import_id: old }).orderBy("line")
    await settlementLines.undo(tenant, line.id, "a look")
    await settlementImports.undo(tenant, undone, "the wrong week")
    const created_at = new Date(Date.now() - 7.01 * 86_400_000)
    await store.db("gateway_settlement_import").whereIn("id", [old, undone]).update({ created_at })
    // Of a source whose lines go, no closed month stays: its figures would not be theirs any more.
    const closed_at = new Date()
    const closed = { merchant_id: owner.id, environment: "sandbox", closed_by: "user_1", closed_at, figures: "[]" }
    const december = { month: "2025-12", time_zone: "Asia/Dhaka", ends_at: new Date("2025-12-31T18:00:00Z") }
    for (const source of ["sandbox", "bkash"]) {
      const month = { ...closed, ...december, id: `gsm_${owner.id}_${source}`, source }
      await store.db("gateway_settlement_month").insert(month)
    }
    await sandboxPurge.run()
    const rows = (table: string) => store.db(table).where({ merchant_id: owner.id })
    expect((await rows("gateway_settlement_import")).map(({ id }) => id)).toEqual([young])
    expect((await rows("gateway_settlement_line")).map(({ import_id }) => import_id)).toEqual([young])
    expect((await rows("gateway_settlement_month")).map(({ source }) => source)).toEqual(["bkash"])
    const postings = (await rows("gateway_ledger_entry")).map(({ posting }) => posting.split(":")[0])
    expect([...new Set(postings)]).toEqual([young])
    const { acquirer_fees, settlements } = await store.gateway.ledger.balances(tenant, "BDT")
    expect([acquirer_fees, settlements].map(Number)).toEqual([-800, 800])
    expect(await store.brokenInvariants()).toEqual([])
  })

  it("an old settlement stays as long as a younger deposit brings it, and goes with an old one", async () => {
    const owner = await newMerchant(store)
    const tenant = { merchant_id: owner.id, environment: "sandbox" } as const
    const { settlementTerms, settlementImports, settlementDeposits, sandboxPurge } = gatewayOf(store)
    const imported = async (source: string, described: object, file: string) => {
      const { value: definition } = readTemplate(described)
      if (definition === null) {
        throw new Error("The template is wrong")
      }
      const template = await settlementTerms.save(tenant, { name: source, source, definition })
      async function* bytes() {
        yield Buffer.from(file)
      }
      const read = readSettlement(readSheet(bytes(), "week.csv", null), definition)
      return (await settlementImports.run(tenant, { template, file_name: "week.csv" }, read)).id
    }
    const charged = { kind: "settlement", columns: { id: "Id", reference: "No", date: "Date", fee: "Fee", net: "Net" } }
    const settled = (id: number) =>
      imported("sandbox", { ...charged, default_kind: "fee" }, `Id,No,Date,Fee,Net\n${id},,2026-01-01,5.00,-5.00`)
    const stated = (id: number) =>
      imported(
        "bank:City",
        { kind: "statement", columns: { id: "Id", date: "Date", debit: "Debit" } },
        `Id,Date,Debit\n${id},2026-01-02,5.00`
      )
    const [kept, gone, young, old] = [await settled(1), await settled(2), await stated(3), await stated(4)]
    for (const [batch, import_id] of [
      [kept, young],
      [gone, old],
    ]) {
      const [{ id }] = await store.db("gateway_settlement_line").where({ import_id })
      const allocations = [{ source: "sandbox", batch, amount: -500n }]
      await settlementDeposits.match(tenant, id, { allocations, bank_charge: 0n, note: null })
    }
    const created_at = new Date(Date.now() - 7.01 * 86_400_000)
    await store.db("gateway_settlement_import").whereIn("id", [kept, gone, old]).update({ created_at })
    await sandboxPurge.run()
    const rows = (table: string) => store.db(table).where({ merchant_id: owner.id })
    expect((await rows("gateway_settlement_import")).map(({ id }) => id).sort()).toEqual([kept, young].sort())
    expect((await rows("gateway_settlement_allocation")).map(({ batch }) => batch)).toEqual([kept])
    const { settlements, bank, acquirer_fees } = await store.gateway.ledger.balances(tenant, "BDT")
    expect([settlements, bank, acquirer_fees].map(Number)).toEqual([0, 500, -500])
    expect(await store.brokenInvariants()).toEqual([])
  })

  it("production data stays", async () => {
    const [owner, { transaction_id }] = await used()
    await store.db("gateway_transaction").where({ id: transaction_id }).update({ environment: "production" })
    await store.db("gateway_checkout_session").where({ merchant_id: owner.id }).update({ environment: "production" })
    await store.db("gateway_event").where({ merchant_id: owner.id }).update({ environment: "production" })
    await age(owner, 400)
    await gatewayOf(store).sandboxPurge.run()
    expect(await left(owner)).toMatchObject({ gateway_transaction: 1, gateway_checkout_session: 1, gateway_event: 1 })
  })
})
