import fc from "fast-check"
import { POSTING_KINDS } from "../../ledger/rules"
import { journalRows } from "../journal-rules"
import {
  boundsOf,
  countsIn,
  daysOf,
  isOver,
  monthAt,
  monthOf,
  monthsFrom,
  nextMonth,
  zoneOf,
  type FixedMonth,
  type MonthCalendar,
} from "../month-calendar"
import {
  addedSums,
  carriedBy,
  figuresOf,
  monthsOf,
  NO_SUMS,
  NOTHING_CARRIED,
  sumsByMonth,
  sumsOfLines,
  sumsOfMovement,
  type Deposited,
  type Figures,
  type LineGroup,
  type Movement,
} from "../month-rules"
import { MOVED } from "../../ledger/settlement-rules"
import { linesMatched } from "../records"
import { SETTLEMENT_KINDS, LINE_STATES } from "../states"

const amount = fc.bigInt({ min: -1_000_000_000n, max: 1_000_000_000n })
const month = fc.constantFrom("2026-09", "2026-10", "2026-11", "2026-12")
const currency = fc.constantFrom("BDT", "USD")
const movement: fc.Arbitrary<Movement> = fc.record({ month, currency, kind: fc.constantFrom(...POSTING_KINDS), amount })
const line: fc.Arbitrary<LineGroup> = fc.record({
  month,
  currency,
  kind: fc.constantFrom(...SETTLEMENT_KINDS),
  state: fc.constantFrom(...LINE_STATES),
  count: fc.constant(1),
  gross: amount,
  fee: amount,
  vat: amount,
  expected: amount,
  booked: amount,
  agreed_fee: amount,
  agreed_vat: amount,
})
const deposit: fc.Arbitrary<Deposited> = fc.record({ month, currency, settled: amount, charge: amount })
const some = <Value>(of: fc.Arbitrary<Value>) => fc.array(of, { maxLength: 30 })
const MONTHS = ["2026-09", "2026-10", "2026-11", "2026-12"]
const figuresIn = (parts: ReturnType<typeof monthsOf>[number]["parts"]): Figures[] =>
  parts.map((part) => figuresOf(part.currency, part.carried, part.sums))

const closed = (month: string, ends_at: string, time_zone = "Asia/Dhaka"): FixedMonth => ({
  month,
  time_zone,
  ends_at: new Date(ends_at),
  is_closed: true,
})
const calendar = (zone: string, ...months: FixedMonth[]): MonthCalendar => ({
  zone,
  fixed: months,
  after: months.slice(-1),
})
const DHAKA = calendar("Asia/Dhaka")
const bounds = (month: string, of: MonthCalendar) =>
  Object.values(boundsOf(month, of)).map((at) => at.toISOString().slice(0, 16))

