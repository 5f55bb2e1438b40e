import fc from "fast-check"
import { mayUncancel, uncancel } from "../cancellation-rules"
import { beginScheduled, requireToPay, schedule, switchNow } from "../change-rules"
import { takeCredits, periodOf } from "../credit-rules"
import { dueAt, dueStep } from "../due-step"
import {
  changeEnd,
  chargedNext,
  complete,
  cyclesPaid,
  endMembers,
  isComplete,
  isLastPeriod,
  isOtherEnd,
  lastPeriodEnd,
  type EndChange,
} from "../end-rules"
import { openAmount, openBounds, openPeriod, openPrice, type Bounds, type Lifecycle, type NewTerms } from "../lifecycle"
import {
  begin,
  cancel,
  chargeFailed,
  chargeSucceeded,
  endTrial,
  expire,
  notifyTrialEnding,
  pause,
  payOpen,
  resume,
  rollOver,
  skipOpen,
} from "../rules"

const DAY_MS = 86_400_000
const at = (text: string) => new Date(`${text}T00:00:00Z`)
const day = (date: Date | null) => date?.toISOString().slice(0, 10) ?? null
const TEA: NewTerms = {
  plan_id: "gpl_tea",
  plan_number: 1,
  plan_name: "Tea",
  plan_name_bn: null,
  amount_minor: 60_000,
  quantity: 1,
  interval_count: 1,
  interval_unit: "MONTH",
}
/** Another plan, which ends after three payments; and one that does not end. */
const COURSE: NewTerms = { ...TEA, plan_id: "gpl_course", plan_number: 2, amount_minor: 90_000, billing_cycles: 3 }
const ENDLESS: NewTerms = { ...COURSE, plan_id: "gpl_endless", plan_number: 3, billing_cycles: null }
const WEEKLY: NewTerms = { ...ENDLESS, plan_id: "gpl_weekly", plan_number: 4, interval_unit: "WEEK" }
const REFUSED = expect.objectContaining({ code: "INVALID_STATE_TRANSITION" }) as Error
const invalid = (field: string) => expect.objectContaining({ code: "VALIDATION_ERROR", field }) as Error

type Planned = Lifecycle & NewTerms & { billing_cycles: number | null }
type Options = { from?: string; cycles?: number | null; trial?: number; trialPrice?: number; own?: EndChange }

function begun({ from = "2026-06-01", cycles = null, trial, trialPrice, own = {} }: Options = {}): Planned {
  const days = { trial_period_days: trial ?? null, trial_amount_minor: trialPrice ?? null, time_zone: "UTC" }
  const { next } = begin({ ...TEA, ...days, billing_cycles: cycles }, at(from))
  return changeEnd({ ...TEA, ...next }, own, at(from))
}

/** Pays the open period as billing does, with the credits that pay it. */
function paid<As extends Planned>(row: As, now: Date): As {
  const bounds = openBounds(row, now)
  const { left } = takeCredits(row.credits, openPrice(row) - openAmount(row), periodOf(row, bounds))
  const isShopper = row.status === "PENDING" || row.status === "PAUSED"
  const { next } = isShopper ? payOpen(row, now, bounds) : chargeSucceeded(row, now, bounds)
  return { ...next, credits: left }
}
const active = (options: Options = {}) => paid(begun(options), at(options.from ?? "2026-06-01"))
const bought = (row: Planned) => ({
  value: row.open_price_minor ?? row.amount_minor,
  quantity: row.quantity,
  plan_name: row.plan_name,
  plan_name_bn: row.plan_name_bn,
  start: row.current_period_start ?? row.opened_at,
  end: row.current_period_end ?? row.opened_at,
})
const switched = (row: Planned, terms: NewTerms, when: Date): Planned =>
  switchNow(row, terms, { at: when, bought: bought(row), proration: "credit" })
const next = (row: Planned) => row.next_billing_date as Date

