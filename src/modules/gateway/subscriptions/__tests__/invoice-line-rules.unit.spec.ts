import fc from "fast-check"
import { periodLines, periodPrice, shareOut, totalOf, type InvoiceLine } from "../invoice-line-rules"

const line = (kind: InvoiceLine["kind"], amount_minor: number): InvoiceLine => ({
  kind,
  name: null,
  quantity: 1,
  amount_minor,
  discount_minor: 0,
  tax_minor: 0,
})

describe("decisions/13 — the invoices of a cart's payment", () => {
  it("one plan has everything", () => {
    const shares = shareOut([line("plan", 60_000)], [line("goods", 10_000), line("delivery", 7_000)], {
      main: 0,
      total: 77_000,
    })
    expect(shares.map((lines) => lines.map(({ kind }) => kind))).toEqual([["plan", "goods", "delivery"]])
  })

  it("what the lines do not explain is a line of its own, and no invoice falls below zero", () => {
    const shares = shareOut([line("plan", 10_000), line("plan", 60_000)], [], { main: 0, total: 40_000 })
    expect(shares.map((lines) => lines.map(({ kind, amount_minor }) => [kind, amount_minor]))).toEqual([
      [
        ["plan", 10_000],
        ["adjustment", -10_000],
      ],
      [
        ["plan", 60_000],
        ["adjustment", -20_000],
      ],
    ])
  })

  it("together they are what was paid, each at least zero, for any cart", () => {
    const amounts = fc.array(fc.integer({ min: 0, max: 50_000_000 }), { maxLength: 5 })
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 0, max: 50_000_000 }), { minLength: 1, maxLength: 4 }),
        amounts,
        fc.nat(300_000_000),
        fc.nat(),
        (plans, others, total, seed) => {
          const shares = shareOut(
            plans.map((amount) => line("plan", amount)),
            others.map((amount) => line("goods", amount)),
            { main: seed % plans.length, total }
          )
          expect(totalOf(shares.flat())).toBe(total)
          expect(shares.map(totalOf).every((sum) => sum >= 0)).toBe(true)
          expect(shares.map((lines) => lines.filter(({ kind }) => kind === "plan").length)).toEqual(plans.map(() => 1))
        }
      )
    )
  })

  it.each([
    [[line("plan", 60_000), line("delivery", 7_000)], true, 67_000],
    [[line("plan", 60_000), line("delivery", 7_000), line("goods", 10_000)], true, 67_000],
    [[line("plan", 60_000), line("delivery", 7_000), line("goods", 10_000)], false, 60_000],
    [[line("plan", 60_000), line("goods", 10_000), line("adjustment", -40_000)], false, 30_000],
  ])("%j, sent: %p: the period is %p", (lines, isSent, price) => {
    expect(periodPrice(lines, isSent)).toBe(price)
  })
})

describe("decisions: Quantity — the lines of a period", () => {
  const bounds = { start: new Date("2026-06-01T06:00:00Z"), end: new Date("2026-07-01T06:00:00Z") }
  const days = { start: bounds.start.toISOString(), end: bounds.end.toISOString() }
  const names = { plan_name: "Team", plan_name_bn: null }
  const row = { ...names, credits: [], source: "api" as const, amount_minor: 100_000, open_price_minor: null }
  const whole = { credit_minor: 0, bounds }
  const shown = (lines: ReturnType<typeof periodLines>) =>
    lines?.map(({ kind, quantity, unit_minor, amount_minor }) => [kind, quantity, unit_minor, amount_minor]) ?? null

  it.each([
    ["one has no lines of its own", row, { quantity: 1, amount_minor: 20_000 }, null],
    ["several have the price of one", row, { quantity: 5, amount_minor: 100_000 }, [["plan", 5, 20_000, 100_000]]],
    [
      "the rest of a period has none, because its price is one of days",
      { ...row, open_price_minor: 50_000 },
      { quantity: 5, amount_minor: 50_000 },
      [["plan", 5, undefined, 50_000]],
    ],
    [
      "the rest of a period that is all of it has one",
      { ...row, open_price_minor: 100_000 },
      { quantity: 5, amount_minor: 100_000 },
      [["plan", 5, 20_000, 100_000]],
    ],
    ["goods have the lines of the store", { ...row, source: "store" as const }, { quantity: 5, amount_minor: 1 }, null],
  ])("%s", (_, of, price, lines) => {
    expect(shown(periodLines(of, { ...whole, ...price }))).toEqual(lines)
  })

  it("a credit is of as many as its period was", () => {
    const credits = [{ ...names, ...days, amount_minor: 30_000, quantity: 3 }]
    const lines = periodLines({ ...row, credits }, { quantity: 5, amount_minor: 70_000, credit_minor: 30_000, bounds })
    expect(shown(lines)).toEqual([
      ["plan", 5, 20_000, 100_000],
      ["credit", 3, undefined, -30_000],
    ])
    expect(lines?.[1].credit).toEqual({ plan_name_bn: null, ...days })
  })
})
