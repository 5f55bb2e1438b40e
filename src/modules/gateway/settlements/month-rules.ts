import type { Minor } from "../kernel/money/money"
import type { PostingKind } from "../ledger/rules"
import { MOVED } from "../ledger/settlement-rules"
import type { LineState, SettlementKind } from "./states"

/*
 * The month of a source: what it held of our money, what it settled, and what of that came to the bank. Months are those
 * of the merchant's time zone, as `2026-11`; amounts are in hundredths of one currency.
 */

/** Entries of one kind: `amount` is what the source then held more of our money. */
export type Movement = { month: string; currency: string; kind: PostingKind; amount: Minor }

/**
 * Lines of one kind and state that count in the same month, signed like lines. Where nothing is expected or agreed,
 * `expected` counts nothing, and `agreed_fee` and `agreed_vat` what was kept.
 */
export type LineGroup = {
  month: string
  currency: string
  kind: SettlementKind
  state: LineState
  count: number
} & Record<"gross" | "fee" | "vat" | "expected" | "booked" | "agreed_fee" | "agreed_vat", Minor>

/** What deposits of a month bring of the source's settlements, `charge` of which the bank has kept. */
export type Deposited = { month: string; currency: string; settled: Minor; charge: Minor }

export const SUMS = [
  "payments",
  "refunds",
  "disputes",
  "set_off",
  "lines",
  "gross",
  "settled_refunds",
  "settled_disputes",
  "adjustments",
  "fees",
  "charges",
  "vat",
  "net",
  "agreed_fees",
  "agreed_vat",
  "differences",
  "brought",
  "bank_charges",
  "unknown_lines",
  "unknown_amount",
  "differing_lines",
  "differing_amount",
] as const
/** What adds up over months, lines and entries; two of them are counts of lines. */
export type MonthSums = Record<(typeof SUMS)[number], Minor>

export const NO_SUMS = Object.fromEntries(SUMS.map((name) => [name, 0n])) as MonthSums

export function addedSums(one: MonthSums, other: Partial<MonthSums>): MonthSums {
  return Object.fromEntries(SUMS.map((name) => [name, one[name] + (other[name] ?? 0n)])) as MonthSums
}

/** Which figure the amount of a line is, and its sign in it: refunds and disputes are taken off. */
const SETTLED: Readonly<
  Record<SettlementKind, readonly ["gross" | "settled_refunds" | "settled_disputes" | "adjustments", Minor]>
> = {
  payment: ["gross", 1n],
  refund: ["settled_refunds", -1n],
  dispute: ["settled_disputes", -1n],
  dispute_reversal: ["settled_disputes", -1n],
  fee: ["adjustments", 1n],
  adjustment: ["adjustments", 1n],
  deposit: ["adjustments", 1n],
}

export function sumsOfMovement({ kind, amount }: Pick<Movement, "kind" | "amount">): Partial<MonthSums> {
  const moved = MOVED[kind]
  return moved === null ? {} : { [moved]: moved === "payments" ? amount : -amount }
}

/** Of an unknown line nothing is in the ledger, and nothing is settled. */
export function sumsOfLines(group: Omit<LineGroup, "month" | "currency">): Partial<MonthSums> {
  const { kind, state, gross, fee, vat, expected, booked, agreed_fee, agreed_vat } = group
  const count = BigInt(group.count)
  const net = gross - fee - vat
  if (state === "unknown") {
    return { unknown_lines: count, unknown_amount: net }
  }
  const [figure, sign] = SETTLED[kind]
  const isCharge = kind === "fee"
  return {
    lines: count,
    set_off: expected - booked,
    [figure]: sign * gross,
    [isCharge ? "charges" : "fees"]: fee,
    ...(isCharge ? {} : { agreed_fees: agreed_fee }),
    vat,
    agreed_vat,
    net,
    differences: gross - expected,
    ...(state === "differs" ? { differing_lines: count, differing_amount: gross - expected } : {}),
  }
}

export function sumsOfDeposit({ settled, charge }: Pick<Deposited, "settled" | "charge">): Partial<MonthSums> {
  return { brought: settled, bank_charges: charge }
}

