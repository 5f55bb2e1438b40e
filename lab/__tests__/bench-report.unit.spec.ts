import { join } from "node:path"
import { load } from "../../scripts/__tests__/load.cjs"

type Report = {
  planReport(plans: Record<string, string>, empty?: string[]): { text: string; scanning: string[] }
  scannedIn(plan: string): string[]
  table(measurement: { title: string; figures: object; ratios: Ratio[] }): string
}
type Ratio = { of: string; by: string; aim: number | null; rps: number; cpu: number }

const report = load<Report>(join(__dirname, "../bench/report.mjs"))

describe("the benchmark's report of plans", () => {
  const PLANS = {
    gateway_verify: "Index Scan using gateway_transaction_pkey on gateway_transaction t",
    gateway_emi: "Nested Loop\n  ->  Seq Scan on gateway_emi_plan p\n  ->  Seq Scan on gateway_emi_configuration",
  }

  it("finds the tables that are read as a whole", async () => {
    const { scannedIn } = await report
    expect(scannedIn(PLANS.gateway_emi)).toEqual(["gateway_emi_plan", "gateway_emi_configuration"])
    expect(scannedIn(PLANS.gateway_verify)).toEqual([])
  })

  it("complains about one with rows, and not about one without", async () => {
    const { planReport } = await report
    expect(planReport(PLANS).scanning).toEqual(["gateway_emi"])
    expect(planReport(PLANS, ["gateway_emi_plan"]).scanning).toEqual(["gateway_emi"])
    expect(planReport(PLANS, ["gateway_emi_plan", "gateway_emi_configuration"]).scanning).toEqual([])
  })
})

describe("the benchmark's table", () => {
  it("judges an aim by processor time, whatever the requests per second say", async () => {
    const { table } = await report
    const ratio = { of: "checkout", by: "cart", aim: 70 }
    const verdictOf = (rps: number, cpu: number) => table({ title: "", figures: {}, ratios: [{ ...ratio, rps, cpu }] })
    expect(verdictOf(69, 70)).toMatch(/ 69\.0 +70\.0 +aim 70 by CPU: reached$/m)
    expect(verdictOf(71, 69)).toMatch(/ 71\.0 +69\.0 +aim 70 by CPU: not reached$/m)
  })
})
