import fc from "fast-check"
import { daysBetween, type Interval } from "../../kernel/money/calendar"
import {
  areTerms,
  beginScheduled,
  changeTerms,
  nextTerms,
  requireToPay,
  schedule,
  switchNow,
  type Proration,
} from "../change-rules"
import { uncancel } from "../cancellation-rules"
import { balanceOf, dueOf, periodOf, takeCredits, type Credit } from "../credit-rules"
import { dueAt, dueStep } from "../due-step"
import { openAmount, openBounds, openPeriod, openPrice, type Lifecycle, type NewTerms } from "../lifecycle"
import { priceOf, unitOf } from "../quantity-rules"
import { begin, cancel, chargeFailed, chargeSucceeded, expire, pause, payOpen, resume } from "../rules"

const ZONE = "Asia/Dhaka"
const at = (text: string) => new Date(`${text}T06:00:00Z`)
const day = (date: Date | null) => date?.toISOString().slice(0, 10) ?? null
const NAMES = { plan_name: "Tea", plan_name_bn: null }
const TEA: NewTerms = {
  ...NAMES,
  plan_id: "gpl_tea",
  plan_number: 1,
  amount_minor: 60_000,
  quantity: 1,
  interval_count: 1,
  interval_unit: "MONTH",
}
const COFFEE: NewTerms = { ...TEA, plan_id: "gpl_coffee", plan_number: 2, plan_name: "Coffee", amount_minor: 120_000 }
const YEARLY: NewTerms = { ...COFFEE, plan_id: "gpl_year", interval_unit: "YEAR", amount_minor: 1_000_000 }

