import { brief, fields, gatewayOf, newMerchant, type ApiMerchant } from "../support/api"
import {
  DAY,
  MONTHLY,
  PLANS,
  someone,
  Subscriber,
  subscriptionOf,
  SUBSCRIPTIONS,
  type Subscription,
} from "../support/subscriptions"
import { useStore } from "../support/store"

const store = useStore({ production: true })

type Switched = Subscription & { scheduled_change: Record<string, unknown> | null; credit_balance: string }
/** Where nothing is scheduled or left over, the answer does not say it. */
const nothing = { scheduled_change: null, credit_balance: "0.00" }
const switchedOf = (answer: Parameters<typeof subscriptionOf>[0]): Switched => ({
  ...nothing,
  ...subscriptionOf(answer),
})

async function plan(owner: ApiMerchant, plan_name: string, amount: string, more: Record<string, unknown> = {}) {
  const terms = { interval_count: 1, interval_unit: "MONTH", family: "tea", ...more }
  const { body } = await owner.call("POST", PLANS, { plan_name, amount, ...terms })
  return (body as unknown as { id: number }).id
}

/** A subscription of 600.00 a month that was paid, `days` after its period began. */
async function midway(days: number) {
  const owner = await newMerchant(store)
  const [small, large] = [await plan(owner, "Small", "600.00"), await plan(owner, "Large", "1200.00")]
  const terms = { amount: undefined, interval_count: undefined, interval_unit: undefined }
  const subscriber = await Subscriber.create(owner, { subscription_plan_id: small, ...terms })
  await subscriber.pay()
  await owner.advance(days * DAY)
  return { owner, subscriber, small, large }
}

const charged = async (subscriber: Subscriber) =>
  (await subscriber.charges()).map(({ amount_minor }) => amount_minor).sort((one, other) => one - other)

afterEach(async () => {
  expect(await gatewayOf(store).invariants.check()).toEqual([])
})

