import fc from "fast-check"
import { brief, gatewayOf, newMerchant, type ApiMerchant } from "../support/api"
import { refund, refundData } from "../support/refunds"
import { useStore } from "../support/store"
import { PRODUCTION } from "../support/store-options"
import { sandbox, ledgerIn } from "../support/ledger"
import { DAY } from "../support/subscriptions"

/** A production deployment, which also serves its merchants' sandbox. */
const store = useStore({ production: true, env: PRODUCTION })
const { sandboxMerchant } = ledgerIn(store)

describe("GET /payments/balance, /entries and /statement", () => {
  let owner: ApiMerchant
  let first: string
  let refunded: string
  let day: string

  beforeAll(async () => {
    owner = await sandboxMerchant()
    const today = (await owner.call("GET", "/sandbox/clock")).body.data.now.slice(0, 10)
    const midnight = Date.parse(`${today}T00:00:00Z`) + DAY * 1000
    await owner.call("POST", "/sandbox/clock", { now: new Date(midnight + 1_000).toISOString() })
    day = new Date(midnight).toISOString().slice(0, 10)
    const session = await owner.open({ order_amount: "1000.00", order_id: '=1+1,"x"' })
    await owner.pay(session.session_id)
    first = session.transaction_id
    await owner.call("POST", "/sandbox/clock", { now: new Date(midnight + DAY * 1000 + 1_000).toISOString() })
    refunded = refundData(await refund(owner, first, { refund_amount: "100.00" })).refund_id
    await gatewayOf(store).payouts.record(sandbox(owner), {
      amount: 50_000n,
      currency: "BDT",
      reference: "BRAC-1",
      note: null,
    })
  })

  it("the balance and every account", async () => {
    const answer = await owner.call("GET", "/payments/balance")
    expect(answer.body).toEqual({
      success: true,
      message: "Balance",
      data: {
        currency: "BDT",
        available: "375.00",
        refunds_in_progress: "0.00",
        disputed: "0.00",
        accounts: {
          merchant_balance: "375.00",
          acquirer_clearing: "-900.00",
          fees: "25.00",
          refunds: "0.00",
          payouts: "500.00",
          disputes: "0.00",
          dispute_claims: "0.00",
          cash_due: "0.00",
          cash_received: "0.00",
          courier_charges: "0.00",
          cash_orders: "0.00",
          settlements: "0.00",
          acquirer_fees: "0.00",
          acquirer_vat: "0.00",
          settlement_differences: "0.00",
          bank: "0.00",
          bank_charges: "0.00",
          emi_costs: "0.00",
        },
      },
      meta: { timestamp: expect.any(String) },
    })
  })

  it("its entries, newest first, and those of other accounts; pages and their limits", async () => {
    const entries = async (query = "") =>
      (await owner.call("GET", `/payments/balance/entries${query}`)).body.data as unknown as {
        entries: { type: string; amount: string; transaction_id: string | null; refund_id: string | null }[]
        pagination: object
      }
    const all = await entries()
    expect(all.entries.map(({ type, amount }) => `${type} ${amount}`)).toEqual([
      "payout -500.00",
      "refund_reserved -100.00",
      "payment 975.00",
    ])
    expect(all.entries[1]).toMatchObject({ transaction_id: first, refund_id: refunded })
    expect(all.pagination).toEqual({ page: 1, limit: 20, total: 3, pages: 1 })
    expect((await entries("?limit=1&page=2")).entries.map(({ type }) => type)).toEqual(["refund_reserved"])
    expect((await entries("?account=fees")).entries.map(({ amount }) => amount)).toEqual(["25.00"])
    expect(brief(await owner.call("GET", "/payments/balance/entries?account=mine"))).toBe(
      "422 VALIDATION_ERROR account"
    )
    expect(brief(await owner.call("GET", "/payments/balance/entries?limit=101"))).toBe("422 VALIDATION_ERROR limit")
  })

  it("the statement: opening balance, lines, closing balance; text that a spreadsheet would run is not", async () => {
    const next = new Date(Date.parse(day) + DAY * 1000).toISOString().slice(0, 10)
    const statement = async (from: string, to: string) =>
      owner.call("GET", `/payments/balance/statement?from_date=${from}&to_date=${to}`)
    const both = await statement(day, next)
    expect([both.status, both.headers.get("content-type"), both.headers.get("content-disposition")]).toEqual([
      200,
      "text/csv; charset=utf-8",
      `attachment; filename="statement-${day}-${next}.csv"`,
    ])
    const at = expect.stringMatching(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/)
    const rows = (text: string) =>
      text
        .trimEnd()
        .split("\r\n")
        .map((line) => [line.slice(0, line.indexOf(",")), line.slice(line.indexOf(",") + 1)])
    expect(rows(both.text)).toEqual([
      ["date", "type,transaction_id,order_id,refund_id,payout_reference,gross,fee,amount,balance"],
      [`${day}T00:00:00.000Z`, "opening_balance,,,,,,,,0.00"],
      [at, `payment,${first},"'=1+1,""x""",,,1000.00,25.00,975.00,975.00`],
      [at, `refund_reserved,${first},"'=1+1,""x""",${refunded},,-100.00,0.00,-100.00,875.00`],
      [at, "payout,,,,BRAC-1,-500.00,0.00,-500.00,375.00"],
      [at, "closing_balance,,,,,,,,375.00"],
    ])
    expect(rows((await statement(next, next)).text).map(([, rest]) => rest.split(",")[0])).toEqual([
      "type",
      "opening_balance",
      "refund_reserved",
      "payout",
      "closing_balance",
    ])
    expect(rows((await statement("2020-01-01", "2020-01-31")).text)).toHaveLength(3)
  })

  it("the opening balance is the sum of all entries before, whenever they were written (property)", async () => {
    const tenant = sandbox(await sandboxMerchant())
    const entries = () => store.db("gateway_ledger_entry").where(tenant)
    const now = Date.now()
    const at = (day: number) => new Date(now + day * DAY * 1_000)
    const idOf = (index: number) => `${tenant.merchant_id}:${index}`
    // Before and after real time: a sandbox's clock may be ahead of it.
    const day = fc.integer({ min: -20, max: 20 })
    const posting = fc.record({
      day,
      currency: fc.constantFrom("BDT", "USD"),
      amount: fc.integer({ min: 1, max: 90_000 }),
      sign: fc.constantFrom(1, -1),
      isRemoved: fc.boolean(),
    })
    const balance = async (currency: string, before: Date) => {
      const rows = entries().where({ account: "merchant_balance", currency }).where("occurred_at", "<", before)
      const [{ sum }] = await rows.sum<{ sum: string | null }[]>("amount_minor as sum")
      return BigInt(sum ?? 0)
    }
    await fc.assert(
      fc.asyncProperty(fc.array(posting, { maxLength: 12 }), day, day, async (postings, one, other) => {
        await entries().delete()
        for (const [index, { day, currency, amount, sign }] of postings.entries()) {
          const of = { ...tenant, posting: idOf(index), kind: "payment", currency, occurred_at: at(day) }
          await store.db("gateway_ledger_entry").insert([
            { ...of, id: `${idOf(index)}:out`, account: "acquirer_clearing", amount_minor: -sign * amount },
            { ...of, id: `${idOf(index)}:in`, account: "merchant_balance", amount_minor: sign * amount },
          ])
        }
        const removed = postings.flatMap(({ isRemoved }, index) => (isRemoved ? [idOf(index)] : []))
        await entries().whereIn("posting", removed).delete()
        const period = { from: at(Math.min(one, other)), before: at(Math.max(one, other)) }
        for (const currency of ["BDT", "USD"]) {
          const { opening, closing } = await gatewayOf(store).ledger.statement(tenant, currency, period)
          const sums = [await balance(currency, period.from), await balance(currency, period.before)]
          expect([opening, closing]).toEqual(sums)
        }
      }),
      { numRuns: 25 }
    )
    await entries().delete()
  })

  it.each([
    ["from_date=2026-01-01", "422 MISSING_REQUIRED_FIELD to_date"],
    ["from_date=x&to_date=2026-01-01", "422 INVALID_DATE_FORMAT from_date"],
    ["from_date=2026-01-02&to_date=2026-01-01", "422 VALIDATION_ERROR to_date"],
    ["from_date=2025-01-01&to_date=2026-01-02", "422 VALIDATION_ERROR to_date"],
  ])("a statement of ?%s: %s", async (query, expected) => {
    expect(brief(await owner.call("GET", `/payments/balance/statement?${query}`))).toBe(expected)
  })

  it("contract 5.3 — scopes: refunds:read reads refunds, refunds:write makes them, payments:read reads the balance", async () => {
    const of = (scope: string) => newMerchant(store, { environment: "production", scopes: [scope] })
    const calls = async (scope: string) => {
      const key = await of(scope)
      const answers = [
        await key.call("GET", "/payments/refunds"),
        await key.call("GET", "/payments/refund/x"),
        await key.call("GET", "/payments/refunds/batch/x"),
        await key.call("POST", "/payments/refund", {}),
        await key.call("POST", "/payments/refunds/batch", {}),
        await key.call("POST", "/payments/refund/x/cancel"),
        await key.call("GET", "/payments/balance"),
        await key.call("GET", "/payments/balance/entries"),
      ]
      return answers.map(({ status }) => (status === 403 ? "no" : "yes")).join(" ")
    }
    expect(await calls("refunds:read")).toBe("yes yes yes no no no no no")
    expect(await calls("refunds:write")).toBe("no no no yes yes yes no no")
    expect(await calls("payments:read")).toBe("no no no no no no yes yes")
  })
})
