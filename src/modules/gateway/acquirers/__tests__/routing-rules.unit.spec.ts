import fc from "fast-check"
import type { Route } from "../../merchants/payment-services"
import { askingOrder, type RoutedPayment } from "../routing-rules"

const route = (acquirer: string, of: Partial<Route> = {}): Route => {
  return { acquirer, share: null, from_minor: null, to_minor: null, ...of }
}
const payment = (of: Partial<RoutedPayment> = {}): RoutedPayment => {
  return { transaction_id: "txn_1", amount_minor: 100_000, currency: "BDT", ...of }
}
const ALL = ["a", "b", "c"]

describe("docs/decisions/15 — the order in which acquirers are asked", () => {
  it.each<[string, Route[], Partial<RoutedPayment>, string[]]>([
    ["nothing is said: as they come", [], {}, ["a", "b", "c"]],
    ["those that are named, in order; then the others", [route("c"), route("b")], {}, ["c", "b", "a"]],
    ["one that is not possible is left out", [route("x"), route("b")], {}, ["b", "a", "c"]],
    [
      "an amount within the limits, both included",
      [route("b", { from_minor: 100_000, to_minor: 100_000 }), route("a")],
      {},
      ["b", "a", "c"],
    ],
    ["above them: last", [route("b", { to_minor: 99_999 }), route("a")], {}, ["a", "c", "b"]],
    ["below them: last", [route("b", { from_minor: 100_001 }), route("a")], {}, ["a", "c", "b"]],
    ["limits are in taka", [route("b", { to_minor: 1 })], { currency: "USD" }, ["b", "a", "c"]],
    ["the only share wins over those without", [route("a"), route("b", { share: 1 })], {}, ["b", "a", "c"]],
    [
      "a share counts only within the limits",
      [route("b", { share: 100, to_minor: 1 }), route("c", { share: 1 })],
      {},
      ["c", "a", "b"],
    ],
  ])("%s", (_what, routes, of, order) => {
    expect(askingOrder(ALL, routes, payment(of))).toEqual(order)
  })

  it("nine of ten payments for 90 and 10, drawn the same way each time", () => {
    const routes = [route("a", { share: 90 }), route("b", { share: 10 })]
    const first = (at: number) => askingOrder(ALL, routes, payment({ transaction_id: `txn_${at}` }))[0]
    const drawn = Array.from({ length: 5_000 }, (_, at) => first(at))
    const ofB = drawn.filter((id) => id === "b").length
    // Ten standard deviations: the draw is a hash, so this cannot change from run to run.
    expect(Math.abs(ofB - 500)).toBeLessThan(212)
    expect(drawn).toEqual(Array.from({ length: 5_000 }, (_, at) => first(at)))
  })

  it("asks each possible acquirer once, whatever is said of them", () => {
    const limit = fc.option(fc.nat(200_000), { nil: null })
    const share = fc.option(fc.integer({ min: 1, max: 100 }), { nil: null })
    const routes = fc.uniqueArray(
      fc.record({ acquirer: fc.constantFrom("a", "b", "c", "d"), share, from_minor: limit, to_minor: limit }),
      { selector: ({ acquirer }) => acquirer }
    )
    fc.assert(
      fc.property(routes, fc.nat(200_000), fc.string(), (some, amount_minor, transaction_id) => {
        const order = askingOrder(ALL, some, payment({ amount_minor, transaction_id }))
        expect([...order].sort()).toEqual(ALL)
      })
    )
  })
})
