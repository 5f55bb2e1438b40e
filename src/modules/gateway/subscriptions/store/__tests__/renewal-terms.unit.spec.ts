import { renewalAfter, renewalOfNew } from "../renewal-terms"
import { changeEnd } from "../../end-rules"
import { openBounds, type Lifecycle } from "../../lifecycle"
import { begin, cancel, chargeFailed, pause, payOpen } from "../../rules"

const at = (text: string) => new Date(`${text}T00:00:00Z`)
const day = (date: Date | null | undefined) => date?.toISOString().slice(0, 10)
const MONTHLY = {
  time_zone: "UTC",
  amount_minor: 50_000,
  quantity: 1,
  interval_count: 1,
  interval_unit: "MONTH" as const,
  trial_period_days: null,
  trial_amount_minor: null,
}
const paid = (lifecycle: Lifecycle, when: string): Lifecycle =>
  payOpen(lifecycle, at(when), openBounds(lifecycle, at(when))).next
const active = paid(begin(MONTHLY, at("2027-01-31")).next, "2027-01-31")
const failed = chargeFailed(active, at("2027-02-28"), () => at("2027-03-01"), false).next

describe("what renews after a payment (docs/decisions/07)", () => {
  it.each<[string, Lifecycle, string, string]>([
    ["the first period paid today", begin(MONTHLY, at("2027-01-31")).next, "2027-01-31", "2027-02-28"],
    ["the next one in advance", active, "2027-02-10", "2027-03-31"],
    ["the one that failed", failed, "2027-03-05", "2027-03-31"],
    [
      "the one that failed, so late that the next is due as well: that one comes at once",
      failed,
      "2027-04-20",
      "2027-04-20",
    ],
    ["a paused one, which resumes", pause(active, at("2027-02-10")).next, "2027-02-20", "2027-04-10"],
    [
      "a paid trial",
      begin({ ...MONTHLY, trial_period_days: 14, trial_amount_minor: 100 }, at("2027-01-01")).next,
      "2027-01-01",
      "2027-01-15",
    ],
    [
      "the first full period during a trial",
      begin({ ...MONTHLY, trial_period_days: 14 }, at("2027-01-01")).next,
      "2027-01-10",
      "2027-02-15",
    ],
  ])("%s", (_what, lifecycle, when, first) => {
    const renewal = renewalAfter(lifecycle, at(when))
    expect(renewal).toMatchObject({ amount_minor: 50_000, interval_count: 1, interval_unit: "MONTH" })
    expect(day(renewal?.first_at)).toBe(first)
    const next = paid(lifecycle, when).next_billing_date
    expect(renewal?.first_at).toEqual(next && next > at(when) ? next : at(when))
  })

  it("nothing, once it has been cancelled", () => {
    expect(
      renewalAfter(cancel(active, at("2027-02-10"), { atPeriodEnd: true, reason: null }).next, at("2027-02-11"))
    ).toBeNull()
  })

  it("decisions: An end — how many payments there are with this one, or after a trial, and when there are none", () => {
    const ended = (cycles: number, trial: number | null = null, price: number | null = null) => {
      const terms = { ...MONTHLY, billing_cycles: cycles, trial_period_days: trial, trial_amount_minor: price }
      return renewalOfNew(terms, at("2027-01-01"))
    }
    expect(ended(12)).toMatchObject({ first_at: at("2027-02-01"), end: { cycles: 12, with_this: true } })
    expect(ended(12, 14, 5_000)).toMatchObject({
      first_at: at("2027-01-15"),
      end: { cycles: 12, with_this: false },
    })
    expect(ended(1)).toMatchObject({ first_at: null, end: { cycles: 1, with_this: true } })
    const until = changeEnd(active, { ends_at: at("2027-03-20") }, at("2027-02-10"))
    expect(renewalAfter(until, at("2027-02-10"))).toMatchObject({ first_at: null, end: { from: at("2027-03-20") } })
    expect(renewalAfter(active, at("2027-02-10"))).toMatchObject({ end: null })
  })

  it("a new one begins with the payment", () => {
    expect(day(renewalOfNew({ ...MONTHLY, interval_unit: "YEAR" }, at("2028-02-29"))?.first_at)).toBe("2029-02-28")
  })
})
