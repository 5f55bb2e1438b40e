import fc from "fast-check"
import type { Interval } from "../../kernel/money/calendar"
import {
  areTerms,
  beginScheduled,
  changeTerms,
  requireToPay,
  schedule,
  switchNow,
  type Proration,
} from "../change-rules"
import { balanceOf, dueOf, periodOf, takeCredits, type Credit } from "../credit-rules"
import { dueAt, dueStep } from "../due-step"
import { openAmount, openBounds, openPeriod, openPrice, type Lifecycle, type NewTerms } from "../lifecycle"
import { begin, cancel, chargeFailed, chargeSucceeded, pause, payOpen, resume } from "../rules"

const ZONE = "Asia/Dhaka"
const at = (text: string) => new Date(`${text}T06:00:00Z`)
const day = (date: Date | null) => date?.toISOString().slice(0, 10) ?? null
const NAMES = { plan_name: "Tea", plan_name_bn: null }
const TEA: NewTerms = {
  ...NAMES,
  plan_id: "gpl_tea",
  plan_number: 1,
  amount_minor: 60_000,
  interval_count: 1,
  interval_unit: "MONTH",
}
const COFFEE: NewTerms = { ...TEA, plan_id: "gpl_coffee", plan_number: 2, plan_name: "Coffee", amount_minor: 120_000 }
const YEARLY: NewTerms = { ...COFFEE, plan_id: "gpl_year", interval_unit: "YEAR", amount_minor: 1_000_000 }

type Planned = Lifecycle & NewTerms

const begun = (terms: NewTerms, from: Date, trial_period_days: number | null = null): Planned => ({
  ...begin({ ...terms, trial_period_days, trial_amount_minor: null, time_zone: ZONE }, from).next,
  ...terms,
})

/** Pays the open period as billing does: with credits, and the rest by a charge. Returns what was charged. */
function paid(row: Planned, now: Date): { row: Planned; charged: number } {
  const bounds = openBounds(row, now)
  const charged = openAmount(row)
  const { left } = takeCredits(row.credits, openPrice(row) - charged, periodOf(row, bounds))
  const { next } = row.status === "PENDING" ? payOpen(row, now, bounds) : chargeSucceeded(row, now, bounds)
  return { row: { ...next, credits: left }, charged }
}

const active = (terms: NewTerms, from: string) => paid(begun(terms, at(from)), at(from)).row
const boughtOf = (row: Planned, value = row.open_price_minor ?? row.amount_minor) => {
  const { current_period_start: start, current_period_end: end } = row
  return { value, start: start ?? row.opened_at, end: end ?? row.opened_at }
}
const switched = (
  row: Planned,
  terms: NewTerms,
  when: string,
  { proration = "credit", bought = boughtOf(row) }: { proration?: Proration; bought?: ReturnType<typeof boughtOf> } = {}
) => switchNow(row, terms, { at: at(when), bought, proration })

