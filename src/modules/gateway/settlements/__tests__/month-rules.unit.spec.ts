import fc from "fast-check"
import { POSTING_KINDS } from "../../ledger/rules"
import { journalRows } from "../journal-rules"
import {
  addedSums,
  boundsOf,
  carriedBy,
  countsIn,
  figuresOf,
  isOver,
  monthOf,
  monthsFrom,
  monthsOf,
  nextMonth,
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

describe("months of Bangladesh", () => {
  it.each([
    ["2026-10-31T17:59:59.999Z", "2026-10"],
    ["2026-10-31T18:00:00.000Z", "2026-11"],
    ["2026-12-31T18:00:00.000Z", "2027-01"],
    ["2024-02-29T17:59:00.000Z", "2024-02"],
  ])("%s is in %s", (at, expected) => {
    expect(monthOf(new Date(at))).toBe(expected)
  })

  it.each([
    ["2026-11", "2026-12"],
    ["2026-12", "2027-01"],
    ["2026-01", "2026-02"],
  ])("after %s comes %s", (of, next) => {
    expect(nextMonth(of)).toBe(next)
  })

  it("begin at midnight of Dhaka, follow each other without a gap, and are over an hour after their end", () => {
    expect(boundsOf("2026-11")).toEqual({
      from: new Date("2026-10-31T18:00:00Z"),
      to: new Date("2026-11-30T18:00:00Z"),
    })
    const months = monthsFrom("2025-11", "2027-02")
    expect(months).toHaveLength(16)
    for (const of of months) {
      expect([boundsOf(of).to, monthOf(boundsOf(of).from)]).toEqual([boundsOf(nextMonth(of)).from, of])
    }
    expect(monthsFrom("2026-12", "2026-11")).toEqual([])
    expect(isOver("2026-11", new Date("2026-11-30T18:59:59Z"))).toBe(false)
    expect(isOver("2026-11", new Date("2026-11-30T19:00:00Z"))).toBe(true)
  })

  it.each([
    ["2026-10-15T00:00:00Z", null, "2026-10"],
    ["2026-10-15T00:00:00Z", "2026-09", "2026-10"],
    ["2026-10-15T00:00:00Z", "2026-10", "2026-11"],
    ["2026-08-15T00:00:00Z", "2026-12", "2027-01"],
  ])("a line of %s counts, with months closed until %s, in %s", (at, closed, expected) => {
    expect(countsIn(new Date(at), closed)).toBe(expected)
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
