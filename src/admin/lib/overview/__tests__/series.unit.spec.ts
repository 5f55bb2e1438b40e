import { type Day, barsOf } from "../bar-chart"

function days(from: string, count: number): Day[] {
  return Array.from({ length: count }, (_, index) => {
    const date = new Date(Date.parse(from) + index * 86_400_000).toISOString().slice(0, 10)
    return { date, paid: 1, failed: 2, amount: "0.10", fees: "0.00", refunded: "90071992547409.93" }
  })
}

it("a bar is a day, up to three months", () => {
  expect(barsOf(days("2026-01-01", 92))).toHaveLength(92)
})

it("a bar of a longer period is a month, added up exactly", () => {
  const bars = barsOf(days("2026-01-15", 93))
  expect(bars.map(({ from, to, paid, failed }) => [from, to, paid, failed])).toEqual([
    ["2026-01-15", "2026-01-31", 17, 34],
    ["2026-02-01", "2026-02-28", 28, 56],
    ["2026-03-01", "2026-03-31", 31, 62],
    ["2026-04-01", "2026-04-17", 17, 34],
  ])
  expect(bars[0]).toMatchObject({ amount: "1.70", refunded: "1531223873305968.81" })
})
