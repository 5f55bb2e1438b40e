/**
 * EMI: calculates what a bank's terms mean for an order amount. Pure and exact, in poisha. The page, the API, the
 * product page and the stored transaction all use `emiOffer`, so that their figures cannot disagree. Source: contract
 * 2.8, 4.4; decisions: EMI.
 */
import { messageOf, type Message } from "../../../i18n/message"
import { LIMITS } from "../kernel/limits"
import { divideHalfUp, formatAmount, type Minor } from "../kernel/money/money"

export const EMI_METHODS = ["flat", "reducing"] as const
export type EmiMethod = (typeof EMI_METHODS)[number]

export const EMI_FEE_KINDS = ["fixed", "percent"] as const
type EmiFeeKind = (typeof EMI_FEE_KINDS)[number]

/** Rates and percentages are whole millionths (12.5 % is 125,000), which allows four decimals of a percent. */
const PPM = 1_000_000

/** The terms that determine the figures. A change of any of them makes a new `revision` of a configuration. */
type EmiTerms = {
  bank_name: string
  tenure_months: number
  rate_ppm: number
  method: EmiMethod
  fee_kind: EmiFeeKind
  /** Poisha when the fee is fixed, millionths of the order amount when it is a percentage. */
  fee_value: number
  /** The merchant pays interest and fee instead of the customer. */
  merchant_absorbs: boolean
}

/** A configuration in the form in which it is offered. */
export type EmiConfiguration = EmiTerms & {
  uuid: string
  /** Counts the changes of the terms. */
  revision: number
  min_amount_minor: number
  max_amount_minor: number
  /** First digits of the bank's cards, which the sandbox checks; empty: any card. */
  card_prefixes: string[]
}

type EmiFigures = {
  order_amount: Minor
  /** Paid by the customer; zero when the merchant absorbs it. */
  interest: Minor
  fee: Minor
  /** Order amount and interest; the fee is paid once and separately. */
  total: Minor
  /** Each instalment but the last, which takes the remainder. */
  monthly: Minor
  last: Minor
  /** What the bank charges for it, whether the customer or the merchant pays. */
  bank_interest: Minor
  bank_fee: Minor
}

export type EmiOffer = {
  configuration: EmiConfiguration
  figures: EmiFigures
  /** Identifies the figures shown: another mark means that they have changed since. */
  mark: string
}

type EmiInstalment = { installment: number; due_month: string; amount: Minor }

const BANGLADESH_OFFSET_MS = 6 * 60 * 60 * 1000

/**
 * The offer of a configuration for an order amount. Throws RangeError below the contract's minimum of 3000.00 and for a
 * tenure out of range: there the remainder could make the last instalment negative.
 */
export function emiOffer(configuration: EmiConfiguration, order_amount: Minor): EmiOffer {
  const { tenure_months, merchant_absorbs, revision } = configuration
  const { emiAmountMinMinor, emiTenureMinMonths, emiTenureMaxMonths } = LIMITS
  if (order_amount < emiAmountMinMinor || tenure_months < emiTenureMinMonths || tenure_months > emiTenureMaxMonths) {
    throw new RangeError("instalments need an amount and a tenure within the limits")
  }
  const bank_interest = bankInterest(order_amount, configuration)
  const bank_fee = bankFee(order_amount, configuration)
  const interest = merchant_absorbs ? 0n : bank_interest
  const fee = merchant_absorbs ? 0n : bank_fee
  const total = order_amount + interest
  const instalments = splitTotal(total, tenure_months)
  const figures = {
    order_amount,
    interest,
    fee,
    total,
    monthly: instalments[0],
    last: instalments[tenure_months - 1],
    bank_interest,
    bank_fee,
  }
  return { configuration, figures, mark: [revision, total, fee, figures.monthly].join("-") }
}

/** Rounding 1: the interest of the whole tenure, rounded once, half up to the poisha. */
function bankInterest(amount: Minor, { method, rate_ppm, tenure_months }: EmiTerms): Minor {
  if (rate_ppm === 0) {
    return 0n
  }
  if (method === "flat") {
    return divideHalfUp(amount * BigInt(rate_ppm), BigInt(PPM))
  }
  // Equal payments of a loan at the monthly rate a/b, a twelfth of the annual one: n·P·a·(a+b)ⁿ / b·((a+b)ⁿ − bⁿ) in
  // all, kept as one fraction until this single rounding.
  const months = BigInt(tenure_months)
  const a = BigInt(rate_ppm)
  const b = BigInt(12 * PPM)
  const growth = (a + b) ** months
  const repaid = months * amount * a * growth
  const divisor = b * (growth - b ** months)
  return divideHalfUp(repaid - amount * divisor, divisor)
}

/** Rounding 2: a fee in percent, half up to the poisha. */
function bankFee(amount: Minor, { fee_kind, fee_value }: EmiTerms): Minor {
  return fee_kind === "fixed" ? BigInt(fee_value) : divideHalfUp(amount * BigInt(fee_value), BigInt(PPM))
}