describe("docs/decisions/11 — a switch now gives the unused days back, and charges the rest of the new price", () => {
  it.each([
    // June has 30 days; the day of the switch is the first of the new plan.
    ["in the middle", "2026-06-16", 30_000, 60_000, 30_000],
    ["on the first day", "2026-06-01", 60_000, 120_000, 60_000],
    ["on the last day", "2026-06-30", 2_000, 4_000, 2_000],
  ])("with the same interval, %s", (_, when, credit, price, due) => {
    const row = switched(active(TEA, "2026-06-01"), COFFEE, when)
    expect([balanceOf(row.credits), openPrice(row), openAmount(row)]).toEqual([credit, price, due])
    expect(openBounds(row, at(when))).toEqual({ start: at(when), end: at("2026-07-01") })
    expect(row).toMatchObject({ plan_id: "gpl_coffee", amount_minor: 120_000, current_period_end: at(when) })
    expect([dueStep(row), dueAt(row, false)]).toEqual(["charge", at(when)])
    const { row: next, charged } = paid(row, at(when))
    expect([charged, next.credits, next.open_price_minor]).toEqual([due, [], null])
    expect([day(next.next_billing_date), openAmount(next)]).toEqual(["2026-07-01", 120_000])
  })

  it("the credit has its plan and its days", () => {
    const { credits } = switched(active(TEA, "2026-06-01"), COFFEE, "2026-06-16")
    const period = { start: at("2026-06-16").toISOString(), end: at("2026-07-01").toISOString() }
    expect(credits).toEqual([{ ...NAMES, ...period, amount_minor: 30_000 }])
  })

  it("an anchor on the 31st outlives a switch in February", () => {
    const row = switched(active(TEA, "2026-01-31"), COFFEE, "2026-02-10")
    // 18 of 28 days are left.
    expect([openPrice(row), day(openBounds(row, at("2026-02-10")).end)]).toEqual([77_143, "2026-02-28"])
    const after = paid(row, at("2026-02-10")).row
    expect(day(openBounds(after, at("2026-02-28")).end)).toBe("2026-03-31")
  })

  it("another interval begins a whole period, which is the new anchor", () => {
    const row = switched(active(TEA, "2026-06-01"), YEARLY, "2026-06-16")
    expect([openPrice(row), openAmount(row)]).toEqual([1_000_000, 970_000])
    expect(day(openBounds(row, at("2026-06-16")).end)).toBe("2027-06-16")
  })

  it("to a cheaper plan nothing is charged, and what is left over pays the next periods", () => {
    const row = switched(active(COFFEE, "2026-06-01"), TEA, "2026-06-16")
    expect([openAmount(row), dueStep(row)]).toEqual([0, "cover"])
    const { row: covered, charged } = paid(row, at("2026-06-16"))
    expect([charged, balanceOf(covered.credits), openAmount(covered)]).toEqual([0, 30_000, 30_000])
    const { row: july, charged: rest } = paid(covered, at("2026-07-01"))
    expect([rest, july.credits]).toEqual([30_000, []])
  })

  it("less than can be charged is carried over to the next invoice", () => {
    const almost = { ...TEA, plan_id: "gpl_almost", amount_minor: 60_010 }
    const row = switched(active(TEA, "2026-06-01"), almost, "2026-06-01")
    expect([openPrice(row), openAmount(row)]).toEqual([60_010, 0])
    const { row: covered, charged } = paid(row, at("2026-06-01"))
    expect([charged, balanceOf(covered.credits), openAmount(covered)]).toEqual([0, -10, 60_020])
  })

  it("what was given back of the payment is no credit", () => {
    const row = switched(active(TEA, "2026-06-01"), COFFEE, "2026-06-16", {
      bought: boughtOf(active(TEA, "2026-06-01"), 20_000),
    })
    expect(balanceOf(row.credits)).toBe(10_000)
  })

  it("a switch back on the same day costs nothing, and leaves nothing", () => {
    const first = paid(switched(active(TEA, "2026-06-01"), COFFEE, "2026-06-16"), at("2026-06-16")).row
    const back = switched(first, TEA, "2026-06-16", { bought: boughtOf(first, 60_000) })
    // 15 days of coffee are worth 600.00, those of tea 300.00.
    expect([openAmount(back), balanceOf(paid(back, at("2026-06-16")).row.credits)]).toEqual([0, 30_000])
  })

  it("without proration nothing is due, and the next period has the new price", () => {
    const row = switched(active(TEA, "2026-06-01"), COFFEE, "2026-06-16", { proration: "none" })
    expect([row.plan_id, row.credits, day(dueAt(row, false)), openAmount(row)]).toEqual([
      "gpl_coffee",
      [],
      "2026-07-01",
      120_000,
    ])
  })

  it("in a free trial the trial goes on, and the new price follows it", () => {
    const row = switched(begun(TEA, at("2026-06-01"), 14), YEARLY, "2026-06-05")
    expect([row.status, day(row.trial_end_date), openAmount(row), row.credits]).toEqual([
      "TRIALING",
      "2026-06-15",
      1_000_000,
      [],
    ])
    expect(day(openBounds(row, at("2026-06-15")).end)).toBe("2027-06-15")
  })

  it("a first payment that never came is of the new plan", () => {
    expect(openAmount(switched(begun(TEA, at("2026-06-01")), COFFEE, "2026-06-02"))).toBe(120_000)
  })

  const overdue = (row: Planned, when: string) => ({
    ...chargeFailed(row, at(when), () => at("2026-07-04"), true).next,
  })

  it("an overdue period is asked for again on the new terms; with another interval it begins anew", () => {
    const late = overdue(active(COFFEE, "2026-06-01"), "2026-07-01")
    const row = switched(late, TEA, "2026-07-02")
    expect([row.status, openAmount(row), row.credits]).toEqual(["PAST_DUE", 60_000, []])
    expect(openBounds(row, at("2026-07-02"))).toEqual({ start: at("2026-07-01"), end: at("2026-08-01") })
    const yearly = switched(late, YEARLY, "2026-07-02")
    expect(openBounds(yearly, at("2026-07-02"))).toEqual({ start: at("2026-07-02"), end: at("2027-07-02") })
  })

  it("an upgrade whose charge failed can be taken back: the credit is still there", () => {
    const upgraded = switched(active(TEA, "2026-06-01"), COFFEE, "2026-06-16")
    const late = overdue(upgraded, "2026-06-16")
    expect([late.status, openAmount(late)]).toEqual(["PAST_DUE", 30_000])
    const back = switched(late, TEA, "2026-06-17")
    expect([openPrice(back), openAmount(back), day(openBounds(back, at("2026-06-17")).end)]).toEqual([
      30_000,
      0,
      "2026-07-01",
    ])
  })

  it("a pause after a switch keeps the rest of the period as long as it was", () => {
    const row = pause(switched(active(TEA, "2026-06-01"), COFFEE, "2026-06-16"), at("2026-06-16")).next
    const awake = resume(row, at("2026-06-20")).next
    expect(openBounds(awake, at("2026-06-20"))).toEqual({ start: at("2026-06-20"), end: at("2026-07-05") })
    expect(openAmount(awake)).toBe(30_000)
  })

  it("an overdue month does not become weeks that are over already", () => {
    const weekly = { ...TEA, plan_id: "gpl_week", interval_unit: "WEEK" as const, amount_minor: 20_000 }
    const row = switched(overdue(active(COFFEE, "2026-06-01"), "2026-07-01"), weekly, "2026-07-20")
    expect(openBounds(row, at("2026-07-20"))).toEqual({ start: at("2026-07-20"), end: at("2026-07-27") })
    const after = paid(row, at("2026-07-20")).row
    expect([day(dueAt(after, false)), day(after.next_billing_date)]).toEqual(["2026-07-27", "2026-07-27"])
  })

  it("a month that is overdue is not asked for at a year's price, after the interval was changed", () => {
    const late = overdue(active(TEA, "2026-06-01"), "2026-07-01")
    const changed = { ...changeTerms(late, { interval_unit: "YEAR" }) }
    const row = switched(changed, YEARLY, "2026-07-02")
    expect([openPrice(row), openBounds(row, at("2026-07-02"))]).toEqual([
      1_000_000,
      { start: at("2026-07-02"), end: at("2027-07-02") },
    ])
  })

  it("the days of a pause are not days that were used", () => {
    const row = active(TEA, "2026-06-01")
    const bought = boughtOf(row)
    const awake = resume(pause(row, at("2026-06-10")).next, at("2026-06-25")).next
    const next = switched(awake, COFFEE, "2026-06-26", { bought })
    // 20 of 30 days are left, until 16 July.
    expect([balanceOf(next.credits), openPrice(next), openAmount(next)]).toEqual([40_000, 80_000, 40_000])
  })

  it("a second switch before the first one was charged asks for the same days", () => {
    const first = switched(active(TEA, "2026-06-01"), COFFEE, "2026-06-16")
    const dearer = { ...COFFEE, plan_id: "gpl_cocoa", amount_minor: 240_000 }
    const second = switched(first, dearer, "2026-06-16")
    expect([balanceOf(second.credits), openPrice(second)]).toEqual([30_000, 120_000])
    expect(openBounds(second, at("2026-06-16"))).toEqual({ start: at("2026-06-16"), end: at("2026-07-01") })
    expect(() => schedule(first, YEARLY)).toThrow(expect.objectContaining({ code: "INVALID_STATE_TRANSITION" }))
  })

  it.each([
    ["a paused one", () => pause(active(TEA, "2026-06-01"), at("2026-06-10")).next],
    ["one whose next period is paid", () => paid(active(TEA, "2026-06-01"), at("2026-06-10")).row],
    [
      "a cancelled one",
      () => cancel(active(TEA, "2026-06-01"), at("2026-06-10"), { atPeriodEnd: true, reason: null }).next,
    ],
  ])("%s is refused", (_, of) => {
    expect(() => switched(of(), COFFEE, "2026-06-16")).toThrow(
      expect.objectContaining({ code: "INVALID_STATE_TRANSITION" })
    )
  })
})