describe("decisions: An end — billing_cycles", () => {
  it("after the last paid period has run out it is EXPIRED, and nothing is charged", () => {
    const first = active({ cycles: 2 })
    expect([isComplete(first), dueStep(first), endMembers(first)]).toEqual([
      false,
      "charge",
      { billing_cycles: 2, billing_cycles_paid: 1, last_period_end: "2026-08-01T00:00:00.000Z" },
    ])
    const last = paid(first, next(first))
    expect([isComplete(last), dueStep(last), day(dueAt(last, false))]).toEqual([true, "complete", "2026-08-01"])
    expect([chargedNext(last), day(lastPeriodEnd(last))]).toEqual([null, "2026-08-01"])
    expect(complete(last, at("2026-08-01"))).toMatchObject({
      emits: ["subscription.expired"],
      next: { status: "EXPIRED", next_billing_date: null, ended_at: at("2026-08-01"), billing_cycle_count: 2 },
    })
  })

  it.each<[string, Options, string[]]>([
    ["a free trial", { cycles: 1, trial: 14 }, ["2026-06-15", "2026-07-15"]],
    ["a paid trial", { cycles: 1, trial: 14, trialPrice: 5_000 }, ["2026-06-15", "2026-07-15"]],
  ])("%s is none of them", (_name, options, [charge, end]) => {
    let row = begun(options)
    row = row.status === "PENDING" ? paid(row, at("2026-06-01")) : row
    expect([cyclesPaid(row), day(lastPeriodEnd(row))]).toEqual([0, end])
    row = notifyTrialEnding(row).next
    expect([dueStep(row), day(dueAt(row, false))]).toEqual(["charge", charge])
    row = paid(row, at(charge))
    expect([cyclesPaid(row), dueStep(row), day(dueAt(row, false))]).toEqual([1, "complete", end])
  })

  it("a period that is skipped for lack of goods is none of them", () => {
    const row = skipOpen(active({ cycles: 2 }), at("2026-07-01")).next
    expect([cyclesPaid(row), dueStep(row), day(lastPeriodEnd(row))]).toEqual([1, "charge", "2026-09-01"])
  })

  it("what is paid ahead counts, and nothing beyond the last period can be paid", () => {
    const row = paid(active({ cycles: 2 }), at("2026-06-10"))
    expect([row.current_period, cyclesPaid(row), dueStep(row)]).toEqual([1, 2, "roll_over"])
    expect(() => requireToPay(row, 60_000, at("2026-06-10"))).toThrow(REFUSED)
    expect(() => requireToPay(active({ cycles: 2 }), 60_000, at("2026-06-10"))).not.toThrow()
    const rolled = rollOver(row, { start: at("2026-07-01"), end: at("2026-08-01") })
    expect([dueStep(rolled), day(dueAt(rolled, false))]).toEqual(["complete", "2026-08-01"])
  })

  it("the last period that is not paid is asked for again as ever", () => {
    const failed = chargeFailed(active({ cycles: 2 }), at("2026-07-01"), () => at("2026-07-02"), true).next
    expect([failed.status, dueStep(failed), isComplete(failed), day(lastPeriodEnd(failed))]).toEqual([
      "PAST_DUE",
      "charge",
      false,
      "2026-08-01",
    ])
    expect(() => requireToPay(failed, 60_000, at("2026-07-01"))).not.toThrow()
    const late = paid(failed, at("2026-07-02"))
    expect([late.status, dueStep(late), day(dueAt(late, false))]).toEqual(["ACTIVE", "complete", "2026-08-01"])
  })

  it("a pause moves the end", () => {
    const asleep = pause(active({ cycles: 1 }), at("2026-06-10")).next
    expect([dueStep(asleep), lastPeriodEnd(asleep)]).toEqual([null, null])
    expect(() => requireToPay(asleep, 60_000, at("2026-06-20"))).toThrow(REFUSED)
    const awake = resume(asleep, at("2026-06-20")).next
    expect([dueStep(awake), day(dueAt(awake, false))]).toEqual(["complete", "2026-07-11"])
  })

  it("a cancellation that is undone leaves it as it was", () => {
    const before = paid(active({ cycles: 2 }), at("2026-07-01"))
    const gone = cancel(before, at("2026-07-05"), { atPeriodEnd: true, reason: null }).next
    expect(uncancel(gone, at("2026-07-06"), { ahead: [], retryAt: () => null }).next).toEqual(before)
  })

  it("the last period is known before it is paid", () => {
    const bounds = (row: Planned) => openBounds(row, next(row))
    const row = active({ cycles: 3 })
    expect([isLastPeriod(row, bounds(row)), isLastPeriod(paid(row, next(row)), bounds(paid(row, next(row))))]).toEqual([
      false,
      true,
    ])
    const only = begun({ cycles: 1 })
    expect(isLastPeriod(only, openBounds(only, at("2026-06-01")))).toBe(true)
  })
})

