import { TRANSACTION_STATES, transactionMachine, type TransactionState } from "../../payments/states"
import { repeatOf, type Repeat, type RepeatedOrder } from "../rules"

const now = new Date("2027-02-01T10:00:00Z")
const later = new Date("2027-02-01T10:00:01Z")
const order = { amount: 125_050n, currency: "BDT" }
const existing: RepeatedOrder = {
  source: "api",
  subscription_id: null,
  link_id: null,
  state: "OPEN",
  amount_minor: 125_050,
  currency: "BDT",
  expires_at: later,
}

describe("decisions: Compatible with shop modules — a checkout whose order_id exists", () => {
  const ended: Record<Exclude<TransactionState, "OPEN">, Repeat> = {
    PROCESSING: "in_doubt",
    HELD: "in_doubt",
    AUTHORIZED: "used",
    SUCCESS: "used",
    REFUNDED: "used",
    FAILED: "replace",
    CANCELLED: "replace",
    EXPIRED: "replace",
  }

  it.each(Object.entries(ended) as [TransactionState, Repeat][])(
    "%s: %s, whatever the order and the time",
    (state, repeat) => {
      for (const change of [{}, { amount_minor: 1 }, { currency: "USD" }, { expires_at: now }]) {
        expect(repeatOf({ ...existing, state, ...change }, order, now)).toBe(repeat)
      }
    }
  )

  it("no money is taken from a state in which a session can be replaced: it has no transition", () => {
    const replaced = Object.entries(ended).flatMap(([state, repeat]) => (repeat === "replace" ? [state] : []))
    expect(replaced).toHaveLength(3)
    expect(transactionMachine.transitions.filter(({ from }) => replaced.includes(from))).toEqual([])
  })

  it("every state is decided", () => {
    expect(Object.keys(ended).concat("OPEN").sort()).toEqual([...TRANSACTION_STATES].sort())
  })

  it.each([
    ["the same order", {}, "same"],
    ["another amount", { amount_minor: 125_051 }, "expire"],
    ["another currency", { currency: "USD" }, "expire"],
    ["the same order, whose time is up", { expires_at: now }, "expire"],
    ["a cart's", { source: "cart" }, "used"],
    ["a renewal's", { source: "billing" }, "used"],
    ["a subscription's", { subscription_id: "sub_1" }, "used"],
  ] as [string, Partial<RepeatedOrder>, Repeat][])("OPEN, %s: %p is %s", (_name, change, repeat) => {
    expect(repeatOf({ ...existing, ...change }, order, now)).toBe(repeat)
  })

  it.each(["cart", "billing"] as const)("the order_id of a %s is never given up, even unpaid", (source) => {
    expect(repeatOf({ ...existing, source, state: "EXPIRED" }, order, now)).toBe("used")
  })
})
