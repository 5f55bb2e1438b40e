import { messageOf } from "../../src/i18n/message"
import { ScriptedAcquirer, servicesWith } from "../support/acquirer"
import { gatewayOf, newMerchant, type ApiMerchant } from "../support/api"
import { type Admin, prepareAdmin, useAdminOf } from "../support/admin"
import { useReceiver } from "../support/receiver"
import { useStore } from "../support/store"
import { Subscriber } from "../support/subscriptions"

const store = useStore({ production: true, prepare: prepareAdmin })
const adminOf = useAdminOf(store)
const receiver = useReceiver()
let merchant: ApiMerchant
let admin: Admin

beforeEach(async () => {
  merchant = await newMerchant(store)
  admin = adminOf(merchant)
})

describe("the overview", () => {
  const overview = async (query = "") => (await admin.get(`/overview${query}`)).body.overview
  const paidBy = async (payment_service: string, order_amount: string) => {
    const session = await merchant.open({ order_amount })
    await merchant.pay(session.session_id, { payment_method: "mobile_banking", payment_service })
    return session
  }

  it("adds up payments by how they ended and how they were paid, fees, refunds and the balance, exactly", async () => {
    const first = await paidBy("BKASH", "1000.10")
    await paidBy("NAGAD", "0333.33")
    const card = await merchant.open({ order_amount: "2500.00" })
    await merchant.pay(card.session_id)
    const declined = await merchant.open({ order_amount: "300.00" })
    await merchant.pay(declined.session_id)
    await merchant.cancel((await merchant.open()).session_id)
    await merchant.open()
    await gatewayOf(store).refunds.create({
      transaction_id: first.transaction_id,
      amount: 10n,
      reason: "part",
      requested_by: "the test",
      request_key: null,
    })
    await gatewayOf(store).refunds.create({
      transaction_id: card.transaction_id,
      amount: 250_000n,
      reason: "all",
      requested_by: "the test",
      request_key: null,
    })
    const before = await overview()
    expect(before).toMatchObject({
      payments: {
        amount: "3833.43",
        fees: "82.50",
        paid: 3,
        failed: 1,
        cancelled: 1,
        expired: 0,
        success_percent: "75.0",
      },
      refunds: { count: 2, amount: "2500.10", waiting: { count: 0, amount: "0.00" } },
      balance: { available: "1250.83" },
      methods: [
        { service: "CARD", amount: "2500.00", paid: 1, failed: 1, success_percent: "50.0" },
        { service: "BKASH", amount: "1000.10", paid: 1, failed: 0, success_percent: "100.0" },
        { service: "NAGAD", amount: "333.33", paid: 1 },
      ],
    })
    expect(before.days).toHaveLength(30)
    expect(before.days[29]).toMatchObject({
      date: before.to,
      paid: 3,
      failed: 1,
      amount: "3833.43",
      fees: "82.50",
      refunded: "2500.10",
    })
    await foldAll()
    expect(await overview()).toEqual(before)
  })

  it("docs/decisions/20 — volume less fees, refunds, disputes and payouts is what the balance gained, as the ledger has it", async () => {
    const noon = new Date(Date.now() + 2 * 86_400_000)
    noon.setUTCHours(6, 0, 0, 0)
    await merchant.call("POST", "/sandbox/clock", { now: noon.toISOString() })
    const [first, disputed] = [await paidBy("BKASH", "1000.10"), await paidBy("NAGAD", "2000.00")]
    const refund = (amount: bigint, key: string) =>
      gatewayOf(store).refunds.create({
        transaction_id: first.transaction_id,
        amount,
        reason: "part",
        requested_by: "the test",
        request_key: key,
      })
    await refund(30_010n, "one")
    const { transaction_id } = disputed
    const recorded = async (reference: string, amount: string) => {
      const sent = { transaction_id, reference: `${merchant.id} ${reference}`, amount, fee: "15.00" }
      return (await admin.post("/disputes", sent)).body.dispute.id
    }
    const [won, lost] = [await recorded("won", "500.00"), await recorded("lost", "400.00")]
    const date = noon.toISOString().slice(0, 10)
    await merchant.advance(86_400)
    const next = new Date(noon.getTime() + 86_400_000).toISOString().slice(0, 10)
    await admin.post(`/disputes/${won}/decide`, { on: "win", fee_returned: true })
    await admin.post(`/disputes/${lost}/decide`, { on: "lose" })
    await paidBy("BKASH", "100.00")
    await admin.post("/payouts", { amount: "250.00", currency: "BDT", reference: `TT ${merchant.id}` })
    await refund(1_000n, "two")

    const nothing = { refunds: "0.00", disputes: "0.00", dispute_fees: "0.00", payouts: "0.00" }
    const changeOf = async (from: string, to: string) => {
      const change = (await overview(`?from=${from}&to=${to}`)).balance_change
      const minor = (name: string) => BigInt(String(change[name]).replace(".", ""))
      const taken = ["fees", "refunds", "disputes", "dispute_fees", "payouts"].reduce(
        (sum, name) => sum + minor(name),
        0n
      )
      expect(minor("opening") + minor("volume") - taken).toBe(minor("closing"))
      const midnight = (day: string, plus = 0) => new Date(Date.parse(`${day}T00:00:00+06:00`) + plus)
      const period = { from: midnight(from), before: midnight(to, 86_400_000) }
      const tenant = { merchant_id: merchant.id, environment: "sandbox" } as const
      const { opening, closing } = await gatewayOf(store).ledger.statement(tenant, "BDT", period)
      expect([minor("opening"), minor("closing")]).toEqual([opening, closing])
      return change
    }
    const day = await changeOf(date, date)
    const { fees } = day
    expect(day).toMatchObject({ volume: "3000.10", refunds: "300.10", disputes: "900.00", dispute_fees: "30.00" })
    expect(day).toMatchObject({ opening: "0.00", payouts: "0.00" })
    expect(Number(fees)).toBeGreaterThan(0)
    const after = await changeOf(next, next)
    expect(after).toMatchObject({ opening: day.closing, volume: "100.00", refunds: "10.00", payouts: "250.00" })
    expect(after).toMatchObject({ disputes: "-500.00", dispute_fees: "-15.00" })
    const both = await changeOf(date, next)
    expect(both).toMatchObject({ opening: "0.00", disputes: "400.00", dispute_fees: "15.00", closing: after.closing })
    expect(both.closing).toBe((await overview()).balance.available)
    // As many days before: of one day the day before.
    expect(await overview(`?from=${next}&to=${next}`)).toMatchObject({
      payments: { amount: "100.00", paid: 1 },
      payments_before: { amount: "3000.10", paid: 2, success_percent: "100.0" },
    })
    expect((await overview(`?from=${date}&to=${next}`)).payments_before).toMatchObject({
      amount: "0.00",
      success_percent: null,
    })
    expect((await overview(`?from=${date}&to=${next}&currency=USD`)).balance_change).toMatchObject({
      opening: "0.00",
      volume: "0.00",
      ...nothing,
      closing: "0.00",
    })
    await foldAll()
    expect(await changeOf(date, next)).toEqual(both)
    expect(await store.brokenInvariants()).toEqual([])
  })

  it("days are those of Bangladesh by the merchant's clock, and belong to one merchant and environment", async () => {
    const lateInDhaka = new Date(Date.now() + 86_400_000)
    lateInDhaka.setUTCHours(17, 59, 0, 0)
    await merchant.call("POST", "/sandbox/clock", { now: lateInDhaka.toISOString() })
    await merchant.pay((await merchant.open()).session_id)
    await merchant.advance(120)
    await merchant.pay((await merchant.open()).session_id)
    const date = lateInDhaka.toISOString().slice(0, 10)
    const next = new Date(lateInDhaka.getTime() + 86_400_000).toISOString().slice(0, 10)
    expect((await overview(`?from=${date}&to=${date}`)).payments).toMatchObject({ paid: 1, amount: "1250.50" })
    expect((await overview(`?from=${date}&to=${next}`)).days.map(({ date: day, paid }) => [day, paid])).toEqual([
      [date, 1],
      [next, 1],
    ])
    expect((await overview("?days=2")).days.map(({ date: day }) => day)).toEqual([date, next])
    // The statement has each payment on the day on which the overview has it (decisions: Days).
    for (const day of [date, next]) {
      const { text } = await admin.get(`/statements?from=${day}&to=${day}`)
      expect(text.split("\r\n").filter((line) => line.includes(",payment,"))).toEqual([
        expect.stringContaining(`,${day} `),
      ])
    }
    expect((await admin.at(merchant.id, "production").get("/overview")).body.overview.payments).toMatchObject({
      paid: 0,
      success_percent: null,
    })
    expect((await admin.at((await newMerchant(store)).id).get("/overview")).body.overview.payments).toMatchObject({
      paid: 0,
    })
  })

  it("recurring revenue is that of a month, exactly; churn is who left of those who were there or came", async () => {
    const kinds = [
      ["700.00", 7, "DAY"],
      ["100.00", 1, "WEEK"],
      ["1000.00", 3, "MONTH"],
      ["1200.01", 1, "YEAR"],
    ] as const
    const subscribers: Subscriber[] = []
    for (const [amount, interval_count, interval_unit] of kinds) {
      const subscriber = await Subscriber.create(merchant, { amount, interval_count, interval_unit })
      await subscriber.pay()
      subscribers.push(subscriber)
    }
    await Subscriber.create(merchant, { amount: "9999.00", trial_period_days: 14 })
    await Subscriber.create(merchant)
    // 700 x 365/84 + 100 x 365/84 + 1000/3 + 1200.01/12 = 3909.5246...
    expect((await overview()).subscriptions).toMatchObject({
      active: 4,
      trialing: 1,
      monthly_recurring_revenue: "3909.52",
      started: 4,
      ended: 0,
      churn_percent: "0.0",
    })
    await subscribers[0].call("POST", "/cancel", { cancel_at_period_end: false })
    await subscribers[1].call("POST", "/pause")
    expect((await overview()).subscriptions).toMatchObject({
      active: 2,
      paused: 1,
      monthly_recurring_revenue: "433.33",
      ended: 1,
      churn_percent: "25.0",
    })
    await merchant.advance(3 * 86_400)
    const { to } = await overview()
    expect((await overview(`?from=${to}&to=${to}`)).subscriptions).toMatchObject({
      at_start: 3,
      started: 0,
      ended: 0,
      churn_percent: "0.0",
    })
  })

  it("counts what waits for an admin", async () => {
    await store
      .db("gateway_merchant_environment")
      .where({ merchant_id: merchant.id })
      .update({ refund_approval_threshold_minor: 100 })
    const session = await merchant.open()
    await merchant.pay(session.session_id)
    await merchant.call("POST", "/payments/refund", {
      transaction_id: session.transaction_id,
      refund_amount: "5.00",
      refund_reason: "broken",
    })
    const { webhook } = (await admin.post("/webhooks", { endpoint_url: `${receiver.url}/hook`, event_types: ["*"] }))
      .body
    await store
      .db("gateway_webhook_endpoint")
      .where({ uuid: webhook.id })
      .orWhere({ id: webhook.id })
      .update({ is_active: false, disabled_reason: messageOf("endpoint.failing", { days: 5 }) })
    expect((await overview()).attention).toEqual({
      unreturned_verifications: 0,
      disputes_to_answer: 0,
      mismatched_payments: 0,
      mismatched_refunds: 0,
      unresolved_payments: 0,
      unresolved_refunds: 0,
      captures_ending: 0,
      captures_missed: 0,
      unresolved_captures: 0,
      unreleased_payments: 0,
      held_payments: 0,
      flagged_payments: 0,
      other_instalments: 0,
      paid_twice: 0,
      paid_without_order: 0,
      late_cash_orders: 0,
      stuck_cash_orders: 0,
      refunds_to_approve: 1,
      failed_refunds: 0,
      returns_to_confirm: 0,
      disabled_endpoints: 1,
      failing_endpoints: 0,
      past_due_subscriptions: 0,
      unsettled_payments: 0,
      failed_deliveries: 0,
    })
  })

  it("acquirers: how often and how fast each one answered, what is in doubt, and whether it can be reached", async () => {
    const none = await overview()
    expect(none).toMatchObject({
      acquirers: [{ acquirer: "sandbox", paid: 0, declined: 0, success_percent: null, median_ms: null, state: "up" }],
    })
    await paidBy("BKASH", "1000.10")
    await paidBy("NAGAD", "333.33")
    const [declined, left] = [await merchant.open({ order_amount: "300.00" }), await merchant.open()]
    await merchant.pay(declined.session_id)
    await merchant.cancel(left.session_id)
    const lost = () => ({ result: "unknown", message: "The line went dead" }) as const
    const bank = new ScriptedAcquirer("inline", [lost], [lost])
    const { payments, reconciliation } = servicesWith(store, "sandbox", bank)
    const { session_id } = await merchant.open()
    const instrument = { method: "card", card: { number: "4242424242424242" } } as const
    await payments.pay({ session_id, instrument, page_url: "http://pay.test/pay/x" })
    const scripted = async () => (await overview()).acquirers.filter(({ acquirer }) => acquirer === "scripted")
    expect(await scripted()).toEqual([])
    await reconciliation.run(5, {
      merchant_id: merchant.id,
      until: (await reconciliation.nextDue(merchant.id)) as Date,
    })
    expect(await scripted()).toMatchObject([{ paid: 0, declined: 0, in_doubt: 1, state: "gone" }])
    const [sandbox] = (await overview()).acquirers.filter(({ acquirer }) => acquirer === "sandbox")
    expect(sandbox).toMatchObject({ paid: 2, declined: 1, left: 0, success_percent: "66.7", in_doubt: 0 })
    expect(sandbox.median_ms).toBeGreaterThan(0)
    expect(sandbox.p95_ms).toBeGreaterThanOrEqual(sandbox.median_ms as number)
    const rows = await store.db("gateway_payment_attempt").where({ merchant_id: merchant.id }).whereNull("answer_ms")
    expect(rows).toEqual([])
    await foldAll()
    expect((await overview()).acquirers).toContainEqual(sandbox)
    expect(await store.brokenInvariants()).toEqual([])
    expect((await overview("?from=2020-01-01&to=2020-01-02")).acquirers).toContainEqual(
      expect.objectContaining({ acquirer: "sandbox", paid: 0, median_ms: null })
    )
  })

  it("rows that are taken away, and counters that are folded while others write, leave every figure right", async () => {
    const sessions = await Promise.all(Array.from({ length: 12 }, () => merchant.open()))
    const folding = Promise.all(Array.from({ length: 4 }, foldAll))
    await Promise.all(sessions.map(({ session_id }) => merchant.pay(session_id)))
    await folding
    await foldAll()
    expect((await overview()).payments).toMatchObject({ paid: 12, amount: "15006.00" })
    await store
      .db("gateway_transaction")
      .where({ merchant_id: merchant.id })
      .update({ created_at: store.db.raw("now() - interval '8 days'") })
    await gatewayOf(store).sandboxPurge.run()
    expect((await overview()).payments).toMatchObject({ paid: 0, amount: "0.00" })
    expect(await store.brokenInvariants()).toEqual([])
  })

  it.each([
    ["from=2026-02-30", "from", "from must be a date like 2026-01-31"],
    ["from=2026-02-02&to=2026-02-01", "from", "from must not be after to"],
    ["days=367", "days", "days must be a whole number from 1 to 366"],
    [
      "from=2025-01-01&to=2026-02-01",
      "from",
      "from must be at most 366 days before to; ask for a longer time in parts",
    ],
  ])("%s is refused with the field, the limit and the way out", async (query, field, message) => {
    expect(await admin.get(`/overview?${query}`)).toMatchObject({ status: 422, body: { field, message } })
  })

  async function foldAll(): Promise<void> {
    while ((await gatewayOf(store).counters.fold()) > 0);
  }
})
