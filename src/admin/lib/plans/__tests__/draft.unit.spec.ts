import { NEW_PLAN, bodyOf, changeOf, draftOf } from "../plan-form"
import type { Plan } from "../parts"

const PLAN = {
  plan_name: "Tea",
  plan_description: null,
  amount: "500.00",
  interval_count: 1,
  interval_unit: "MONTH",
  trial_period_days: 14,
  trial_amount: null,
  meta_data: { plan_name_bn: "চা", shelf: 7 },
} as unknown as Plan
const OPENED = draftOf(PLAN)

describe("decision 11: the form of a plan sends what was changed in it", () => {
  it("and nothing else, so that it undoes no change that was made elsewhere meanwhile", () => {
    expect(changeOf(OPENED, OPENED, PLAN)).toEqual({})
    expect(changeOf({ ...OPENED, amount: "600" }, OPENED, PLAN)).toEqual({ amount: "600" })
    expect(changeOf({ ...OPENED, trial_period_days: " ", trial_amount: " 20 " }, OPENED, PLAN)).toEqual({
      trial_period_days: null,
      trial_amount: "20",
    })
  })

  it("the name in Bangla keeps the rest of the plan's data as it is by then", () => {
    const meanwhile = { ...PLAN, meta_data: { plan_name_bn: "চা", shelf: 8 } }
    expect(changeOf({ ...OPENED, plan_name_bn: "কফি" }, OPENED, meanwhile)).toEqual({
      meta_data: { plan_name_bn: "কফি", shelf: 8 },
    })
    expect(changeOf({ ...OPENED, plan_name_bn: "" }, OPENED, meanwhile)).toEqual({ meta_data: { shelf: 8 } })
  })

  it("a new plan is sent whole", () => {
    expect(bodyOf({ ...NEW_PLAN, plan_name: "Tea", amount: "500", plan_name_bn: "চা" })).toEqual({
      plan_name: "Tea",
      plan_description: "",
      family: "",
      amount: "500",
      interval_count: 1,
      interval_unit: "MONTH",
      trial_period_days: null,
      trial_amount: null,
      billing_cycles: 0,
      meta_data: { plan_name_bn: "চা" },
    })
  })
})
