import type Stripe from "stripe"
import type { SettledMovement, SettlementPage } from "../../../../src/modules/gateway/acquirers/settlement-port"
import { movementOf } from "../../../../src/modules/gateway/acquirers/stripe/settlements"
import { adapterOf, paid, refundRequest, sentTo, startStandIn, type StandIn } from "../support"

const PAYOUTS = "GET /v1/payouts"
const TRANSACTIONS = "GET /v1/balance_transactions"
const DAY_MS = 86_400_000

let standIn: StandIn
beforeEach(async () => {
  standIn = await startStandIn()
})
afterEach(() => standIn.close())

/** As text: what jest reports of a failure holds no bigint. */
function shown(value: object): object {
  return JSON.parse(JSON.stringify(value, (_key, one: unknown) => (typeof one === "bigint" ? `${one}n` : one)))
}

describe("a balance transaction as a movement of its payout", () => {
  const charge = { object: "charge", id: "ch_1", payment_intent: "pi_1" }
  const transaction = (changes: object): Stripe.BalanceTransaction =>
    ({
      id: "txn_1",
      amount: 100_000,
      fee: 3_000,
      fee_details: [
        { type: "stripe_fee", amount: 2_600 },
        { type: "tax", amount: 400 },
      ],
      currency: "usd",
      created: 1_790_000_000,
      reporting_category: "charge",
      type: "charge",
      source: charge,
      description: null,
      ...changes,
    }) as unknown as Stripe.BalanceTransaction
  const PAYMENT: Partial<SettledMovement> = {
    kind: "payment",
    reference: "pi_1",
    gross: 100_000n,
    fee: 2_600n,
    vat: 400n,
    currency: "USD",
  }
  const free = { fee: 0, fee_details: [] }
  const nothing = { fee: 0n, vat: 0n }

  it.each<[string, object, Partial<SettledMovement>]>([
    ["a charge, by its payment intent", {}, PAYMENT],
    ["a charge that has none", { source: { ...charge, payment_intent: null } }, { ...PAYMENT, reference: "ch_1" }],
    ["a charge by another method", { type: "payment", source: { ...charge, id: "py_1" } }, PAYMENT],
    [
      "a refund, by its own number",
      { ...free, reporting_category: "refund", amount: -2_500, source: { object: "refund", id: "re_1" } },
      { kind: "refund", reference: "re_1", gross: -2_500n, ...nothing },
    ],
    [
      "what comes back of a failed refund, which is no refund",
      { ...free, reporting_category: "refund_failure", amount: 2_500, source: { object: "refund", id: "re_1" } },
      { kind: "adjustment", reference: "re_1", gross: 2_500n, ...nothing },
    ],
    [
      "a dispute with its fee, which our books have as a whole",
      { reporting_category: "dispute", amount: -100_000, fee: 1_500, source: "du_1" },
      { kind: "dispute", reference: "du_1", gross: -100_000n, fee: 1_500n, vat: 0n },
    ],
    [
      "a dispute that was won, with its fee",
      { reporting_category: "dispute_reversal", fee: -1_500, fee_details: [], source: "du_1" },
      { kind: "dispute_reversal", reference: "du_1", gross: 100_000n, fee: -1_500n, vat: 0n },
    ],
    [
      "a fee of Stripe's",
      { ...free, reporting_category: "fee", type: "stripe_fee", amount: -2_000, source: null },
      { kind: "fee", reference: null, gross: 0n, fee: 2_000n, vat: 0n },
    ],
    [
      "a fee that comes back",
      { ...free, reporting_category: "fee", type: "stripe_fee", amount: 2_000, source: null },
      { kind: "fee", gross: 0n, fee: -2_000n, vat: 0n },
    ],
    [
      "what networks cost",
      { ...free, reporting_category: "network_cost", amount: -77, source: null },
      { kind: "fee", gross: 0n, fee: 77n, vat: 0n },
    ],
    [
      "tax on fees",
      { ...free, reporting_category: "tax", type: "tax_fee", amount: -300, source: null },
      { kind: "fee", gross: 0n, fee: 0n, vat: 300n },
    ],
    [
      "what a partial capture leaves",
      { ...free, reporting_category: "partial_capture_reversal", amount: -40_000, source: "re_2" },
      { kind: "adjustment", reference: "re_2", gross: -40_000n, ...nothing },
    ],
    [
      "what Stripe adds next year, even constructor",
      { ...free, reporting_category: "constructor", amount: -1, description: "a new thing", source: null },
      { kind: "adjustment", gross: -1n, description: "constructor: a new thing" },
    ],
    ["the largest number that is exact", { ...free, amount: Number.MAX_SAFE_INTEGER }, { gross: 9007199254740991n }],
  ])("%s", (_name, changes, expected) => {
    const about = { id: "txn_1", batch: "po_1", occurred_at: new Date(1_790_000_000_000) }
    expect(shown(movementOf(transaction(changes), "po_1"))).toMatchObject(shown({ ...about, ...expected }))
  })

  it.each([
    ["a currency without decimals", { currency: "jpy" }],
    ["a fraction", { amount: 0.5 }],
    ["an amount that is not exact", { amount: Number.MAX_SAFE_INTEGER + 1 }],
    ["no amount", { fee: null }],
  ])("%s cannot be read, and is named", (_name, changes) => {
    expect(shown(movementOf(transaction(changes), "po_1"))).toMatchObject({
      field: "txn_1",
      reason: { kind: "refusal.stripe_currency" },
    })
  })
})

