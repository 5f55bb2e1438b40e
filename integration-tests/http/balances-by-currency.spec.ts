import fc from "fast-check"
import { gatewayOf, orderId } from "../support/api"
import { prepareAdmin, useAdminOf } from "../support/admin"
import { blocked } from "../support/locks"
import { useStore } from "../support/store"
import { PRODUCTION } from "../support/store-options"
import { production, code, ledgerIn, outcomes } from "../support/ledger"

/** A production deployment, which also serves its merchants' sandbox. */
const store = useStore({ production: true, env: PRODUCTION, prepare: prepareAdmin })
const adminOf = useAdminOf(store)
const { balances, live } = ledgerIn(store)

describe("docs/decisions/08: each currency has balances of its own", () => {
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

    const admin = adminOf(owner).at(owner.id, "production")
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
    const there = new Date(Date.now() + 6 * 3_600_000).toISOString().slice(0, 10)
    const period = `from=${there}&to=${there}`
    const [taka, inDollars] = [
      await admin.get(`/statements?${period}`),
      await admin.get(`/statements?${period}&currency=USD`),
    ]
    // The admin's file is for a spreadsheet: it has each time in Dhaka's, too, and its days are Dhaka's.
    const edges = (text: string) => text.replace(/^[^,]+(?=,\w+_balance)/gm, "")
    expect(edges(taka.text.replace(/^([^,\r\n]+),[^,\r\n]+/gm, "$1"))).toBe(edges(own))
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

  it("docs/decisions/09 — a batch in two currencies locks the totals in the order of their keys, as a purge does", async () => {
    const { owner, pay, giveAll, cancelAll } = await live([])
    const [taka, dollars, more] = [await pay(10_000), await pay(10_000, "USD"), await pay(10_000)]
    // The batch may come by any connection, and each has its own shard.
    await store.db.raw(
      `INSERT INTO gateway_ledger_total (merchant_id, environment, account, currency, shard, balance_minor)
       SELECT ?, 'production', account, currency, shard, 0
       FROM unnest(ARRAY['merchant_balance', 'refunds']) AS account, unnest(ARRAY['BDT', 'USD']) AS currency,
         generate_series(0, 15) AS shard
       ON CONFLICT (merchant_id, environment, account, currency, shard) DO NOTHING`,
      [owner.id]
    )
    const held = await store.db.transaction()
    const lock = (account: string, currency: string) =>
      held("gateway_ledger_total")
        .where({ ...production(owner), account, currency })
        .forUpdate()
        .noWait()
        .pluck<number[]>("shard")
    let batch: ReturnType<typeof giveAll>
    try {
      expect(await lock("merchant_balance", "USD")).toHaveLength(16)
      batch = giveAll([taka, dollars, more].map((id) => [id, 5_000n]))
      await blocked(store, 1)
      // The next key in their order: a batch that held it already would be waited for by what it waits for.
      expect(await lock("refunds", "BDT")).toHaveLength(16)
    } finally {
      await held.rollback()
    }
    const made = await batch
    expect(outcomes(made)).toEqual(["pending", "pending", "pending"])
    expect([await balances(owner), await balances(owner, "USD")]).toEqual([
      [9_700, -20_000, 300, 10_000, 0],
      [4_850, -10_000, 150, 5_000, 0],
    ])
    await cancelAll(made)
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