describe("docs/decisions/11 — a switch with the next period", () => {
  it("holds from then on, and the charge follows at once", () => {
    const row = schedule(active(TEA, "2026-06-01"), YEARLY)
    expect([row.plan_id, row.amount_minor, dueStep(row), day(dueAt(row, false))]).toEqual([
      "gpl_tea",
      60_000,
      "change",
      "2026-07-01",
    ])
    expect(() => requireToPay(row, 60_000, at("2026-06-20"))).toThrow(
      expect.objectContaining({ code: "INVALID_STATE_TRANSITION" })
    )
    const next = beginScheduled(row)
    expect([next.plan_id, next.scheduled_change, dueStep(next), openAmount(next)]).toEqual([
      "gpl_year",
      null,
      "charge",
      1_000_000,
    ])
    expect(day(openBounds(next, at("2026-07-01")).end)).toBe("2027-07-01")
  })

  it("to the terms that hold takes a scheduled one back; a cancellation does too", () => {
    const row = schedule(active(TEA, "2026-06-01"), COFFEE)
    expect(schedule(row, TEA).scheduled_change).toBeNull()
    const cancelled = cancel(row, at("2026-06-10"), { atPeriodEnd: true, reason: null }).next
    expect(cancelled.scheduled_change).toBeNull()
  })

  it("is replaced by a switch now", () => {
    const row = switched(schedule(active(TEA, "2026-06-01"), COFFEE), YEARLY, "2026-06-16")
    expect([row.plan_id, row.scheduled_change]).toEqual(["gpl_year", null])
  })

  it.each(["PENDING", "PAST_DUE", "CANCELLED", "EXPIRED"] as const)("of a %s one is refused", (status) => {
    expect(() => schedule({ ...active(TEA, "2026-06-01"), status }, COFFEE)).toThrow(
      expect.objectContaining({ code: "INVALID_STATE_TRANSITION" })
    )
  })
})