/** The answers for a period around now, as they come. */
async function answersOf(adapter = adapterOf(standIn), days = 1) {
  const now = standIn.now().getTime()
  const answers = []
  for await (const answer of adapter.settlements({
    from: new Date(now - days * DAY_MS),
    until: new Date(now + DAY_MS),
  })) {
    answers.push(answer)
  }
  return answers
}

async function read(days?: number) {
  const pages = (await answersOf(undefined, days)) as SettlementPage[]
  expect(pages.filter(({ result }) => result !== "page")).toEqual([])
  const movements = pages.flatMap((page) => page.movements)
  return {
    movements,
    figures: movements.map(({ gross, fee, vat }) => [gross, fee, vat].map(Number)),
    net: movements.reduce((sum, { gross, fee, vat }) => sum + Number(gross - fee - vat), 0),
    problems: pages.flatMap(({ problems }) => problems.map(({ field, reason }) => [field, reason.kind])),
  }
}

describe("what payouts contain", () => {
  it("is read without the payout itself, and adds up to it", async () => {
    standIn.book.fee_tax = 15
    const { adapter, key, reference } = await paid(standIn)
    const refund = await adapter.refund(refundRequest(standIn, { key, reference }))
    const { id: dispute } = await standIn.account.dispute(reference, { amount: 10_000 })
    standIn.account.charge({ amount: -2_000, currency: "bdt", type: "stripe_fee", description: "Radar" })
    const payout = standIn.account.payOut()
    const { movements, figures, net, problems } = await read()
    expect(problems).toEqual([])
    expect(movements.map(({ kind, reference: about }, nth) => [kind, about, ...figures[nth]])).toEqual([
      ["fee", null, 0, 2_000, 0],
      ["dispute", dispute, -10_000, 1_500, 0],
      ["refund", refund.result === "done" && refund.reference, -25_000, 0, 0],
      ["payment", reference, 125_050, 3_108, 548],
    ])
    expect(new Set(movements.map(({ batch }) => batch))).toEqual(new Set([payout.id]))
    expect(net).toBe(payout.amount)
  })

  it("is read in pages of 100, each of them one request", async () => {
    for (let nth = 0; nth < 250; nth++) {
      standIn.account.charge({ amount: -1, currency: "bdt" })
    }
    const large = standIn.account.payOut()
    for (let nth = 0; nth < 101; nth++) {
      standIn.account.charge({ amount: -1, currency: "bdt" })
      standIn.account.payOut()
    }
    const { movements, problems } = await read()
    expect(problems).toEqual([])
    expect(new Set(movements.map(({ id }) => id)).size).toBe(351)
    expect(movements.filter(({ batch }) => batch === large.id)).toHaveLength(250)
    expect([sentTo(standIn, PAYOUTS).length, sentTo(standIn, TRANSACTIONS).length]).toEqual([2, 101 + 3])
  })

  it("is only that of the period, by the day of arrival, and of what has arrived", async () => {
    const now = Math.floor(standIn.now().getTime() / 1_000)
    standIn.account.charge({ amount: -1, currency: "bdt" })
    standIn.account.payOut({ arrival_date: now - 3 * 86_400 })
    standIn.account.charge({ amount: -2, currency: "bdt" })
    standIn.account.payOut({ status: "failed" })
    standIn.account.charge({ amount: -3, currency: "bdt" })
    standIn.account.payOut()
    expect((await read()).figures).toEqual([[0, 3, 0]])
    expect((await read(4)).figures).toEqual([
      [0, 3, 0],
      [0, 1, 0],
    ])
  })

  it("Stripe does not say of payouts by hand, nor yet of unfinished ones: each is named, and the others are read", async () => {
    standIn.account.charge({ amount: 500, currency: "bdt", category: "other_adjustment" })
    const manual = standIn.account.payOut({ automatic: false })
    standIn.account.charge({ amount: 600, currency: "bdt", category: "other_adjustment" })
    const unfinished = standIn.account.payOut({ reconciled: false })
    standIn.account.charge({ amount: 700, currency: "jpy", category: "other_adjustment" })
    const yen = standIn.account.payOut()
    standIn.account.charge({ amount: 800, currency: "bdt", category: "other_adjustment" })
    standIn.account.payOut()
    const { figures, problems } = await read()
    expect(figures).toEqual([[800, 0, 0]])
    expect(problems).toEqual([
      [yen.id, "refusal.stripe_currency"],
      [unfinished.id, "refusal.stripe_payout_unfinished"],
      [manual.id, "refusal.stripe_payout_manual"],
    ])
  })

  it("is a problem when it does not add up to the payout", async () => {
    standIn.account.charge({ amount: 500, currency: "bdt", category: "other_adjustment" })
    const payout = standIn.account.payOut()
    payout.amount += 1
    expect(await read()).toMatchObject({
      figures: [[500, 0, 0]],
      problems: [[payout.id, "refusal.stripe_payout_sum"]],
    })
  })
})