describe("docs/decisions/11: a subscription is switched to another plan", () => {
  it("now: the preview is what is charged, and the invoice has its lines", async () => {
    const { owner, subscriber, large } = await midway(9)
    const before = await subscriber.get()
    const wanted = { subscription_plan_id: large, when: "now" }
    const preview = (await subscriber.call("POST", "/change/preview", wanted)).body as unknown as {
      amount_due: string
      lines: { kind: string; plan_name: string; amount: string; period_start: string; period_end: string }[]
    }
    expect(await subscriber.get()).toEqual(before)
    expect(preview.lines.map(({ kind, plan_name }) => [kind, plan_name])).toEqual([
      ["period", "Large"],
      ["credit", "Small"],
    ])
    const [price, credit] = preview.lines.map(({ amount }) => Number(amount))
    // Each line is rounded by itself: in a month of 31 days they differ by a poisha.
    expect(Math.abs(price + 2 * credit)).toBeLessThan(0.015)
    expect(Number(preview.amount_due)).toBeCloseTo(price + credit, 2)
    const switched = await subscriber.call("POST", "/change", wanted)
    expect(switched.status).toBe(200)
    expect(switchedOf(switched)).toMatchObject({
      status: "ACTIVE",
      subscription_plan_id: large,
      amount: "1200.00",
      next_billing_date: before.next_billing_date,
      billing_cycle_count: 2,
      scheduled_change: null,
      credit_balance: "0.00",
    })
    const due = Math.round(Number(preview.amount_due) * 100)
    expect(await charged(subscriber)).toEqual([due, 60_000])
    const again = await subscriber.call("POST", "/change", wanted)
    expect([again.status, await charged(subscriber)]).toEqual([200, [due, 60_000]])
    expect((await subscriber.events()).slice(-2)).toEqual(["changed", "payment_succeeded"])
    // The invoice has the preview's lines, and the days of each.
    const { data } = (await owner.call("GET", `/payments/invoices?subscription_id=${before.id}`)).body
    const [invoice] = data as unknown as { lines: object[]; period_start: string; period_end: string }[]
    const [period, { kind: type, plan_name: description, amount, period_end }] = preview.lines
    const { period_start } = invoice
    // The preview was of a moment before.
    expect([invoice.period_end, period_start >= period.period_start]).toEqual([period.period_end, true])
    expect(invoice.lines).toEqual([
      expect.objectContaining({ type: "plan", description: "Large", amount: period.amount }),
      expect.objectContaining({ type, description, amount, period_start, period_end }),
    ])
    await owner.advance(31 * DAY)
    expect(await charged(subscriber)).toEqual([due, 60_000, 120_000])
  })

  it("to a cheaper one: nothing is charged, and the rest pays the next periods", async () => {
    const { owner, subscriber, large, small } = await midway(0)
    await subscriber.call("POST", "/change", { subscription_plan_id: large, when: "now" })
    expect(await charged(subscriber)).toEqual([60_000, 60_000])
    const back = switchedOf(await subscriber.call("POST", "/change", { subscription_plan_id: small, when: "now" }))
    expect(back).toMatchObject({ status: "ACTIVE", amount: "600.00", credit_balance: "600.00" })
    expect(await charged(subscriber)).toEqual([60_000, 60_000])
    const free = (await subscriber.history()).at(-1)
    expect(free).toMatchObject({ amount: "0.00", status: "SUCCESS", transaction_id: "" })
    expect((await subscriber.invoices()).at(-1)).toMatchObject({ status: "PAID", amount_minor: 0 })
    await owner.advance(32 * DAY)
    expect(switchedOf(await subscriber.call("GET"))).toMatchObject({
      status: "ACTIVE",
      billing_cycle_count: 4,
      credit_balance: "0.00",
    })
    expect(await charged(subscriber)).toEqual([60_000, 60_000])
    await owner.advance(31 * DAY)
    expect(await charged(subscriber)).toEqual([60_000, 60_000, 60_000])
  })

  it("a charge that fails leaves it past due on the new plan; switched back, it costs nothing", async () => {
    const { owner, subscriber, large, small } = await midway(10)
    // There is nothing to charge.
    await store.db("gateway_subscription").where({ uuid: subscriber.uuid }).update({ instrument_id: null })
    const late = switchedOf(await subscriber.call("POST", "/change", { subscription_plan_id: large, when: "now" }))
    expect([late.status, late.subscription_plan_id]).toEqual(["PAST_DUE", large])
    expect((await subscriber.invoices()).at(-1)).toMatchObject({ status: "PENDING" })
    const back = switchedOf(await subscriber.call("POST", "/change", { subscription_plan_id: small, when: "now" }))
    expect([back.status, back.subscription_plan_id, back.credit_balance]).toEqual(["ACTIVE", small, "0.00"])
    expect((await subscriber.invoices()).map(({ status }) => status)).toEqual(["PAID", "VOID", "PAID"])
    expect(await charged(subscriber)).toEqual([60_000])
    expect(await owner.advance(1)).toBeDefined()
  })

  it("with the next period: every answer says so, it can be taken back, and holds from then on", async () => {
    const { owner, subscriber, large } = await midway(10)
    const wanted = { subscription_plan_id: large, when: "period_end" }
    expect((await subscriber.call("POST", "/change/preview", wanted)).body).toMatchObject({
      amount_due: "0.00",
      next_amount: "1200.00",
      new_terms: { subscription_plan_id: large },
    })
    const terms = { subscription_plan_id: large, amount: "1200.00", interval_count: 1, interval_unit: "MONTH" }
    expect(switchedOf(await subscriber.call("POST", "/change", wanted))).toMatchObject({
      amount: "600.00",
      scheduled_change: terms,
    })
    expect(await subscriber.get()).toMatchObject({ scheduled_change: terms })
    expect(brief(await subscriber.call("POST", "/checkout", {}))).toBe("409 INVALID_STATE_TRANSITION")
    expect(brief(await subscriber.call("POST", "/generate-invoice"))).toBe("409 INVALID_STATE_TRANSITION")
    const kept = await subscriber.call("DELETE", "/change")
    expect([kept.status, switchedOf(kept).scheduled_change]).toEqual([200, null])
    expect((await subscriber.call("DELETE", "/change")).status).toBe(200)
    await subscriber.call("POST", "/change", wanted)
    // Behind a cancellation the plan is not shown, not taken back by a request that sees none, and there when it is undone.
    const cancelled = await subscriber.call("POST", "/cancel", { cancel_at_period_end: true })
    expect(switchedOf(cancelled).scheduled_change).toBeNull()
    expect((await subscriber.call("DELETE", "/change")).status).toBe(200)
    const refused = await subscriber.call("POST", "/change", { quantity: 2, when: "period_end" })
    expect([brief(refused), refused.text.includes("scheduled")]).toEqual(["409 INVALID_STATE_TRANSITION", false])
    expect(switchedOf(await subscriber.call("POST", "/uncancel"))).toMatchObject({ scheduled_change: terms })
    await owner.advance(25 * DAY)
    expect(switchedOf(await subscriber.call("GET"))).toMatchObject({
      amount: "1200.00",
      billing_cycle_count: 2,
      scheduled_change: null,
    })
    expect(await charged(subscriber)).toEqual([60_000, 120_000])
    expect((await subscriber.events()).slice(-2)).toEqual(["changed", "payment_succeeded"])
  })

  it("what was given back of the payment is no credit", async () => {
    const { owner, subscriber, large } = await midway(0)
    const [{ transaction_id }] = await subscriber.history()
    const refunded = await owner.call("POST", "/payments/refund", {
      transaction_id,
      refund_amount: "600.00",
      refund_reason: "x",
    })
    expect(refunded.status).toBeLessThan(300)
    await subscriber.call("POST", "/change", { subscription_plan_id: large, when: "now" })
    expect(await charged(subscriber)).toEqual([60_000, 120_000])
  })

  it("without proration nothing is charged, of an overdue one neither; and its invoice stays", async () => {
    const { subscriber, large, small } = await midway(10)
    await subscriber.call("POST", "/change", { subscription_plan_id: large, when: "now", proration: "none" })
    expect([await charged(subscriber), (await subscriber.get()).amount]).toEqual([[60_000], "1200.00"])
    await store.db("gateway_subscription").where({ uuid: subscriber.uuid }).update({ instrument_id: null })
    await subscriber.merchant.advance(25 * DAY)
    const owed = await subscriber.invoices()
    expect([await subscriber.status(), owed.at(-1)]).toMatchObject([
      "PAST_DUE",
      { status: "PENDING", amount_minor: 120_000 },
    ])
    await subscriber.call("POST", "/change", { subscription_plan_id: small, when: "now", proration: "none" })
    expect(await subscriber.invoices()).toEqual(owed)
  })

  it("the credit names the plan whose days are unused, also when that plan was left without proration", async () => {
    const { owner, subscriber, large } = await midway(0)
    const third = await plan(owner, "Third", "1800.00")
    await subscriber.call("POST", "/change", { subscription_plan_id: large, when: "now", proration: "none" })
    const wanted = { subscription_plan_id: third, when: "now" }
    const { body } = await subscriber.call("POST", "/change/preview", wanted)
    const shown = (body as unknown as { lines: { plan_name: string; amount: string }[] }).lines
    expect(shown.map(({ plan_name, amount }) => [plan_name, amount])).toEqual([
      ["Third", "1800.00"],
      ["Small", "-600.00"],
    ])
    await subscriber.call("POST", "/change", wanted)
    const { body: listed } = await owner.call("GET", `/payments/invoices?subscription_id=${subscriber.uuid}`)
    const [{ lines }] = (listed as unknown as { data: { lines: { type: string; description: string }[] }[] }).data
    expect(lines.map(({ type, description }) => [type, description])).toEqual([
      ["plan", "Third"],
      ["credit", "Small"],
    ])
  })

  it("another sum than was shown is not charged, and nothing is changed", async () => {
    const { subscriber, large } = await midway(9)
    const before = await subscriber.get()
    const wanted = { subscription_plan_id: large, when: "now", amount_due: "1.00" }
    const refused = await subscriber.call("POST", "/change", wanted)
    expect([brief(refused), refused.body.message]).toEqual([
      "409 INVALID_STATE_TRANSITION",
      expect.stringMatching(/^[0-9]+\.[0-9]{2} BDT is due now/),
    ])
    expect([await subscriber.get(), await charged(subscriber)]).toEqual([before, [60_000]])
    const { amount_due } = (await subscriber.call("POST", "/change/preview", wanted)).body as unknown as {
      amount_due: string
    }
    expect((await subscriber.call("POST", "/change", { ...wanted, amount_due })).status).toBe(200)
  })

  it("the terms that hold change nothing: an invoice that was written ahead stays open", async () => {
    const { subscriber, small } = await midway(0)
    await subscriber.call("POST", "/generate-invoice")
    for (const when of ["now", "period_end"]) {
      expect((await subscriber.call("POST", "/change", { subscription_plan_id: small, when })).status).toBe(200)
    }
    expect((await subscriber.invoices()).at(-1)).toMatchObject({ status: "PENDING" })
    expect(await subscriber.events()).not.toContain("changed")
  })

  it("days of a pause are not used, and a payment that is disputed is no credit", async () => {
    const { owner, subscriber, large } = await midway(10)
    const lines = async () => {
      const { body } = await subscriber.call("POST", "/change/preview", { subscription_plan_id: large, when: "now" })
      return (body as unknown as { lines: { kind: string; amount: string }[] }).lines
    }
    const [, credit] = await lines()
    await subscriber.call("POST", "/pause")
    await owner.advance(12 * DAY)
    await subscriber.call("POST", "/resume")
    expect((await lines())[1]).toMatchObject({ kind: "credit", amount: credit.amount })
    await store.db("gateway_transaction").where({ merchant_id: owner.id }).update({ disputed_minor: 60_000 })
    expect((await lines()).map(({ kind }) => kind)).toEqual(["period"])
    await store.db("gateway_transaction").where({ merchant_id: owner.id }).update({ disputed_minor: 0 })
  })

  it("ten requests at once switch once and charge once", async () => {
    const { subscriber, large } = await midway(0)
    const wanted = { subscription_plan_id: large, when: "now" }
    const answers = await Promise.all(Array.from({ length: 10 }, () => subscriber.call("POST", "/change", wanted)))
    expect(
      [...new Set(answers.map(({ status }) => status))].filter((status) => status !== 200 && status !== 409)
    ).toEqual([])
    expect(await charged(subscriber)).toEqual([60_000, 60_000])
    expect((await subscriber.events()).filter((type) => type === "changed")).toHaveLength(1)
  })

  it.each([
    ["an unknown plan", { subscription_plan_id: 2_000_000_000, when: "now" }, "404 PLAN_NOT_FOUND"],
    ["no beginning", { amount: "700.00" }, "422 MISSING_REQUIRED_FIELD when"],
    ["an unknown proration", { amount: "700.00", when: "now", proration: "half" }, "422 VALIDATION_ERROR proration"],
    ["too little", { amount: "9.99", when: "now" }, "422 AMOUNT_TOO_LOW amount"],
  ])("%s is refused", async (_, body, expected) => {
    const { subscriber } = await midway(0)
    expect(brief(await subscriber.call("POST", "/change", body))).toBe(expected)
    expect(brief(await subscriber.call("POST", "/change/preview", body))).toBe(expected)
  })

  it("an archived plan, a paused subscription and an ended one are refused, with the way out", async () => {
    const { owner, subscriber, large } = await midway(0)
    const wanted = { subscription_plan_id: large, when: "now" }
    await subscriber.call("POST", "/pause")
    const paused = await subscriber.call("POST", "/change", wanted)
    expect([brief(paused), paused.body.message]).toEqual([
      "409 INVALID_STATE_TRANSITION",
      expect.stringMatching(/resume it first/),
    ])
    await subscriber.call("POST", "/resume")
    await owner.call("DELETE", `${PLANS}/${large}`)
    expect(brief(await subscriber.call("POST", "/change", wanted))).toBe("409 PLAN_INACTIVE subscription_plan_id")
    await subscriber.call("POST", "/cancel", {})
    expect(brief(await subscriber.call("POST", "/change", { amount: "700.00", when: "now" }))).toBe(
      "409 INVALID_STATE_TRANSITION"
    )
  })
})

