import { dayNumber, dayText } from "../../../i18n/days"
import { basisPointsOf, processingFee, type Minor } from "../kernel/money/money"
import type { SettlementLine } from "./files/lines"
import type { LineState, SettlementKind } from "./states"

/**
 * Why a line is unknown, or in what it differs from what we know. `not_found`: nothing of ours has its numbers;
 * `ambiguous`: several may be it; `taken`: another line is that money already; `no_reference`: it names nothing;
 * `deposited`: its settlement is in the bank already, with more than would be left; `undone`: somebody has said that it is
 * not what it was taken for; `period`: its day, or a deposit's, is in a month that is closed.
 */
export const LINE_REASONS = [
  "not_found",
  "ambiguous",
  "taken",
  "no_reference",
  "deposited",
  "undone",
  "amount",
  "fee",
  "currency",
  "date",
  "period",
] as const
export type LineReason = (typeof LINE_REASONS)[number]

/** Money of ours that a line may be. `amount` is signed like a line's. */
export type OurMoney = {
  /** `payment:txn_…`, `refund:rfd_…`, `dispute:dsp_…`, `cash:gch_…` */
  subject: string
  kind: SettlementKind
  transaction_id: string | null
  payment_service: string | null
  amount: Minor
  /** What was kept of it, and is in the ledger already: a courier's charge, a dispute's fee. */
  booked: Minor
  /** What the merchant pays the bank for the instalments of a payment; kept of it besides what was agreed. */
  emi_cost: Minor
  currency: string
  /** When it moved, on the merchant's clock. */
  moved_at: Date
  is_taken: boolean
}

/** What an acquirer has agreed to keep of a payment, and the tax on that, from a day on. */
export type FeeAgreement = {
  payment_service: string
  valid_from: string
  rate_basis_points: number
  fixed_minor: number
  vat_basis_points: number
}

/** The agreements with a line's source, and the time zone (IANA) of the merchant's days. */
type Terms = { agreements: readonly FeeAgreement[]; zone: string }

export type Decision = {
  state: Extract<LineState, "unknown" | "matched" | "differs">
  reasons: LineReason[]
  money: OurMoney | null
  /** What the line sets off: the money's `amount` and `booked`; null and 0 of money in another currency. */
  expected: Minor | null
  booked: Minor
  agreed: { fee: Minor; vat: Minor } | null
}

const NOTHING = { money: null, expected: null, booked: 0n, agreed: null }

/** After how many days a payment that is in no file needs somebody. */
export const LATE_DAYS = 5

/** How many days after the money moved a line may be, and how many before, as where the day of a file is the bank's. */
const DAYS_LATER = 45
const DAYS_EARLIER = 1

/** Kinds of lines that are money of ours, if anything is. */
const OURS: readonly SettlementKind[] = ["payment", "refund", "dispute", "dispute_reversal"]

/** What of a line says which money it is. */
export type DecidedLine = ComparedLine & Pick<SettlementLine, "reference" | "order_reference">

/**
 * What a line is: never by its amount alone. A charge of the acquirer is no money of ours and needs none. `found`: what
 * has one of the line's numbers. A file may name a refund by its payment: its amount then distinguishes it from the
 * payment's other refunds.
 */
export function decideLine(line: DecidedLine, found: readonly OurMoney[], terms: Terms): Decision {
  if (line.kind === "fee") {
    return { ...NOTHING, state: "matched", reasons: [] }
  }
  if (!OURS.includes(line.kind) || (line.reference === null && line.order_reference === null)) {
    return unknown("no_reference")
  }
  const ofKind = found.filter(({ kind }) => kind === line.kind)
  const exact = ofKind.filter(({ amount, currency }) => amount === line.gross && currency === line.currency)
  const candidates = ofKind.length > 1 && exact.length > 0 ? exact : ofKind
  const free = candidates.filter(({ is_taken }) => !is_taken)
  if (free.length !== 1) {
    return unknown(candidates.length === 0 ? "not_found" : free.length === 0 ? "taken" : "ambiguous")
  }
  return compareLine(line, free[0], terms)
}

