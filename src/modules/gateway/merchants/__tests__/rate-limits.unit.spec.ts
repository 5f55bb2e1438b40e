import { PerMinute } from "../rate-limits"

describe("decisions: Origins — what strangers make the gateway write is bounded", () => {
  it("grants a key as many as the limit says, and again in the next minute", () => {
    const counter = new PerMinute(2)
    const granted = (key: string, now: number) => counter.take(key, now)
    expect([granted("a", 0), granted("a", 1), granted("a", 59_999), granted("b", 59_999)]).toEqual([
      true,
      true,
      false,
      true,
    ])
    expect(granted("a", 60_000)).toBe(true)
  })

  it("a million keys share one count after the first thousand", () => {
    const counter = new PerMinute(2)
    let granted = 0
    for (let key = 0; key < 1_000_000; key += 1) {
      granted += counter.take(String(key), 0) ? 1 : 0
    }
    expect(granted).toBe(1_002)
  })
})