const preview = async (subscriber: Subscriber, wanted: Record<string, unknown>) =>
  (await subscriber.call("POST", "/change/preview", wanted)).body as unknown as {
    amount_due: string
    credit_left: string
    next_amount: string
    new_terms: Record<string, unknown>
    lines: { kind: string; quantity?: number; amount: string }[]
  }
const cents = (amount: string) => Math.round(Number(amount) * 100)

/** A subscription of three seats at 200.00 a month that was paid, `days` after its period began. */
async function seats(days: number, more: Record<string, unknown> = {}) {
  const owner = await newMerchant(store)
  const [team, pro] = [await plan(owner, "Team", "200.00"), await plan(owner, "Pro", "300.00")]
  const terms = { amount: undefined, interval_count: undefined, interval_unit: undefined, quantity: 3 }
  const subscriber = await Subscriber.create(owner, { subscription_plan_id: team, ...terms, ...more })
  await subscriber.pay()
  await owner.advance(days * DAY)
  return { owner, subscriber, team, pro }
}

const linesOfLast = async (subscriber: Subscriber) => {
  const { number } = (await subscriber.invoices()).at(-1) ?? { number: 0 }
  const { body } = await subscriber.merchant.call("GET", `/payments/invoices/INV-${String(number).padStart(6, "0")}`)
  const { lines } = body as unknown as { lines: Record<string, unknown>[] }
  return lines.map(({ type, quantity, unit_amount, amount }) => [type, quantity, unit_amount, amount])
}

