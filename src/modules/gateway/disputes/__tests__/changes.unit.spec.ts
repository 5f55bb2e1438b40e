import fc from "fast-check"
import { addSeconds } from "../../kernel/money/clock"
import { GatewayError } from "../../kernel/errors"
import {
  ACCOUNTS,
  refundBounced,
  refundCompleted,
  refundReleased,
  refundReserved,
  type Account,
  type Posting,
} from "../../ledger/rules"
import { decideRefund, refundable } from "../../refunds/rules"
import {
  acceptance,
  announced,
  charged,
  corrected,
  created,
  feeReturned,
  stepped,
  unchanged,
  type Changing,
} from "../changes"
import { NEW_DISPUTE, type Dispute } from "../records"
import { decideDispute, eventData, takenBy } from "../rules"
import { DISPUTE_TRIGGERS } from "../states"

const NOW = new Date("2026-11-22T10:00:00Z")
const AMOUNT = 10_000

function dispute(changes: Partial<Dispute> = {}): Dispute {
  return {
    ...NEW_DISPUTE,
    id: "dsp_1",
    merchant_id: "mer_1",
    environment: "sandbox",
    transaction_id: "txn1",
    source: "admin",
    acquirer: "sandbox",
    acquirer_reference: "CB-1",
    reason: "general",
    amount_minor: 4_000,
    currency: "BDT",
    note: null,
    recorded_by: "user_1",
    opened_at: NOW,
    recorded_at: NOW,
    due_by: null,
    ...changes,
  }
}

function balances(postings: readonly Posting[]): Record<Account, bigint> {
  const sums = Object.fromEntries(ACCOUNTS.map((account) => [account, 0n])) as Record<Account, bigint>
  postings.forEach(({ lines }) => lines.forEach(({ account, amount }) => (sums[account] += amount)))
  return sums
}

const opened = (changes?: Partial<Dispute>, fee = 500) =>
  announced(charged(stepped(created(dispute(changes)), "escalate", NOW), fee, NOW))
const what = ({ events, audited, postings }: Changing) => ({
  events: events.map(({ type, dispute: { state } }) => `${type} ${state}`),
  audited: audited.map(({ action }) => action),
  postings: postings.map(({ kind }) => kind),
})

