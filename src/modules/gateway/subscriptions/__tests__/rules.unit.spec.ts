import fc from "fast-check"
import { INTERVAL_UNITS, periodStart, type IntervalUnit } from "../../kernel/money/calendar"
import { nextRetryAt, type Dunning } from "../billing/dunning"
import { mayUncancel, uncancel } from "../cancellation-rules"
import { changeTerms } from "../change-rules"
import { dueAt, dueStep } from "../due-step"
import { complete } from "../end-rules"
import { openAmount, openBounds, openPeriod, type Lifecycle } from "../lifecycle"
import {
  begin,
  cancel,
  chargeFailed,
  chargeSucceeded,
  endTrial,
  expire,
  pause,
  payOpen,
  resume,
  rollOver,
  skipOpen,
  notifyTrialEnding,
  type Change,
} from "../rules"

const DAY_MS = 86_400_000
const USUAL: Dunning = { retryDays: [1, 3, 5, 7], afterLast: "cancel" }
const at = (text: string) => new Date(`${text}T00:00:00Z`)
const day = (date: Date | null) => (date === null ? null : date.toISOString().slice(0, 10))
const MONTHLY = {
  time_zone: "UTC",
  amount_minor: 50_000,
  quantity: 1,
  interval_count: 1,
  interval_unit: "MONTH" as const,
  trial_period_days: null,
  trial_amount_minor: null,
}

const paid = (lifecycle: Lifecycle, when: Date): Lifecycle => payOpen(lifecycle, when, openBounds(lifecycle, when)).next
const charged = (lifecycle: Lifecycle, when: Date): Lifecycle =>
  chargeSucceeded(lifecycle, when, openBounds(lifecycle, when)).next
const retry = (when: Date) => (first: Date, failures: number) =>
  nextRetryAt(USUAL, { firstFailure: first, failures, now: when }, "UTC")
const failed = (lifecycle: Lifecycle, when: Date): Change => chargeFailed(lifecycle, when, retry(when), true)
const active = (from: string): Lifecycle => paid(begin(MONTHLY, at(from)).next, at(from))

/** Charges whatever falls due up to a date, as billing does, and lists the days. */
function runTo(lifecycle: Lifecycle, until: Date): { lifecycle: Lifecycle; days: string[] } {
  const days: string[] = []
  for (let due = dueAt(lifecycle, false); due !== null && due <= until; due = dueAt(lifecycle, false)) {
    days.push(String(day(due)))
    lifecycle = step(lifecycle, due)
  }
  return { lifecycle, days }
}

function step(lifecycle: Lifecycle, due: Date): Lifecycle {
  switch (dueStep(lifecycle)) {
    case "change":
    case "cover":
      throw new Error("nothing is switched here")
    case "charge":
      return charged(lifecycle, due)
    case "notify_trial_ending":
      return notifyTrialEnding(lifecycle).next
    case "end_trial":
      return endTrial(lifecycle, nextBounds(lifecycle)).next
    case "roll_over":
      return rollOver(lifecycle, nextBounds(lifecycle))
    case "expire":
      return expire(lifecycle, due).next
    case "complete":
      return complete(lifecycle, due).next
    case null:
      throw new Error("due without a step")
  }
}

const start = fc.date({ min: new Date("2020-01-01"), max: new Date("2060-01-01"), noInvalidDate: true })

/** While at most one period is paid ahead, its bounds follow from the lifecycle itself. */
function nextBounds(lifecycle: Lifecycle) {
  return { start: lifecycle.current_period_end as Date, end: lifecycle.next_billing_date as Date }
}

