import fc from "fast-check"
import { spawnSync } from "node:child_process"
import { join } from "node:path"
import type { GatewayError } from "../../src/modules/gateway/kernel/errors"
import type { CheckoutOrder } from "../../src/modules/gateway/checkout/service"
import { done, ScriptedAcquirer, servicesWith } from "../support/acquirer"
import { brief, CUSTOMER, gatewayOf, newMerchant, orderId, type ApiMerchant } from "../support/api"
import { Admin, prepareAdmin, signIn, type DeskAnswer } from "../support/admin"
import { paid, refund, refundData } from "../support/refunds"
import { ROOT, useStore } from "../support/store"
import { METRICS_TOKEN, PRODUCTION } from "../support/store-options"

/** A production deployment, which also serves its merchants' sandbox. */
const store = useStore({
  production: true,
  env: { ...PRODUCTION, GATEWAY_METRICS_TOKEN: METRICS_TOKEN },
  prepare: prepareAdmin,
})
let headers: Record<string, string>

beforeAll(async () => {
  headers = await signIn(store)
})

const BASE = "/sandbox/api/v2"
const PAGE = "https://pay.example.com/pay/x"
const FAILS = "4000000000005126"
const DELAYED = "4000000000007734"
const DAY = 86_400

const sandboxMerchant = () => newMerchant(store, { base: BASE })
const sandbox = (owner: ApiMerchant) => ({ merchant_id: owner.id, environment: "sandbox" as const })
const production = (owner: ApiMerchant) => ({ merchant_id: owner.id, environment: "production" as const })
const balances = async (owner: ApiMerchant, currency = "BDT") => {
  const tenant = owner.options.base === BASE ? sandbox(owner) : production(owner)
  const all = await gatewayOf(store).ledger.balances(tenant, currency)
  return [all.merchant_balance, all.acquirer_clearing, all.fees, all.refunds, all.payouts].map(Number)
}
const code = (work: Promise<unknown>) =>
  work.then(
    () => "done",
    (error: GatewayError) => error.code
  )
const adminOf = (owner: ApiMerchant) => new Admin(store, headers, owner.id, "sandbox")
const read = <Body>(answer: DeskAnswer) => answer.body as unknown as Body
const entriesOf = (transaction_id: string) =>
  store.db("gateway_ledger_entry").where({ transaction_id }).orderBy("id").select("kind", "account", "amount_minor")

/** A merchant with payments in production, by an acquirer of the test. */
async function live(amounts: number[]) {
  const owner = await newMerchant(store, { environment: "production" })
  const services = servicesWith(store, "production", new ScriptedAcquirer("inline", [done], undefined, [done]))
  const pay = async (amount: number, currency = "BDT"): Promise<string> => {
    const order = {
      order_id: orderId(),
      currency,
      amount: BigInt(amount),
      success_url: PAGE,
      fail_url: PAGE,
      cancel_url: PAGE,
      ipn_url: null,
      description: null,
      customer: CUSTOMER,
      customer_phone: "",
      shipping: null,
      items: null,
      payment_info: null,
      metadata: null,
    } as unknown as CheckoutOrder
    const session = await gatewayOf(store).checkouts.create({ ...production(owner), now: new Date() }, order)
    await services.payments.pay({ session_id: session.session_id, page_url: PAGE, instrument: { method: "wallet" } })
    return session.transaction_id
  }
  const transactions: string[] = []
  for (const amount of amounts) {
    transactions.push(await pay(amount))
  }
  const wanted = (transaction_id: string, amount?: bigint) => ({
    transaction_id,
    amount,
    reason: "test",
    requested_by: "test",
    request_key: null,
  })
  return {
    owner,
    services,
    pay,
    transactions,
    give: (id: string, amount?: bigint, more = {}) => services.refunds.create({ ...wanted(id, amount), ...more }),
  }
}

describe("decisions: Refunds — every change of money is a posting that sums to zero", () => {
  it("a payment: the acquirer holds it, the merchant has it without the fee", async () => {
    const owner = await sandboxMerchant()
    const { transaction_id } = await paid(owner)
    expect(await entriesOf(transaction_id)).toEqual([
      { kind: "payment", account: "acquirer_clearing", amount_minor: "-100000" },
      { kind: "payment", account: "fees", amount_minor: "2500" },
      { kind: "payment", account: "merchant_balance", amount_minor: "97500" },
    ])
    expect(await balances(owner)).toEqual([97_500, -100_000, 2_500, 0, 0])
  })

  it("what was not paid is in no account", async () => {
    const owner = await sandboxMerchant()
    const { session_id } = await owner.open({ order_amount: "300.00" })
    await owner.pay(session_id)
    await owner.open()
    expect(await balances(owner)).toEqual([0, 0, 0, 0, 0])
  })

  it("a refund takes from the balance when it is accepted, and from the acquirer when it is done; the fee stays", async () => {
    const owner = await sandboxMerchant()
    const { transaction_id } = await paid(owner, "1000.00", DELAYED)
    await refund(owner, transaction_id, { refund_amount: "400.00" })
    expect(await balances(owner)).toEqual([57_500, -100_000, 2_500, 40_000, 0])
    await owner.advance(DAY)
    expect(await balances(owner)).toEqual([57_500, -60_000, 2_500, 0, 0])
    await refund(owner, transaction_id)
    await owner.advance(DAY)
    expect(await balances(owner)).toEqual([-2_500, 0, 2_500, 0, 0])
  })

  it("one that fails, is cancelled or rejected gives it back", async () => {
    const owner = await sandboxMerchant()
    await refund(owner, (await paid(owner, "1000.00", FAILS)).transaction_id)
    expect(await balances(owner)).toEqual([97_500, -100_000, 2_500, 0, 0])
    await gatewayOf(store).merchants.configure(sandbox(owner), { refund_approval_threshold_minor: 0 })
    const held = refundData(await refund(owner, (await paid(owner)).transaction_id))
    expect(await balances(owner)).toEqual([95_000, -200_000, 5_000, 100_000, 0])
    await gatewayOf(store).refunds.reject(sandbox(owner), held.refund_id, null)
    expect(await balances(owner)).toEqual([195_000, -200_000, 5_000, 0, 0])
  })
})

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