describe("docs/decisions/10 — the money of a dispute", () => {
  it("an inquiry moves none", () => {
    const ended = stepped(announced(created(dispute())), "end", NOW)
    expect(what(ended)).toEqual({
      events: ["dispute.created inquiry", "dispute.closed closed"],
      audited: ["dispute.opened", "dispute.ended"],
      postings: [],
    })
  })

  it("opened: the merchant has amount and fee no longer, and the amount is in reserve", () => {
    expect(what(opened())).toEqual({
      events: ["dispute.created needs_response"],
      audited: ["dispute.opened"],
      postings: ["dispute_opened", "dispute_fee"],
    })
    expect(balances(opened().postings)).toMatchObject({
      merchant_balance: -4_500n,
      acquirer_clearing: 4_500n,
      disputes: 4_000n,
      dispute_claims: -4_000n,
    })
  })

  it("won: the amount is back, and the fee is the merchant's loss", () => {
    const won = stepped(opened(), "win", NOW)
    expect(balances(won.postings)).toMatchObject({ merchant_balance: -500n, acquirer_clearing: 500n, disputes: 0n })
    expect(balances(feeReturned(won, NOW).postings)).toMatchObject({ merchant_balance: 0n, acquirer_clearing: 0n })
  })

  it.each(["lose", "accept"] as const)("%s: the amount is the merchant's loss, and nothing is in reserve", (on) => {
    const lost = stepped(opened(), on, NOW)
    expect(balances(lost.postings)).toMatchObject({ merchant_balance: -4_500n, disputes: 0n, dispute_claims: 0n })
    expect(lost.dispute).toMatchObject({ state: "lost", closed_at: NOW, accepted_at: on === "accept" ? NOW : null })
    expect(balances(stepped(lost, "reinstate", NOW).postings)).toMatchObject({ merchant_balance: -500n })
  })

  it("an acceptance is noted before it is sent, and is none when it is refused or the dispute is won after all", () => {
    const sent = acceptance(opened(), NOW)
    expect(what(sent)).toMatchObject({ audited: ["dispute.opened", "dispute.acceptance_sent"] })
    const later = new Date(NOW.getTime() + 60_000)
    const lost = stepped(sent, "accept", later)
    expect(lost.dispute).toMatchObject({ state: "lost", closed_at: later, accepted_at: NOW })
    const shown = (changing: Changing) => eventData({ ...changing.dispute, order_id: "O-1" }).accepted
    expect([sent, lost, stepped(lost, "reinstate", later), acceptance(sent, null)].map(shown)).toEqual([
      false,
      true,
      false,
      false,
    ])
    expect(acceptance(sent, null).dispute.accepted_at).toBeNull()
  })

  it("a fee is posted once, and comes back once", () => {
    expect(charged(opened(), 700, NOW)).toEqual(opened())
    const won = feeReturned(stepped(opened(), "win", NOW), NOW)
    expect(feeReturned(won, NOW)).toEqual(won)
    expect(charged(opened({}, 0), 700, NOW).postings.map(({ kind }) => kind)).toEqual(["dispute_opened", "dispute_fee"])
  })

  it("a report that changes nothing is no event", () => {
    expect(corrected(unchanged(dispute()), { reason: "general", due_by: null })).toEqual(unchanged(dispute()))
    expect(what(corrected(unchanged(dispute()), { due_by: NOW }))).toMatchObject({
      events: ["dispute.updated inquiry"],
    })
  })

  it("an inquiry that was answered and becomes a dispute is to be answered again", () => {
    const answered = stepped(unchanged(dispute({ missed_at: NOW })), "submit", NOW)
    expect(stepped(answered, "escalate", NOW).dispute).toMatchObject({ submitted_at: null, missed_at: null })
  })

  it("becomes a dispute with an amount and a deadline of its own: postings, event and audit log have them", () => {
    const [due_by, later] = [addSeconds(NOW, 60), addSeconds(NOW, 120)]
    const inquiry = unchanged(dispute({ amount_minor: 500, due_by }))
    const { events, postings, audited } = stepped(inquiry, "escalate", NOW, { amount_minor: 300, due_by: later })
    expect(balances(postings)).toMatchObject({ merchant_balance: -300n })
    expect(events).toMatchObject([{ dispute: { amount_minor: 300, due_by: later } }])
    expect(audited).toMatchObject([
      {
        before: { amount: "5.00", due_by: due_by.toISOString() },
        after: { amount: "3.00", due_by: later.toISOString() },
      },
    ])
  })
})

type Step =
  | { do: "refund"; amount: number; then: "complete" | "release" | "bounce" | "wait" }
  | { do: "dispute"; amount: number; fee: number }
  | { do: "report"; amount: number }
  | { do: "move"; which: number; on: (typeof DISPUTE_TRIGGERS)[number]; fee_returned: boolean }

const amounts = fc.integer({ min: 1, max: AMOUNT + 100 })
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    do: fc.constant("refund" as const),
    amount: amounts,
    then: fc.constantFrom("complete" as const, "release" as const, "bounce" as const, "wait" as const),
  }),
  fc.record({ do: fc.constant("dispute" as const), amount: amounts, fee: fc.integer({ min: 0, max: 900 }) }),
  fc.record({ do: fc.constant("report" as const), amount: amounts }),
  fc.record({
    do: fc.constant("move" as const),
    which: fc.nat(5),
    on: fc.constantFrom(...DISPUTE_TRIGGERS),
    fee_returned: fc.boolean(),
  })
)

/** One payment in memory, as the services keep it: rules decide, postings are collected. */
class Payment {
  refunded = 0
  readonly disputes: Dispute[] = []
  readonly postings: Posting[] = []
  private refunds = 0

  get facts() {
    const disputed_minor = this.disputes.reduce((sum, one) => sum + takenBy(one), 0)
    const state = "SUCCESS" as const
    return { state, currency: "BDT", amount_minor: AMOUNT, refunded_minor: this.refunded, disputed_minor }
  }