describe("decisions: Plans and subscriptions — a subscription begins", () => {
  it("without a trial it waits for its first payment, whose moment is the anchor", () => {
    const { next, emits } = begin(MONTHLY, at("2026-01-20"))
    expect([next.status, emits]).toEqual(["PENDING", ["subscription.created"]])
    expect([openPeriod(next), openAmount(next)]).toEqual([1, 50_000])
    const change = payOpen(next, at("2026-01-31"), openBounds(next, at("2026-01-31")))
    expect(change.emits).toEqual(["subscription.payment_succeeded", "subscription.activated"])
    expect(change.next).toMatchObject({
      status: "ACTIVE",
      current_period: 1,
      billing_cycle_count: 1,
      anchor_at: at("2026-01-31"),
    })
    expect(day(change.next.next_billing_date)).toBe("2026-02-28")
  })

  it("with a free trial it is TRIALING at once, and the first full period starts at its end", () => {
    const { next, emits } = begin({ ...MONTHLY, trial_period_days: 14 }, at("2026-01-17"))
    expect([next.status, emits]).toEqual(["TRIALING", ["subscription.created", "subscription.trial_started"]])
    const end = charged(notifyTrialEnding(next).next, at("2026-01-31"))
    expect(end).toMatchObject({ status: "ACTIVE", current_period: 1, billing_cycle_count: 1 })
    expect(day(end.next_billing_date)).toBe("2026-02-28")
  })

  it("with a paid trial it waits for the trial's amount, and its trial starts when that is paid", () => {
    const { next } = begin({ ...MONTHLY, trial_period_days: 14, trial_amount_minor: 5_000 }, at("2026-01-01"))
    expect([next.status, openPeriod(next), openAmount(next)]).toEqual(["PENDING", 0, 5_000])
    const change = payOpen(next, at("2026-01-05"), openBounds(next, at("2026-01-05")))
    expect(change.emits).toEqual(["subscription.payment_succeeded", "subscription.trial_started"])
    expect(change.next).toMatchObject({ status: "TRIALING", billing_cycle_count: 0 })
    expect([day(change.next.trial_end_date), openAmount(change.next)]).toEqual(["2026-01-19", 50_000])
  })

  it.each([1, 2, 3])("a trial of %d days announces its end at its beginning, and only then", (days) => {
    const { next, emits } = begin({ ...MONTHLY, trial_period_days: days }, at("2026-01-01"))
    expect(emits).toEqual(["subscription.created", "subscription.trial_started", "subscription.trial_ending"])
    expect([dueStep(next), dueAt(next, false)]).toEqual(["charge", next.trial_end_date])
  })

  it("a longer one announces it three days before", () => {
    const { next } = begin({ ...MONTHLY, trial_period_days: 4 }, at("2026-01-01"))
    expect([dueStep(next), day(dueAt(next, false))]).toEqual(["notify_trial_ending", "2026-01-02"])
  })

  it("it expires after seven days without payment", () => {
    const { next } = begin(MONTHLY, at("2026-01-01"))
    expect([dueStep(next), day(dueAt(next, false))]).toEqual(["expire", "2026-01-08"])
    expect(expire(next, at("2026-01-08"))).toMatchObject({
      next: { status: "EXPIRED" },
      emits: ["subscription.expired"],
    })
  })
})

describe("decisions: Plans and subscriptions — failed charges", () => {
  it("are tried again on their days; the last one cancels, and the next run expires", () => {
    let { next, emits } = failed(active("2026-01-31"), at("2026-02-28"))
    expect([next.status, emits, day(next.retry_at)]).toEqual([
      "PAST_DUE",
      ["subscription.payment_failed"],
      "2026-03-01",
    ])
    expect([day(next.current_period_start), day(next.current_period_end), next.current_period]).toEqual([
      "2026-02-28",
      "2026-03-31",
      2,
    ])
    for (const retryDay of ["2026-03-03", "2026-03-05", "2026-03-07"]) {
      ;({ next } = failed(next, next.retry_at as Date))
      expect(day(next.retry_at)).toBe(retryDay)
    }
    ;({ next, emits } = failed(next, next.retry_at as Date))
    expect([next.status, emits]).toEqual(["CANCELLED", ["subscription.payment_failed", "subscription.cancelled"]])
    expect(next).toMatchObject({
      failed_payment_count: 5,
      cancellation_reason: "payment_failed",
      next_billing_date: null,
    })
    expect([dueStep(next), day(dueAt(next, false))]).toEqual(["expire", "2026-03-07"])
  })

  it("or it stays PAST_DUE, and nothing is due any more", () => {
    const { next } = chargeFailed(active("2026-01-31"), at("2026-02-28"), () => null, false)
    expect([next.status, dueAt(next, false)]).toEqual(["PAST_DUE", null])
  })

  it("a success brings ACTIVE, and the billing date stays on its anchor", () => {
    const late = failed(failed(active("2026-01-31"), at("2026-02-28")).next, at("2026-03-01")).next
    const change = chargeSucceeded(late, at("2026-03-03"), openBounds(late, at("2026-03-03")))
    expect(change.emits).toEqual(["subscription.payment_succeeded", "subscription.activated"])
    expect(change.next).toMatchObject({
      status: "ACTIVE",
      failed_payment_count: 0,
      past_due_since: null,
      retry_at: null,
    })
    expect(day(change.next.next_billing_date)).toBe("2026-03-31")
  })

  it("a try that somebody makes before the next retry is due is beside the schedule", () => {
    const late = failed(active("2026-01-31"), at("2026-02-28")).next
    const { next, emits } = failed(late, new Date(at("2026-02-28").getTime() + 3_600_000))
    expect([next, emits]).toEqual([late, ["subscription.payment_failed"]])
    const given = chargeFailed(active("2026-01-31"), at("2026-02-28"), () => null, false).next
    expect(failed(given, at("2026-05-01")).next).toEqual(given)
  })

  it("a trial that ends without money is PAST_DUE, and its first period has begun", () => {
    const trial = notifyTrialEnding(begin({ ...MONTHLY, trial_period_days: 14 }, at("2026-01-17")).next).next
    const { next, emits } = failed(trial, at("2026-01-31"))
    expect(emits).toEqual(["subscription.trial_ended", "subscription.payment_failed"])
    expect([next.status, day(next.current_period_start), day(next.current_period_end)]).toEqual([
      "PAST_DUE",
      "2026-01-31",
      "2026-02-28",
    ])
    expect(day(paid(next, at("2026-02-04")).next_billing_date)).toBe("2026-02-28")
  })

  it("with no retry at all, the trial's end, the failure and the cancellation are all announced", () => {
    const trial = notifyTrialEnding(begin({ ...MONTHLY, trial_period_days: 14 }, at("2026-01-17")).next).next
    const { next, emits } = chargeFailed(trial, at("2026-01-31"), () => null, true)
    expect(emits).toEqual(["subscription.trial_ended", "subscription.payment_failed", "subscription.cancelled"])
    expect(next.status).toBe("CANCELLED")
  })
})