type Planned = Lifecycle & NewTerms
/** Of three, TEA is 200.00 each. */
const ofSeats = (quantity: number) => ({ quantity, amount_minor: quantity * 20_000 })

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
  const { current_period_start: start, current_period_end: end, plan_name, plan_name_bn, quantity } = row
  return { value, plan_name, plan_name_bn, quantity, start: start ?? row.opened_at, end: end ?? row.opened_at }
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

  it("the credit has the plan that was bought, which the switch before may have replaced without proration", () => {
    const tea = active(TEA, "2026-06-01")
    const coffee = switched(tea, COFFEE, "2026-06-10", { proration: "none" })
    const { credits } = switched(coffee, YEARLY, "2026-06-16", { bought: boughtOf(tea) })
    expect(credits).toMatchObject([{ plan_name: "Tea", amount_minor: 30_000 }])
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

  it.each([
    // 15 of 30 days are left; the rest of the period is charged for two more, to the hundredth.
    ["more", 5, 50_000, 30_000, 20_000, 0],
    ["fewer", 2, 20_000, 30_000, 0, 10_000],
    ["one", 1, 10_000, 30_000, 0, 20_000],
  ])("decisions: Quantity — %s now", (_, quantity, price, credit, due, left) => {
    const three = { ...TEA, quantity: 3 }
    const row = switched(active(three, "2026-06-01"), { ...TEA, ...ofSeats(quantity) }, "2026-06-16")
    expect([openPrice(row), balanceOf(row.credits), openAmount(row)]).toEqual([price, credit, due])
    expect(row.credits[0].quantity).toBe(3)
    expect(balanceOf(paid(row, at("2026-06-16")).row.credits)).toBe(left)
  })

  it("decisions: Quantity — with the next period", () => {
    const row = schedule(active({ ...TEA, quantity: 3 }, "2026-06-01"), { ...TEA, ...ofSeats(5) })
    expect([row.quantity, openAmount(beginScheduled(row)), beginScheduled(row).quantity]).toEqual([3, 100_000, 5])
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

  it("to the terms that hold takes a scheduled one back; a cancellation at once does too", () => {
    const row = schedule(active(TEA, "2026-06-01"), COFFEE)
    expect(schedule(row, TEA).scheduled_change).toBeNull()
    const cancelled = cancel(row, at("2026-06-10"), { atPeriodEnd: false, reason: null }).next
    expect(cancelled.scheduled_change).toBeNull()
  })

  it("is kept while a cancellation waits for the period's end, does not begin, and is there again when that is undone", () => {
    const row = schedule(active(TEA, "2026-06-01"), COFFEE)
    const cancelled = cancel(row, at("2026-06-10"), { atPeriodEnd: true, reason: null }).next
    expect([nextTerms(row), nextTerms(cancelled), dueStep(cancelled)]).toEqual([row.scheduled_change, null, "expire"])
    const undone = uncancel(cancelled, at("2026-06-20"), { ahead: [], retryAt: () => null }).next
    expect([undone.scheduled_change, dueStep(undone), undone.next_billing_date]).toEqual([
      row.scheduled_change,
      "change",
      row.next_billing_date,
    ])
    expect(expire(cancelled, at("2026-07-01")).next.scheduled_change).toBeNull()
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
          periodOf({ ...NAMES, quantity: 1 }, { start: new Date(0), end: new Date(1) })
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
  // It differs by less than can be charged.
  { ...TEA, plan_id: "gpl_almost", amount_minor: 60_499 },
]
const step = fc.record({
  hours: fc.integer({ min: 1, max: 24 * 50 }),
  what: fc.constantFrom(
    ...(["switch", "quantity", "schedule", "schedule quantity", "pause", "pay ahead", "refund", "fail"] as const)
  ),
  to: fc.constantFrom(...SOME),
  quantity: fc.integer({ min: 1, max: 12 }),
  /** Of what can still be refunded of a payment, which counts from the last one. */
  part: fc.double({ min: 0, max: 1, noNaN: true }),
  back: fc.nat(3),
})
type Step = typeof step extends fc.Arbitrary<infer One> ? One : never

/** A paid period: when it ran, as it was bought, and what was charged and refunded for it. */
type Period = { start: Date; end: Date; bought: Date; price: number; charged: number; refunded: number; given: number }

/** A subscription that is billed by the real rules, with a book of what was charged and served. */
class Billed {
  readonly periods: Period[] = []
  row: Planned
  now = new Date("2026-01-31T18:30:00Z")
  private failsNext = false

  constructor(first: NewTerms, time_zone: string) {
    this.row = { ...begun(first, this.now), time_zone }
    this.pay(this.now)
  }

  act({ hours, what, to, quantity, part, back }: Step): void {
    this.now = new Date(this.now.getTime() + hours * 3_600_000)
    this.run()
    const { row } = this
    const isAhead = row.paid_period > row.current_period
    const mayWait = row.status === "ACTIVE" && row.open_price_minor === null
    const terms = what.includes("quantity")
      ? { ...termsOf(row), ...priceOf({ quantity }, { unit_minor: unitOf(row), quantity: row.quantity }) }
      : { ...to, ...priceOf({}, { unit_minor: to.amount_minor, quantity: row.quantity }) }
    if (what === "refund") {
      const period = this.periods[Math.max(this.periods.length - 1 - back, 0)]
      period.refunded += Math.floor((period.charged - period.refunded) * part)
    } else if (what === "fail") {
      this.failsNext = true
    } else if (what === "pay ahead") {
      if (!isAhead && row.scheduled_change === null) {
        this.pay(this.now)
      }
    } else if (what.startsWith("schedule")) {
      this.row = mayWait ? schedule(row, terms) : row
    } else if (what === "pause") {
      if (mayWait && !isAhead) {
        this.pause()
      }
    } else if (!isAhead && !areTerms(row, terms)) {
      this.switch(terms)
    }
  }

  private switch(terms: NewTerms): void {
    const { row, now } = this
    const last = this.periods[this.periods.length - 1]
    const value = last.price - last.refunded
    const bought = { ...boughtOf(row, value), start: last.start, end: last.bought }
    this.row = switchNow(row, terms, { at: now, bought, proration: "credit" })
    const given = balanceOf(this.row.credits) - balanceOf(row.credits)
    const isRunning = row.status === "ACTIVE" && row.open_price_minor === null
    // By the calendar alone: the days from the switch on, of the days that were bought.
    const days = daysBetween(last.start, last.bought, row.time_zone)
    const unused = Math.min(daysBetween(now, last.end, row.time_zone), days)
    // After pauses the rest of a period may begin and end on one day: it costs nothing, and leaves nothing.
    const share = days === 0 ? value : Math.round((value * unused) / days)
    expect(given).toBe(isRunning ? share : 0)
    expect(given).toBeLessThanOrEqual(value)
    last.given += given
    // What an overdue period that begins anew leaves out was never paid.
    last.end = isRunning ? now : openBounds(this.row, now).start
    this.run()
  }

  private pause(): void {
    const length = 36 * 3_600_000
    this.row = pause(this.row, this.now).next
    this.now = new Date(this.now.getTime() + length)
    const last = this.periods[this.periods.length - 1]
    last.end = new Date(last.end.getTime() + length)
    this.row = resume(this.row, this.now).next
  }

  private pay(when: Date): void {
    const [price, bounds, period] = [openPrice(this.row), openBounds(this.row, when), openPeriod(this.row)]
    const done = paid(this.row, when)
    expect(openPeriod(done.row)).toBe(period + 1)
    this.row = done.row
    this.periods.push({ ...bounds, bought: bounds.end, price, charged: done.charged, refunded: 0, given: 0 })
  }

  private run(): void {
    for (let due = dueAt(this.row, false); due !== null && due <= this.now; due = dueAt(this.row, false)) {
      const kind = dueStep(this.row)
      if (kind === "change") {
        this.row = beginScheduled(this.row)
      } else if (kind === "roll_over") {
        this.row = rolled(this.row, this.periods)
      } else if (kind === "charge" && this.failsNext) {
        this.failsNext = false
        this.row = chargeFailed(this.row, due, (first) => new Date(first.getTime() + 5 * 86_400_000), false).next
      } else {
        this.pay(due)
      }
    }
  }
}

const termsOf = ({ plan_id, plan_number, plan_name, plan_name_bn, ...row }: Planned): NewTerms => {
  const { amount_minor, quantity, interval_count, interval_unit } = row
  return { plan_id, plan_number, plan_name, plan_name_bn, amount_minor, quantity, interval_count, interval_unit }
}
const sum = (amounts: readonly number[]) => amounts.reduce((total, one) => total + one, 0)

describe("docs/decisions/11 — any sequence of switches, quantities, pauses, payments and refunds", () => {
  it.each(["Asia/Dhaka", "America/New_York", "Pacific/Apia"])(
    "in %s: what was charged and not refunded is what was served and what is left, and no period overlaps",
    (time_zone) => {
      fc.assert(
        fc.property(fc.array(step, { maxLength: 25 }), fc.constantFrom(...SOME), (steps, first) => {
          const billed = new Billed(first, time_zone)
          for (const one of steps) {
            billed.act(one)
          }
          const { periods, row } = billed
          const kept = sum(periods.map(({ charged, refunded }) => charged - refunded))
          const served = sum(periods.map(({ price, given, refunded }) => price - given - refunded))
          expect(kept).toBe(served + balanceOf(row.credits))
          expect(row.amount_minor).toBe(unitOf(row) * row.quantity)
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
    ["another quantity", { quantity: 2 }, false],
    ["another interval", { interval_count: 2 } satisfies Partial<Interval>, false],
    ["nothing", {}, true],
  ])("%s differs", (_, change, same) => {
    expect(areTerms(active(TEA, "2026-06-01"), { ...TEA, ...change })).toBe(same)
  })
})