describe("contract 7.3, decisions: Refunds — INSUFFICIENT_BALANCE", () => {
  it("production: a refund above the balance is refused, and nothing is reserved", async () => {
    const { owner, transactions, give } = await live([100_000])
    expect(await balances(owner)).toEqual([98_500, -100_000, 1_500, 0, 0])
    await expect(give(transactions[0])).rejects.toMatchObject({
      code: "INSUFFICIENT_BALANCE",
      status: 400,
      message: "The merchant balance of 985.00 is too low for 1000.00",
    })
    expect((await give(transactions[0], 98_500n)).state).toBe("completed")
    expect(await code(give(transactions[0], 1n))).toBe("INSUFFICIENT_BALANCE")
    expect(await balances(owner)).toEqual([0, -1_500, 1_500, 0, 0])
  })

  it("over /api/v2 it is 400 INSUFFICIENT_BALANCE, in a batch the item's error", async () => {
    const { owner, transactions } = await live([100_000])
    expect(brief(await refund(owner, transactions[0]))).toBe("400 INSUFFICIENT_BALANCE")
    const batch = await owner.call("POST", "/payments/refunds/batch", {
      refunds: [{ transaction_id: transactions[0], refund_reason: "x" }],
    })
    expect(refundData(batch)).toMatchObject({
      successful: 0,
      failed: 1,
      refunds: [{ status: "failed", error: { code: "INSUFFICIENT_BALANCE" } }],
    })
  })

  it("a merchant that may overdraw, and the give-back of a cart without order, are not held up by it", async () => {
    const { owner, transactions, give } = await live([100_000, 100_000, 100_000])
    await gatewayOf(store).payouts.record(production(owner), {
      amount: 295_500n,
      currency: "BDT",
      reference: "all",
      note: null,
    })
    expect(await code(give(transactions[0], 1n))).toBe("INSUFFICIENT_BALANCE")
    expect((await give(transactions[0], undefined, { may_overdraw: true })).state).toBe("completed")
    await gatewayOf(store).merchants.configure(production(owner), { may_overdraw: true })
    expect((await give(transactions[1])).state).toBe("completed")
    expect(await balances(owner)).toEqual([-200_000, -100_000, 4_500, 0, 295_500])
  })

  it("the sandbox never refuses for the balance", async () => {
    const owner = await sandboxMerchant()
    const [one, two] = [await paid(owner), await paid(owner)]
    await gatewayOf(store).payouts.record(sandbox(owner), {
      amount: 195_000n,
      currency: "BDT",
      reference: "all",
      note: null,
    })
    expect([brief(await refund(owner, one.transaction_id)), brief(await refund(owner, two.transaction_id))]).toEqual([
      "200",
      "200",
    ])
    expect(await balances(owner)).toEqual([-200_000, 0, 5_000, 0, 195_000])
  })

  it("under any concurrency: 40 refunds of different payments and 4 payouts at once never take more than there is", async () => {
    const { owner, transactions, give } = await live(Array<number>(40).fill(10_000))
    await gatewayOf(store).payouts.record(production(owner), {
      amount: 194_000n,
      currency: "BDT",
      reference: "first",
      note: null,
    })
    const outcomes = await Promise.all([
      ...transactions.map((id) => code(give(id))),
      ...["a", "b", "c", "d"].map((reference) =>
        code(
          gatewayOf(store).payouts.record(production(owner), {
            amount: 20_000n,
            currency: "BDT",
            reference,
            note: null,
          })
        )
      ),
    ])
    expect(new Set(outcomes)).toEqual(new Set(["done", "INSUFFICIENT_BALANCE"]))
    const [available, , , inProgress, paidOut] = await balances(owner)
    expect([available >= 0, available < 20_000, inProgress]).toEqual([true, true, 0])
    expect(available).toBe(
      394_000 - paidOut - 10_000 * outcomes.slice(0, 40).filter((outcome) => outcome === "done").length
    )
  })
})

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