describe("decisions: An end — ends_at", () => {
  const own = (text: string): Options => ({ own: { ends_at: at(text) } })

  it.each([
    [
      "in the middle of a period, that one is the last, whole",
      "2026-08-15",
      ["2026-07-01", "2026-08-01"],
      "2026-09-01",
    ],
    ["at the beginning of a period, that one does not begin", "2026-08-01", ["2026-07-01"], "2026-08-01"],
    ["in the first period", "2026-06-02", [], "2026-07-01"],
  ])("%s", (_name, ends_at, charges, end) => {
    let row = active(own(ends_at))
    expect([day(lastPeriodEnd(row)), endMembers(row).ends_at]).toEqual([end, at(ends_at).toISOString()])
    for (const charge of charges) {
      expect([dueStep(row), day(dueAt(row, false))]).toEqual(["charge", charge])
      row = paid(row, at(charge))
      expect(row.billing_cycle_count).toBe(row.current_period)
    }
    expect([dueStep(row), day(dueAt(row, false))]).toEqual(["complete", end])
    expect(() => requireToPay(row, 60_000, at("2026-06-15"))).toThrow(REFUSED)
  })

  it("a trial that no period follows ends, with its own event", () => {
    const trial = notifyTrialEnding(begun({ trial: 14, ...own("2026-06-15") })).next
    expect([dueStep(trial), chargedNext(trial)]).toEqual(["complete", null])
    expect(complete(trial, at("2026-06-15")).emits).toEqual(["subscription.trial_ended", "subscription.expired"])
  })

  it("a first payment must come before it", () => {
    const row = begun(own("2026-06-03"))
    expect([dueStep(row), day(dueAt(row, false))]).toEqual(["expire", "2026-06-03"])
    expect(() => requireToPay(row, 60_000, at("2026-06-02"))).not.toThrow()
    expect(() => requireToPay(row, 60_000, at("2026-06-03"))).toThrow(REFUSED)
    expect(day(dueAt(begun(own("2026-09-01")), false))).toBe("2026-06-08")
  })

  it("a pause does not move it: what would begin after it can no longer be paid", () => {
    const asleep = pause(active(own("2026-07-10")), at("2026-06-10")).next
    expect(() => requireToPay(asleep, 60_000, at("2026-06-18"))).not.toThrow()
    expect(() => requireToPay(asleep, 60_000, at("2026-06-19"))).toThrow(REFUSED)
    expect(dueStep(resume(asleep, at("2026-06-18")).next)).toBe("charge")
    const awake = resume(asleep, at("2026-06-19")).next
    expect([dueStep(awake), day(dueAt(awake, false))]).toEqual(["complete", "2026-07-10"])
  })

  it("property: the end that is shown is where the schedule ends", () => {
    const unit = fc.constantFrom<NewTerms["interval_unit"]>("DAY", "WEEK", "MONTH", "YEAR")
    fc.assert(
      fc.property(
        unit,
        fc.integer({ min: 1, max: 9 }),
        fc.integer({ min: 1, max: 900 }),
        (interval_unit, count, days) => {
          const ends_at = new Date(at("2026-01-31").getTime() + days * DAY_MS)
          const terms = {
            ...TEA,
            interval_unit,
            interval_count: count,
            trial_period_days: null,
            trial_amount_minor: null,
          }
          let row: Planned = { ...TEA, ...begin({ ...terms, time_zone: "UTC" }, at("2026-01-31")).next }
          row = paid(changeEnd(row, { ends_at }, at("2026-01-31")), at("2026-01-31"))
          const shown = lastPeriodEnd(row)
          while (dueStep(row) === "charge") {
            row = paid(row, next(row))
          }
          expect([row.current_period_end, lastPeriodEnd(row)]).toEqual([shown, shown])
        }
      )
    )
  })
})