const credits = fc.array(
  fc.integer({ min: -999, max: 100_000 }).map((amount_minor): Credit => {
    return { ...NAMES, amount_minor, start: at("2026-06-01").toISOString(), end: at("2026-07-01").toISOString() }
  }),
  { maxLength: 4 }
)

describe("docs/decisions/11 — credits", () => {
  it("are taken to the hundredth: what is taken and what is left is what there was", () => {
    fc.assert(
      fc.property(credits, fc.integer({ min: 0, max: 200_000 }), (some, price) => {
        const due = dueOf(price, some)
        const { taken, left } = takeCredits(
          some,
          price - due,
          periodOf(NAMES, { start: new Date(0), end: new Date(1) })
        )
        expect(balanceOf(taken)).toBe(price - due)
        expect(balanceOf(left)).toBe(balanceOf(some) - (price - due))
        expect(due === 0 || due >= 1_000).toBe(true)
        // What is owed is never more than is too little to charge, and was not owed before.
        expect(balanceOf(left)).toBeGreaterThan(Math.min(-1_000, balanceOf(some) - 1))
      })
    )
  })
})

const SOME: readonly NewTerms[] = [
  TEA,
  COFFEE,
  YEARLY,
  { ...TEA, plan_id: "gpl_week", interval_unit: "WEEK", amount_minor: 20_000 },
]
const step = fc.record({
  hours: fc.integer({ min: 1, max: 24 * 50 }),
  what: fc.constantFrom("switch" as const, "schedule" as const, "pause" as const, "pay ahead" as const),
  to: fc.constantFrom(...SOME),
})

