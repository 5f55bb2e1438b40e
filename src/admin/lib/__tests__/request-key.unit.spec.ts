import { isUnanswered, withoutKey, withRequest, type Unanswered } from "../request-key"

const HOUR_MS = 60 * 60 * 1_000
const NOW = Date.UTC(2026, 10, 26)
const [first, second] = [
  '{"transaction_id":"txn_1","refund_amount":"400"}',
  '{"transaction_id":"txn_1","refund_amount":"500"}',
]

const keyOf = (sent: Unanswered, request: string) => sent[request]?.key

describe("the key of a request without an answer", () => {
  const sent = withRequest({}, first, "one", NOW)

  it("is that of the same request later, whichever form sends it", () => {
    expect(keyOf(withRequest(sent, first, "two", NOW + HOUR_MS), first)).toBe("one")
  })

  it("says that the request may have been done before", () => {
    expect([first, second].map((request) => isUnanswered(sent, request, NOW + HOUR_MS))).toEqual([true, false])
    expect(isUnanswered(sent, first, NOW + 24 * HOUR_MS)).toBe(false)
  })

  it("is not that of another request", () => {
    const both = withRequest(sent, second, "two", NOW)
    expect([keyOf(both, first), keyOf(both, second)]).toEqual(["one", "two"])
  })

  it("is over after 24 hours from the first time, as for the server", () => {
    const again = withRequest(sent, first, "two", NOW + 23 * HOUR_MS)
    expect(keyOf(withRequest(again, first, "three", NOW + 24 * HOUR_MS - 1), first)).toBe("one")
    expect(keyOf(withRequest(again, first, "three", NOW + 24 * HOUR_MS), first)).toBe("three")
    expect(Object.keys(withRequest(again, second, "three", NOW + 24 * HOUR_MS))).toEqual([second])
  })

  it("is over once a request under it has succeeded: all that were sent with it are answered", () => {
    const both = withRequest(withRequest(sent, second, "one", NOW), '{"transaction_id":"txn_2"}', "two", NOW)
    expect(Object.values(withoutKey(both, "one")).map(({ key }) => key)).toEqual(["two"])
  })
})