describe("decisions: An end — giving one, and taking it away", () => {
  const twice = () => paid(active(), at("2026-07-01"))
  const ahead = () => paid(twice(), at("2026-07-05"))
  const NOW = at("2026-07-10")

  it.each<[string, () => Planned, EndChange, string]>([
    ["fewer cycles than are paid", twice, { billing_cycles: 1 }, "billing_cycles"],
    [
      "fewer cycles than have begun",
      () => chargeFailed(active(), at("2026-07-01"), () => at("2026-07-02"), true).next,
      { billing_cycles: 1 },
      "billing_cycles",
    ],
    ["a moment that is past", twice, { ends_at: at("2026-07-09") }, "ends_at"],
    ["a moment before the end of what is paid ahead", ahead, { ends_at: at("2026-08-31") }, "ends_at"],
    ["now, before the first payment", () => begun(), { ends_at: NOW }, "ends_at"],
  ])("%s is refused", (_name, make, change, field) => {
    expect(() => changeEnd(make(), change, NOW)).toThrow(invalid(field))
  })

  it("as many cycles as are paid, or a moment in the current period, end it with that one", () => {
    for (const change of [{ billing_cycles: 2 }, { ends_at: at("2026-08-01") }, { ends_at: at("2026-07-11") }]) {
      const row = changeEnd(twice(), change, NOW)
      expect([dueStep(row), day(dueAt(row, false)), row.has_own_end]).toEqual(["complete", "2026-08-01", true])
      expect(isOtherEnd(twice(), row, NOW)).toBe(true)
    }
    expect(isOtherEnd(twice(), changeEnd(twice(), { billing_cycles: 3 }, NOW), NOW)).toBe(true)
    expect(isOtherEnd(twice(), changeEnd(twice(), { billing_cycles: 4 }, NOW), NOW)).toBe(false)
  })

  it("switched on the first day of a period, that period is one of the new plan's payments", () => {
    const first = switched(active(), COURSE, at("2026-06-01"))
    expect([first.open_price_minor, openPrice(first)]).toEqual([null, COURSE.amount_minor])
    const row = paid(first, at("2026-06-01"))
    expect([cyclesPaid(row), day(row.next_billing_date)]).toEqual([1, "2026-07-01"])
  })

  it("an overdue period that stays one of the plan before is none of the new plan's", () => {
    const overdue = chargeFailed(active(), at("2026-07-01"), () => at("2026-07-02"), true).next
    const row = switchNow(overdue, COURSE, { at: NOW, bought: bought(overdue), proration: "none" })
    expect([cyclesPaid(row), isLastPeriod(row, openBounds(row, NOW))]).toEqual([0, false])
    // The overdue one to 1 August, then three.
    expect(day(lastPeriodEnd(row))).toBe("2026-11-01")
    const settled = paid(row, NOW)
    expect([cyclesPaid(settled), isComplete(settled)]).toEqual([0, false])
    expect(cyclesPaid(paid(settled, at("2026-08-01")))).toBe(1)
  })

  it("what has begun unpaid, and a trial, end as they would, and nothing follows", () => {
    const overdue = chargeFailed(active(), at("2026-07-01"), () => at("2026-07-02"), true).next
    const last = changeEnd(overdue, { ends_at: at("2026-07-31") }, NOW)
    expect([isComplete(last), day(lastPeriodEnd(last))]).toEqual([false, "2026-08-01"])
    const trial = changeEnd(begun({ trial: 60 }), { ends_at: at("2026-07-30") }, NOW)
    expect([isComplete(trial), chargedNext(trial)]).toEqual([true, null])
  })

  it("a thousand periods of hundreds of years end at no date that can be said", () => {
    const row = { ...active({ cycles: 1_000 }), interval_unit: "YEAR" as const, interval_count: 365 }
    expect([lastPeriodEnd(row), endMembers(row)]).toEqual([null, { billing_cycles: 1_000, billing_cycles_paid: 1 }])
  })

  it("one takes the place of the other, and null takes it away", () => {
    const row = changeEnd(active({ cycles: 12 }), { ends_at: at("2027-01-01") }, NOW)
    expect(row).toMatchObject({ billing_cycles: null, ends_at: at("2027-01-01"), has_own_end: true })
    expect(changeEnd(row, { billing_cycles: 3 }, NOW)).toMatchObject({ billing_cycles: 3, ends_at: null })
    expect(changeEnd(row, { billing_cycles: null }, NOW)).toEqual(row)
    expect(changeEnd(row, {}, NOW)).toEqual(row)
    expect(changeEnd(row, { ends_at: null }, NOW)).toMatchObject({ ends_at: null, has_own_end: false })
    expect(endMembers(changeEnd(row, { ends_at: null }, NOW))).toEqual({})
  })
})