describe("decisions: Plans and subscriptions — paying in advance", () => {
  it("ACTIVE: the next period is paid, and begins when the current one is over", () => {
    const ahead = paid(active("2026-01-31"), at("2026-02-10"))
    expect(ahead).toMatchObject({ status: "ACTIVE", current_period: 1, paid_period: 2, billing_cycle_count: 2 })
    expect([day(ahead.current_period_end), day(ahead.next_billing_date), dueStep(ahead)]).toEqual([
      "2026-02-28",
      "2026-03-31",
      "roll_over",
    ])
    const { lifecycle, days } = runTo(ahead, at("2026-04-30"))
    expect(days).toEqual(["2026-02-28", "2026-03-31", "2026-04-30"])
    expect(lifecycle).toMatchObject({ current_period: 4, billing_cycle_count: 4 })
  })

  it("TRIALING: the first full period is paid, and the trial goes on to its end", () => {
    const trial = paid(begin({ ...MONTHLY, trial_period_days: 14 }, at("2026-01-17")).next, at("2026-01-20"))
    expect([trial.status, day(trial.next_billing_date)]).toEqual(["TRIALING", "2026-02-28"])
    const { lifecycle } = runTo(trial, at("2026-01-31"))
    expect(lifecycle).toMatchObject({ status: "ACTIVE", current_period: 1, billing_cycle_count: 1 })
    expect(endTrial(notifyTrialEnding(trial).next, nextBounds(trial)).emits).toEqual([
      "subscription.trial_ended",
      "subscription.activated",
    ])
  })

  it("PAUSED: it resumes, and the next period is paid", () => {
    const asleep = pause(active("2026-01-31"), at("2026-02-10")).next
    const change = payOpen(asleep, at("2026-02-20"), openBounds(asleep, at("2026-02-20")))
    expect(change.emits).toEqual(["subscription.payment_succeeded", "subscription.resumed"])
    expect([change.next.status, day(change.next.current_period_end), day(change.next.next_billing_date)]).toEqual([
      "ACTIVE",
      "2026-03-10",
      "2026-04-10",
    ])
  })
})

describe("docs/decisions/13: a period that cannot be delivered is skipped", () => {
  it("is not billed, and the next one is due on the anchor's date, late or not", () => {
    const { lifecycle } = runTo(active("2027-12-31"), at("2028-01-30"))
    const skipped = skipOpen(lifecycle, at("2028-02-17"))
    expect(skipped.emits).toEqual(["subscription.period_skipped"])
    expect([day(skipped.bounds.start), day(skipped.bounds.end)]).toEqual(["2028-01-31", "2028-02-29"])
    expect(skipped.next).toMatchObject({ status: "ACTIVE", current_period: 2, paid_period: 2, billing_cycle_count: 1 })
    expect(runTo(skipped.next, at("2028-04-30")).days).toEqual(["2028-02-29", "2028-03-31", "2028-04-30"])
  })

  it("is not owed any more when its payment had failed, and ends a trial", () => {
    const overdue = failed(active("2028-01-31"), at("2028-02-29")).next
    const skipped = skipOpen(overdue, at("2028-03-01"))
    expect(skipped.emits).toEqual(["subscription.period_skipped", "subscription.activated"])
    expect(skipped.next).toMatchObject({
      status: "ACTIVE",
      failed_payment_count: 0,
      past_due_since: null,
      retry_at: null,
    })
    expect(day(dueAt(skipped.next, false))).toBe("2028-03-31")
    const trial = begin({ ...MONTHLY, trial_period_days: 7 }, at("2028-01-01")).next
    expect(skipOpen({ ...trial, trial_ending_notified: true }, at("2028-01-08"))).toMatchObject({
      emits: ["subscription.trial_ended", "subscription.period_skipped", "subscription.activated"],
      next: { status: "ACTIVE", current_period: 1, paid_period: 1, billing_cycle_count: 0 },
    })
  })

  it.each(["PENDING", "PAUSED", "CANCELLED", "EXPIRED"] as const)("never happens to one that is %s", (status) => {
    expect(() => skipOpen({ ...active("2028-01-31"), status }, at("2028-02-29"))).toThrow(
      expect.objectContaining({ code: "INVALID_STATE_TRANSITION" })
    )
  })
})