/** The sums of each month and currency, by `2026-11 BDT`. */
export function sumsByMonth(
  movements: readonly Movement[],
  lines: readonly LineGroup[],
  deposits: readonly Deposited[]
): Map<string, MonthSums> {
  const all = new Map<string, MonthSums>()
  const add = ({ month, currency }: { month: string; currency: string }, sums: Partial<MonthSums>) => {
    const key = `${month} ${currency}`
    all.set(key, addedSums(all.get(key) ?? NO_SUMS, sums))
  }
  movements.forEach((one) => add(one, sumsOfMovement(one)))
  lines.forEach((one) => add(one, sumsOfLines(one)))
  deposits.forEach((one) => add(one, sumsOfDeposit(one)))
  return all
}

/** What a month hands on to the next: what the source holds, and what is on its way to the bank. */
export type Carried = { held: Minor; bank: Minor }
export const NOTHING_CARRIED: Carried = { held: 0n, bank: 0n }

/**
 * A month of a source in one currency, in three blocks that each add up:
 * - `held`: opening + payments - refunds - disputes - settled = closing
 * - `settled`: gross - refunds - disputes + adjustments - fees - charges - vat = net
 * - `bank`: opening + settled - deposited - charges = closing
 */
export type Figures = {
  currency: string
  held: Record<"opening" | "payments" | "refunds" | "disputes" | "settled" | "closing", Minor>
  settled: Record<
    | "gross"
    | "refunds"
    | "disputes"
    | "adjustments"
    | "fees"
    | "charges"
    | "vat"
    | "net"
    | "agreed_fees"
    | "agreed_vat"
    | "differences",
    Minor
  >
  bank: Record<"opening" | "settled" | "deposited" | "charges" | "closing", Minor>
  lines: number
  unexplained: { unknown: number; unknown_amount: Minor; differs: number; differs_amount: Minor }
}

export function figuresOf(currency: string, { held, bank }: Carried, sums: MonthSums): Figures {
  const { payments, refunds, disputes, set_off, net, brought, bank_charges } = sums
  const { gross, settled_refunds, settled_disputes, adjustments, fees, charges, vat } = sums
  const closing = held + payments - refunds - disputes - set_off
  return {
    currency,
    held: { opening: held, payments, refunds, disputes, settled: set_off, closing },
    settled: {
      gross,
      refunds: settled_refunds,
      disputes: settled_disputes,
      adjustments,
      fees,
      charges,
      vat,
      net,
      agreed_fees: sums.agreed_fees,
      agreed_vat: sums.agreed_vat,
      differences: sums.differences,
    },
    bank: {
      opening: bank,
      settled: net,
      deposited: brought - bank_charges,
      charges: bank_charges,
      closing: bank + net - brought,
    },
    lines: Number(sums.lines),
    unexplained: {
      unknown: Number(sums.unknown_lines),
      unknown_amount: sums.unknown_amount,
      differs: Number(sums.differing_lines),
      differs_amount: sums.differing_amount,
    },
  }
}

export function carriedBy({ held, bank }: Figures): Carried {
  return { held: held.closing, bank: bank.closing }
}

/** Sums of a month in one currency, and what came from the month before it. */
export type MonthPart = { currency: string; carried: Carried; sums: MonthSums }

/**
 * The given months, which follow each other, in their order. A currency is in every month from the first one on in which
 * anything of it moved. `opening`: what came from before, by currency.
 */
export function monthsOf(
  months: readonly string[],
  sums: ReadonlyMap<string, MonthSums>,
  opening: ReadonlyMap<string, Carried>
): { month: string; parts: MonthPart[] }[] {
  const carried = new Map(opening)
  return months.map((month) => {
    const own = [...sums.keys()].filter((key) => key.startsWith(month)).map((key) => key.slice(month.length + 1))
    const currencies = [...new Set([...carried.keys(), ...own])].sort()
    const parts = currencies.map((currency) => {
      const part = {
        currency,
        carried: carried.get(currency) ?? NOTHING_CARRIED,
        sums: sums.get(`${month} ${currency}`) ?? NO_SUMS,
      }
      carried.set(currency, carriedBy(figuresOf(currency, part.carried, part.sums)))
      return part
    })
    return { month, parts }
  })
}