describe("months of a merchant's time zone (decisions: Days)", () => {
  it.each([
    ["2026-10-31T17:59:59.999Z", "Asia/Dhaka", "2026-10"],
    ["2026-10-31T18:00:00.000Z", "Asia/Dhaka", "2026-11"],
    ["2026-12-31T18:00:00.000Z", "Asia/Dhaka", "2027-01"],
    ["2024-02-29T17:59:00.000Z", "Asia/Dhaka", "2024-02"],
    ["2026-11-01T03:59:59.999Z", "America/New_York", "2026-10"],
    ["2026-12-01T04:59:59.999Z", "America/New_York", "2026-11"],
    ["2026-10-31T13:00:00.000Z", "Australia/Lord_Howe", "2026-11"],
  ])("%s in %s is in %s", (at, zone, expected) => {
    expect(monthOf(new Date(at), zone)).toBe(expected)
  })

  it.each([
    ["2026-11", "2026-12"],
    ["2026-12", "2027-01"],
    ["2026-01", "2026-02"],
  ])("after %s comes %s", (of, next) => {
    expect(nextMonth(of)).toBe(next)
  })

  it.each(["Asia/Dhaka", "America/New_York", "Australia/Lord_Howe"])(
    "begin at midnight of %s, follow each other without a gap, and are over an hour after their end",
    (zone) => {
      const of = calendar(zone)
      const months = monthsFrom("2025-11", "2027-02")
      expect(months).toHaveLength(16)
      for (const month of months) {
        const { from, to } = boundsOf(month, of)
        expect([to, monthOf(from, zone)]).toEqual([boundsOf(nextMonth(month), of).from, month])
        expect(isOver(month, new Date(to.getTime() + 3_599_000), of)).toBe(false)
        expect(isOver(month, new Date(to.getTime() + 3_600_000), of)).toBe(true)
      }
      expect(monthsFrom("2026-12", "2026-11")).toEqual([])
    }
  )

  it.each([
    ["2026-10-15T00:00:00Z", null, "2026-10"],
    ["2026-10-15T00:00:00Z", "2026-09", "2026-10"],
    ["2026-10-15T00:00:00Z", "2026-10", "2026-11"],
    ["2026-08-15T00:00:00Z", "2026-12", "2027-01"],
  ])("a line of %s counts, with months closed until %s, in %s", (at, until, expected) => {
    const months = until === null ? [] : [closed(until, boundsOf(until, DHAKA).to.toISOString())]
    expect(countsIn(new Date(at), calendar("Asia/Dhaka", ...months))).toBe(expected)
  })

  it("a closed month keeps its days when the zone changes, and the next one begins at its end", () => {
    const months = [closed("2026-09", "2026-09-30T18:00:00Z"), closed("2026-10", "2026-10-31T18:00:00Z")]
    const west = calendar("America/New_York", ...months)
    expect(bounds("2026-09", west)).toEqual(["2026-08-31T18:00", "2026-09-30T18:00"])
    expect(bounds("2026-10", west)).toEqual(["2026-09-30T18:00", "2026-10-31T18:00"])
    expect(bounds("2026-11", west)).toEqual(["2026-10-31T18:00", "2026-12-01T05:00"])
    expect(bounds("2026-12", west)).toEqual(["2026-12-01T05:00", "2027-01-01T05:00"])
    const east = calendar("Asia/Dhaka", closed("2026-10", "2026-11-01T04:00:00Z", "America/New_York"))
    expect(bounds("2026-11", east)).toEqual(["2026-11-01T04:00", "2026-11-30T18:00"])
    expect([zoneOf("2026-10", east), zoneOf("2026-11", east)]).toEqual(["America/New_York", "Asia/Dhaka"])
  })

  it.each([
    ["2026-10-31T17:59:59Z", "2026-10", "2026-11"],
    // In New York it is still October, which is closed and over.
    ["2026-10-31T18:00:00Z", "2026-11", "2026-11"],
    ["2026-12-01T04:59:59Z", "2026-11", "2026-11"],
    ["2026-12-01T05:00:00Z", "2026-12", "2026-12"],
    ["2026-07-01T00:00:00Z", "2026-07", "2026-11"],
  ])("after a change from Dhaka to New York %s is in %s, and a line of it counts in %s", (at, own, counts) => {
    const months = [closed("2026-09", "2026-09-30T18:00:00Z"), closed("2026-10", "2026-10-31T18:00:00Z")]
    const of = calendar("America/New_York", ...months)
    expect([monthAt(new Date(at), of), countsIn(new Date(at), of)]).toEqual([own, counts])
  })

  it.each([
    ["2026-10-31T19:00:00Z", "Asia/Dhaka", "America/New_York", "2026-11"],
    ["2026-10-31T19:00:00Z", "America/New_York", "Asia/Dhaka", "2026-10"],
  ])("months that are open again keep their ends: %s is, closed in %s and then in %s, in %s", (at, was, zone, own) => {
    const months: FixedMonth[] = []
    for (const month of ["2026-09", "2026-10"]) {
      const { to: ends_at } = boundsOf(month, calendar(was, ...months))
      months.push({ month, time_zone: was, ends_at, is_closed: month === "2026-09" })
    }
    for (const last of [months, months.map((month) => ({ ...month, is_closed: false }))]) {
      const of = calendar(zone, ...last)
      expect([monthAt(new Date(at), of), countsIn(new Date(at), of)]).toEqual([own, own])
      expect([zoneOf("2026-10", of), boundsOf("2026-11", of).from]).toEqual([was, months[1].ends_at])
      expect(countsIn(new Date("2026-08-15T00:00:00Z"), of)).toBe(last === months ? "2026-10" : "2026-08")
    }
  })

  it("a bank's line, which brings settlements of several sources, counts after what was closed of them before it", () => {
    const after = [closed("2026-10", "2026-10-31T18:00:00Z"), closed("2026-09", "2026-09-30T18:00:00Z")]
    const of = { zone: "America/New_York", fixed: [], after }
    const months = ["2026-10-31T17:00:00Z", "2026-10-31T18:00:00Z", "2026-11-02T00:00:00Z"].map((at) =>
      countsIn(new Date(at), of)
    )
    expect(months).toEqual(["2026-10", "2026-11", "2026-11"])
  })

  const zone = fc.constantFrom("Asia/Dhaka", "America/New_York", "Australia/Lord_Howe", "Pacific/Kiritimati", "UTC")

  it("whatever zones a merchant chooses, every moment is within its month, and days lose nothing of a month", () => {
    const moment = fc.date({ min: new Date("2026-01-01"), max: new Date("2027-06-01"), noInvalidDate: true })
    fc.assert(
      fc.property(fc.array(zone, { minLength: 1, maxLength: 5 }), moment, (zones, at) => {
        const months: FixedMonth[] = []
        zones.slice(1).forEach((time_zone, nth) => {
          const month = monthsFrom("2026-06", "2027-01")[nth]
          const { to: ends_at } = boundsOf(month, calendar(time_zone, ...months))
          months.push({ month, time_zone, ends_at, is_closed: nth < zones.length / 2 })
        })
        const of = calendar(zones[0], ...months)
        const month = monthAt(at, of)
        const { from, to } = boundsOf(month, of)
        const days = daysOf(month, of)
        expect(from <= at && at < to).toBe(true)
        expect(days[0].from).toEqual(from)
        expect(days.every(({ date }) => date.startsWith(month))).toBe(true)
        expect(days.every(({ from: begins }, day) => day === 0 || begins > days[day - 1].from)).toBe(true)
      })
    )
  })
})