describe("decisions: Plans and subscriptions — pause and resume", () => {
  it("the next date moves by the length of the pause, and is the anchor from then on", () => {
    const asleep = pause(active("2026-01-31"), at("2026-02-10")).next
    expect([asleep.status, dueAt(asleep, false)]).toEqual(["PAUSED", null])
    const awake = resume(asleep, at("2026-02-20")).next
    expect(day(awake.next_billing_date)).toBe("2026-03-10")
    expect(runTo(awake, at("2026-05-10")).days).toEqual(["2026-03-10", "2026-04-10", "2026-05-10"])
  })

  it("over a billing date nothing is due, and nothing is made up for", () => {
    const awake = resume(pause(active("2026-01-31"), at("2026-02-27")).next, at("2026-04-27")).next
    expect(runTo(awake, at("2026-05-31")).days).toEqual(["2026-04-28", "2026-05-28"])
  })

  it.each([
    ["2026-01-29", "2026-02-10", "2026-02-14", ["2026-03-04", "2026-04-04", "2026-05-04"]],
    ["2026-01-31", "2026-02-10", "2026-02-14", ["2026-03-04", "2026-04-04", "2026-05-04"]],
    ["2026-01-30", "2026-02-10", "2026-05-11", ["2026-05-29", "2026-06-29", "2026-07-29"]],
    ["2026-01-15", "2026-02-01", "2026-02-17", ["2026-03-03", "2026-04-03", "2026-05-03"]],
    ["2026-12-15", "2027-01-01", "2027-01-17", ["2027-01-31", "2027-02-28", "2027-03-31"]],
  ])("from %s, paused %s to %s: billed %p", (from, paused, woken, days) => {
    const awake = resume(pause(active(from), at(paused)).next, at(woken)).next
    expect(runTo(awake, at(days[2])).days).toEqual(days)
  })

  it("a pause that a payment ends is anchored in the same way", () => {
    const asleep = pause(active("2026-01-29"), at("2026-02-10")).next
    const awake = paid(asleep, at("2026-02-14"))
    expect([awake.status, day(awake.next_billing_date)]).toEqual(["ACTIVE", "2026-04-04"])
    expect(runTo(awake, at("2026-05-04")).days).toEqual(["2026-03-04", "2026-04-04", "2026-05-04"])
  })

  it("property: whatever the terms and however often it is paused, each date has the day of the last new billing date, or ends its month", () => {
    const pauses = fc.array(
      fc.record({ after: fc.integer({ min: 0, max: 40 * DAY_MS }), length: fc.integer({ min: 0, max: 400 * DAY_MS }) }),
      { minLength: 1, maxLength: 4 }
    )
    const unit = fc.constantFrom<IntervalUnit>("MONTH", "YEAR")
    fc.assert(
      fc.property(
        start,
        fc.integer({ min: 1, max: 13 }),
        unit,
        pauses,
        (from, interval_count, interval_unit, rests) => {
          let lifecycle = paid(begin({ ...MONTHLY, interval_count, interval_unit }, from).next, from)
          let now = from
          for (const { after, length } of rests) {
            now = new Date(now.getTime() + after)
            lifecycle = runTo(lifecycle, now).lifecycle
            const expected = new Date((lifecycle.next_billing_date as Date).getTime() + length)
            lifecycle = pause(lifecycle, now).next
            now = new Date(now.getTime() + length)
            lifecycle = resume(lifecycle, now).next
            expect(lifecycle.next_billing_date).toEqual(expected)
          }
          const anchor = { at: lifecycle.next_billing_date as Date, period: 0 }
          for (let cycle = 0; cycle < 15; cycle++) {
            const due = lifecycle.next_billing_date as Date
            expect(due).toEqual(periodStart(anchor, lifecycle, cycle, "UTC"))
            const lastOfMonth = new Date(Date.UTC(due.getUTCFullYear(), due.getUTCMonth() + 1, 0)).getUTCDate()
            expect(due.getUTCDate()).toBe(Math.min(anchor.at.getUTCDate(), lastOfMonth))
            lifecycle = step(lifecycle, due)
          }
        }
      )
    )
  })

  it("a charge of which is heard during a pause does not wake it", () => {
    const asleep = pause(active("2026-01-31"), at("2026-02-10")).next
    expect(charged(asleep, at("2026-02-11"))).toMatchObject({ status: "PAUSED", paid_period: 2 })
    expect(failed(asleep, at("2026-02-11")).next).toEqual(asleep)
  })
})

