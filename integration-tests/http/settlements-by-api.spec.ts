import { abroad, merchant, stripe, STRIPE_ACCOUNT, useStandIns } from "../support/acquirer-stand-ins"
import { insertAccount } from "../support/acquirer-accounts"
import { prepareAdmin, useAdminOf, type Admin } from "../support/admin"
import { newMerchant, type ApiMerchant } from "../support/api"
import { blocked } from "../support/locks"
import { expectLoggedErrors } from "../support/logged-errors"
import { post, visit } from "../support/pages"
import { refund, refundData } from "../support/refunds"

expectLoggedErrors(/refuses our calls: credentials, in settlements/)

const { store, open } = useStandIns()
// First in its group: other files move the merchant's clock, and lines of a day long before it differ.
beforeAll(() => prepareAdmin(store))
const adminOf = useAdminOf(store)

const FETCH = "/settlements/imports/fetch"
const TRANSACTIONS = "GET /v1/balance_transactions"
type Import = Record<string, unknown> & { id: string; errors: { field: string; message: string }[] }
type Line = Record<string, unknown> & { kind: string; status: string; reference: string | null }
type Answer = { status: number; body: { import: Import; code: string; field?: string; message: string } }

/** Each test has a day of arrival of its own, in the past: what other tests have paid out is of other days. */
let day = 0
beforeEach(() => {
  day += 1
  stripe.book.fee_tax = 0
  payOut({ status: "failed" })
})
const dayText = (of = day) => new Date(Date.UTC(2026, 0, of)).toISOString().slice(0, 10)
const payOut = (options = {}) =>
  stripe.account.payOut({ arrival_date: Date.UTC(2026, 0, day) / 1_000, currency: "bdt", ...options })
const charge = (amount = -100) => stripe.account.charge({ amount, currency: "bdt", type: "stripe_fee" })

const fetched = (admin: Admin, changes: object = {}) =>
  admin.post(FETCH, { source: "stripe", from: dayText(), to: dayText(), ...changes }) as unknown as Promise<Answer>

async function linesOf(admin: Admin, query = ""): Promise<Line[]> {
  const answer = await admin.get(`/settlements/lines?order=occurred_at&limit=100&source=stripe&${query}`)
  return (answer.body as unknown as { lines: Line[] }).lines
}

async function bought() {
  const checkout = await open({}, abroad)
  const { location } = await post(checkout.page, await visit(checkout.page), { method: "card" })
  const session = [...stripe.book.sessions.values()].find(({ url }) => url === location)!
  await stripe.account.payOnPage(session.id, "4242424242424242")
  await stripe.notifier.settled()
  return { ...checkout, intent: session.payment_intent }
}

async function accounts(owner: ApiMerchant = abroad) {
  const { acquirer_clearing, acquirer_fees, acquirer_vat, settlements, settlement_differences } =
    await store.gateway.ledger.balances({ merchant_id: owner.id, environment: "sandbox" }, "BDT")
  return [acquirer_clearing, acquirer_fees, acquirer_vat, settlements, settlement_differences].map(Number)
}
const intact = async () => expect(await store.brokenInvariants()).toEqual([])