describe("decisions: An end — a switch of plan", () => {
  it("counts the new plan's payments from the switch; the rest of the period is none of them", () => {
    let row = switched(active({ cycles: 12 }), COURSE, at("2026-06-16"))
    expect([row.billing_cycles, cyclesPaid(row), dueStep(row)]).toEqual([3, 0, "charge"])
    expect(day(lastPeriodEnd(row))).toBe("2026-10-01")
    row = paid(row, at("2026-06-16"))
    expect([row.billing_cycle_count, cyclesPaid(row)]).toEqual([2, 0])
    row = ["2026-07-01", "2026-08-01", "2026-09-01"].reduce((before, date) => paid(before, at(date)), row)
    expect([cyclesPaid(row), dueStep(row), day(dueAt(row, false))]).toEqual([3, "complete", "2026-10-01"])
  })

  it.each<[string, Planned, NewTerms, number | null]>([
    ["the end of the old plan goes with it", active({ cycles: 12 }), ENDLESS, null],
    ["an own end stays", active({ own: { billing_cycles: 5 } }), COURSE, 5],
    ["terms without another plan leave the end", active({ cycles: 12 }), { ...TEA, amount_minor: 70_000 }, 12],
  ])("%s", (_name, row, terms, billing_cycles) => {
    const now = switched(row, terms, at("2026-06-16"))
    expect(now).toMatchObject({ billing_cycles, scheduled_change: null })
    const later = beginScheduled(schedule(row, terms))
    expect(later).toMatchObject({ billing_cycles })
  })

  it("a scheduled plan follows the last period of the one before, as with a price for the first months", () => {
    const row = schedule(active({ cycles: 1 }), ENDLESS)
    expect([isComplete(row), dueStep(row), day(chargedNext(row)), lastPeriodEnd(row)]).toEqual([
      false,
      "change",
      "2026-07-01",
      null,
    ])
    expect([beginScheduled(row).billing_cycles, dueStep(beginScheduled(row))]).toEqual([null, "charge"])
    const course = schedule(active({ cycles: 1 }), COURSE)
    expect([dueStep(course), cyclesPaid(beginScheduled(course))]).toEqual(["change", 0])
  })

  it("in the last period of an own end only its rest can have another plan", () => {
    const row = active({ own: { billing_cycles: 1 } })
    expect(() => schedule(row, ENDLESS)).toThrow(REFUSED)
    expect(() => switched(row, WEEKLY, at("2026-06-16"))).toThrow(REFUSED)
    const rest = switched(row, ENDLESS, at("2026-06-16"))
    expect([dueStep(rest), day(lastPeriodEnd(rest))]).toEqual(["charge", "2026-07-01"])
    expect([dueStep(paid(rest, at("2026-06-16"))), cyclesPaid(paid(rest, at("2026-06-16")))]).toEqual(["complete", 1])
  })
})