describe("payouts, which an admin records", () => {
  const record = (owner: ApiMerchant, body: object) => adminOf(owner).post("/payouts", body)

  it("recorded they leave the balance; the same reference again is no second payout; taken back they return", async () => {
    const owner = await sandboxMerchant()
    const admin = adminOf(owner)
    await paid(owner)
    const made = await record(owner, { amount: "975.00", reference: "BRAC-77", note: "weekly" })
    const { payout } = read<{ payout: { id: string } }>(made)
    expect([made.status, payout]).toEqual([
      200,
      expect.objectContaining({
        status: "recorded",
        amount: "975.00",
        reference: "BRAC-77",
        note: "weekly",
        recorded_by: expect.stringMatching(/^user_/),
      }),
    ])
    expect(await balances(owner)).toEqual([0, -100_000, 2_500, 0, 97_500])
    expect((await record(owner, { amount: "1.00", reference: "BRAC-77" })).body).toMatchObject({
      code: "DUPLICATE_PAYOUT",
      field: "reference",
    })
    expect((await admin.post(`/payouts/${payout.id}/reverse`)).body).toMatchObject({ payout: { status: "reversed" } })
    expect(await balances(owner)).toEqual([97_500, -100_000, 2_500, 0, 0])
    expect((await admin.post(`/payouts/${payout.id}/reverse`)).body.code).toBe("INVALID_STATE_TRANSITION")
    expect((await record(owner, { amount: "1.00", reference: "BRAC-77" })).status).toBe(200)
    expect((await admin.get("/payouts")).body).toMatchObject({
      count: 2,
      payouts: [{ amount: "1.00" }, { id: payout.id }],
    })
    expect((await admin.get("/payouts?status=reversed&q=BRAC")).body).toMatchObject({
      count: 1,
      payouts: [{ id: payout.id }],
    })
    expect((await admin.changes(payout.id)).map(({ action }) => action)).toEqual(["payout.reversed", "payout.recorded"])
  })

  it.each([
    [{ amount: "975.01", reference: "a" }, 400, "INSUFFICIENT_BALANCE"],
    [{ amount: "0.00", reference: "a" }, 422, "VALIDATION_ERROR"],
    [{ amount: "1.00" }, 422, "MISSING_REQUIRED_FIELD"],
    [{ reference: "a" }, 422, "MISSING_REQUIRED_FIELD"],
  ])("%o: %s %s", async (body, status, expected) => {
    const owner = await sandboxMerchant()
    await paid(owner)
    const answer = await record(owner, body)
    expect([answer.status, answer.body.code]).toEqual([status, expected])
    expect((await balances(owner))[4]).toBe(0)
  })

  it("one larger than an integer, and one transfer entered eight times at once", async () => {
    const { owner, pay } = await live([])
    await Promise.all(Array.from({ length: 50 }, () => pay(50_000_000)))
    const all = { amount: 2_462_500_000n, currency: "BDT", reference: "big", note: null }
    const outcomes = await Promise.all(
      Array.from({ length: 8 }, () => code(gatewayOf(store).payouts.record(production(owner), all)))
    )
    expect(outcomes.sort()).toEqual([
      "DUPLICATE_PAYOUT",
      "DUPLICATE_PAYOUT",
      "DUPLICATE_PAYOUT",
      "DUPLICATE_PAYOUT",
      "DUPLICATE_PAYOUT",
      "DUPLICATE_PAYOUT",
      "DUPLICATE_PAYOUT",
      "done",
    ])
    expect(await balances(owner)).toEqual([0, -2_500_000_000, 37_500_000, 0, 2_462_500_000])
  })
})