describe("docs/decisions/11 — any sequence of switches, pauses and payments", () => {
  it.each(["Asia/Dhaka", "America/New_York", "Pacific/Apia"])(
    "in %s: what was charged is what was served and what is left, and no period overlaps",
    (time_zone) => {
      fc.assert(
        fc.property(fc.array(step, { maxLength: 25 }), fc.constantFrom(...SOME), (steps, first) => {
          const book = { charged: 0, served: 0 }
          const periods: { start: Date; end: Date; price: number; bought: Date }[] = []
          let now = new Date("2026-01-31T18:30:00Z")
          const pay = (row: Planned, when: Date): Planned => {
            const price = openPrice(row)
            const bounds = openBounds(row, when)
            const before = openPeriod(row)
            const done = paid(row, when)
            expect(openPeriod(done.row)).toBe(before + 1)
            book.charged += done.charged
            book.served += price
            periods.push({ ...bounds, price, bought: bounds.end })
            return done.row
          }
          let row: Planned = pay({ ...begun(first, now), time_zone }, now)
          const run = (until: Date) => {
            for (let due = dueAt(row, false); due !== null && due <= until; due = dueAt(row, false)) {
              const kind = dueStep(row)
              row =
                kind === "change" ? beginScheduled(row) : kind === "roll_over" ? rolled(row, periods) : pay(row, due)
            }
          }
          for (const { hours, what, to } of steps) {
            now = new Date(now.getTime() + hours * 3_600_000)
            run(now)
            const isAhead = row.paid_period > row.current_period
            if (what === "switch" && !isAhead && !areTerms(row, to)) {
              const last = periods[periods.length - 1]
              const bought = { value: last.price, start: last.start, end: last.bought }
              const next = switchNow(row, to, { at: now, bought, proration: "credit" })
              const given = balanceOf(next.credits) - balanceOf(row.credits)
              expect(given).toBeGreaterThanOrEqual(0)
              expect(given).toBeLessThanOrEqual(last.price)
              book.served -= given
              last.end = now
              row = next
              run(now)
            } else if (what === "schedule") {
              row = schedule(row, to)
            } else if (what === "pause" && !isAhead) {
              row = pause(row, now).next
              const length = 36 * 3_600_000
              now = new Date(now.getTime() + length)
              const last = periods[periods.length - 1]
              last.end = new Date(last.end.getTime() + length)
              row = resume(row, now).next
            } else if (what === "pay ahead" && !isAhead && row.scheduled_change === null) {
              row = pay(row, now)
            }
          }
          expect(book.charged).toBe(book.served + balanceOf(row.credits))
          periods.slice(1).forEach(({ start }, index) => expect(start.getTime()).toBe(periods[index].end.getTime()))
        }),
        { numRuns: 150 }
      )
    }
  )
})

function rolled(row: Planned, periods: readonly { start: Date; end: Date }[]): Planned {
  const { start, end } = periods[periods.length - 1]
  const period = row.current_period + 1
  return { ...row, current_period: period, current_period_start: start, current_period_end: end }
}

describe("docs/decisions/11 — the same terms", () => {
  it.each([
    ["another plan", { plan_id: "gpl_coffee" }, false],
    ["another amount", { amount_minor: 1 }, false],
    ["another interval", { interval_count: 2 } satisfies Partial<Interval>, false],
    ["nothing", {}, true],
  ])("%s differs", (_, change, same) => {
    expect(areTerms(active(TEA, "2026-06-01"), { ...TEA, ...change })).toBe(same)
  })
})