/**
 * Rounding 3: the monthly instalment, half up to the poisha. The last one takes the remainder, so that the sum is
 * exact.
 */
export function splitTotal(total: Minor, months: number): Minor[] {
  const monthly = divideHalfUp(total, BigInt(months))
  const last = total - monthly * BigInt(months - 1)
  return [...Array.from({ length: months - 1 }, () => monthly), last]
}

/**
 * All instalments with the month in which each is due, as `2026-12`. The first month is the one after the purchase, in
 * Bangladesh time.
 */
export function emiSchedule(offer: EmiOffer, purchased: Date): EmiInstalment[] {
  const { total } = offer.figures
  const local = new Date(purchased.getTime() + BANGLADESH_OFFSET_MS)
  return splitTotal(total, offer.configuration.tenure_months).map((amount, index) => ({
    installment: index + 1,
    due_month: new Date(Date.UTC(local.getUTCFullYear(), local.getUTCMonth() + index + 1, 1)).toISOString().slice(0, 7),
    amount,
  }))
}

/** The customer's total cost, with the fee: offers are compared by it. */
export function costOf({ figures }: EmiOffer): Minor {
  return figures.total + figures.fee
}

export function covers({ min_amount_minor, max_amount_minor }: EmiConfiguration, amount: Minor): boolean {
  return amount >= BigInt(min_amount_minor) && amount <= BigInt(max_amount_minor)
}

/**
 * The offers for an amount, sorted by bank and then tenure; configurations whose range excludes the amount are left
 * out.
 */
export function emiOffers(configurations: readonly EmiConfiguration[], amount: Minor): EmiOffer[] {
  if (amount < LIMITS.emiAmountMinMinor) {
    return []
  }
  return [...configurations]
    .filter((configuration) => covers(configuration, amount))
    .sort(byBankAndTenure)
    .map((configuration) => emiOffer(configuration, amount))
}

/** Sorts by bank name ignoring case, then by tenure as a number, then by the start of the range. */
export function byBankAndTenure(one: EmiConfiguration, other: EmiConfiguration): number {
  return (
    compare(bankKey(one), bankKey(other)) ||
    one.tenure_months - other.tenure_months ||
    one.min_amount_minor - other.min_amount_minor ||
    compare(one.uuid, other.uuid)
  )
}

function compare(one: string, other: string): number {
  return one < other ? -1 : Number(one > other)
}

function bankKey({ bank_name }: { bank_name: string }): string {
  return bank_name.toLowerCase()
}

/** Groups entries that are already sorted by bank. */
export function groupByBank<Entry>(
  entries: readonly Entry[],
  configurationOf: (entry: Entry) => EmiConfiguration
): { bank_name: string; entries: Entry[] }[] {
  const groups: { bank_name: string; entries: Entry[] }[] = []
  for (const entry of entries) {
    const { bank_name } = configurationOf(entry)
    const current = groups.at(-1)
    if (current !== undefined && bankKey(current) === bankKey({ bank_name })) {
      current.entries.push(entry)
    } else {
      groups.push({ bank_name, entries: [entry] })
    }
  }
  return groups
}

/**
 * The offer with the lowest total cost; among equal ones the one with the smallest instalments. Null when there is
 * none.
 */
export function cheapestOffer(offers: readonly EmiOffer[]): EmiOffer | null {
  return least(offers, (offer) => [costOf(offer), offer.figures.monthly])
}

/** The offer with the smallest instalments ("from ৳1,234 a month"); among equal ones the one that costs least. */
export function smallestInstalment(offers: readonly EmiOffer[]): EmiOffer | null {
  return least(offers, (offer) => [offer.figures.monthly, costOf(offer)])
}

function least(offers: readonly EmiOffer[], rank: (offer: EmiOffer) => [Minor, Minor]): EmiOffer | null {
  return offers.reduce<EmiOffer | null>((best, offer) => {
    const [first, second] = rank(offer)
    const [bestFirst, bestSecond] = best === null ? [first + 1n, second] : rank(best)
    return first < bestFirst || (first === bestFirst && second < bestSecond) ? offer : best
  }, null)
}

/** Whether the merchant absorbs every listed option (decisions: EMI); false for no options. */
export function isBleeding(offers: readonly EmiOffer[]): boolean {
  return offers.length > 0 && offers.every(({ configuration }) => configuration.merchant_absorbs)
}

export function isCardOfBank({ card_prefixes }: EmiConfiguration, cardNumber: string): boolean {
  return card_prefixes.length === 0 || card_prefixes.some((prefix) => cardNumber.startsWith(prefix))
}

/** What an order amount has to be for a configuration, as a rule of the field. */
export function emiRange({ bank_name, tenure_months, min_amount_minor, max_amount_minor }: EmiConfiguration): Message {
  return messageOf("rule.emi_range", {
    min: formatAmount(min_amount_minor),
    max: formatAmount(max_amount_minor),
    bank: bank_name,
    months: tenure_months,
  })
}