describe("what an admin does about refunds: /admin/gateway/refunds", () => {
  let owner: ApiMerchant
  let admin: Admin
  beforeAll(async () => {
    owner = await sandboxMerchant()
    admin = adminOf(owner)
    const { body } = await admin.post("/settings", { refund_approval_threshold: "500.00" })
    expect(body.settings).toMatchObject({ refund_approval_threshold: "500.00", may_overdraw: false })
    expect((await admin.get("/settings")).body).toEqual(body)
    expect((await admin.post("/settings", { refund_approval_threshold: "500000.01" })).body).toMatchObject({
      code: "VALIDATION_ERROR",
      field: "refund_approval_threshold",
    })
  })
  const held = async () => refundData(await refund(owner, (await paid(owner)).transaction_id)).refund_id
  type Shown = { refund: { id: string } }

  it("lists what waits for approval, and approves, rejects and cancels it with a note", async () => {
    const [one, two, three] = [await held(), await held(), await held()]
    expect((await admin.get("/refunds?status=pending&held_for=approval")).body).toMatchObject({
      count: 3,
      refunds: [{ id: three }, { id: two }, { id: one }],
    })
    const act = (id: string, what: string, body = {}) => admin.post(`/refunds/${id}/${what}`, body)
    const reviewed_by = expect.stringMatching(/^user_/)
    expect((await act(one, "approve", { note: "fine" })).body).toMatchObject({
      refund: { status: "completed", review_note: "fine", reviewed_by },
    })
    expect((await act(two, "reject", { note: "fraud" })).body).toMatchObject({
      refund: { status: "cancelled", review_note: "fraud", reviewed_by },
    })
    expect((await act(three, "cancel")).body).toMatchObject({ refund: { status: "cancelled" } })
    expect([(await act(one, "reject")).status, (await act(one, "reject")).body.code]).toEqual([
      409,
      "INVALID_STATE_TRANSITION",
    ])
    expect((await admin.get(`/refunds/${two}`)).body).toMatchObject({
      refund: { status: "cancelled", amount: "1000.00" },
    })
    expect((await admin.get("/refunds/rfd_x")).body).toMatchObject({ code: "REFUND_NOT_FOUND", type: "not_found" })
    expect((await admin.get(`/refunds?q=${two}`)).body).toMatchObject({ count: 1, refunds: [{ id: two }] })
    expect((await admin.get("/refunds?status=nope")).status).toBe(422)
    const actions = await Promise.all(
      [one, two, three].map(async (id) => (await admin.changes(id)).map(({ action }) => action))
    )
    expect(actions).toEqual([
      ["refund.completed", "refund.approved", "refund.requested"],
      ["refund.rejected", "refund.requested"],
      ["refund.cancelled", "refund.requested"],
    ])
  })

  it("makes one that needs no approval; a repeated request_key refunds once", async () => {
    const { transaction_id } = await paid(owner)
    const make = () =>
      admin.post("/refunds", {
        transaction_id,
        refund_amount: "600.00",
        refund_reason: "Kindness",
        request_key: "form-1",
      })
    const [first, second] = [read<Shown>(await make()), read<Shown>(await make())]
    expect(first.refund).toMatchObject({
      status: "completed",
      amount: "600.00",
      held_for: null,
      requested_by: expect.stringMatching(/^user_/),
    })
    expect(second.refund.id).toBe(first.refund.id)
    expect(
      (await admin.post("/refunds", { transaction_id, refund_amount: "600.00", refund_reason: "x" })).body.code
    ).toBe("REFUND_EXCEEDED")
    const other = adminOf(await sandboxMerchant())
    expect(
      (await other.post("/refunds", { transaction_id, refund_amount: "1.00", refund_reason: "x" })).body.code
    ).toBe("TRANSACTION_NOT_FOUND")
  })

  it("says what of a payment can be refunded, or why nothing can; and lists by several statuses and by type", async () => {
    const { transaction_id } = await paid(owner)
    const refundable = async () => (await admin.get(`/payments/${transaction_id}`)).body.payment
    expect(await refundable()).toMatchObject({ refundable_amount: "1000.00", refund_obstacle: null })
    await admin.post("/refunds", { transaction_id, refund_amount: "400.00", refund_reason: "part" })
    expect(await refundable()).toMatchObject({ refundable_amount: "600.00", refund_obstacle: null })
    await admin.post("/refunds", {
      transaction_id,
      refund_amount: "600.00",
      refund_type: "full",
      refund_reason: "rest",
    })
    expect(await refundable()).toMatchObject({
      refundable_amount: "0.00",
      refund_obstacle: { code: "ALREADY_REFUNDED" },
    })
    const types = async (query: string) =>
      (await admin.get(`/refunds?q=${transaction_id}&${query}`)).body.refunds.map(({ type }) => type)
    expect(await types("type=full")).toEqual(["full"])
    expect(await types("status=completed,failed")).toEqual(["full", "partial"])
    expect(await types("status=failed,pending")).toEqual([])
  })

  it("makes a batch from a CSV file: looked at first, every line's problem by its line, sent once, worked off", async () => {
    const [one, two] = [(await paid(owner)).transaction_id, (await paid(owner)).transaction_id]
    const foreign = (await paid(await sandboxMerchant())).transaction_id
    const send = (lines: string[], more = {}) =>
      admin.post("/refund-batches", {
        csv: ["transaction_id,refund_amount,refund_reason,refund_type", ...lines].join("\r\n"),
        ...more,
      })
    const wrong = [
      `${one},400.00,broken,`,
      `${one},700.00,too much together,`,
      "txn_x,1.00,unknown,",
      `${foreign},1.00,theirs,`,
      `${two},1.005,"half, a poisha",`,
      `${two},1.00,full of a part,full`,
    ]
    for (const more of [{ dry_run: true }, {}]) {
      const { status, body } = await send(wrong, more)
      expect([status, body.code]).toEqual([422, "VALIDATION_ERROR"])
      expect(body.details?.map(({ field, message }) => [field, message])).toEqual([
        ["lines[3]", "line 3: At most 600.00 is left to refund"],
        ["lines[4]", expect.stringMatching(/^line 4: .*not found|no transaction/i)],
        ["lines[5]", expect.stringMatching(/^line 5: /)],
        ["lines[6].refund_amount", "line 6: refund_amount must be an amount with at most two decimals, like 1250.50"],
        ["lines[7]", expect.stringMatching(/^line 7: refund_amount is less than the 1000.00/)],
      ])
    }
    expect((await send([])).body.details).toMatchObject([
      { message: "line 1: there must be 1 to 100 refunds below the names of the columns" },
    ])
    expect((await admin.post("/refund-batches", { csv: "id,refund_reason\nx,y" })).body.details).toHaveLength(2)

    const good = [`${one},400.00,"broken, and cold",`, `${two},,all of it,full`]
    expect((await send(good, { dry_run: true })).body).toMatchObject({
      totals: [{ currency: "BDT", amount: "1400.00" }],
      lines: [
        { line: 2, transaction_id: one, amount: "400.00", type: "partial", reason: "broken, and cold" },
        { line: 3, amount: "1000.00", type: "full" },
      ],
    })
    expect((await admin.get(`/refunds?q=${one}`)).body.count).toBe(0)
    const answers = await Promise.all([1, 2, 3].map(() => send(good, { request_key: "form-1" })))
    const made = answers.find(({ status }) => status === 200)?.body.refund_batch.id
    const again = (await send(good, { request_key: "form-1" })).body.refund_batch
    expect(again.id).toBe(made)
    await gatewayOf(store).clock.move({ merchant_id: owner.id, environment: "sandbox" }, { advance_seconds: 5 })
    const { refund_batch } = (await admin.get(`/refund-batches/${made}`)).body
    // Refunds above the threshold wait for an admin, in a batch as well.
    expect(refund_batch).toMatchObject({
      total: 2,
      finished: true,
      progress: { completed: 1, pending: 1 },
      refunds: [{ amount: "400.00", status: "completed" }, { held_for: "approval" }],
    })
    expect((await admin.get(`/refunds?q=${made}`)).body.count).toBe(2)
    expect(
      (
        await adminOf(await sandboxMerchant()).post("/refund-batches", {
          csv: `transaction_id,refund_reason\n${one},x`,
          request_key: "form-1",
        })
      ).status
    ).toBe(422)
  })

  it("reads balances, entries and statements of a merchant", async () => {
    expect((await admin.get("/ledger")).body).toMatchObject({
      balances: [{ currency: "BDT", available: expect.stringMatching(/^-?\d+\.\d{2}$/) }],
    })
    expect((await admin.get("/ledger/entries?account=fees")).body).toMatchObject({
      count: 7,
      entries: expect.arrayContaining([expect.objectContaining({ type: "payment", amount: "25.00" })]),
    })
    expect((await admin.get("/ledger/entries?account=mine")).status).toBe(422)
    const [{ id, transaction_id }] = (await admin.get("/refunds?type=partial&status=completed")).body.refunds
    for (const [q, count] of [
      [id, 1],
      [transaction_id, 2],
      ["nothing", 0],
    ]) {
      expect([q, (await admin.get(`/ledger/entries?q=${q}`)).body.count]).toEqual([q, count])
    }
    const today = new Date().toISOString().slice(0, 10)
    const { status, text } = await admin.get(`/statements?from=${today}&to=${today}`)
    expect([status, text.split("\r\n")[0]]).toEqual([
      200,
      "date,type,transaction_id,order_id,refund_id,payout_reference,gross,fee,amount,balance",
    ])
    expect((await admin.get(`/statements?from=${today}`)).body).toMatchObject({
      code: "MISSING_REQUIRED_FIELD",
      field: "to",
    })
  })
})