/** A subscription with what billing keeps beside it: the bounds of paid periods, and how many full ones were charged. */
type World = { row: Planned; now: Date; periods: Map<number, Bounds>; full: number }

const DO = {
  pay: (world: World) => {
    try {
      requireToPay(world.row, openAmount(world.row), world.now)
    } catch {
      return
    }
    if (["PENDING", "ACTIVE", "TRIALING", "PAST_DUE", "PAUSED"].includes(world.row.status)) {
      const { paused_at } = world.row
      if (paused_at !== null) {
        move(world, world.now.getTime() - paused_at.getTime())
      }
      keep(world, () => payOpen(world.row, world.now, openBounds(world.row, world.now)))
    }
  },
  pause: (world: World) => {
    world.row = world.row.status === "ACTIVE" ? pause(world.row, world.now).next : world.row
  },
  resume: (world: World) => {
    const { status, paused_at } = world.row
    if (status === "PAUSED" && paused_at !== null) {
      move(world, world.now.getTime() - paused_at.getTime())
      world.row = resume(world.row, world.now).next
    }
  },
  undo: (world: World) => {
    const { row, now } = world
    if (["TRIALING", "ACTIVE", "PAST_DUE"].includes(row.status)) {
      const gone = cancel(row, now, { atPeriodEnd: true, reason: null }).next
      const ahead = [...world.periods].flatMap(([period, bounds]) => (period > row.current_period ? [bounds] : []))
      world.row = mayUncancel(gone, now) ? uncancel(gone, now, { ahead, retryAt: () => now }).next : row
    }
  },
  rest: (world: World) => swap(world, { ...world.row, ...ENDLESS, billing_cycles: null, amount_minor: 70_000 }),
  weekly: (world: World) => swap(world, WEEKLY),
  back: (world: World) => swap(world, TEA),
  later: (world: World) => {
    try {
      world.row = schedule(world.row, WEEKLY)
    } catch {
      // It is refused, and nothing changes.
    }
  },
}

function swap(world: World, { plan_id, plan_number, plan_name, plan_name_bn, ...terms }: NewTerms): void {
  const { amount_minor, quantity, interval_count, interval_unit } = terms
  const plan = { plan_id, plan_number, plan_name, plan_name_bn }
  const other = { ...plan, amount_minor, quantity, interval_count, interval_unit, billing_cycles: null }
  try {
    const before = world.row
    world.row = switched(before, other, world.now)
  } catch {
    return
  }
  run(world, world.now, "charge")
}

function move(world: World, length: number): void {
  const { current_period } = world.row
  for (const [period, { start, end }] of world.periods) {
    if (period > current_period) {
      world.periods.set(period, { start: new Date(start.getTime() + length), end: new Date(end.getTime() + length) })
    }
  }
}

function keep(world: World, settle: () => { next: Planned; bounds: Bounds }): void {
  const { row } = world
  const { left } = takeCredits(row.credits, openPrice(row) - openAmount(row), periodOf(row, openBounds(row, world.now)))
  const { next: after, bounds } = settle()
  world.full += openPeriod(row) > 0 && row.open_price_minor === null ? 1 : 0
  world.periods.set(openPeriod(row), bounds)
  world.row = { ...after, credits: left }
}

