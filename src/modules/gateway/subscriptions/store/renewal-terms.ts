import type { AcquirerRegistry, WithAcquirers } from "../../acquirers/registry"
import { openBounds, openPeriod, type Lifecycle, type Terms } from "../lifecycle"
import { chargedNext, cyclesPaid } from "../end-rules"
import { begin, payOpen } from "../rules"
import type { IntervalUnit } from "../../kernel/money/calendar"
import type { Database } from "../../kernel/database/database"
import { merchantNow, type PaymentRecord } from "../../payments/records"
import { PLAN_NAMES } from "../../plans/rules"
import type { PlanNames } from "../../plans/rules"
import { findSubscription } from "../records"
import { trialPrice } from "./purchases"
import type { Cradle } from "../../kernel/types"

/**
 * The automatic charges after a payment: how much (poisha), how often, when first (null: none follows), and until when.
 */
type Renewal = {
  amount_minor: number
  interval_count: number
  interval_unit: IntervalUnit
  first_at: Date | null
  end: RenewalEnd | null
}

/** So many payments, among them the one that is about to be made or not; or none from a moment on. */
type RenewalEnd = { cycles: number; with_this: boolean } | { from: Date }

/**
 * The renewals after the open period is paid at `at`. A renewal that is overdue by then is charged at once. Null for a
 * subscription that has ended.
 */
export function renewalAfter(lifecycle: Lifecycle, at: Date): Renewal | null {
  if (lifecycle.status === "CANCELLED" || lifecycle.status === "EXPIRED") {
    return null
  }
  const { next: after } = payOpen(lifecycle, at, openBounds(lifecycle, at))
  const { amount_minor, interval_count, interval_unit } = after
  const next = chargedNext(after)
  const first_at = next === null || next > at ? next : at
  return { amount_minor, interval_count, interval_unit, first_at, end: endOf(lifecycle, after) }
}

function endOf(before: Lifecycle, after: Lifecycle): RenewalEnd | null {
  const { billing_cycles, ends_at } = before
  if (billing_cycles !== null) {
    const cycles = billing_cycles - cyclesPaid(before)
    return { cycles, with_this: cyclesPaid(after) > cyclesPaid(before) }
  }
  return ends_at === null ? null : { from: ends_at }
}

/** The renewals of a subscription that begins with a payment at `at`. */
export function renewalOfNew(terms: Terms, at: Date): Renewal | null {
  return renewalAfter(begin(terms, at).next, at)
}

/** What a payment leads to, as the shopper is informed before paying. */
export type RenewalTerms = {
  /**
   * The automatic renewals that follow; `name` is the plan's, `delivery_minor` the delivery's share (poisha). Empty:
   * the instrument is kept, and nothing more is known.
   */
  renewals: (Renewal & PlanNames & { delivery_minor: number })[]
  /** The customer had the trial of a plan, and does not get it again: its price is due now. */
  trial_refused: boolean
  /** Whether some payment method keeps its instrument and charges it for them; otherwise an invoice comes each time. */
  kept: boolean
  /** Whether the customer manages it in their account of the store; otherwise the merchant does. */
  in_account: boolean
}

type PurchaseLine = Omit<Terms, "trial_amount_minor" | "time_zone"> &
  PlanNames & { delivery_minor: number; paid_minor: number; trial_refused: boolean }

/**
 * Shoppers are informed before their card is kept: the hosted page shows this above its button (docs/decisions/07).
 */
export class RenewalTermsService {
  private readonly database: Database
  private readonly acquirers: AcquirerRegistry

  constructor({ database, acquirerRegistry }: Cradle & WithAcquirers) {
    this.database = database
    this.acquirers = acquirerRegistry
  }

  /** Null for a payment that keeps nothing, and for one that is no longer open. */
  async of(record: PaymentRecord, services: readonly { code: string }[]): Promise<RenewalTerms | null> {
    if (record.state !== "OPEN") {
      return null
    }
    const acquirers = await this.acquirers.of(record)
    const kept = services.some(({ code }) => acquirers.keepsInstruments(code))
    if (record.subscription_id !== null) {
      return this.ofSubscription(record, record.subscription_id, kept)
    }
    if (record.source === "cart") {
      const { renewals, trial_refused } = await this.ofCart(record)
      return renewals.length === 0 ? null : { renewals, trial_refused, kept, in_account: true }
    }
    return record.payment_info?.is_recurring === true && kept
      ? { renewals: [], trial_refused: false, kept, in_account: false }
      : null
  }

  /** A payment that comes too late for its period is refused, and leads to nothing. */
  private async ofSubscription(record: PaymentRecord, id: string, kept: boolean): Promise<RenewalTerms | null> {
    const row = await findSubscription(this.database, record, id)
    const renewal = openPeriod(row) === record.subscription_period ? renewalAfter(row, merchantNow(record)) : null
    if (renewal === null) {
      return null
    }
    const [sold] = await this.database.query<{ delivery_minor: number }>(
      "SELECT delivery_minor FROM gateway_store_purchase WHERE subscription_id = $1",
      [row.id]
    )
    const delivery_minor = sold?.delivery_minor ?? 0
    const { plan_name, plan_name_bn, source } = row
    const trial_refused = row.one_trial === "refused" && row.status === "PENDING"
    const renewals = [{ ...renewal, plan_name, plan_name_bn, delivery_minor }]
    return { renewals, trial_refused, kept, in_account: source === "store" }
  }

  private async ofCart(record: PaymentRecord): Promise<Pick<RenewalTerms, "renewals" | "trial_refused">> {
    const lines = await this.database.query<PurchaseLine>(
      `SELECT g.amount_minor, g.quantity, g.delivery_minor, g.paid_minor, g.trial_period_days, g.trial_refused, g.billing_cycles, ${PLAN_NAMES}, p.interval_count, p.interval_unit
       FROM gateway_store_purchase g JOIN gateway_plan p ON p.id = g.plan_id
       WHERE g.transaction_id = $1 ORDER BY g.line_item_id`,
      [record.transaction_id]
    )
    const now = merchantNow(record)
    const renewals = lines.flatMap(({ delivery_minor, paid_minor, plan_name, plan_name_bn, ...terms }) => {
      const trial_amount_minor = trialPrice({ paid_minor, ...terms })
      const renewal = renewalOfNew({ ...terms, trial_amount_minor, time_zone: record.time_zone }, now)
      return renewal === null ? [] : [{ ...renewal, plan_name, plan_name_bn, delivery_minor }]
    })
    return { renewals, trial_refused: lines.some((line) => line.trial_refused) }
  }
}
