import type Stripe from "stripe"
import { messageOf } from "../../../../i18n/message"
import type { FieldError } from "../../kernel/errors"
import { isCurrency } from "../../kernel/money/currencies"
import { statedAmount, type Minor } from "../../kernel/money/money"
import type { Unknown } from "../port"
import type { SettledMovement, SettlementPage, SettlementPeriod } from "../settlement-port"
import { postOnce } from "./client"
import { unansweredBy } from "./failures"
import { currencyOf, expanded, idOf } from "./objects"

const PAGE = 100
/** A charge names its payment intent, and that is how our payments name it. */
const EXPAND = ["data.source"]

type Transaction = Stripe.BalanceTransaction
type Pages = AsyncGenerator<SettlementPage | Unknown>

/**
 * What the payouts contain that arrived in a period, the last first. Stripe says it of the payouts that it makes by
 * schedule, and only once it has put them together; any other is a problem that names it. One request for each page.
 */
export async function* settlements(stripe: Stripe, period: SettlementPeriod): Pages {
  try {
    yield* payouts(stripe, period)
  } catch (error) {
    yield unansweredBy(error)
  }
}

async function* payouts(stripe: Stripe, { from, until }: SettlementPeriod): Pages {
  const arrival_date = { gte: secondsOf(from), lt: secondsOf(until) }
  let after: string | undefined
  do {
    const page = { limit: PAGE, status: "paid", arrival_date, starting_after: after }
    // Nothing moves by a question: one whose answer was lost is asked again.
    const { data, has_more } = await postOnce(() => stripe.payouts.list(page))
    const looked = data.map((payout) => ({ payout, problem: problemOf(payout) }))
    yield { result: "page", movements: [], problems: looked.flatMap(({ problem }) => problem ?? []) }
    for (const { payout, problem } of looked) {
      if (problem === null) {
        yield* movements(stripe, payout)
      }
    }
    after = has_more ? data.at(-1)?.id : undefined
  } while (after !== undefined)
}

/** Why nothing can be said of a payout; null: its movements can be read. */
export function problemOf(payout: Stripe.Payout): FieldError | null {
  const { id, reconciliation_status: reconciled } = payout
  const [amount, currency] = [signedMinor(payout.amount), currencyOf(payout.currency)]
  if (amount === null || currency === null || !isCurrency(currency)) {
    return { field: id, reason: messageOf("refusal.stripe_currency", { id, currency: currency ?? "" }) }
  }
  if (!payout.automatic || reconciled === "not_applicable") {
    const stated = { payout: id, amount: statedAmount(amount, currency) }
    return { field: id, reason: messageOf("refusal.stripe_payout_manual", stated) }
  }
  return reconciled === "completed"
    ? null
    : { field: id, reason: messageOf("refusal.stripe_payout_unfinished", { payout: id }) }
}

async function* movements(stripe: Stripe, payout: Stripe.Payout): Pages {
  const { id } = payout
  let sum = 0n
  let isWhole = true
  let after: string | undefined
  do {
    const page = { limit: PAGE, payout: id, expand: EXPAND, starting_after: after }
    const { data, has_more } = await postOnce(() => stripe.balanceTransactions.list(page))
    const read = data.filter((one) => idOf(one.source) !== id).map((one) => movementOf(one, id))
    const found = read.flatMap((one) => ("kind" in one ? one : []))
    sum += found.reduce((total, { gross, fee, vat }) => total + gross - fee - vat, 0n)
    isWhole &&= found.length === read.length
    after = has_more ? data.at(-1)?.id : undefined
    const problems = read.flatMap((one) => ("kind" in one ? [] : one))
    yield {
      result: "page",
      movements: found,
      problems: after === undefined && isWhole ? [...problems, ...sumProblem(payout, sum)] : problems,
    }
  } while (after !== undefined)
}

/** What a payout brings is the sum of what it contains. */
function sumProblem({ id, amount: paid, currency }: Stripe.Payout, sum: Minor): FieldError[] {
  const amount = BigInt(paid)
  const stated = (minor: Minor) => statedAmount(minor, currency.toUpperCase())
  const params = { payout: id, amount: stated(amount), sum: stated(sum) }
  return sum === amount ? [] : [{ field: id, reason: messageOf("refusal.stripe_payout_sum", params) }]
}

/**
 * What Stripe's reporting categories are here. Everything else is an adjustment, which a person explains: among it what
 * comes back of a failed refund, which is no refund, and what a partial capture has left.
 */
const KINDS: Readonly<Record<string, SettledMovement["kind"]>> = {
  charge: "payment",
  refund: "refund",
  dispute: "dispute",
  dispute_reversal: "dispute_reversal",
  fee: "fee",
  network_cost: "fee",
  tax: "fee",
}

/** A balance transaction as a movement of the payout that contains it, or what cannot be read of it. */
export function movementOf(transaction: Transaction, payout: string): SettledMovement | FieldError {
  const { id, reporting_category: category, type, description, created } = transaction
  const [amount, charged, taxed] = [transaction.amount, transaction.fee, taxOf(transaction)].map(signedMinor)
  const currency = currencyOf(transaction.currency)
  if (amount === null || charged === null || taxed === null || currency === null || !isCurrency(currency)) {
    return { field: id, reason: messageOf("refusal.stripe_currency", { id, currency: currency ?? "" }) }
  }
  const kind = Object.hasOwn(KINDS, category) ? KINDS[category] : "adjustment"
  // A charge of Stripe's stands where other movements have their amount.
  const [gross, kept] = kind === "fee" ? [0n, charged - amount] : [amount, charged]
  const isTax = kind === "fee" && (category === "tax" || type === "tax_fee")
  // A dispute's fee is in our books as a whole.
  const vat = isTax ? kept : kind.startsWith("dispute") ? 0n : taxed
  return {
    id,
    kind,
    reference: referenceOf(transaction),
    ...{ gross, fee: kept - vat, vat, currency },
    occurred_at: new Date(created * 1_000),
    batch: payout,
    description: [category, description].filter(Boolean).join(": "),
  }
}

/** What of the fee is tax, in the currency of both. */
function taxOf({ fee_details }: Transaction): number {
  return fee_details.filter(({ type }) => type === "tax").reduce((sum, { amount }) => sum + amount, 0)
}

/** A payment is its payment intent to us; everything else has its own number. */
function referenceOf({ source }: Transaction): string | null {
  const whole = expanded(source)
  return (whole?.object === "charge" ? idOf(whole.payment_intent) : undefined) ?? idOf(source) ?? null
}

/** Whole minor units, below 0 too; null for anything else. */
function signedMinor(amount: unknown): Minor | null {
  return typeof amount === "number" && Number.isSafeInteger(amount) ? BigInt(amount) : null
}

function secondsOf(at: Date): number {
  return Math.floor(at.getTime() / 1_000)
}