const group = (of: Partial<LineGroup>): LineGroup => ({
  month: "2026-11",
  currency: "BDT",
  kind: "payment",
  state: "matched",
  count: 1,
  gross: 0n,
  fee: 0n,
  vat: 0n,
  expected: 0n,
  booked: 0n,
  agreed_fee: 0n,
  agreed_vat: 0n,
  ...of,
})

describe("what lines and entries are in a month's figures", () => {
  it.each<[string, Partial<LineGroup>, Partial<Record<string, bigint>>]>([
    [
      "a payment",
      { gross: 100_000n, fee: 2_000n, vat: 300n, expected: 100_000n, agreed_fee: 1_900n, agreed_vat: 285n },
      {
        gross: 100_000n,
        fees: 2_000n,
        vat: 300n,
        net: 97_700n,
        set_off: 100_000n,
        agreed_fees: 1_900n,
        agreed_vat: 285n,
      },
    ],
    [
      "a payment of which less came",
      { state: "differs", gross: 99_000n, expected: 100_000n },
      { gross: 99_000n, differences: -1_000n, differing_lines: 1n, differing_amount: -1_000n, net: 99_000n },
    ],
    [
      "a refund",
      { kind: "refund", gross: -5_000n, expected: -5_000n },
      { settled_refunds: 5_000n, net: -5_000n, set_off: -5_000n },
    ],
    [
      "a dispute, whose fee is booked",
      { kind: "dispute", gross: -10_000n, fee: 500n, expected: -10_000n, booked: 500n, agreed_fee: 500n },
      { settled_disputes: 10_000n, fees: 500n, net: -10_500n, set_off: -10_500n, agreed_fees: 500n },
    ],
    [
      "a dispute that was won",
      { kind: "dispute_reversal", gross: 10_000n, expected: 10_000n },
      { settled_disputes: -10_000n },
    ],
    [
      "a charge",
      { kind: "fee", fee: 1_500n, vat: 225n, agreed_vat: 225n },
      { charges: 1_500n, fees: 0n, vat: 225n, net: -1_725n },
    ],
    [
      "an adjustment that is explained",
      { kind: "adjustment", state: "explained", gross: 700n },
      { adjustments: 700n, differences: 700n },
    ],
    [
      "cash of a courier, whose charge is booked",
      { gross: 50_000n, fee: 6_000n, expected: 50_000n, booked: 6_000n, agreed_fee: 6_000n },
      { gross: 50_000n, fees: 6_000n, net: 44_000n, set_off: 44_000n, differences: 0n },
    ],
    [
      "an unknown line",
      { state: "unknown", gross: 3_000n, fee: 60n },
      { unknown_lines: 1n, unknown_amount: 2_940n, lines: 0n, net: 0n },
    ],
  ])("%s", (_, of, expected) => {
    expect(addedSums(NO_SUMS, sumsOfLines(group(of)))).toMatchObject(expected)
  })

  it("takes refunds and disputes off what is held, and nothing that the source does not hold", () => {
    expect(sumsOfMovement({ kind: "payment", amount: 500n })).toEqual({ payments: 500n })
    expect(sumsOfMovement({ kind: "refund_completed", amount: -200n })).toEqual({ refunds: 200n })
    expect(sumsOfMovement({ kind: "dispute_opened", amount: -100n })).toEqual({ disputes: 100n })
    expect(sumsOfMovement({ kind: "payout", amount: 100n })).toEqual({})
    const counted = POSTING_KINDS.filter((kind) => MOVED[kind] !== null)
    expect(counted).toEqual([
      "payment",
      "refund_completed",
      "refund_bounced",
      "surplus_received",
      "surplus_returned",
      "dispute_opened",
      "dispute_fee",
      "dispute_won",
      "dispute_reinstated",
      "dispute_fee_returned",
      "cash_collected",
    ])
  })
})

