import { SUBSCRIPTION_STATES } from "../../subscriptions/states"
import { methodChangeOf, verificationAmount } from "../../subscriptions/verification-rules"
import { actionsOf, portalLoginPath, portalUrl } from "../rules"

const NOW = new Date("2027-03-10T00:00:00Z")
const END = new Date("2027-04-01T00:00:00Z")
const START = new Date("2027-03-01T00:00:00Z")
const RUNNING = {
  source: "api" as const,
  cancel_at_period_end: false,
  current_period_start: START,
  current_period_end: END,
}

describe("docs/decisions/18 — what a customer may do with a subscription", () => {
  it.each([
    ["PENDING", "cancel pay"],
    ["TRIALING", "cancel plan verify"],
    ["ACTIVE", "pause cancel plan verify"],
    ["PAST_DUE", "cancel plan pay"],
    ["PAUSED", "resume cancel plan verify"],
    ["CANCELLED", ""],
    ["EXPIRED", ""],
  ] as const)("%s: %s", (status, expected) => {
    const { method, ...allowed } = actionsOf({ status, ...RUNNING, payment_under_way: false }, NOW)
    const names = Object.entries(allowed).flatMap(([name, isAllowed]) => (isAllowed ? [name] : []))
    expect([...names, ...(method === null ? [] : [method])].join(" ")).toBe(expected)
  })

  it.each([
    ["until the period's end", { status: "CANCELLED", cancel_at_period_end: true, current_period_end: END }, true],
    ["not at its end", { status: "CANCELLED", cancel_at_period_end: true, current_period_end: NOW }, false],
    [
      "not one that took effect at once",
      { status: "CANCELLED", cancel_at_period_end: false, current_period_end: END },
      false,
    ],
    ["not one without a period", { status: "CANCELLED", cancel_at_period_end: true, current_period_end: null }, false],
    [
      "not one whose first payment came after it",
      { status: "CANCELLED", cancel_at_period_end: true, current_period_start: null, current_period_end: END },
      false,
    ],
    ["not an ended one", { status: "EXPIRED", cancel_at_period_end: true, current_period_end: END }, false],
    ["not a running one", { status: "ACTIVE", cancel_at_period_end: false, current_period_end: END }, false],
  ] as const)("docs/decisions/11: a cancellation can be undone %s", (_name, subscription, expected) => {
    const undone = { source: "api" as const, current_period_start: START, ...subscription, payment_under_way: false }
    expect(actionsOf(undone, NOW).uncancel).toBe(expected)
  })

  it("docs/decisions/13: goods of the store change with the next period, and not while one is overdue", () => {
    const offered = SUBSCRIPTION_STATES.filter(
      (status) => actionsOf({ ...RUNNING, source: "store", status, payment_under_way: false }, NOW).plan
    )
    expect(offered).toEqual(["TRIALING", "ACTIVE", "PAUSED"])
  })

  it("while a payment is under way no other one begins, nor a switch of plan; all else stays", () => {
    for (const status of SUBSCRIPTION_STATES) {
      const rest = actionsOf({ status, ...RUNNING, payment_under_way: false }, NOW)
      expect(actionsOf({ status, ...RUNNING, payment_under_way: true }, NOW)).toEqual({
        ...rest,
        plan: false,
        method: null,
      })
    }
  })

  it("a new method costs the open period exactly where that is owed, and otherwise what a checkout takes at least", () => {
    expect(SUBSCRIPTION_STATES.filter((status) => methodChangeOf(status) === "pay")).toEqual(["PENDING", "PAST_DUE"])
    expect([verificationAmount("BDT"), verificationAmount("USD")]).toEqual([10_000n, 50n])
  })

  it("the addresses of a link and of the page that asks for one", () => {
    expect(portalUrl("https://pay.example.com", "ptl_1")).toBe("https://pay.example.com/portal/ptl_1")
    expect(portalLoginPath({ merchant_id: "mer_1", environment: "production" })).toBe("/portal/mer_1")
    expect(portalLoginPath({ merchant_id: "mer_1", environment: "sandbox" })).toBe("/portal/mer_1/sandbox")
  })
})