describe("settlements by an acquirer's API (decisions: Settlements)", () => {
  it("match payments, refunds and disputes, take fees and tax, and name what cannot be matched", async () => {
    const admin = adminOf(abroad)
    const [clearing, fees, vat, settled, differences] = await accounts()
    stripe.book.fee_tax = 15
    const [one, two] = [await bought(), await bought()]
    const { refund_id } = refundData(await refund(abroad, one.transaction_id, { refund_amount: "100.00" }))
    await store.gateway.refunds.inquire(refund_id)
    const dispute = await stripe.account.dispute(two.intent)
    await stripe.notifier.settled()
    await stripe.account.decideDispute(dispute.id, "won", { feeReturned: true })
    await stripe.notifier.settled()
    charge(-2_000)
    const payout = payOut()
    charge()
    const manual = payOut({ automatic: false })

    const { status, body } = await fetched(admin)
    expect([status, body.message]).toEqual([200, undefined])
    expect(body.import).toMatchObject({
      status: "finished",
      source: "stripe",
      template_id: null,
      file_name: `Stripe ${dayText()} – ${dayText()}`,
      new: 6,
      known: 0,
      errors: [{ field: manual.id, message: expect.stringContaining(`${manual.id} of -1.00 was made by hand`) }],
    })
    const lines = await linesOf(admin, `import_id=${body.import.id}`)
    const found = Object.fromEntries(lines.map((line) => [`${line.kind} ${line.reference}`, line]))
    const [back] = [...stripe.book.refunds.values()].filter(({ payment_intent }) => payment_intent === one.intent)
    expect(found).toMatchObject({
      [`payment ${one.intent}`]: { status: "matched", transaction_id: one.transaction_id, batch: payout.id },
      [`payment ${two.intent}`]: { status: "matched", transaction_id: two.transaction_id },
      [`refund ${back.id}`]: { status: "matched", subject: `refund:${refund_id}`, gross: "-100.00" },
      [`dispute ${dispute.id}`]: { status: "matched", transaction_id: two.transaction_id },
      [`dispute_reversal ${dispute.id}`]: { status: "matched", transaction_id: two.transaction_id },
      "fee null": { status: "matched", gross: "0.00", fee: "20.00" },
    })
    const after = await accounts()
    expect([after[0], after[3] - settled, after[4]]).toEqual([clearing, -payout.amount, differences])
    // What a dispute costs is in the books already, and came back.
    const sum = (name: "fee" | "vat") =>
      [one, two].reduce(
        (total, { intent }) => total + Number(String(found[`payment ${intent}`][name]).replace(".", "")),
        0
      )
    expect([fees - after[1], vat - after[2]]).toEqual([sum("fee") + 2_000, sum("vat")])
    await intact()
    // Without a template, too, its payments are waited for.
    const { gateway } = store
    const tenant = { merchant_id: abroad.id, environment: "sandbox" } as const
    expect(await gateway.settlementTerms.sources(tenant)).toEqual(["stripe"])
    await bought()
    const now = new Date(Date.now() + 6 * 86_400_000)
    const late = await gateway.missingSettlements.late({ ...tenant, now })
    expect(late).toEqual([{ source: "stripe", environment: "sandbox", count: 1 }])

    expect((await fetched(admin)).body.import).toMatchObject({ status: "finished", new: 0, known: 6 })
    expect((await accounts()).slice(1)).toEqual(after.slice(1))
    const undone = await admin.post(`/settlements/imports/${body.import.id}/undo`, { note: "another look" })
    expect(undone.status).toBe(200)
    expect((await accounts()).slice(1)).toEqual([fees, vat, settled, differences])
    await intact()
  })

  it("are kept as far as they were read when Stripe fails, and go on with the next try", async () => {
    const admin = adminOf(abroad)
    Array.from({ length: 150 }, () => charge())
    payOut()
    stripe.faults.next("forbidden", { on: TRANSACTIONS, skip: 1 })
    expect(await fetched(admin)).toMatchObject({
      status: 400,
      body: { code: "INVALID_REQUEST", field: "source", message: expect.stringContaining("may not read balance") },
    })
    const latest = async () => {
      const { body } = await admin.get("/settlements/imports?source=stripe")
      return (body as unknown as { imports: Import[] }).imports[0]
    }
    expect(await latest()).toMatchObject({ status: "stopped", read: 99, new: 99 })
    store.expectServerError(/^503 POST \/admin\/gateway\/settlements\/imports\/fetch/)
    stripe.faults.next("maintenance", { on: TRANSACTIONS })
    expect(await fetched(admin)).toMatchObject({
      status: 503,
      body: { code: "SERVICE_UNAVAILABLE", message: expect.stringContaining("Stripe does not answer") },
    })
    expect((await fetched(admin)).body.import).toMatchObject({ status: "finished", new: 51, known: 99 })
    await intact()
  })

  it("are one with a file of the same movements, whichever comes first", async () => {
    const admin = adminOf(abroad)
    stripe.book.fee_tax = 15
    const { intent } = await bought()
    charge(-2_000)
    const before = await accounts()
    const payout = payOut()
    const definition = {
      kind: "settlement",
      columns: {
        ...{ id: "balance_transaction_id", kind: "reporting_category", reference: "payment_intent_id" },
        ...{ date: "created", gross: "gross", fee: "fee", currency: "currency", batch: "automatic_payout_id" },
      },
      kinds: { charge: "payment", fee: "fee", payout: "skip" },
      time_zone: "UTC",
    }
    const saved = await admin.post("/settlements/templates", { name: "Report", source: "stripe", definition })
    expect([saved.status, saved.body.message]).toEqual([200, undefined])
    const { id: template_id } = (saved.body as unknown as { template: { id: string } }).template
    const own = [...stripe.book.balance_transactions.values()].slice(-3)
    /** As Stripe reports it: the fee with its tax, and a charge of Stripe's as an amount. */
    const report = (numberOf: (id: string) => string, more = 0) =>
      own.map(({ id, amount, fee, created, reporting_category }) =>
        [
          ...[numberOf(id), reporting_category, intent],
          new Date(created * 1_000).toISOString().slice(0, 19).replace("T", " "),
          ...[(amount + more) / 100, fee / 100, "bdt", payout.id],
        ].join(",")
      )
    const send = async (rows: readonly string[]) => {
      const query = `template_id=${template_id}&file_name=report.csv&merchant_id=${abroad.id}&environment=sandbox`
      const answer = await fetch(`${store.url}/admin/gateway/settlements/imports?${query}`, {
        method: "POST",
        headers: { ...admin.headers, "Content-Type": "application/octet-stream" },
        body: [Object.values(definition.columns).join(","), ...rows].join("\n"),
      })
      return (await answer.json()) as Answer["body"]
    }
    const looked = async (rows: readonly string[]) => {
      const by = { definition: JSON.stringify(definition), source: "stripe", file_name: "report.csv" }
      const query = new URLSearchParams({ ...by, merchant_id: abroad.id, environment: "sandbox" })
      const answer = await fetch(`${store.url}/admin/gateway/settlements/preview?${query}`, {
        method: "POST",
        headers: { ...admin.headers, "Content-Type": "application/octet-stream" },
        body: [Object.values(definition.columns).join(","), ...rows].join("\n"),
      })
      return ((await answer.json()) as { preview: { reading: { wrong: number } } }).preview.reading.wrong
    }
    const undo = async ({ import: { id } }: Answer["body"]) =>
      expect((await admin.post(`/settlements/imports/${id}/undo`, { note: "the other way" })).status).toBe(200)
    // What the API keeps apart as tax is in the file's fee.
    const totals = async () => {
      const [clearing, fees, vat, ...rest] = await accounts()
      return [clearing, fees + vat, ...rest]
    }

    const byApi = (await fetched(admin)).body
    const once = await totals()
    expect((await send(report((id) => id))).import).toMatchObject({ new: 0, known: 2, skipped: 1, errors: [] })
    // A number that is not the movement's own is refused: its fee would be posted once more.
    const byDay = await send(report((id) => `row-${id}`))
    expect(byDay.import).toMatchObject({ new: 0, known: 0, errors: [{ field: "lines[2]" }, { field: "lines[3]" }] })
    expect(byDay.import.errors[0].message).toMatch(/txn_.*"Number of the line".*API/)
    expect((await send(report((id) => id, 1))).import.errors[0].message).toContain("other figures")
    expect(await totals()).toEqual(once)
    await undo(byApi)
    expect(await accounts()).toEqual(before)

    expect([await looked(report((id) => `row-${id}`)), await looked(report((id) => id))]).toEqual([2, 0])
    expect((await send(report((id) => `row-${id}`))).import).toMatchObject({ new: 0 })
    const byFile = await send(report((id) => id))
    expect(byFile.import).toMatchObject({ new: 2, errors: [] })
    expect(await totals()).toEqual(once)
    expect((await fetched(admin)).body.import).toMatchObject({ new: 0, known: 2, errors: [] })
    expect(await totals()).toEqual(once)
    await undo(byFile)
    expect(await accounts()).toEqual(before)
    await intact()
  })

  it("can be stopped while they are fetched: nothing is written after it, and the same days again bring all", async () => {
    const admin = adminOf(abroad)
    Array.from({ length: 150 }, () => charge())
    payOut()
    const before = await accounts()
    const holder = await store.db.transaction()
    const name = `gateway_settlement:${abroad.id}:sandbox:stripe`
    await holder.raw("SELECT pg_advisory_xact_lock(hashtextextended(?, 0))", [name])
    const fetching = fetched(admin)
    await blocked(store, 1)
    const { id } = await store
      .db("gateway_settlement_import")
      .where({ merchant_id: abroad.id, state: "reading" })
      .first()
    const stop = async () => (await admin.post(`/settlements/imports/${id}/stop`, {})) as unknown as Answer
    expect(await stop()).toMatchObject({ status: 200, body: { import: { id, status: "stopped" } } })
    await holder.rollback()
    const asked = stripe.book.requests.length
    expect(await fetching).toMatchObject({ status: 200, body: { import: { id, status: "stopped", read: 0, new: 0 } } })
    // Stripe is not asked for what nobody would write.
    expect(stripe.book.requests.slice(asked)).toEqual([])
    expect([await linesOf(admin, `import_id=${id}`), await accounts()]).toEqual([[], before])
    expect((await admin.changes(id)).map(({ action }) => action)).toContain("settlement.stopped")
    expect((await stop()).status).toBe(409)
    expect((await fetched(admin)).body.import).toMatchObject({ status: "finished", new: 150, known: 0 })
    await intact()
  })

  it("are of the named days alone, and of one merchant's account", async () => {
    const { transaction_id } = await bought()
    payOut()
    const admin = adminOf(abroad)
    expect((await fetched(admin, { from: dayText(day + 1), to: dayText(day + 1) })).body.import).toMatchObject({
      new: 0,
    })
    expect((await fetched(adminOf(merchant))).body).toMatchObject({ code: "VALIDATION_ERROR", field: "source" })
    const other = await newMerchant(store)
    const secrets = { secret_key: stripe.secret_key }
    await insertAccount(store, {
      id: `${STRIPE_ACCOUNT.slice(0, -1)}a`,
      merchant_id: other.id,
      acquirer: "stripe",
      secrets,
    })
    expect((await fetched(adminOf(other))).body.import).toMatchObject({ new: 1 })
    expect(await linesOf(adminOf(other))).toMatchObject([{ status: "unknown", reasons: ["not_found"] }])
    // Two at once write it once.
    const both = await Promise.all([fetched(admin), fetched(admin)])
    expect(both.map(({ body }) => body.import.new).sort()).toEqual([0, 1])
    expect(await linesOf(admin, `q=${transaction_id}`)).toMatchObject([{ status: "matched" }])
    await intact()
  })

  it("can be had from acquirers that give them, with an account there", async () => {
    const fetchable = async (owner: ApiMerchant) => {
      const { body } = await adminOf(owner).get("/settlements/sources")
      const { sources } = body as unknown as { sources: { source: string; is_fetchable: boolean }[] }
      return sources.filter(({ is_fetchable }) => is_fetchable).map(({ source }) => source)
    }
    // Both have SSLCommerz's, from the environment.
    expect([await fetchable(abroad), await fetchable(merchant)]).toEqual([["stripe"], []])
  })

  it.each([
    ["of an acquirer that gives files alone", { source: "sslcommerz" }, "source", "import the file"],
    ["of a courier", { source: "courier:Pathao" }, "source", "import the file"],
    ["without a source", { source: undefined }, "source", "required"],
    ["of what is no day", { from: "2026-02-30" }, "from", "date"],
    ["of days in the wrong order", { from: "2026-03-02", to: "2026-03-01" }, "from", "must not be after to"],
    ["of 101 days", { from: "2026-01-01", to: "2026-04-11" }, "to", "100 days"],
  ])("cannot be fetched %s, and nothing is imported", async (_name, changes, field, words) => {
    const admin = adminOf(merchant)
    const asked = () => admin.get("/settlements/imports")
    const before = (await asked()).body.count
    expect(await fetched(admin, changes)).toMatchObject({
      status: 422,
      body: { field, message: expect.stringContaining(words) },
    })
    expect((await asked()).body.count).toBe(before)
  })
})