describe("decision 0050: each currency has balances of its own", () => {
  it("fees, refunds and payouts of one currency leave the others alone, whatever is left there", async () => {
    const { owner, pay, give } = await live([])
    const [taka, dollars] = [await pay(5_000_000), await pay(10_000, "USD")]
    await store
      .db("gateway_payment_service")
      .where({ merchant_id: owner.id, environment: "production" })
      .update({ fee_fixed_minor: 300 })
    await pay(10_000)
    const dollars2 = await pay(10_000, "USD")
    expect(await balances(owner)).toEqual([4_934_550, -5_010_000, 75_450, 0, 0])
    expect(await balances(owner, "USD")).toEqual([19_700, -20_000, 300, 0, 0])

    const payout = (amount: bigint, currency: string) =>
      code(gatewayOf(store).payouts.record(production(owner), { amount, currency, reference: orderId(), note: null }))
    expect([await payout(19_701n, "USD"), await payout(1n, "EUR"), await payout(9_701n, "USD")]).toEqual([
      "INSUFFICIENT_BALANCE",
      "INSUFFICIENT_BALANCE",
      "done",
    ])
    await expect(give(dollars)).rejects.toMatchObject({
      code: "INSUFFICIENT_BALANCE",
      message: "The merchant balance of 99.99 USD is too low for 100.00 USD",
    })
    expect((await give(dollars, 4_000n)).currency).toBe("USD")
    await expect(give(dollars, 6_001n)).rejects.toMatchObject({
      code: "REFUND_EXCEEDED",
      message: "At most 60.00 USD is left to refund",
    })
    expect([await code(give(dollars, 5_999n)), await code(give(dollars2, 1n))]).toEqual([
      "done",
      "INSUFFICIENT_BALANCE",
    ])
    expect(await balances(owner)).toEqual([4_934_550, -5_010_000, 75_450, 0, 0])
    expect(await balances(owner, "USD")).toEqual([0, -10_001, 300, 0, 9_701])
    expect(await code(give(taka))).toBe("INSUFFICIENT_BALANCE")
    expect(await code(give(taka, 4_934_550n))).toBe("done")
    expect(await balances(owner, "USD")).toEqual([0, -10_001, 300, 0, 9_701])
  })

  it("/api/v2 answers about BDT alone; the admin sees each, and chooses for payouts and statements", async () => {
    const { owner, pay, give } = await live([100_000])
    const dollars = await pay(10_000, "USD")
    await give(dollars, 2_500n)
    const verified = await owner.call("GET", `/payments/verify/${dollars}`)
    expect(verified.body.data).toMatchObject({ status: "SUCCESS", currency: "USD", amount: "100.0000" })
    expect((await owner.call("GET", "/payments/balance")).body.data).toMatchObject({
      currency: "BDT",
      available: "985.00",
      accounts: { acquirer_clearing: "-1000.00" },
    })
    expect((await owner.call("GET", "/payments/balance/entries")).body.data).toMatchObject({
      entries: [{ currency: "BDT", amount: "985.00" }],
      pagination: { total: 1 },
    })
    const today = new Date().toISOString().slice(0, 10)
    const own = (await owner.call("GET", `/payments/balance/statement?from_date=${today}&to_date=${today}`)).text
    expect(own.split("\r\n").map((line) => line.split(",").at(-1))).toEqual(["balance", "0.00", "985.00", "985.00", ""])

    const admin = new Admin(store, headers, owner.id, "production")
    expect((await admin.get("/ledger")).body.balances).toMatchObject([
      { currency: "BDT", available: "985.00" },
      { currency: "USD", available: "73.50" },
    ])
    const overview = async (query: string) => (await admin.get(`/overview${query}`)).body.overview
    expect([await overview(""), await overview("?currency=USD")]).toMatchObject([
      {
        currency: "BDT",
        currencies: ["BDT", "USD"],
        payments: { paid: 1, amount: "1000.00", fees: "15.00" },
        refunds: { count: 0, amount: "0.00" },
        balance: { currency: "BDT", available: "985.00" },
      },
      {
        currency: "USD",
        currencies: ["BDT", "USD"],
        payments: { paid: 1, amount: "100.00", fees: "1.50" },
        methods: [{ service: "WALLET", amount: "100.00" }],
        refunds: { count: 1, amount: "25.00" },
        balance: { currency: "USD", available: "73.50" },
      },
    ])
    expect((await admin.get("/overview?currency=JPY")).body).toMatchObject({
      code: "VALIDATION_ERROR",
      field: "currency",
    })
    const entries = async (query: string) => (await admin.get(`/ledger/entries${query}`)).body.count
    expect([await entries(""), await entries("?currency=USD"), await entries("?currency=EUR")]).toEqual([3, 2, 0])
    const period = `from=${today}&to=${today}`
    const [taka, inDollars] = [
      await admin.get(`/statements?${period}`),
      await admin.get(`/statements?${period}&currency=USD`),
    ]
    expect(taka.text).toBe(own)
    expect(inDollars.text.split("\r\n").map((line) => line.split(",").slice(-3).join(" "))).toEqual([
      "fee amount balance",
      "  0.00",
      "1.50 98.50 98.50",
      "0.00 -25.00 73.50",
      "  73.50",
      "",
    ])
    const record = async (currency: string) => {
      const { status, body } = await admin.post("/payouts", { amount: "73.50", currency, reference: orderId() })
      return [status, body.code ?? body.payout?.currency]
    }
    expect([await record("JPY"), await record("USD"), await record("USD")]).toEqual([
      [422, "VALIDATION_ERROR"],
      [200, "USD"],
      [400, "INSUFFICIENT_BALANCE"],
    ])
    expect((await admin.get("/ledger")).body.balances).toMatchObject([{ available: "985.00" }, { available: "0.00" }])
    expect(await gatewayOf(store).invariants.check()).toEqual([])
  })

  it("whatever is paid, refunded and paid out, the totals of a currency are the sums of its entries (property)", async () => {
    const currency = fc.constantFrom("BDT", "USD", "EUR")
    const amount = fc.integer({ min: 1_000, max: 90_000 })
    const step = fc.oneof(
      fc.record({ does: fc.constant("pay" as const), currency, amount }),
      fc.record({ does: fc.constant("refund" as const), currency, amount }),
      fc.record({ does: fc.constant("payout" as const), currency, amount })
    )
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 8, maxLength: 14 }), async (steps) => {
        const { owner, pay, give } = await live([])
        const paidBy = new Map<string, string[]>()
        for (const { does, ...of } of steps) {
          if (does === "pay") {
            paidBy.set(of.currency, [...(paidBy.get(of.currency) ?? []), await pay(of.amount, of.currency)])
          } else if (does === "refund") {
            const [transaction_id] = paidBy.get(of.currency) ?? []
            await (transaction_id && code(give(transaction_id, BigInt(of.amount))))
          } else {
            const payout = { amount: BigInt(of.amount), currency: of.currency, reference: orderId(), note: null }
            await code(gatewayOf(store).payouts.record(production(owner), payout))
          }
        }
        const sums = await store
          .db("gateway_ledger_entry")
          .where({ merchant_id: owner.id })
          .groupBy("currency", "account")
          .select("currency", "account", store.db.raw("sum(amount_minor)::text AS sum"))
        const kept = await gatewayOf(store).ledger.balancesByCurrency(production(owner))
        const flat = [...kept].flatMap(([code, accounts]) =>
          Object.entries(accounts).map(([account, sum]) => `${code} ${account} ${sum}`)
        )
        expect(flat.filter((line) => !line.endsWith(" 0")).sort()).toEqual(
          sums.flatMap(({ currency: code, account, sum }) => (sum === "0" ? [] : [`${code} ${account} ${sum}`])).sort()
        )
        expect([...kept.values()].filter(({ merchant_balance }) => merchant_balance < 0n)).toEqual([])
      }),
      { numRuns: 5 }
    )
    expect(await gatewayOf(store).invariants.check()).toEqual([])
  })
})

