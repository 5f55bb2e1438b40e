import { nextDeliverySeconds } from "../retries"

const MINUTE = 60
const HOUR = 3_600
const DAY = 86_400

describe("decisions: Webhooks — when a failed delivery is tried again", () => {
  it("after 1 min, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h and 24 h; then never", () => {
    const waits = Array.from({ length: 10 }, (_, index) => nextDeliverySeconds(index + 1, 0))
    const expected = [MINUTE, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 14 * HOUR, 20 * HOUR, DAY]
    expect(waits).toEqual([...expected, null])
  })

  it("up to a tenth later, never earlier", () => {
    expect(nextDeliverySeconds(1, 0.5)).toBeCloseTo(1.05 * MINUTE)
    expect(nextDeliverySeconds(1, 0.999)).toBeLessThan(1.1 * MINUTE)
  })

  it("the receiver's Retry-After delays it by up to a day, never advances it, and brings no failed one back", () => {
    expect(nextDeliverySeconds(1, 0, 10 * MINUTE)).toBe(10 * MINUTE)
    expect(nextDeliverySeconds(2, 0, 1)).toBe(5 * MINUTE)
    expect(nextDeliverySeconds(1, 0, 7 * DAY)).toBe(DAY)
    expect(nextDeliverySeconds(10, 0, HOUR)).toBeNull()
  })
})