describe("docs/decisions/11: a cancellation at the period's end is undone", () => {
  const NOW = at("2026-02-10")
  /** `before`: as it was, which has the bounds of a period that is paid in advance. */
  const undo = (lifecycle: Lifecycle, when: Date, before: Lifecycle) =>
    uncancel(lifecycle, when, {
      ahead: lifecycle.paid_period > lifecycle.current_period ? [nextBounds(before)] : [],
      retryAt: retry(when),
    })
  const gone = (lifecycle: Lifecycle, when = NOW) =>
    cancel(lifecycle, when, { atPeriodEnd: true, reason: "other", note: "Moves" }).next

  it.each<[string, () => Lifecycle]>([
    ["an active one", () => active("2026-01-31")],
    ["one paid in advance", () => paid(active("2026-01-31"), at("2026-02-09"))],
    ["a free trial", () => begin({ ...MONTHLY, trial_period_days: 14 }, at("2026-02-05")).next],
    [
      "a trial whose first period is paid",
      () => {
        const trial = begin({ ...MONTHLY, trial_period_days: 14 }, at("2026-02-05")).next
        return paid(trial, at("2026-02-06"))
      },
    ],
    ["one whose interval has changed", () => changeTerms(active("2026-01-31"), { interval_unit: "WEEK" })],
  ])("%s is again what it was, and one event says so", (_name, make) => {
    const before = make()
    const emits = before.status === "ACTIVE" ? ["uncancelled", "activated"] : ["uncancelled"]
    expect(undo(gone(before), at("2026-02-12"), before)).toEqual({
      next: before,
      emits: emits.map((event) => `subscription.${event}`),
    })
  })

  it("one past due is past due again: its first failure and its schedule of retries stay", () => {
    const once = failed(active("2026-01-08"), at("2026-02-08")).next
    const before = failed(once, at("2026-02-09")).next
    expect(undo(gone(before), at("2026-02-10"), before)).toEqual({ next: before, emits: ["subscription.uncancelled"] })
    // The retry that was due meanwhile is not made up for at once: it is as far away as it was.
    const late = undo(gone(before), at("2026-02-20"), before).next
    expect(late).toEqual({ ...before, retry_at: at("2026-02-22") })
    expect(failed(late, at("2026-02-22")).next).toMatchObject({ status: "PAST_DUE", failed_payment_count: 3 })
    expect(expire(gone(before), at("2026-03-08")).next.past_due_since).toBeNull()
  })

  it("after the last retry none follows, and the payment stays owed", () => {
    const days = ["2026-02-08", "2026-02-09", "2026-02-11", "2026-02-13", "2026-02-15"]
    const never = (when: Date) => (lifecycle: Lifecycle) => chargeFailed(lifecycle, when, retry(when), false).next
    const before = days.reduce((lifecycle, text) => never(at(text))(lifecycle), active("2026-01-08"))
    expect([before.retry_at, before.failed_payment_count]).toEqual([null, 5])
    expect(undo(gone(before, at("2026-02-16")), at("2026-02-17"), before).next).toEqual(before)
  })

  it("a pause ended with the cancellation, and stays ended", () => {
    const asleep = pause(active("2026-01-31"), at("2026-02-06")).next
    expect(undo(gone(asleep), at("2026-02-12"), asleep).next).toEqual(resume(asleep, NOW).next)
  })

  it("a trial that ended meanwhile, its first period paid, has ended: no date of it is past", () => {
    const trial = paid(begin({ ...MONTHLY, trial_period_days: 14 }, at("2026-02-05")).next, at("2026-02-06"))
    const { next, emits } = undo(gone(trial), at("2026-02-25"), trial)
    expect(next).toMatchObject({
      status: "ACTIVE",
      trial_ending_notified: true,
      current_period: 1,
      current_period_end: at("2026-03-19"),
      next_billing_date: at("2026-03-19"),
    })
    expect(emits).toEqual(["uncancelled", "trial_ended", "activated"].map((event) => `subscription.${event}`))
    expect(runTo(next, at("2026-03-19")).days).toEqual(["2026-03-19"])
  })

  it("a period that was paid in advance and has begun meanwhile is the current one", () => {
    const before = paid(active("2026-01-31"), at("2026-02-09"))
    const { next } = undo(gone(before), at("2026-03-01"), before)
    expect(next).toEqual(rollOver(before, nextBounds(before)))
    expect(day(dueAt(next, false))).toBe("2026-03-31")
  })

  it("money that came after the cancellation counts: the next charge is a period later", () => {
    const before = active("2026-01-31")
    const late = chargeSucceeded(gone(before), at("2026-02-11"), openBounds(before, NOW)).next
    expect(undo(late, at("2026-02-12"), paid(before, at("2026-02-11"))).next).toMatchObject({
      status: "ACTIVE",
      current_period_end: at("2026-02-28"),
      next_billing_date: at("2026-03-31"),
    })
  })

  it.each<[string, Lifecycle, string]>([
    ["at the period's end", gone(active("2026-01-31")), "2026-02-28"],
    [
      "when it took effect at once",
      cancel(active("2026-01-31"), NOW, { atPeriodEnd: false, reason: null }).next,
      "2026-02-10",
    ],
    ["when nothing was ever paid", gone(begin(MONTHLY, at("2026-02-08")).next), "2026-02-10"],
    ["when the first payment came after it", paid(gone(begin(MONTHLY, at("2026-02-08")).next), NOW), "2026-02-11"],
    ["when it has ended", expire(gone(active("2026-01-31")), at("2026-02-28")).next, "2026-03-01"],
  ])("not any more %s: 409 INVALID_STATE_TRANSITION", (_name, lifecycle, when) => {
    expect(() => undo(lifecycle, at(when), lifecycle)).toThrow(
      expect.objectContaining({ code: "INVALID_STATE_TRANSITION" })
    )
  })

  it("cancelled and undone any number of times, it is charged on the same days as if nobody had", () => {
    fc.assert(
      fc.property(start, fc.array(fc.integer({ min: 0, max: 40 }), { maxLength: 8 }), (from, waits) => {
        const calm = runTo(paid(begin(MONTHLY, from).next, from), new Date(from.getTime() + 400 * DAY_MS))
        const days: string[] = []
        let [restless, now] = [paid(begin(MONTHLY, from).next, from), from]
        for (const wait of waits) {
          now = new Date(now.getTime() + wait * DAY_MS)
          const run = runTo(restless, now)
          days.push(...run.days)
          const cancelled = gone(run.lifecycle, now)
          restless = mayUncancel(cancelled, now) ? undo(cancelled, now, run.lifecycle).next : run.lifecycle
        }
        const rest = runTo(restless, new Date(from.getTime() + 400 * DAY_MS))
        expect([...days, ...rest.days]).toEqual(calm.days)
        expect(rest.lifecycle).toEqual(calm.lifecycle)
      })
    )
  })
})