export type ComparedLine = Pick<SettlementLine, "kind" | "gross" | "fee" | "vat" | "currency" | "occurred_at">

/**
 * In what a line differs from the money of ours that it is. Amounts of two currencies cannot be set off: then neither
 * they nor the fee are compared.
 */
export function compareLine(line: ComparedLine, money: OurMoney, terms: Terms): Decision {
  const isSame = money.currency === line.currency
  const agreed = isSame ? feeOf(line, money, terms) : null
  const reasons: LineReason[] = [
    ...(isSame && money.amount !== line.gross ? (["amount"] as const) : []),
    ...(isSame ? [] : (["currency"] as const)),
    ...(agreed === null || (agreed.fee === line.fee && agreed.vat === line.vat) ? [] : (["fee"] as const)),
    ...(isNear(line.occurred_at, money.moved_at, terms.zone) ? [] : (["date"] as const)),
  ]
  const setOff = isSame ? { expected: money.amount, booked: money.booked } : { expected: null, booked: 0n }
  return { state: reasons.length === 0 ? "matched" : "differs", reasons, money, agreed, ...setOff }
}

/** A line whose day is in a closed month counts later, and somebody has to say why it came so late. */
export function ofAnotherPeriod(decision: Decision): Decision {
  const { state, reasons } = decision
  return { ...decision, state: state === "matched" ? "differs" : state, reasons: [...reasons, "period"] }
}

/** What is to be kept of the money; null: nothing was agreed. */
function feeOf(line: ComparedLine, money: OurMoney, terms: Terms): Decision["agreed"] {
  if (money.booked !== 0n || money.subject.startsWith("cash:")) {
    return { fee: money.booked, vat: line.vat }
  }
  const agreed = line.kind === "payment" ? agreedFee(money, terms) : null
  // Some files have the cost of instalments in the payment's line, others as a charge of its own.
  const without = agreed && { ...agreed, fee: agreed.fee - money.emi_cost }
  return without?.fee === line.fee ? without : agreed
}

/**
 * What was agreed for a payment on its day, and the cost of its instalments; null: nothing was, and any fee is taken as it
 * is. The tax is on what was agreed: a bank's interest has none.
 */
export function agreedFee(
  { amount, emi_cost, currency, payment_service, moved_at }: OurMoney,
  { agreements, zone }: Terms
): { fee: Minor; vat: Minor } | null {
  const agreement = agreementOn(dayText(dayNumber(moved_at, zone)), payment_service, agreements)
  const agreed = agreement && feesBy(agreement, { amount, currency, count: 1 })
  return agreed && { ...agreed, fee: agreed.fee + emi_cost }
}

/** What holds for a payment service on a day such as `2026-11-20`; null: nothing was agreed. */
export function agreementOn(
  day: string,
  payment_service: string | null,
  agreements: readonly FeeAgreement[]
): FeeAgreement | null {
  const holds = agreements.filter(({ valid_from }) => valid_from <= day)
  const own = holds.filter((one) => one.payment_service !== "" && one.payment_service === payment_service)
  return (own.length > 0 ? own : holds.filter((one) => one.payment_service === "")).reduce<FeeAgreement | null>(
    (last, one) => (last === null || one.valid_from > last.valid_from ? one : last),
    null
  )
}

/** What is kept of so many payments by an agreement, and the tax on it; of many it is rounded once. */
export function feesBy(
  { rate_basis_points: basisPoints, fixed_minor, vat_basis_points }: FeeAgreement,
  { amount, currency, count }: { amount: Minor; currency: string; count: number }
): { fee: Minor; vat: Minor } {
  const fee = processingFee({ amount_minor: amount, currency }, { basisPoints, fixedMinor: fixed_minor * count })
  return { fee, vat: basisPointsOf(fee, vat_basis_points) }
}

function isNear(line: Date, ours: Date, zone: string): boolean {
  const days = dayNumber(line, zone) - dayNumber(ours, zone)
  return days >= -DAYS_EARLIER && days <= DAYS_LATER
}

export function unknown(reason: LineReason): Decision {
  return { ...NOTHING, state: "unknown", reasons: [reason] }
}
