import { closest, type Choice } from "../renewals/other-plans"

const coffee = (id: string, grind: string, interval: string, product = "coffee"): Choice => ({
  id,
  product: { id: product },
  options: [
    { value: grind, option: { title: "Grind" } },
    { value: interval, option: { title: "Interval" } },
  ],
})
const GROUND_WEEKLY = coffee("var_gw", "ground", "weekly")
const GROUND_MONTHLY = coffee("var_gm", "ground", "monthly")
const BEANS_MONTHLY = coffee("var_bm", "beans", "monthly")
const OTHER = coffee("var_o", "ground", "weekly", "espresso")
const PLAIN: Choice = { id: "var_p", product: { id: "tea" }, options: [] }

describe("docs/decisions/13 — which goods of another plan are sent", () => {
  it.each<[string, Choice | undefined, Choice[], string | undefined]>([
    ["the same grind", GROUND_WEEKLY, [BEANS_MONTHLY, GROUND_MONTHLY], "var_gm"],
    ["its own goods, on the same plan at its new price", GROUND_WEEKLY, [GROUND_MONTHLY, GROUND_WEEKLY], "var_gw"],
    ["the same product before a better match of another", GROUND_WEEKLY, [OTHER, BEANS_MONTHLY], "var_bm"],
    ["another product where it is the only one", GROUND_WEEKLY, [PLAIN], "var_p"],
    [
      "of another product those with the same options",
      BEANS_MONTHLY,
      [PLAIN, { ...BEANS_MONTHLY, id: "x", product: { id: "y" } }],
      "x",
    ],
    ["none where two are equally alike", GROUND_WEEKLY, [PLAIN, { ...PLAIN, id: "var_q" }], undefined],
    ["the only one when its own are gone", undefined, [PLAIN], "var_p"],
    ["none", GROUND_WEEKLY, [], undefined],
  ])("%s", (_name, own, choices, expected) => {
    expect(closest(own, choices)?.id).toBe(expected)
    expect(closest(own, [...choices].reverse())?.id).toBe(expected)
  })
})