describe("decisions: Plans and subscriptions — cancel", () => {
  const now = { atPeriodEnd: false, reason: "Too dear" }
  const later = { atPeriodEnd: true, reason: null }

  it("now: its period ends now", () => {
    const { next } = cancel(active("2026-01-31"), at("2026-02-10"), now)
    expect(next).toMatchObject({
      status: "CANCELLED",
      cancelled_at: at("2026-02-10"),
      current_period_end: at("2026-02-10"),
      cancellation_reason: "Too dear",
    })
    expect(runTo(next, at("2026-02-10")).lifecycle).toMatchObject({ status: "EXPIRED", ended_at: at("2026-02-10") })
  })

  it.each<[string, () => Lifecycle, string]>([
    ["an active one: to the end of the period", () => active("2026-01-31"), "2026-02-28"],
    [
      "a paid trial: to its end",
      () =>
        paid(
          begin({ ...MONTHLY, trial_period_days: 14, trial_amount_minor: 5_000 }, at("2026-02-05")).next,
          at("2026-02-05")
        ),
      "2026-02-19",
    ],
    [
      "one paid in advance: to the end of what is paid",
      () => paid(active("2026-01-31"), at("2026-02-09")),
      "2026-03-31",
    ],
    [
      "one past due: to the end of the period that has begun",
      () => failed(active("2026-01-08"), at("2026-02-08")).next,
      "2026-03-08",
    ],
    ["a paused one: with the days it had left", () => pause(active("2026-01-31"), at("2026-02-06")).next, "2026-03-04"],
    ["one that was never paid: at once", () => begin(MONTHLY, at("2026-02-08")).next, "2026-02-10"],
  ])("at the period's end, %s", (_name, make, end) => {
    const { next } = cancel(make(), at("2026-02-10"), later)
    expect(next).toMatchObject({ status: "CANCELLED", cancel_at_period_end: true, next_billing_date: null })
    expect([dueStep(next), day(dueAt(next, false))]).toEqual(["expire", end])
  })

  it("a charge of which is heard later counts: the money was taken for one more period", () => {
    const before = active("2026-01-31")
    const bounds = openBounds(before, at("2026-02-10"))
    const gone = cancel(before, at("2026-02-10"), later).next
    const change = chargeSucceeded(gone, at("2026-02-11"), bounds)
    expect([change.next.status, day(change.next.current_period_end), change.emits]).toEqual([
      "CANCELLED",
      "2026-03-31",
      ["subscription.payment_succeeded"],
    ])
    const atOnce = chargeSucceeded(cancel(before, at("2026-02-10"), now).next, at("2026-02-11"), bounds).next
    expect([atOnce.status, day(atOnce.current_period_end), atOnce.billing_cycle_count]).toEqual([
      "CANCELLED",
      "2026-02-10",
      2,
    ])
  })
})

describe("decisions: Plans and subscriptions — new terms take effect with the next cycle", () => {
  it("an interval: the current period keeps its end, which is the new anchor", () => {
    const weekly = changeTerms(active("2026-01-31"), { interval_count: 1, interval_unit: "WEEK" })
    expect(runTo(weekly, at("2026-03-14")).days).toEqual(["2026-02-28", "2026-03-07", "2026-03-14"])
  })

  it("while a period is past due, it keeps its end too", () => {
    const weekly = changeTerms(failed(active("2026-01-31"), at("2026-02-28")).next, {
      interval_count: 1,
      interval_unit: "WEEK",
    })
    const again = paid(weekly, at("2026-03-02"))
    expect(runTo(again, at("2026-04-07")).days).toEqual(["2026-03-31", "2026-04-07"])
  })

  it("what is paid in advance keeps its end too", () => {
    const weekly = changeTerms(paid(active("2026-01-31"), at("2026-02-10")), { interval_unit: "WEEK" })
    expect(runTo(weekly, at("2026-04-07")).days).toEqual(["2026-02-28", "2026-03-31", "2026-04-07"])
  })

  it("the same interval changes no date", () => {
    const before = active("2026-01-31")
    expect(changeTerms(before, { interval_count: 1, interval_unit: "MONTH", amount_minor: 60_000 })).toEqual({
      ...before,
      amount_minor: 60_000,
    })
  })
})