describe("the figures of months, for any payments, lines and deposits", () => {
  it("add up in each part, and the last month hands on what all of them made", () => {
    fc.assert(
      fc.property(some(movement), some(line), some(deposit), (movements, lines, deposits) => {
        const all = monthsOf(MONTHS, sumsByMonth(movements, lines, deposits), new Map())
        for (const { held, settled, bank } of all.flatMap(({ parts }) => figuresIn(parts))) {
          expect(held.opening + held.payments - held.refunds - held.disputes - held.settled).toBe(held.closing)
          const { gross, refunds, disputes, adjustments, fees, charges, vat, net } = settled
          expect(gross - refunds - disputes + adjustments - fees - charges - vat).toBe(net)
          expect(bank.settled).toBe(net)
          expect(bank.opening + bank.settled - bank.deposited - bank.charges).toBe(bank.closing)
        }
        for (const [at, { parts }] of all.entries()) {
          const before = new Map(figuresIn(all[at - 1]?.parts ?? []).map((of) => [of.currency, carriedBy(of)]))
          parts.forEach((part) => expect(part.carried).toEqual(before.get(part.currency) ?? NOTHING_CARRIED))
        }
      })
    )
  })

  it("end in the same, however the same lines are split into months, and are closed in between", () => {
    fc.assert(
      fc.property(
        some(movement),
        some(line),
        some(deposit),
        fc.integer({ min: 0, max: 4 }),
        (movements, lines, deposits, cut) => {
          const inOne = <Of extends { month: string }>(rows: readonly Of[]) =>
            rows.map((row) => ({ ...row, month: "2026-12" }))
          const split = sumsByMonth(movements, lines, deposits)
          const whole = monthsOf(["2026-12"], sumsByMonth(inOne(movements), inOne(lines), inOne(deposits)), new Map())
          const all = monthsOf(MONTHS, split, new Map())
          const ends = (parts: Figures[]) => parts.map((of) => [of.currency, carriedBy(of)])
          expect(ends(figuresIn(all[3].parts))).toEqual(ends(figuresIn(whole[0].parts)))
          // Read from a closed month on, the later months are the same.
          const closed = new Map(figuresIn(all[cut - 1]?.parts ?? []).map((of) => [of.currency, carriedBy(of)]))
          expect(monthsOf(MONTHS.slice(cut), split, closed)).toEqual(all.slice(cut))
          const added = (name: "net" | "lines" | "differences", of: typeof all) =>
            of.flatMap(({ parts }) => parts).reduce((sum, { sums }) => sum + sums[name], 0n)
          for (const name of ["net", "lines", "differences"] as const) {
            expect(added(name, all)).toBe(added(name, whole))
          }
        }
      )
    )
  })

  it("do not depend on how lines are grouped", () => {
    fc.assert(
      fc.property(line, line, (one, other) => {
        const alike = { ...other, kind: one.kind, state: one.state }
        const names = ["gross", "fee", "vat", "expected", "booked", "agreed_fee", "agreed_vat"] as const
        const both = Object.fromEntries(names.map((name) => [name, one[name] + alike[name]]))
        const apart = addedSums(addedSums(NO_SUMS, sumsOfLines(one)), sumsOfLines(alike))
        expect(addedSums(NO_SUMS, sumsOfLines({ ...one, ...both, count: 2 }))).toEqual(apart)
      })
    )
  })

  it("are what the ledger's posting of the same lines moves, and its journal balances", () => {
    fc.assert(
      fc.property(line, (of) => {
        fc.pre(of.state !== "unknown")
        const owner = { merchant_id: "mer_1", environment: "sandbox", currency: of.currency } as const
        const posting = linesMatched("id", owner, "bkash", of, new Date())
        const sums = addedSums(NO_SUMS, sumsOfLines(of))
        const moved = (account: string) => posting.lines.find((one) => one.account === account)?.amount ?? 0n
        expect(moved("acquirer_clearing")).toBe(sums.set_off)
        expect(moved("settlements")).toBe(-sums.net)
        expect(moved("acquirer_fees")).toBe(-(sums.fees + sums.charges - of.booked))
        expect(moved("acquirer_vat")).toBe(-sums.vat)
        expect(moved("settlement_differences")).toBe(sums.differences)
        const rows = journalRows({ date: "2026-11-20", reference: "S-1" }, posting)
        const sumOf = (side: "debit" | "credit") => rows.reduce((sum, row) => sum + row[side], 0n)
        expect(sumOf("debit")).toBe(sumOf("credit"))
        expect(rows.every(({ debit, credit }) => debit >= 0n && credit >= 0n && (debit === 0n || credit === 0n))).toBe(
          true
        )
      })
    )
  })
})