describe("decisions: Quantity — more and fewer seats", () => {
  it("more, now: the rest of the period is charged for the additional ones, as it was shown", async () => {
    const { owner, subscriber, team } = await seats(9)
    expect(await linesOfLast(subscriber)).toEqual([["plan", 3, "200.00", "600.00"]])
    const wanted = { quantity: 5, when: "now" }
    const shown = await preview(subscriber, wanted)
    expect(shown.lines.map(({ kind, quantity }) => [kind, quantity])).toEqual([
      ["period", 5],
      ["credit", 3],
    ])
    const [price, credit] = shown.lines.map(({ amount }) => cents(amount))
    expect([cents(shown.amount_due), shown.next_amount]).toEqual([price + credit, "1000.00"])
    expect(Math.abs(price * 3 + credit * 5)).toBeLessThanOrEqual(5)
    expect(shown.new_terms).toMatchObject({ quantity: 5, unit_amount: "200.00", amount: "1000.00" })
    const changed = await subscriber.call("POST", "/change", { ...wanted, amount_due: shown.amount_due })
    expect(changed.body).toMatchObject({
      subscription_plan_id: team,
      quantity: 5,
      unit_amount: "200.00",
      amount: "1000.00",
    })
    expect(await charged(subscriber)).toEqual([cents(shown.amount_due), 60_000])
    expect(await linesOfLast(subscriber)).toEqual([
      ["plan", 5, undefined, (price / 100).toFixed(2)],
      ["credit", 3, undefined, (credit / 100).toFixed(2)],
    ])
    const event = (await subscriber.emitted()).find(({ event_type }) => event_type === "subscription.changed")
    expect(event?.data).toMatchObject({ quantity: 5, unit_amount: "200.00", amount: "1000.00" })
    await owner.advance(31 * DAY)
    expect(await charged(subscriber)).toEqual([cents(shown.amount_due), 60_000, 100_000])
    expect(await linesOfLast(subscriber)).toEqual([["plan", 5, "200.00", "1000.00"]])
  })

  it("fewer, now: nothing is charged, and the rest pays the next periods; one is no quantity in the answer", async () => {
    const { owner, subscriber } = await seats(0, { unit_amount: "250.00" })
    const fewer = switchedOf(await subscriber.call("POST", "/change", { quantity: 1, when: "now" }))
    expect(fewer).toMatchObject({ amount: "250.00", credit_balance: "500.00" })
    expect(fewer).not.toHaveProperty("quantity")
    expect(fewer).not.toHaveProperty("unit_amount")
    const event = (await subscriber.emitted()).find(({ event_type }) => event_type === "subscription.changed")
    expect(event?.data).toMatchObject({ quantity: 1, amount: "250.00" })
    await owner.advance(63 * DAY)
    expect(await charged(subscriber)).toEqual([75_000])
    await owner.advance(31 * DAY)
    expect(await charged(subscriber)).toEqual([25_000, 75_000])
  })

  it("with the next period; a switch of plan keeps the quantity and ends a price of its own", async () => {
    const { owner, subscriber, pro } = await seats(9, { unit_amount: "150.00" })
    expect(await subscriber.get()).toMatchObject({ amount: "450.00", unit_amount: "150.00" })
    const more = switchedOf(await subscriber.call("POST", "/change", { quantity: 4, when: "period_end" }))
    expect([more.amount, more.scheduled_change]).toMatchObject([
      "450.00",
      { quantity: 4, unit_amount: "150.00", amount: "600.00" },
    ])
    await owner.advance(25 * DAY)
    expect(await charged(subscriber)).toEqual([45_000, 60_000])
    await subscriber.call("POST", "/change", { subscription_plan_id: pro, when: "now", proration: "none" })
    expect(await subscriber.get()).toMatchObject({ quantity: 4, unit_amount: "300.00", amount: "1200.00" })
  })

  it("what was given back is no credit of the next change, and the invoice's credit is of what was bought", async () => {
    const { owner, subscriber } = await seats(0)
    const [{ transaction_id }] = await subscriber.history()
    const refund = { transaction_id, refund_amount: "150.00", refund_reason: "x", refund_type: "partial" }
    expect((await owner.call("POST", "/payments/refund", refund)).status).toBeLessThan(300)
    await subscriber.call("POST", "/change", { quantity: 2, when: "now", proration: "none" })
    await subscriber.call("POST", "/change", { quantity: 5, when: "now" })
    expect(await linesOfLast(subscriber)).toEqual([
      ["plan", 5, "200.00", "1000.00"],
      ["credit", 3, undefined, "-450.00"],
    ])
    expect(await charged(subscriber)).toEqual([55_000, 60_000])
  })

  it("an overdue period is asked for again for as many as there are; without proration for as many as there were", async () => {
    const { owner, subscriber } = await seats(0)
    await store.db("gateway_subscription").where({ uuid: subscriber.uuid }).update({ instrument_id: null })
    await owner.advance(32 * DAY)
    expect(await linesOfLast(subscriber)).toEqual([["plan", 3, "200.00", "600.00"]])
    await subscriber.call("POST", "/change", { quantity: 2, when: "now", proration: "none" })
    expect(await linesOfLast(subscriber)).toEqual([["plan", 3, "200.00", "600.00"]])
    await subscriber.call("POST", "/change", { quantity: 4, when: "now" })
    expect(await linesOfLast(subscriber)).toEqual([["plan", 4, "200.00", "800.00"]])
    await subscriber.pay()
    expect(await charged(subscriber)).toEqual([60_000, 80_000])
    expect(await linesOfLast(subscriber)).toEqual([["plan", 4, "200.00", "800.00"]])
  })

  it("in a trial the new quantity holds from the first period on; paused and paid ahead are refused at once", async () => {
    const owner = await newMerchant(store)
    const team = await plan(owner, "Team", "200.00", { trial_period_days: 14, trial_amount: "50.00" })
    const terms = { amount: undefined, interval_count: undefined, interval_unit: undefined, quantity: 3 }
    const subscriber = await Subscriber.create(owner, { subscription_plan_id: team, ...terms })
    await subscriber.pay()
    // The price of a trial is not multiplied.
    expect(await charged(subscriber)).toEqual([5_000])
    expect(await linesOfLast(subscriber)).toEqual([["plan", 1, undefined, "50.00"]])
    expect((await preview(subscriber, { quantity: 5, when: "now" })).amount_due).toBe("0.00")
    await subscriber.call("POST", "/change", { quantity: 5, when: "now" })
    await owner.advance(15 * DAY)
    expect(await charged(subscriber)).toEqual([5_000, 100_000])
    await subscriber.call("POST", "/pause")
    expect(brief(await subscriber.call("POST", "/change", { quantity: 6, when: "now" }))).toBe(
      "409 INVALID_STATE_TRANSITION"
    )
    await subscriber.call("POST", "/resume")
    await subscriber.pay()
    expect(brief(await subscriber.call("POST", "/change", { quantity: 6, when: "now" }))).toBe(
      "409 INVALID_STATE_TRANSITION"
    )
    expect((await subscriber.call("POST", "/change", { quantity: 6, when: "period_end" })).status).toBe(200)
  })

  it("while another plan is scheduled, nothing overwrites it without a word", async () => {
    const { subscriber, pro } = await seats(0)
    await subscriber.call("POST", "/change", { subscription_plan_id: pro, when: "period_end" })
    const before = await subscriber.get()
    for (const [method, suffix, body] of [
      ["PATCH", "", { quantity: 5 }],
      ["PATCH", "", { interval_count: 2 }],
      ["POST", "/change", { quantity: 5, when: "now" }],
      ["POST", "/change", { quantity: 5, when: "period_end" }],
      ["POST", "/change/preview", { quantity: 5, when: "now" }],
    ] as const) {
      const refused = await subscriber.call(method, suffix, body)
      expect([brief(refused), refused.body.message]).toEqual([
        "409 INVALID_STATE_TRANSITION",
        expect.stringMatching(/take them back first/),
      ])
    }
    expect(await subscriber.get()).toEqual(before)
    const both = { subscription_plan_id: pro, quantity: 5, when: "period_end" }
    const agreed = switchedOf(await subscriber.call("POST", "/change", both))
    expect(agreed.scheduled_change).toMatchObject({ quantity: 5, amount: "1500.00" })
  })

  it("PATCH changes it from the next period on; an invoice of the same sum for another quantity is replaced", async () => {
    const { owner, subscriber } = await seats(0)
    await subscriber.call("POST", "/generate-invoice")
    const changed = await subscriber.call("PATCH", "", { quantity: 6, unit_amount: "100.00" })
    expect(changed.body).toMatchObject({ quantity: 6, unit_amount: "100.00", amount: "600.00" })
    await subscriber.call("POST", "/generate-invoice")
    expect((await subscriber.invoices()).map(({ status }) => status)).toEqual(["PAID", "VOID", "PENDING"])
    expect(await linesOfLast(subscriber)).toEqual([["plan", 6, "100.00", "600.00"]])
    expect((await subscriber.call("PATCH", "", { amount: "900.00" })).body).toMatchObject({ unit_amount: "150.00" })
    await owner.advance(32 * DAY)
    expect(await charged(subscriber)).toEqual([60_000, 90_000])
    expect(await linesOfLast(subscriber)).toEqual([["plan", 6, "150.00", "900.00"]])
  })

  it.each([
    ["none", { quantity: 0 }, "422 VALIDATION_ERROR quantity", "quantity must be positive"],
    ["too many", { quantity: 10_001 }, "422 VALIDATION_ERROR quantity", "quantity must be at most 10000"],
    ["a half", { quantity: 1.5 }, "422 VALIDATION_ERROR quantity", "quantity must be a whole number"],
    ["a whole amount", { quantity: 5, amount: "900.00" }, "422 VALIDATION_ERROR amount", /send unit_amount/],
    ["two prices", { unit_amount: "5.00", amount: "900.00" }, "422 VALIDATION_ERROR amount", /send unit_amount/],
    ["what does not divide", { amount: "100.00" }, "422 VALIDATION_ERROR amount", /times the quantity 3/],
    ["nothing for one", { unit_amount: "0.00" }, "422 VALIDATION_ERROR unit_amount", /must be positive/],
  ])("%s is refused, and nothing changes", async (_, body, expected, words) => {
    const { subscriber } = await seats(0)
    const before = await subscriber.get()
    for (const [method, suffix, more] of [
      ["POST", "/change", { when: "now" }],
      ["POST", "/change/preview", { when: "now" }],
      ["PATCH", "", {}],
    ] as const) {
      const refused = await subscriber.call(method, suffix, { ...body, ...more })
      expect([brief(refused), refused.body.message ?? JSON.stringify(refused.body)]).toEqual([
        expected,
        expect.stringMatching(words),
      ])
    }
    expect(await subscriber.get()).toEqual(before)
  })

  it.each([
    ["more than a payment may be", { quantity: 10_000 }, "10000 × 200.00 must be from 10.00 to 500000.00"],
    ["less than a payment may be", { unit_amount: "1.00" }, "3 × 1.00 must be from 10.00 to 500000.00"],
  ])("%s is refused with both fields", async (_, body, words) => {
    const { subscriber, team } = await seats(0)
    const refused = await subscriber.call("POST", "/change", { ...body, when: "now" })
    expect([refused.status, fields(refused)]).toEqual([422, ["quantity", "unit_amount"]])
    expect(refused.text).toContain(words)
    const created = await subscriber.merchant.call("POST", "/payments/subscriptions", {
      subscription_plan_id: team,
      quantity: 3,
      ...body,
      customer: { name: "Karim Uddin", email: "limits@example.com", phone: "01812345678" },
    })
    expect(created.status).toBe(422)
  })
})