describe("decisions: Plans and subscriptions — the calendar is the merchant's", () => {
  const moment = (text: string) => new Date(text)
  /** As it was while dates were counted in UTC, whatever the merchant's time zone. */
  const inUtc = (from: string) => paid(begin(MONTHLY, moment(from)).next, moment(from))
  const local = (zone: string, date: Date | null) =>
    date?.toLocaleString("sv-SE", { timeZone: zone, dateStyle: "short", timeStyle: "short" })
  /** The local dates on which the next periods are charged. */
  function nextDates(lifecycle: Lifecycle, count: number): (string | undefined)[] {
    return Array.from({ length: count }, () => {
      const due = lifecycle.next_billing_date as Date
      lifecycle = charged(lifecycle, due)
      return local(lifecycle.time_zone, due)
    })
  }

  it("who subscribes at 02:00 in Dhaka on 1 October is charged on the 1st of each month", () => {
    const from = moment("2026-09-30T20:00:00Z")
    const lifecycle = paid(begin({ ...MONTHLY, time_zone: "Asia/Dhaka" }, from).next, from)
    expect(nextDates(lifecycle, 3)).toEqual(["2026-11-01 02:00", "2026-12-01 02:00", "2027-01-01 02:00"])
  })

  it.each<[string, string, string, string[]]>([
    [
      "whose next date is another day there than its anchor leads to: it continues from that day",
      "2026-09-30T20:00:00Z",
      "Asia/Dhaka",
      ["2026-10-31 02:00", "2026-11-30 02:00", "2026-12-31 02:00", "2027-01-31 02:00", "2027-02-28 02:00"],
    ],
    [
      "whose anchor leads to its next date there too: it keeps the day of its anchor",
      "2027-01-31T12:00:00Z",
      "Asia/Dhaka",
      ["2027-02-28 18:00", "2027-03-31 18:00", "2027-04-30 18:00"],
    ],
    [
      "in a zone with summer time: the time of day is that of the next date",
      "2026-02-20T15:00:00Z",
      "America/New_York",
      ["2026-03-20 11:00", "2026-04-20 11:00", "2026-11-20 11:00"],
    ],
  ])("a subscription from before the setting, %s", (_name, from, time_zone, expected) => {
    const before = inUtc(from)
    const after = { ...before, time_zone }
    expect(dueAt(after, false)).toEqual(before.next_billing_date)
    const dates = nextDates(after, 10)
    expect(expected.filter((date) => !dates.includes(date))).toEqual([])
    expect(dates[0]).toBe(expected[0])
  })

  it("the same with a failed charge, a skipped period and a payment in advance", () => {
    const after = { ...inUtc("2026-09-30T20:00:00Z"), time_zone: "Asia/Dhaka" }
    const due = after.next_billing_date as Date
    const late = failed(after, due).next
    expect(local("Asia/Dhaka", late.current_period_end)).toBe("2026-11-30 02:00")
    const ways = [
      charged(late, late.retry_at as Date),
      skipOpen(after, due).next,
      paid(after, moment("2026-10-10T00:00:00Z")),
    ]
    for (const next of ways) {
      expect(nextDates(next, 2)).toEqual(["2026-11-30 02:00", "2026-12-31 02:00"])
    }
  })

  it("a period that is past due keeps its dates when the setting changes, and what follows is counted from its end", () => {
    const from = moment("2026-01-30T20:00:00Z")
    const late = failed(
      paid(begin({ ...MONTHLY, time_zone: "Asia/Dhaka" }, from).next, from),
      moment("2026-02-27T20:00:00Z")
    )
    const moved = { ...late.next, time_zone: "America/New_York" }
    const when = moment("2026-03-02T00:00:00Z")
    expect(openBounds(moved, when)).toEqual(openBounds(late.next, when))
    expect(local("Asia/Dhaka", openBounds(moved, when).end)).toBe("2026-03-31 02:00")
    expect(nextDates(charged(moved, when), 3)).toEqual(["2026-03-30 16:00", "2026-04-30 16:00", "2026-05-30 16:00"])
  })

  it("a new interval still begins where the next cycle starts, in whatever zone", () => {
    const from = moment("2026-01-30T20:00:00Z")
    const yearly = changeTerms(paid(begin({ ...MONTHLY, time_zone: "Asia/Dhaka" }, from).next, from), {
      interval_unit: "YEAR",
    })
    const moved = { ...yearly, time_zone: "America/New_York" }
    expect(nextDates(moved, 2)).toEqual(["2026-02-27 15:00", "2027-02-27 15:00"])
  })
})