  run(one: Step): void {
    try {
      this.carryOut(one)
    } catch (error) {
      if (!GatewayError.is(error)) {
        throw error
      }
    }
  }

  private carryOut(one: Step): void {
    switch (one.do) {
      case "refund":
        return this.refund(one)
      case "dispute":
        return this.open(Number(decideDispute(this.facts, BigInt(one.amount))), one.fee)
      case "report":
        return this.open(one.amount, 0)
      case "move": {
        const known = this.disputes[one.which]
        if (known !== undefined) {
          const moved = stepped(unchanged(known), one.on, NOW)
          const isWon = one.fee_returned && moved.dispute.state === "won"
          this.keep(one.which, isWon ? feeReturned(moved, NOW) : moved)
        }
      }
    }
  }

  private refund({ amount, then }: Extract<Step, { do: "refund" }>): void {
    const facts = { ...this.facts, verified_at: NOW, supports_refunds: true, now: NOW }
    const decided = decideRefund(facts, { amount: BigInt(amount) })
    const id = `rfd_${++this.refunds}`
    const refund = { ...dispute(), id, amount_minor: Number(decided.amount) }
    this.postings.push(refundReserved(refund, NOW))
    if (then === "release") {
      this.postings.push(refundReleased(refund, NOW))
    } else {
      this.refunded += amount
    }
    if (then === "complete" || then === "bounce") {
      this.postings.push(refundCompleted(refund, NOW))
    }
    if (then === "bounce") {
      this.refunded -= amount
      this.postings.push(refundBounced(refund, NOW))
    }
  }

  private open(amount_minor: number, fee: number): void {
    const begun = created(dispute({ id: `dsp_${this.disputes.length}`, amount_minor }))
    this.keep(this.disputes.length, charged(stepped(begun, "escalate", NOW), fee, NOW))
  }

  private keep(index: number, { dispute: changed, postings }: Changing): void {
    this.disputes[index] = changed
    this.postings.push(...postings)
  }
}

describe("docs/decisions/10 — any sequence of refunds and disputes of a payment", () => {
  it("balances, posts nothing twice, and leaves with the merchant exactly what it lost", () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 25 }), (steps) => {
        const payment = new Payment()
        steps.forEach((one) => payment.run(one))
        const { postings, disputes, refunded } = payment
        expect(postings.every(({ lines }) => lines.reduce((sum, { amount }) => sum + amount, 0n) === 0n)).toBe(true)
        expect(new Set(postings.map(({ id }) => id)).size).toBe(postings.length)
        const left = balances(postings)
        const taken = disputes.reduce((sum, one) => sum + takenBy(one), 0)
        const fees = disputes.reduce((sum, one) => sum + (one.fee_returned ? 0 : one.fee_minor), 0)
        const inReserve = disputes.filter(({ state }) => state === "needs_response" || state === "under_review")
        expect(left.merchant_balance).toBe(BigInt(-refunded - taken - fees))
        expect(left.disputes).toBe(BigInt(inReserve.reduce((sum, one) => sum + one.amount_minor, 0)))
        expect(left.disputes + left.dispute_claims).toBe(0n)
      })
    )
  })

  it("by hand, refunds and disputes together never take more than the payment", () => {
    const byHand = step.filter((one) => one.do !== "report")
    fc.assert(
      fc.property(fc.array(byHand, { maxLength: 25 }), (steps) => {
        const payment = new Payment()
        const wasNever: boolean[] = []
        for (const one of steps) {
          payment.run(one)
          const { refunded_minor, disputed_minor } = payment.facts
          wasNever.push(refunded_minor + disputed_minor <= AMOUNT)
        }
        expect(wasNever.every(Boolean)).toBe(true)
      })
    )
  })

  it("after an acquirer has taken more than was left, nothing can be refunded", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: AMOUNT }), fc.integer({ min: 1, max: AMOUNT }), (refund, taken) => {
        const payment = new Payment()
        payment.run({ do: "refund", amount: refund, then: "wait" })
        payment.run({ do: "report", amount: taken })
        expect(refundable(payment.facts)).toBe(BigInt(Math.max(AMOUNT - refund - taken, 0)))
      })
    )
  })
})