type Ending = Subscription & {
  billing_cycles?: number
  billing_cycles_paid?: number
  ends_at?: string
  last_period_end?: string
}

describe("decisions: An end — a subscription that ends by itself", () => {
  const ofPlan = { amount: undefined, interval_count: undefined, interval_unit: undefined }
  const endingOf = async (subscriber: Subscriber): Promise<Ending> => subscriber.get()
  const count = async (subscriber: Subscriber) => (await subscriber.charges()).length

  it("after the plan's three payments it is EXPIRED, without a charge, an invoice or an e-mail more", async () => {
    const owner = await newMerchant(store)
    const course = await plan(owner, "Course", "500.00", { billing_cycles: 3 })
    const subscriber = await Subscriber.create(owner, { subscription_plan_id: course, ...ofPlan })
    expect(await endingOf(subscriber)).toMatchObject({ billing_cycles: 3, billing_cycles_paid: 0 })
    await subscriber.pay()
    const first = await endingOf(subscriber)
    expect(first).toMatchObject({ billing_cycles: 3, billing_cycles_paid: 1 })
    // What it was created with holds, whatever the plan is later.
    await owner.call("PATCH", `${PLANS}/${course}`, { billing_cycles: 0 })
    await owner.advance(32 * DAY)
    await owner.advance(31 * DAY)
    const last = await endingOf(subscriber)
    expect(last).toMatchObject({ status: "ACTIVE", billing_cycles_paid: 3, next_billing_date: null })
    expect(last.last_period_end).toBe(first.last_period_end)
    expect(last.current_period_end).toBe(first.last_period_end)
    const { body } = await owner.call("GET", `/payments/invoices?subscription_id=${subscriber.uuid}`)
    const invoices = body.data as unknown as { is_last?: boolean; uuid: string }[]
    expect(invoices.map(({ is_last }) => is_last)).toEqual([true, undefined, undefined])
    expect(await count(subscriber)).toBe(3)
    await owner.advance(400 * DAY)
    expect(await endingOf(subscriber)).toMatchObject({
      status: "EXPIRED",
      billing_cycle_count: 3,
      next_billing_date: null,
      cancelled_at: null,
      cancellation_reason: null,
    })
    expect([await count(subscriber), (await subscriber.invoices()).length]).toEqual([3, 3])
    const emitted = await subscriber.emitted()
    const paid = emitted.filter(({ event_type }) => event_type === "subscription.payment_succeeded")
    expect(paid.map(({ data }) => [data.billing_cycles, data.billing_cycles_paid])).toEqual([
      [3, 1],
      [3, 2],
      [3, 3],
    ])
    expect(paid.map(({ data }) => data.next_billing_date === null)).toEqual([false, false, true])
    expect(emitted.at(-1)).toMatchObject({
      event_type: "subscription.expired",
      data: { status: "EXPIRED", billing_cycles_paid: 3, cancel_at_period_end: false },
      occurred_at: new Date(String(first.last_period_end)),
    })
    expect(await store.db("gateway_invoice_mail").where({ merchant_id: owner.id })).toEqual([])
    const uuid = invoices[0].uuid
    expect((await owner.call("GET", `/payments/invoices/${uuid}`)).body).toMatchObject({ is_last: true })
  })

  it("one leap of the sandbox's clock makes as many charges as are agreed, after a trial that is none of them", async () => {
    const owner = await newMerchant(store)
    const subscriber = await Subscriber.create(owner, { billing_cycles: 12, trial_period_days: 7 })
    await owner.advance(DAY)
    await subscriber.pay()
    expect(await endingOf(subscriber)).toMatchObject({ status: "TRIALING", billing_cycles_paid: 1 })
    await owner.advance(500 * DAY)
    expect([await count(subscriber), await subscriber.status()]).toEqual([12, "EXPIRED"])
    expect((await subscriber.events()).filter((type) => type === "expired")).toHaveLength(1)
    const [kept] = await store.db("gateway_instrument").where({ merchant_id: owner.id })
    expect(kept?.token ?? null).toBeNull()
  })

  it("nobody pays for a period that will not come, not by a checkout that was open either", async () => {
    const owner = await newMerchant(store)
    const subscriber = await Subscriber.create(owner, { billing_cycles: 2 })
    await subscriber.pay()
    const open = await subscriber.checkout()
    await subscriber.call("POST", "/generate-invoice")
    expect(brief(await subscriber.call("PATCH", "", { billing_cycles: 1 }))).toBe("200")
    expect((await subscriber.invoices()).map(({ status }) => status)).toEqual(["PAID", "VOID"])
    const late = await owner.pay(open.session_id, { payment_method: "card" })
    expect([brief(late), late.body.message]).toEqual([
      "409 INVALID_STATE_TRANSITION",
      expect.stringMatching(/no further period to pay/),
    ])
    for (const path of ["/checkout", "/generate-invoice"]) {
      expect(brief(await subscriber.call("POST", path, {}))).toBe("409 INVALID_STATE_TRANSITION")
    }
    await subscriber.call("PATCH", "", { billing_cycles: 2 })
    await subscriber.pay()
    expect(brief(await subscriber.call("POST", "/checkout", {}))).toBe("409 INVALID_STATE_TRANSITION")
    await owner.advance(100 * DAY)
    expect([await count(subscriber), await subscriber.status()]).toEqual([2, "EXPIRED"])
  })

  it("ends_at: the period that contains it is the last, charged whole, and one that is overdue is asked for as ever", async () => {
    const owner = await newMerchant(store)
    const subscriber = await Subscriber.create(owner)
    await subscriber.pay()
    const { next_billing_date } = await subscriber.get()
    const ends_at = new Date(Date.parse(String(next_billing_date)) + 5 * DAY * 1_000).toISOString()
    const changed = (await subscriber.call("PATCH", "", { ends_at })).body as unknown as Ending
    expect([changed.ends_at, "billing_cycles" in changed]).toEqual([ends_at, false])
    await store.db("gateway_subscription").where({ uuid: subscriber.uuid }).update({ instrument_id: null })
    await owner.advance(32 * DAY)
    expect(await endingOf(subscriber)).toMatchObject({
      status: "PAST_DUE",
      current_period_end: changed.last_period_end,
    })
    await subscriber.pay()
    expect(await endingOf(subscriber)).toMatchObject({ status: "ACTIVE", next_billing_date: null, ends_at })
    await owner.advance(62 * DAY)
    expect([await count(subscriber), await subscriber.status()]).toEqual([2, "EXPIRED"])
    expect((await subscriber.events()).slice(-3)).toEqual(["payment_succeeded", "activated", "expired"])
  })

  it("given while a payment is overdue, the invoice to pay it is there again", async () => {
    const owner = await newMerchant(store)
    const subscriber = await Subscriber.create(owner)
    await subscriber.pay()
    await store.db("gateway_subscription").where({ uuid: subscriber.uuid }).update({ instrument_id: null })
    await owner.advance(32 * DAY)
    expect(brief(await subscriber.call("PATCH", "", { billing_cycles: 2 }))).toBe("200")
    expect((await subscriber.invoices()).map(({ status }) => status)).toEqual(["PAID", "VOID", "PENDING"])
    const [latest] = (await owner.call("GET", `/payments/invoices?subscription_id=${subscriber.uuid}`)).body
      .data as unknown as { is_last?: boolean }[]
    expect(latest.is_last).toBe(true)
    await subscriber.pay()
    expect(await endingOf(subscriber)).toMatchObject({ status: "ACTIVE", next_billing_date: null })
  })

  it("a pause moves the end of cycles; cancelled and undone, it ends as before; 0 takes the end away, null changes nothing", async () => {
    const owner = await newMerchant(store)
    const subscriber = await Subscriber.create(owner, { billing_cycles: 1 })
    await subscriber.pay()
    const before = await endingOf(subscriber)
    await subscriber.call("POST", "/pause")
    await owner.advance(10 * DAY)
    await subscriber.call("POST", "/resume")
    const moved = await endingOf(subscriber)
    const days = (Date.parse(String(moved.last_period_end)) - Date.parse(String(before.last_period_end))) / DAY / 1_000
    expect(Math.round(days)).toBe(10)
    await subscriber.call("POST", "/cancel", { cancel_at_period_end: true })
    expect(await endingOf(await subscriberAfter(subscriber, "/uncancel"))).toEqual(moved)
    expect((await subscriber.call("PATCH", "", { billing_cycles: null, ends_at: null })).body).toEqual(moved)
    const free = await subscriber.call("PATCH", "", { billing_cycles: 0 })
    expect(Object.keys(free.body).filter((name) => /billing_cycles|ends_at|last_period/.test(name))).toEqual([])
    await owner.advance(62 * DAY)
    expect([(await count(subscriber)) > 1, await subscriber.status()]).toEqual([true, "ACTIVE"])
  })

  it("a switch counts the new plan's payments; a scheduled plan follows the last period; an own end stays", async () => {
    const { owner, subscriber } = await midway(10)
    const course = await plan(owner, "Course", "1190.00", { billing_cycles: 2 })
    await subscriber.call("POST", "/change", { subscription_plan_id: course, when: "now" })
    expect(await endingOf(subscriber)).toMatchObject({
      billing_cycles: 2,
      billing_cycles_paid: 0,
      billing_cycle_count: 2,
    })
    await owner.advance(120 * DAY)
    expect([await count(subscriber), await subscriber.status()]).toEqual([4, "EXPIRED"])

    const intro = await plan(owner, "Introduction", "100.00", { billing_cycles: 1 })
    const regular = await plan(owner, "Regular", "500.00")
    const second = await Subscriber.create(owner, { subscription_plan_id: intro, ...ofPlan })
    await second.pay()
    await second.call("POST", "/change", { subscription_plan_id: regular, when: "period_end" })
    await owner.advance(32 * DAY)
    const { amount, status, ...then } = await endingOf(second)
    expect([amount, status, "billing_cycles" in then]).toEqual(["500.00", "ACTIVE", false])

    const third = await Subscriber.create(owner, { subscription_plan_id: intro, ...ofPlan, billing_cycles: 1 })
    await third.pay()
    const refused = await third.call("POST", "/change", { subscription_plan_id: regular, when: "period_end" })
    expect([brief(refused), refused.body.message]).toEqual([
      "409 INVALID_STATE_TRANSITION",
      expect.stringMatching(/Give it a later end first/),
    ])
  })

  it.each<[string, Record<string, unknown>, string]>([
    ["fewer than none", { billing_cycles: -1 }, "422 VALIDATION_ERROR billing_cycles"],
    ["1001 cycles", { billing_cycles: 1_001 }, "422 VALIDATION_ERROR billing_cycles"],
    ["half a cycle", { billing_cycles: 1.5 }, "422 VALIDATION_ERROR billing_cycles"],
    ["a day without a time", { ends_at: "2030-01-01" }, "422 VALIDATION_ERROR ends_at"],
    ["a moment that is past", { ends_at: "2020-01-01T00:00:00Z" }, "422 VALIDATION_ERROR ends_at"],
    ["both", { billing_cycles: 3, ends_at: "2090-01-01T00:00:00Z" }, "422 VALIDATION_ERROR billing_cycles"],
  ])("%s is refused, at creation and later", async (_name, end, expected) => {
    const owner = await newMerchant(store)
    const customer = someone()
    expect(brief(await owner.call("POST", SUBSCRIPTIONS, { customer, ...MONTHLY, ...end }))).toBe(expected)
    const subscriber = await Subscriber.create(owner)
    const answer = await subscriber.call("PATCH", "", end)
    expect(brief(answer)).toBe(expected)
    expect(Object.keys(await subscriber.get())).not.toContain("billing_cycles")
  })

  it("the limits are named: what is paid, and when the next period begins", async () => {
    const { subscriber } = await midway(0)
    await subscriber.pay()
    const fewer = await subscriber.call("PATCH", "", { billing_cycles: 1 })
    expect([brief(fewer), fewer.body.message]).toEqual([
      "422 VALIDATION_ERROR billing_cycles",
      expect.stringMatching(/at least 2/),
    ])
    const next = Date.parse(String((await subscriber.get()).next_billing_date))
    const early = await subscriber.call("PATCH", "", { ends_at: new Date(next - 1_000).toISOString() })
    expect([brief(early), early.body.message]).toEqual([
      "422 VALIDATION_ERROR ends_at",
      expect.stringContaining(new Date(next).toISOString()),
    ])
    expect(brief(await subscriber.call("PATCH", "", { ends_at: new Date(next).toISOString() }))).toBe("200")
  })

  async function subscriberAfter(subscriber: Subscriber, suffix: string): Promise<Subscriber> {
    await subscriber.call("POST", suffix, {})
    return subscriber
  }
})
