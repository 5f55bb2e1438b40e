import { SUBSCRIPTION_STATES } from "../../subscriptions/states"
import { methodChangeOf, verificationAmount } from "../../subscriptions/verification-rules"
import { actionsOf, portalLoginPath, portalUrl } from "../rules"

describe("docs/decisions/18 — what a customer may do with a subscription", () => {
  it.each([
    ["PENDING", "cancel pay"],
    ["TRIALING", "cancel verify"],
    ["ACTIVE", "pause cancel verify"],
    ["PAST_DUE", "cancel pay"],
    ["PAUSED", "resume cancel verify"],
    ["CANCELLED", ""],
    ["EXPIRED", ""],
  ] as const)("%s: %s", (status, expected) => {
    const { method, ...allowed } = actionsOf({ status, payment_under_way: false })
    const names = Object.entries(allowed).flatMap(([name, isAllowed]) => (isAllowed ? [name] : []))
    expect([...names, ...(method === null ? [] : [method])].join(" ")).toBe(expected)
  })

  it("while a payment is under way no other one begins; all else stays", () => {
    for (const status of SUBSCRIPTION_STATES) {
      const rest = actionsOf({ status, payment_under_way: false })
      expect(actionsOf({ status, payment_under_way: true })).toEqual({ ...rest, method: null })
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