type Fate = "charge" | "fail" | "skip"

/** Does what falls due until then, as billing does. */
function run(world: World, until: Date, fate: Fate): void {
  for (let due = dueAt(world.row, false); due !== null && due <= until; due = dueAt(world.row, false)) {
    const { row } = world
    const moment = due
    const bounds = world.periods.get(row.current_period + 1) as Bounds
    const step = dueStep(row)
    if (step === "cover" || (step === "charge" && (fate === "charge" || row.status === "PAST_DUE"))) {
      keep(world, () => chargeSucceeded(row, moment, openBounds(row, moment)))
    } else if (step === "charge") {
      const retryAt = () => new Date(moment.getTime() + DAY_MS)
      world.row = fate === "fail" ? chargeFailed(row, moment, retryAt, false).next : skipOpen(row, moment).next
    } else if (step === "change") {
      world.row = beginScheduled(row)
    } else if (step === "notify_trial_ending") {
      world.row = notifyTrialEnding(row).next
    } else if (step === "end_trial") {
      world.row = endTrial(row, bounds).next
    } else if (step === "roll_over") {
      world.row = rollOver(row, bounds)
    } else {
      world.row = step === "complete" ? complete(row, moment).next : expire(row, moment).next
    }
  }
  world.now = until
}

describe("decisions: An end — whatever happens", () => {
  const acts = fc.array(
    fc.record({
      wait: fc.integer({ min: 0, max: 45 }),
      fate: fc.constantFrom<Fate>("charge", "charge", "fail", "skip"),
      act: fc.constantFrom(...(Object.keys(DO) as (keyof typeof DO)[])),
    }),
    { maxLength: 25 }
  )
  const trials = fc.constantFrom<Options>({}, { trial: 10 }, { trial: 10, trialPrice: 5_000 })

  function play(options: Options, steps: readonly { wait: number; fate: Fate; act: keyof typeof DO }[]): World {
    const world: World = { row: begun(options), now: at("2026-06-01"), periods: new Map(), full: 0 }
    DO.pay(world)
    for (const { wait, fate, act } of steps) {
      run(world, new Date(world.now.getTime() + wait * DAY_MS), fate)
      if (world.row.status !== "EXPIRED") {
        DO[act](world)
      }
    }
    DO.resume(world)
    run(world, new Date(world.now.getTime() + 2_000 * DAY_MS), "charge")
    return world
  }

  it("property: exactly billing_cycles full periods are charged, never one more", () => {
    fc.assert(
      fc.property(trials, fc.integer({ min: 1, max: 12 }), acts, (trial, billing_cycles, steps) => {
        const { row, full } = play({ ...trial, own: { billing_cycles } }, steps)
        expect([row.status, full, cyclesPaid(row)]).toEqual(["EXPIRED", billing_cycles, billing_cycles])
      }),
      { numRuns: 200 }
    )
  })

  it("property: no period begins at or after ends_at, and none before it is missed", () => {
    fc.assert(
      fc.property(trials, fc.integer({ min: 11, max: 400 }), acts, (trial, days, steps) => {
        const ends_at = new Date(at("2026-06-01").getTime() + days * DAY_MS)
        const { row, periods } = play({ ...trial, own: { ends_at } }, steps)
        expect(row.status).toBe("EXPIRED")
        expect((row.current_period_end as Date) >= ends_at).toBe(true)
        const lasts = [...periods.values()].filter(({ start, end }) => start >= ends_at && end > start)
        // The rest of the last period, after a switch, begins after it.
        expect(lasts.every(({ end }) => end <= (row.current_period_end as Date))).toBe(true)
      }),
      { numRuns: 100 }
    )
  })
})
