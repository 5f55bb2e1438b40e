import { spawnSync } from "node:child_process"
import { join } from "node:path"
import { gatewayOf } from "../support/api"
import { addEmi } from "../support/emi"
import { prepareAdmin, useAdminOf } from "../support/admin"
import { paid, refund, DELAYED } from "../support/refunds"
import { ROOT, useStore } from "../support/store"
import { METRICS_TOKEN, PRODUCTION } from "../support/store-options"
import { sandbox, read, ledgerIn } from "../support/ledger"

/** A production deployment, which also serves its merchants' sandbox. */
const store = useStore({
  production: true,
  env: { ...PRODUCTION, GATEWAY_METRICS_TOKEN: METRICS_TOKEN },
  prepare: prepareAdmin,
})
const adminOf = useAdminOf(store)
const { sandboxMerchant } = ledgerIn(store)

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
    // Counters, which hold the attempts' amounts, are compared by the check of everything alone.
    expect(whole.filter(({ name }) => name !== "counters_equal_rows")).toEqual(recent)
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

  it("docs/decisions/10 — a dispute whose posting is missing, doubled, or not counted", async () => {
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

  it("decisions: EMI — a cost that no plan agreed to, or a plan whose cost is not posted", async () => {
    const owner = await sandboxMerchant()
    const emi = await addEmi(store, owner.id, { tenure: 3, interest_rate: "3", merchant_bleeding: true })
    const { session_id, transaction_id } = await owner.open({ order_amount: "12000.00" })
    await owner.pay(session_id, { payment_method: "card", emi_configuration_id: emi })
    const found = async () => {
      const recent = await gatewayOf(store).invariants.check(new Date(Date.now() - 60_000))
      expect(await gatewayOf(store).invariants.check()).toEqual(recent)
      return recent.map(({ name, examples }) => `${name} ${examples.map(({ subject }) => subject).join()}`)
    }
    expect(await found()).toEqual([])
    const agreed = "UPDATE gateway_emi_plan SET bank_interest_minor = bank_interest_minor + 1 WHERE transaction_id = ?"
    await damage(agreed, transaction_id)
    const unposted = await found()
    await damage(agreed.replace("+ 1", "- 1"), transaction_id)
    const posting = `INSERT INTO gateway_ledger_entry (id, posting, kind, account, merchant_id, environment, currency, amount_minor, occurred_at)
      SELECT 'x:' || account, 'x', 'settlement_matched', account, ?, 'sandbox', 'BDT', amount, now()
      FROM (VALUES ('emi_costs', -5), ('acquirer_fees', 5)) AS entry (account, amount)`
    await store.db.raw(posting, [owner.id])
    const unagreed = await found()
    await store.db("gateway_ledger_entry").where({ posting: "x" }).delete()
    await store.db.raw(posting.replace("emi_costs", "fees"), [owner.id])
    const unsettled = await found()
    await store.db("gateway_ledger_entry").where({ posting: "x" }).delete()
    expect([unposted, unagreed, unsettled, await found()]).toEqual([
      [`emi_costs_are_posted ${transaction_id}`],
      ["emi_costs_are_posted x:emi_costs"],
      [`settlements_are_posted ${owner.id} sandbox BDT`],
      [],
    ])
  })

  describe("docs/decisions/09 — checkpoints", () => {
    const move = (lag?: number) => gatewayOf(store).checkpoints.move(lag)
    const names = (broken: { name: string }[]) => broken.map(({ name }) => name)
    const recent = async () => names(await gatewayOf(store).invariants.check(new Date(Date.now() - 60_000)))
    const whole = async () => names(await gatewayOf(store).invariants.check())
    /** A posting without a payment, as old as said. */
    const POST = `
      INSERT INTO gateway_ledger_entry (id, posting, kind, account, merchant_id, environment, currency, amount_minor, occurred_at, created_at)
      SELECT :posting || account, :posting, 'payment', account, :merchant, 'sandbox', 'BDT', amount, at, at
      FROM (SELECT now() - :age::interval AS at) AS one,
        (VALUES ('acquirer_clearing', -7), ('merchant_balance', 7)) AS entry (account, amount)`
    const posting = (owner: { id: string }, age: string) => ({ posting: `${age}:${owner.id}`, merchant: owner.id, age })
    const remove = (owner: { id: string }, age = "") =>
      store.db("gateway_ledger_entry").where({ merchant_id: owner.id }).whereLike("posting", `${age}%`).delete()
    const balances = (owner: { id: string }) =>
      store
        .db("gateway_ledger_checkpoint")
        .where({ merchant_id: owner.id })
        .orderBy("account")
        .then((rows: { account: string; balance_minor: string }[]) =>
          Object.fromEntries(rows.map(({ account, balance_minor }) => [account, Number(balance_minor)]))
        )

    /** A merchant with a posting of three days ago, which the checkpoints have counted, and one of now. */
    async function counted() {
      const owner = await sandboxMerchant()
      await store.db("gateway_ledger_checkpoint").delete()
      await store.db.raw(POST, posting(owner, "3 days"))
      expect(await move()).toBeGreaterThan(0)
      await store.db.raw(POST, posting(owner, "0 days"))
      return owner
    }

    afterEach(async () => {
      await store.db("gateway_ledger_entry").whereLike("posting", "% days:%").delete()
      expect([await recent(), await whole()]).toEqual([[], []])
    })

    it("the check of the last minutes adds what was written since to the checkpoint", async () => {
      const owner = await counted()
      const kept = { acquirer_clearing: -7, merchant_balance: 7 }
      expect(await balances(owner)).toEqual(kept)
      expect([await recent(), await whole()]).toEqual([[], []])
      // Moving them on without anything to count changes nothing.
      await move()
      expect([await balances(owner), await recent(), await whole()]).toEqual([kept, [], []])
      const damaged = "UPDATE gateway_ledger_checkpoint SET balance_minor = balance_minor + ? WHERE merchant_id = ?"
      await damage(damaged, "1", owner.id)
      const found = [await recent(), await whole()]
      await damage(damaged, "-1", owner.id)
      expect(found).toEqual([["balances_equal_entries"], ["checkpoints_equal_entries"]])
      expect([await recent(), await whole()]).toEqual([[], []])
    })

    it("they lose what is removed of the sandbox's past", async () => {
      const owner = await counted()
      await remove(owner, "0 days")
      expect(await balances(owner)).toEqual({ acquirer_clearing: -7, merchant_balance: 7 })
      await remove(owner, "3 days")
      expect(await balances(owner)).toEqual({ acquirer_clearing: 0, merchant_balance: 0 })
    })

    it("they stay an hour behind, and one process at a time moves them", async () => {
      const owner = await counted()
      const [{ until }] = await store.db("gateway_ledger_checkpoint").max<{ until: Date }[]>("counted_until as until")
      expect(Math.abs(Date.now() - 3_600_000 - until.getTime())).toBeLessThan(60_000)
      await store.db("gateway_ledger_checkpoint").delete()
      await store.db.transaction(async (held) => {
        await held.raw("SELECT pg_advisory_xact_lock(hashtext('gateway_ledger_checkpoint'))")
        expect([await move(), await balances(owner)]).toEqual([0, {}])
      })
    })

    it("they stay behind what is posted by a transaction that is still open", async () => {
      const owner = await sandboxMerchant()
      await store.db("gateway_ledger_checkpoint").delete()
      await store.db.transaction(async (held) => {
        await held.raw("SELECT now()")
        await store.db.raw(POST, posting(owner, "-0 days"))
        await held.raw(POST, posting(owner, "0 days"))
        await move(0)
        expect(await balances(owner)).toEqual({})
      })
      expect(await recent()).toEqual([])
      await move(0)
      expect(await balances(owner)).toEqual({ acquirer_clearing: -14, merchant_balance: 14 })
    })
  })

  it("npm run check-ledger and the admin say the same; the worker's watch writes an error into the log", async () => {
    const check = () =>
      spawnSync(process.execPath, [join(ROOT, "scripts/check-ledger.mjs")], {
        encoding: "utf8",
        env: { ...process.env, DATABASE_URL: store.databaseUrl, NODE_OPTIONS: "" },
      })
    const good = check()
    expect([good.status, good.stdout.match(/^holds /gm)?.length, good.stderr]).toEqual([0, 32, ""])
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
