import fc from "fast-check"
import { isLimited, personLocks, withoutTrial, type TrialPlan } from "../trial-rules"

const plan = (id: string, family: string | null, trial_period_days: number | null = 14): TrialPlan => ({
  id,
  family,
  trial_period_days,
})
const refusedOf = (plans: readonly TrialPlan[], had: readonly string[] = []) => {
  const lines = plans.map((one) => ({ plan: one }))
  const refused = withoutTrial(lines, new Set(had))
  return lines.map((line) => refused.has(line))
}

describe("decisions: One trial", () => {
  it.each([
    ["store", "store", true],
    ["store", "api", false],
    ["all", "store", true],
    ["all", "api", true],
    ["off", "store", false],
    ["off", "api", false],
  ] as const)("the setting %s limits subscriptions of the %s: %s", (mode, source, limits) => {
    expect(isLimited(mode, source)).toBe(limits)
  })

  it.each<[string, readonly TrialPlan[], readonly string[], readonly boolean[]]>([
    ["nobody had one", [plan("a", null)], [], [false]],
    ["the customer had one", [plan("a", null)], ["a"], [true]],
    ["a plan without a trial refuses none", [plan("a", "tea", null), plan("b", "tea", 0)], ["a", "b"], [false, false]],
    ["the first line of a family has it", [plan("a", "tea"), plan("b", "tea")], [], [false, true]],
    ["a line without a trial takes none", [plan("a", "tea", null), plan("b", "tea")], [], [false, false]],
    ["two lines of one plan", [plan("a", null), plan("a", null)], [], [false, true]],
    ["plans without a family share none", [plan("a", null), plan("b", null)], [], [false, false]],
    ["a family called as a plan is none", [plan("a", null), plan("b", "a")], [], [false, false]],
  ])("%s", (_name, plans, had, refused) => {
    expect(refusedOf(plans, had)).toEqual(refused)
  })

  it("of each family at most one line of a cart gets a trial, and none of a plan whose trial the customer had", () => {
    const plans = fc.array(
      fc.record({
        id: fc.constantFrom("a", "b", "c", "d"),
        family: fc.constantFrom(null, "tea", "coffee"),
        trial_period_days: fc.constantFrom(null, 0, 7),
      })
    )
    fc.assert(
      fc.property(plans, fc.subarray(["a", "b", "c", "d"]), (sold, had) => {
        const refused = refusedOf(sold, had)
        const given = sold.filter(({ trial_period_days }, index) => trial_period_days && !refused[index])
        expect(given.filter(({ id }) => had.includes(id))).toEqual([])
        const families = given.map(({ id, family }) => family ?? `plan ${id}`)
        expect(new Set(families).size).toBe(families.length)
      })
    )
  })

  it("two requests of one person share a lock by address, phone or account, and no other tenant's", () => {
    const tenant = { merchant_id: "mer_1", environment: "sandbox" } as const
    const person = { email: "Rahima@example.com", phone_e164: "+8801712345678", store_customer_id: "cus_1" }
    const locks = personLocks(tenant, person)
    expect(locks).toHaveLength(3)
    expect([...locks].sort()).toEqual(locks)
    for (const same of [
      { email: "rahima@EXAMPLE.com", phone_e164: null, store_customer_id: null },
      { ...person, email: "other@example.com", store_customer_id: null },
      { ...person, email: "other@example.com", phone_e164: null },
    ]) {
      expect(personLocks(tenant, same).some((lock) => locks.includes(lock))).toBe(true)
      const elsewhere = personLocks({ ...tenant, environment: "production" }, same)
      expect(elsewhere.some((lock) => locks.includes(lock))).toBe(false)
    }
  })
})
