import { changeOf, mayExceed, ruleDraft, type Draft } from "../draft"

const RULE = {
  advance: "percent" as const,
  amount: null,
  percent: "12.50",
  districts: ["Dhaka", "Sylhet"],
  total_from: null,
  total_to: "3000.00",
  delivered_from: 0,
  delivered_to: null,
  refused_from: 2,
}

const opened: Draft = { rules: [ruleDraft(RULE), ruleDraft()], late_after_days: "7", refused_advance: "keep" }

describe("the rules of cash on delivery as a form", () => {
  it("sends nothing of what is as it was opened", () => {
    expect(changeOf({ ...opened, rules: [...opened.rules] }, opened)).toEqual({})
    expect(changeOf({ ...opened, late_after_days: "5" }, opened)).toEqual({ late_after_days: 5 })
  })

  it("sends what is no number as it is, for the API to refuse: left out, a condition would hold for everybody", () => {
    const [first] = opened.rules
    const change = changeOf(
      { ...opened, late_after_days: "soon", rules: [{ ...first, delivered_from: "two" }] },
      opened
    )
    expect(JSON.parse(JSON.stringify(change))).toMatchObject({
      late_after_days: "soon",
      rules: [{ delivered_from: "two", refused_from: 2 }],
    })
  })

  it("sends all rules in their order once one has moved, without what another kind of advance says", () => {
    const [first, second] = opened.rules
    const { rules } = changeOf(
      { ...opened, rules: [second, { ...first, advance: "none", districts: " Dhaka ,, " }] },
      opened
    ) as {
      rules: object[]
    }
    expect(JSON.parse(JSON.stringify(rules))).toEqual([
      { advance: "delivery" },
      { advance: "none", districts: ["Dhaka"], total_to: "3000.00", delivered_from: 0, refused_from: 2 },
    ])
  })

  it.each([
    ["percent", "10.00", false],
    ["percent", "10.01", true],
    ["none", null, false],
    ["fixed", null, true],
    ["delivery", null, true],
  ] as const)("an advance of %s %s may be above a tenth: %s", (advance, percent, exceeds) => {
    expect(mayExceed({ advance, percent }, "10.00")).toBe(exceeds)
  })
})