describe("without an answer of Stripe", () => {
  it.each([
    ["unauthorized", "credentials"],
    ["forbidden", "credentials"],
    ["rate_limited", "rate_limited"],
    ["maintenance", "maintenance"],
    ["html", "network"],
  ])("%s: the pages before it are kept, and nothing follows", async (fault, trouble) => {
    standIn.account.charge({ amount: -1, currency: "bdt" })
    standIn.account.payOut()
    standIn.faults.next(fault, { on: TRANSACTIONS, times: 2 })
    const answers = await answersOf()
    expect(answers.map(({ result }) => result)).toEqual(["page", "unknown"])
    expect(answers[1]).toMatchObject({ trouble })
  })

  it("a question whose answer was lost is asked again", async () => {
    standIn.account.charge({ amount: -1, currency: "bdt" })
    standIn.account.payOut()
    standIn.faults.next("drop_after", { on: PAYOUTS })
    standIn.faults.next("truncate", { on: TRANSACTIONS })
    expect((await read()).movements).toHaveLength(1)
  })

  it("a test key in production is refused before anything is sent", async () => {
    const answers = await answersOf(adapterOf(standIn, { environment: "production" }))
    expect(answers).toMatchObject([{ result: "unknown", trouble: "credentials" }])
    expect(standIn.book.requests).toEqual([])
  })

  it("an address where nobody listens is unreachable", async () => {
    const adapter = adapterOf(standIn)
    await standIn.close()
    expect(await answersOf(adapter)).toMatchObject([{ result: "unknown", trouble: "network" }])
    standIn = await startStandIn()
  })
})
