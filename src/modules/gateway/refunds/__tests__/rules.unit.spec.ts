import fc from "fast-check"
import {
  decideRefund,
  exceededRoleLimit,
  needsApproval,
  refundReasonText,
  roleLimit,
  type RefundFacts,
  type Unapproved,
  type WantedRefund,
} from "../rules"
import { stateOnOrder } from "../orders/rules"

const PAID_AT = new Date("2026-01-10T12:00:00Z")
const DAY_MS = 86_400_000

function facts(changes: Partial<RefundFacts> = {}): RefundFacts {
  return {
    state: "SUCCESS",
    currency: "BDT",
    amount_minor: 10_000,
    refunded_minor: 0,
    disputed_minor: 0,
    verified_at: PAID_AT,
    supports_refunds: true,
    now: PAID_AT,
    ...changes,
  }
}

const sums = (payment: bigint, day = payment, requester = payment): Unapproved => ({ payment, day, requester })

function decided(given: RefundFacts, request: WantedRefund): string {
  try {
    const { amount, type } = decideRefund(given, request)
    return `${amount} ${type}`
  } catch (error) {
    const { status, code, field } = error as { status: number; code: string; field?: string }
    return [status, code, field].filter(Boolean).join(" ")
  }
}

describe("contract 4.8, 7.3, decisions: Refunds — what may be given back", () => {
  const later = (ms: number) => new Date(PAID_AT.getTime() + ms)

  it.each<[string, Partial<RefundFacts>, WantedRefund, string]>([
    ["all of it, by default", {}, {}, "10000 full"],
    ["all that remains", { refunded_minor: 4_000 }, {}, "6000 full"],
    ["what no dispute has taken", { disputed_minor: 3_000, refunded_minor: 4_000 }, {}, "3000 full"],
    ["more than disputes leave", { disputed_minor: 3_000 }, { amount: 7_001n }, "400 REFUND_EXCEEDED refund_amount"],
    ["of what is disputed whole", { disputed_minor: 10_000 }, { amount: 1n }, "400 REFUND_NOT_ALLOWED"],
    ["of what the bank has overdrawn", { disputed_minor: 10_000, refunded_minor: 500 }, {}, "400 REFUND_NOT_ALLOWED"],
    [
      "of what was refunded whole, and then disputed",
      { disputed_minor: 1, refunded_minor: 10_000 },
      {},
      "409 ALREADY_REFUNDED",
    ],
    ["a part, without a type", {}, { amount: 4_000n }, "4000 partial"],
    ["exactly what remains, without a type", { refunded_minor: 4_000 }, { amount: 6_000n }, "6000 full"],
    ["full, of exactly what remains", { refunded_minor: 4_000 }, { amount: 6_000n, type: "full" }, "6000 full"],
    ["partial, of exactly what remains", {}, { amount: 10_000n, type: "partial" }, "10000 partial"],
    ["full with less than what remains", {}, { amount: 9_999n, type: "full" }, "422 VALIDATION_ERROR refund_amount"],
    ["more than remains", { refunded_minor: 4_000 }, { amount: 6_001n }, "400 REFUND_EXCEEDED refund_amount"],
    [
      "more than remains, full",
      { refunded_minor: 4_000 },
      { amount: 6_001n, type: "full" },
      "400 REFUND_EXCEEDED refund_amount",
    ],
    ["more than remains, partial", {}, { amount: 10_001n, type: "partial" }, "400 REFUND_EXCEEDED refund_amount"],
    ["nothing left", { refunded_minor: 10_000 }, {}, "409 ALREADY_REFUNDED"],
    [
      "nothing left, long ago",
      { refunded_minor: 10_000, now: later(900 * DAY_MS) },
      { amount: 1n },
      "409 ALREADY_REFUNDED",
    ],
    ["REFUNDED", { state: "REFUNDED", refunded_minor: 10_000 }, {}, "409 ALREADY_REFUNDED"],
    ["FAILED", { state: "FAILED", verified_at: null }, {}, "400 REFUND_NOT_ALLOWED"],
    ["OPEN", { state: "OPEN", verified_at: null }, { amount: 99_999n }, "400 REFUND_NOT_ALLOWED"],
    ["a service without refunds", { supports_refunds: false }, {}, "400 REFUND_NOT_ALLOWED"],
    ["the last moment of 180 days", { now: later(180 * DAY_MS) }, {}, "10000 full"],
    ["a moment later", { now: later(180 * DAY_MS + 1) }, {}, "400 REFUND_WINDOW_EXPIRED"],
    [
      "a moment later, and too much",
      { now: later(180 * DAY_MS + 1) },
      { amount: 99_999n },
      "400 REFUND_WINDOW_EXPIRED",
    ],
  ])("%s", (_name, changes, request, expected) => {
    expect(decided(facts(changes), request)).toBe(expected)
  })

  it("whatever is asked, what is given back is above nothing and within what remains", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 50_000_000 }),
        fc.nat(),
        fc.option(fc.bigInt({ min: 1n, max: 60_000_000n }), { nil: undefined }),
        fc.constantFrom(undefined, "full" as const, "partial" as const),
        (amount_minor, taken, amount, type) => {
          const refunded_minor = taken % (amount_minor + 1)
          const remaining = BigInt(amount_minor - refunded_minor)
          const outcome = decided(facts({ amount_minor, refunded_minor }), { amount, type })
          if (remaining === 0n) {
            expect(outcome).toBe("409 ALREADY_REFUNDED")
          } else if (amount !== undefined && amount > remaining) {
            expect(outcome).toBe("400 REFUND_EXCEEDED refund_amount")
          } else if (type === "full" && amount !== undefined && amount < remaining) {
            expect(outcome).toBe("422 VALIDATION_ERROR refund_amount")
          } else {
            const given = amount ?? remaining
            expect(outcome).toBe(`${given} ${type ?? (given < remaining ? "partial" : "full")}`)
          }
        }
      )
    )
  })

  it.each<[string, Unapproved, [number | null, number | null, number | null], boolean]>([
    ["BDT", sums(10_000n), [null, null, null], false],
    ["BDT", sums(10_000n), [10_000, 10_000, 10_000], false],
    ["BDT", sums(10_001n), [10_000, null, null], true],
    ["BDT", sums(1n), [0, null, null], true],
    ["BDT", sums(1n, 10_001n), [10_000, 10_000, null], true],
    ["BDT", sums(1n, 10_001n), [10_000, null, 10_000], false],
    ["BDT", sums(1n, 10_001n, 10_001n), [10_000, null, 10_000], true],
    ["USD", sums(1n), [10_000, null, null], true],
    ["USD", sums(1n), [null, 10_000, null], true],
    ["USD", sums(1n), [null, null, 10_000], true],
    ["USD", sums(1n), [null, null, null], false],
  ])(
    "decisions: Approval of refunds: in %s, sums of %p with the limits %p need approval: %s",
    (currency, unapproved, [threshold, daily, key], expected) => {
      const limits = {
        refund_approval_threshold_minor: threshold,
        refund_daily_limit_minor: daily,
        refund_daily_key_limit_minor: key,
      }
      expect(needsApproval(currency, unapproved, limits)).toBe(expected)
    }
  )

  const limits = [
    { role_id: "agent", amount_minor: 10_000 },
    { role_id: "lead", amount_minor: 50_000 },
  ]

  it.each<[string, readonly string[], bigint, bigint | null]>([
    ["BDT", ["agent"], 10_000n, null],
    ["BDT", ["agent"], 10_001n, 10_000n],
    ["BDT", ["lead", "agent"], 10_001n, null],
    ["BDT", ["agent", "lead"], 50_001n, 50_000n],
    ["BDT", ["agent", "accountant"], 10_001n, 10_000n],
    ["BDT", ["accountant"], 10_000_000n, null],
    ["BDT", [], 10_000_000n, null],
    ["USD", ["lead"], 1n, 50_000n],
    ["USD", ["accountant"], 1n, null],
  ])(
    "decisions: Approval of refunds: in %s, what admins with the roles %j give back (%s) is above the limit %s",
    (currency, roles, given_back, exceeded) => {
      expect(exceededRoleLimit({ currency, refund_role_limits: limits }, given_back, roles)).toBe(exceeded)
      expect(exceededRoleLimit({ currency, refund_role_limits: null }, given_back, roles)).toBeNull()
    }
  )

  it("decisions: Approval of refunds: the limit is the highest of the roles that have one, in any order", () => {
    const limit = fc.record({ role_id: fc.string(), amount_minor: fc.integer({ min: 1, max: 50_000_000 }) })
    const given = fc.uniqueArray(limit, { selector: ({ role_id }) => role_id, maxLength: 50 })
    fc.assert(
      fc.property(given, fc.array(fc.string()), fc.nat(), (all, others, chosen) => {
        const named = all.filter((_one, index) => index <= chosen % (all.length + 1))
        const roles = [...others, ...named.map(({ role_id }) => role_id)]
        const own = all.filter(({ role_id }) => roles.includes(role_id)).map(({ amount_minor }) => BigInt(amount_minor))
        const found = roleLimit(all, roles)
        expect(found === null).toBe(own.length === 0)
        expect(own.every((amount) => found !== null && amount <= found)).toBe(true)
        expect(found === null || own.includes(found)).toBe(true)
        expect(roleLimit(all, [...roles].reverse())).toBe(found)
      })
    )
  })

  it("docs/decisions/08: what is left of another currency than BDT is said with its code", () => {
    const reason = (currency: string) => {
      try {
        return decideRefund(facts({ currency }), { amount: 10_001n })
      } catch (error) {
        return (error as Error).message
      }
    }
    expect(reason("BDT")).toBe("At most 100.00 is left to refund")
    expect(reason("USD")).toBe("At most 100.00 USD is left to refund")
  })
})

describe("docs/decisions/06 — Medusa's own refund is on its order before the gateway has looked", () => {
  it.each([
    ["medusa", "waiting", "processing", "shown"],
    ["medusa", "waiting", "completed", "shown"],
    ["medusa", "waiting", "failed", "waiting"],
    ["gateway", "waiting", "completed", "waiting"],
    ["medusa", "undone", "completed", "undone"],
    ["medusa", "dropped", "processing", "dropped"],
  ] as const)("made by %s, %s, %s: %s", (origin, state, refund_state, shown) => {
    expect(stateOnOrder({ origin, state, refund_state })).toBe(shown)
  })
})

describe("docs/decisions/06 — why a refund was made", () => {
  it("a reason of the gateway's own is in the reader's language, what somebody wrote stays as it is", () => {
    const reasons = ["refused_at_door", "রং মেলেনি"].flatMap((reason) => [
      refundReasonText(reason, "en"),
      refundReasonText(reason, "bn"),
    ])
    expect(reasons).toEqual([
      "The order was refused at the door",
      "পণ্য হাতে পাওয়ার সময় ক্রেতা নেননি",
      "রং মেলেনি",
      "রং মেলেনি",
    ])
  })
})
