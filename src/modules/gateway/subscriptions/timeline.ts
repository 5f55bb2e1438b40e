import { offeredReasons } from "./cancellation-rules"
import { isComplete } from "./end-rules"
import { amountDue, openRecord } from "./billing/records"
import type { Database } from "../kernel/database/database"
import { BILLING_RECORD_COLUMNS, findSubscription, type BillingRecord, type SubscriptionRow } from "./records"
import type { Cradle, Tenant } from "../kernel/types"

/** The instrument of a subscription, as far as it may be shown. */
type ShownInstrument = {
  method: string
  service: string
  brand: string | null
  last_four: string | null
  account: string | null
  expiry_month: number | null
  expiry_year: number | null
}
type SubscriptionEvent = { event_id: string; event_type: string; occurred_at: Date }

/**
 * Everything that an admin sees of a subscription. `amount_due` is the open period's, in poisha, and 0 where none
 * follows; `attempts` counts its charges.
 */
export type SubscriptionTimeline = {
  row: SubscriptionRow
  instrument: ShownInstrument | null
  amount_due: number
  attempts: number
  error_code: string | null
  /** What an admin chooses from who cancels it. */
  cancellation_reasons: readonly string[]
  /** Of a refused trial: the subscription that had it (uuid and number); null: none, or it was deleted. */
  trial_before: { id: string; number: number } | null
  /** The latest ones, newest first. */
  events: SubscriptionEvent[]
}

const EVENTS_MAX = 50

export class SubscriptionTimelineService {
  private readonly database: Database

  constructor({ database }: Cradle) {
    this.database = database
  }

  /** Throws SUBSCRIPTION_NOT_FOUND, for other merchants' and environments' subscriptions too. */
  async retrieve(tenant: Tenant, id: string): Promise<SubscriptionTimeline> {
    const row = await findSubscription(this.database, tenant, id)
    const [instrument] = await this.database.query<ShownInstrument>(
      `SELECT method, service, brand, last_four, account, expiry_month, expiry_year FROM gateway_instrument WHERE id = $1`,
      [row.instrument_id]
    )
    const record = await openRecord(this.database, row)
    const events = await this.database.query<SubscriptionEvent>(
      `SELECT event_id, event_type, occurred_at FROM gateway_event WHERE resource_id = $1
       ORDER BY occurred_at DESC, created_at DESC, id DESC LIMIT ${EVENTS_MAX}`,
      [row.id]
    )
    const [settings] = await this.database.query<{ cancellation_reasons: string[] | null }>(
      "SELECT cancellation_reasons FROM gateway_merchant_environment WHERE merchant_id = $1 AND environment = $2",
      [tenant.merchant_id, tenant.environment]
    )
    const cancellation_reasons = offeredReasons(settings.cancellation_reasons)
    const { attempts = 0, error_code = null } = record ?? {}
    const amount_due = isComplete(row) ? 0 : amountDue(row, record)
    const about = { instrument: instrument ?? null, amount_due, attempts, error_code }
    const [before] =
      row.trial_before_id === null
        ? []
        : await this.database.query<{ id: string; number: number }>(
            "SELECT uuid AS id, number FROM gateway_subscription WHERE id = $1",
            [row.trial_before_id]
          )
    return { row, ...about, cancellation_reasons, trial_before: before ?? null, events }
  }

  /** Every period that was tried or paid, newest first (contract 2.11). */
  async billingHistory(
    tenant: Tenant,
    id: string,
    page: { per_page: number; offset: number }
  ): Promise<{ row: SubscriptionRow; records: BillingRecord[]; total: number }> {
    const row = await findSubscription(this.database, tenant, id)
    const [{ total }] = await this.database.query<{ total: number }>(
      "SELECT count(*)::int AS total FROM gateway_billing_record WHERE subscription_id = $1",
      [row.id]
    )
    const records = await this.database.query<BillingRecord>(
      `SELECT ${BILLING_RECORD_COLUMNS} FROM gateway_billing_record r WHERE r.subscription_id = $1
       ORDER BY r.period DESC LIMIT $2 OFFSET $3`,
      [row.id, page.per_page, page.offset]
    )
    return { row, records, total }
  }
}
