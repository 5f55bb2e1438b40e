import { nextAskAt } from "../remote-schedule"

const at = (minutes: number) => new Date(Date.UTC(2026, 10, 26, 10, 0) + minutes * 60_000)
const payment = { created_at: at(0), updated_at: at(0), expires_at: at(30) }
const minutesOf = (date: Date) => (date.getTime() - at(0).getTime()) / 60_000

describe("when the worker asks about a payment of another deployment", () => {
  it.each([
    [0, 1],
    [1, 3],
    [3, 10],
    [10, 30.5],
    [30.5, 35],
    [35, 90],
    [90, 90 + 1_440],
    [10_000, 10_000 + 1_440],
  ])("an open checkout after %p minutes: at %p", (now, next) => {
    expect(minutesOf(nextAskAt({ ...payment, status: "PENDING" }, at(now)))).toBe(next)
  })

  it("a longer checkout is asked about before it ends, too", () => {
    expect(minutesOf(nextAskAt({ ...payment, expires_at: at(60), status: "PENDING" }, at(10)))).toBe(30)
    expect(minutesOf(nextAskAt({ ...payment, expires_at: at(60), status: "PENDING" }, at(30)))).toBe(60.5)
  })

  it.each([
    [20, 21],
    [21, 23],
    [23, 30],
    [30, 80],
    [80, 380],
    [380, 380 + 1_440],
  ])("one whose outcome is known since minute 20, after %p minutes: at %p", (now, next) => {
    for (const status of ["SUCCESS", "EXPIRED"] as const) {
      expect(minutesOf(nextAskAt({ ...payment, updated_at: at(20), status }, at(now)))).toBe(next)
    }
  })
})