describe("the billing run never skips, never repeats, never drifts", () => {
  const zone = fc.constantFrom("Asia/Dhaka", "America/New_York", "Europe/London", "Australia/Lord_Howe", "UTC")
  const terms = fc.record({
    time_zone: zone,
    amount_minor: fc.integer({ min: 1_000, max: 50_000_000 }),
    quantity: fc.constant(1),
    interval_count: fc.integer({ min: 1, max: 40 }),
    interval_unit: fc.constantFrom<IntervalUnit>(...INTERVAL_UNITS),
    trial_period_days: fc.option(fc.integer({ min: 0, max: 60 })),
    trial_amount_minor: fc.option(fc.integer({ min: 1_000, max: 9_000 })),
  })
  const move = fc.record({
    kind: fc.constantFrom("charge", "fail", "skip", "pay", "pause", "resume", "retime", "move", "wait"),
    wait: fc.integer({ min: 1, max: 90 * DAY_MS }),
  })

  it("charged on time for years, every date is the anchor's, whatever the terms", () => {
    fc.assert(
      fc.property(terms, start, fc.integer({ min: 2, max: 30 }), (plan, from, cycles) => {
        let lifecycle = begin(plan, from).next
        lifecycle = lifecycle.status === "PENDING" ? paid(lifecycle, from) : lifecycle
        while (lifecycle.billing_cycle_count < cycles) {
          lifecycle = step(lifecycle, dueAt(lifecycle, false) as Date)
        }
        const anchor = { at: lifecycle.anchor_at as Date, period: 1 }
        expect(lifecycle).toMatchObject({ current_period: cycles, paid_period: cycles })
        expect(lifecycle.current_period_start).toEqual(periodStart(anchor, plan, cycles, plan.time_zone))
        expect(lifecycle.next_billing_date).toEqual(periodStart(anchor, plan, cycles + 1, plan.time_zone))
      })
    )
  })

  it("whatever happens in whatever order, each period is paid once and in turn, and periods neither overlap nor leave a gap", () => {
    fc.assert(
      fc.property(terms, start, fc.array(move, { maxLength: 40 }), (plan, from, moves) => {
        let now = from
        let skipped = 0
        let lifecycle = begin(plan, from).next
        const bounds = new Map<number, { start: Date; end: Date }>()
        const settle = (change: { next: Lifecycle; bounds: { start: Date; end: Date } }) => {
          const period = openPeriod(lifecycle)
          expect(bounds.has(period)).toBe(false)
          expect(change.bounds.end.getTime()).toBeGreaterThan(change.bounds.start.getTime())
          bounds.set(period, change.bounds)
          expect(change.next.paid_period).toBe(period)
          expect(change.next.billing_cycle_count).toBe(Math.max(0, period - skipped))
          lifecycle = change.next
        }
        for (const { kind, wait } of moves) {
          const due = dueAt(lifecycle, false)
          const isDue = due !== null && due <= now
          const what = isDue ? dueStep(lifecycle) : null
          if (kind === "charge" && what === "charge") {
            settle(chargeSucceeded(lifecycle, now, openBounds(lifecycle, now)))
          } else if (kind === "skip" && what === "charge") {
            skipped += 1
            settle(skipOpen(lifecycle, now))
            expect(lifecycle).toMatchObject({ status: "ACTIVE", past_due_since: null, retry_at: null })
          } else if (kind === "fail" && what === "charge") {
            lifecycle = failed(lifecycle, now).next
          } else if ((kind === "charge" || kind === "fail") && what !== null && what !== "charge") {
            const next = bounds.get(lifecycle.current_period + 1)
            lifecycle =
              what === "roll_over"
                ? rollOver(lifecycle, next as never)
                : what === "end_trial"
                  ? endTrial(lifecycle, next as never).next
                  : step(lifecycle, now)
          } else if (kind === "pay" && !["CANCELLED", "EXPIRED"].includes(lifecycle.status)) {
            const pausedFor = lifecycle.paused_at === null ? 0 : now.getTime() - lifecycle.paused_at.getTime()
            bounds.forEach(
              (value, period) =>
                period > lifecycle.current_period &&
                bounds.set(period, {
                  start: new Date(value.start.getTime() + pausedFor),
                  end: new Date(value.end.getTime() + pausedFor),
                })
            )
            settle(payOpen(lifecycle, now, openBounds(lifecycle, now)))
          } else if (kind === "pause" && lifecycle.status === "ACTIVE") {
            lifecycle = pause(lifecycle, now).next
          } else if (kind === "resume" && lifecycle.status === "PAUSED") {
            const pausedFor = now.getTime() - (lifecycle.paused_at as Date).getTime()
            bounds.forEach(
              (value, period) =>
                period > lifecycle.current_period &&
                bounds.set(period, {
                  start: new Date(value.start.getTime() + pausedFor),
                  end: new Date(value.end.getTime() + pausedFor),
                })
            )
            lifecycle = resume(lifecycle, now).next
          } else if (kind === "retime") {
            lifecycle = changeTerms(lifecycle, {
              interval_count: 1 + (wait % 9),
              interval_unit: INTERVAL_UNITS[wait % 4],
            })
          } else if (kind === "move") {
            // The merchant's setting: no date moves with it.
            const time_zone = lifecycle.time_zone === "UTC" ? "America/New_York" : "UTC"
            lifecycle = { ...lifecycle, time_zone }
          }
          if (lifecycle.status === "ACTIVE" || lifecycle.status === "PAST_DUE") {
            expect((lifecycle.current_period_end as Date).getTime()).toBeGreaterThan(
              (lifecycle.current_period_start as Date).getTime()
            )
            expect(lifecycle.current_period <= openPeriod(lifecycle)).toBe(true)
          }
          if (lifecycle.status === "ACTIVE" && lifecycle.paid_period === lifecycle.current_period) {
            expect(lifecycle.next_billing_date).toEqual(lifecycle.current_period_end)
          }
          now = new Date(now.getTime() + wait)
        }
        const ordered = [...bounds].sort(([left], [right]) => left - right)
        ordered
          .slice(1)
          .forEach(([, value], index) =>
            expect(value.start.getTime()).toBeGreaterThanOrEqual(ordered[index][1].end.getTime())
          )
      }),
      { numRuns: 500 }
    )
  })
})