describe("design: invariants — what does not add up is found", () => {
  const metrics = (authorization?: string) =>
    fetch(`${store.url}/gateway/metrics`, { headers: authorization === undefined ? {} : { authorization } })

  /** Damages rows as a bug below all guards would: without triggers and foreign keys. */
  async function damage(sql: string, ...values: string[]): Promise<void> {
    await store.db.transaction(async (held) => {
      await held.raw("SET LOCAL session_replication_role = replica")
      await held.raw(sql, values)
    })
  }

  it.each<[string, string, string]>([
    [
      "refunds_within_amount",
      "UPDATE gateway_transaction SET refunded_minor = refunded_minor + 1 WHERE id = ?",
      "UPDATE gateway_transaction SET refunded_minor = refunded_minor - 1 WHERE id = ?",
    ],
    [
      "refunded_means_all_of_it",
      "UPDATE gateway_transaction SET state = 'REFUNDED' WHERE id = ?",
      "UPDATE gateway_transaction SET state = 'SUCCESS' WHERE id = ?",
    ],
    [
      "postings_sum_to_zero balances_equal_entries payments_are_posted",
      "UPDATE gateway_ledger_entry SET amount_minor = amount_minor + 1 WHERE id = ? || ':paid:fees'",
      "UPDATE gateway_ledger_entry SET amount_minor = amount_minor - 1 WHERE id = ? || ':paid:fees'",
    ],
    [
      "one_attempt_pays",
      "UPDATE gateway_payment_attempt SET amount_minor = amount_minor + 1 WHERE transaction_id = ?",
      "UPDATE gateway_payment_attempt SET amount_minor = amount_minor - 1 WHERE transaction_id = ?",
    ],
    [
      "one_currency_throughout",
      "UPDATE gateway_payment_attempt SET currency = 'USD' WHERE transaction_id = ?",
      "UPDATE gateway_payment_attempt SET currency = 'BDT' WHERE transaction_id = ?",
    ],
    [
      "surplus_is_posted",
      `INSERT INTO gateway_payment_attempt (id, transaction_id, merchant_id, environment, number, state, acquirer, payment_method,
         payment_service, currency, amount_minor, started_at, acquirer_reference, surplus_minor, return_key)
       SELECT 'x' || id, transaction_id, merchant_id, environment, 2, 'SURPLUS', acquirer, payment_method, payment_service, currency,
         amount_minor, started_at, 'x' || id, 1, 'x' || id
       FROM gateway_payment_attempt WHERE transaction_id = ?`,
      "DELETE FROM gateway_payment_attempt WHERE transaction_id = ? AND number = 2",
    ],
    [
      "refunds_are_posted",
      "UPDATE gateway_ledger_entry SET id = 'x' || id WHERE transaction_id = ? AND kind = 'refund_completed' AND account = 'acquirer_clearing'",
      "UPDATE gateway_ledger_entry SET id = substr(id, 2) WHERE transaction_id = ? AND id LIKE 'x%'",
    ],
    [
      "success_has_its_charge",
      "UPDATE gateway_sandbox_operation SET amount_minor = amount_minor + 1 WHERE kind = 'charge' AND key IN (SELECT id FROM gateway_payment_attempt WHERE transaction_id = ?)",
      "UPDATE gateway_sandbox_operation SET amount_minor = amount_minor - 1 WHERE kind = 'charge' AND key IN (SELECT id FROM gateway_payment_attempt WHERE transaction_id = ?)",
    ],
    [
      "refunds_equal_the_book",
      "UPDATE gateway_sandbox_operation SET outcome = 'REFUND_FAILED' WHERE kind = 'refund' AND charge_key IN (SELECT id FROM gateway_payment_attempt WHERE transaction_id = ?)",
      "UPDATE gateway_sandbox_operation SET outcome = 'SUCCESS' WHERE kind = 'refund' AND charge_key IN (SELECT id FROM gateway_payment_attempt WHERE transaction_id = ?)",
    ],
  ])("%s: by the check of the last minutes and by that of everything", async (names, broken, repair) => {
    const owner = await sandboxMerchant()
    const { transaction_id } = await paid(owner)
    await refund(owner, transaction_id, { refund_amount: "100.00" })
    await damage(broken, transaction_id)
    const recent = await gatewayOf(store).invariants.check(new Date(Date.now() - 60_000))
    const whole = await gatewayOf(store).invariants.check()
    await damage(repair, transaction_id)
    expect(recent.map(({ name }) => name).join(" ")).toBe(names)
    expect(whole).toEqual(recent)
    expect(whole[0]).toMatchObject({
      count: 1,
      examples: [{ subject: expect.any(String), detail: expect.any(String) }],
    })
    expect(await gatewayOf(store).invariants.check()).toEqual([])
  })

  it("charges_are_known and payouts_are_posted", async () => {
    const owner = await sandboxMerchant()
    const { transaction_id } = await paid(owner)
    await damage("UPDATE gateway_transaction SET state = 'FAILED', verified_at = NULL WHERE id = ?", transaction_id)
    const charged = (await gatewayOf(store).invariants.check()).map(({ name }) => name)
    await damage(
      "UPDATE gateway_transaction SET state = 'SUCCESS', verified_at = finished_at WHERE id = ?",
      transaction_id
    )
    const { id } = await gatewayOf(store).payouts.record(sandbox(owner), {
      amount: 1n,
      currency: "BDT",
      reference: "r",
      note: null,
    })
    await damage("UPDATE gateway_payout SET amount_minor = 2 WHERE id = ?", id)
    const paidOut = (await gatewayOf(store).invariants.check()).map(({ name }) => name)
    await damage("UPDATE gateway_payout SET amount_minor = 1 WHERE id = ?", id)
    expect([charged, paidOut]).toEqual([
      ["payments_are_posted", "one_attempt_pays", "charges_are_known", "counters_equal_rows"],
      ["payouts_are_posted"],
    ])
  })

  it("docs/decisions/0059 — a dispute whose posting is missing, doubled, or not counted", async () => {
    const owner = await sandboxMerchant()
    const tenant = { merchant_id: owner.id, environment: "sandbox" } as const
    const { transaction_id } = await paid(owner)
    const wanted = { transaction_id, reference: "CB-1", fee: 0n, reason: "general", is_inquiry: false } as const
    const { id } = await gatewayOf(store).disputes.record(tenant, {
      ...wanted,
      opened_at: null,
      due_by: null,
      note: null,
    })
    const found = async () => (await gatewayOf(store).invariants.check()).map(({ name }) => name)
    expect(await found()).toEqual([])
    await damage("UPDATE gateway_dispute SET state = 'won', closed_at = now() WHERE id = ?", id)
    expect(await found()).toEqual(["disputes_are_counted", "disputes_are_posted", "disputes_leave_what_they_cost"])
    await damage("UPDATE gateway_dispute SET state = 'needs_response', closed_at = NULL WHERE id = ?", id)
    const twice = `INSERT INTO gateway_ledger_entry (id, posting, kind, account, merchant_id, environment, currency, amount_minor,
        transaction_id, dispute_id, occurred_at)
      SELECT 'again:' || id, 'again:' || posting, kind, account, merchant_id, environment, currency, amount_minor,
        transaction_id, dispute_id, occurred_at FROM gateway_ledger_entry WHERE dispute_id = ?`
    await store.db.raw(twice, [id])
    expect(await found()).toEqual(["disputes_leave_what_they_cost"])
    await store.db.raw("DELETE FROM gateway_ledger_entry WHERE id LIKE 'again:%' AND dispute_id = ?", [id])
    expect(await found()).toEqual([])
  })

  it("npm run check-ledger and the admin say the same; the worker's watch writes an error into the log", async () => {
    const check = () =>
      spawnSync(process.execPath, [join(ROOT, "scripts/check-ledger.mjs")], {
        encoding: "utf8",
        env: { ...process.env, DATABASE_URL: store.databaseUrl, NODE_OPTIONS: "" },
      })
    const good = check()
    expect([good.status, good.stdout.match(/^holds /gm)?.length, good.stderr]).toEqual([0, 18, ""])
    const owner = await sandboxMerchant()
    const { transaction_id } = await paid(owner)
    await damage("UPDATE gateway_transaction SET refunded_minor = 1 WHERE id = ?", transaction_id)
    const bad = check()
    const shown = read<{ broken: { name: string }[] }>(await adminOf(owner).get("/ledger/check"))
    const logged: string[] = []
    const { logger } = gatewayOf(store).invariants as unknown as { logger: { error: (message: string) => void } }
    const error = jest.spyOn(logger, "error").mockImplementation((message) => void logged.push(message))
    await gatewayOf(store).invariants.watch(null)
    error.mockRestore()
    await damage("UPDATE gateway_transaction SET refunded_minor = 0 WHERE id = ?", transaction_id)
    expect([bad.status, bad.stdout]).toEqual([
      1,
      expect.stringMatching(new RegExp(`BROKEN {2}refunds_within_amount[^]*${transaction_id}`)),
    ])
    expect(shown.broken.map(({ name }) => name)).toEqual(["refunds_within_amount"])
    expect(logged).toEqual([
      expect.stringContaining(`invariant broken: refunds_within_amount, 1 times: ${transaction_id}`),
    ])
    // The counter belongs to the process that checks, which is not the one that answers requests.
    const alerts = /gateway_invariant_alerts_total\{name="refunds_within_amount"\} 1\n/
    expect((await gatewayOf(store).metrics.render()).text).toMatch(alerts)
  })

  it("the metrics show what has happened and what is due, with the token only", async () => {
    const owner = await sandboxMerchant()
    const { transaction_id } = await paid(owner, undefined, DELAYED)
    await refund(owner, transaction_id)
    await owner.open()
    await owner.advance(1_801)
    await store
      .db("gateway_refund")
      .where({ transaction_id })
      .update({ inquiry_at: new Date(Date.now() - 60_000) })
    for (const authorization of [undefined, "", METRICS_TOKEN, `Bearer ${METRICS_TOKEN}x`, "Bearer undefined"]) {
      expect((await metrics(authorization)).status).toBe(404)
    }
    const answer = await metrics(`Bearer ${METRICS_TOKEN}`)
    expect([answer.status, answer.headers.get("content-type")]).toEqual([
      200,
      expect.stringMatching(/^text\/plain;.* version=0\.0\.4/),
    ])
    const text = await answer.text()
    const figure = (line: string) =>
      Number(
        text
          .split("\n")
          .find((found) => found.startsWith(`${line} `))
          ?.slice(line.length)
      )
    expect(figure('gateway_queue_depth{queue="unknown_refunds",environment="sandbox"}')).toBeGreaterThan(0)
    expect(figure('gateway_queue_oldest_seconds{queue="unknown_refunds",environment="sandbox"}')).toBeGreaterThan(1_801)
    expect(figure('gateway_queue_depth{queue="billing",environment="production"}')).toBe(0)
    expect(figure('gateway_events_recent{event_type="refund.processing",environment="sandbox"}')).toBeGreaterThan(0)
    expect(figure('gateway_events_recent{event_type="payment.succeeded",environment="sandbox"}')).toBeGreaterThan(0)
    expect(figure('gateway_acquirer_in_doubt{acquirer="sandbox"}')).toBeGreaterThanOrEqual(0)
    expect(figure('gateway_acquirer_in_doubt{acquirer="bkash"}')).toBe(0)
    expect(figure("gateway_invariants_broken")).toBe(0)
    const refunds = 'method="POST",path="/payments/refund",status="200"'
    expect(figure(`gateway_request_seconds_count{${refunds}}`)).toBeGreaterThan(0)
    expect(figure(`gateway_request_seconds_sum{${refunds}}`)).toBeGreaterThan(0)
  })
})
