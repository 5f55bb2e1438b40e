import { entryOf } from "../ledger/records"
import { audit, type By, type HistoryEntry } from "../kernel/database/audit"
import type { Message } from "../../../i18n/message"
import type { AmountMismatch } from "../acquirers/amount-mismatch"
import type { Database } from "../kernel/database/database"
import { DELIVERY_TIMES, DELIVERY_TIMES_FROM } from "../webhooks/records"
import { GatewayError } from "../kernel/errors"
import type { AttemptState } from "./attempt-states"
import type { InstrumentSummary, References } from "../acquirers/port"
import { type Authorization, authorizationOf, capturesOf, lateAuthorizationsOf } from "./captures/records"
import type { CaptureView } from "./captures/service"
import { PAYMENT_COLUMNS, PAYMENT_TABLES, type Decline, type PaymentRecord } from "./records"
import type { Cradle, Tenant } from "../kernel/types"

export type TimelineDelivery = {
  id: string
  event_id: string
  kind: "webhook" | "ipn"
  url: string
  state: string
  attempts: number
  last_status_code: number | null
  last_error: Message | null
  next_attempt_at: Date
  delivered_at: Date | null
  created_at: Date
}
export type TimelineEvent = { event_id: string; event_type: string; resource_id: string; occurred_at: Date }
export type TimelineRefund = {
  id: string
  state: string
  amount_minor: number
  reason: string
  requested_by: string
  error_message: string | null
  amount_mismatch: AmountMismatch | null
  created_at: Date
  completed_at: Date | null
}
/** One try to pay. `started_at` is real time, the other times are on the merchant's clock. */
export type TimelineAttempt = {
  id: string
  number: number
  state: AttemptState
  acquirer: string
  payment_method: string
  payment_service: string
  instrument: InstrumentSummary | null
  acquirer_reference: string | null
  error_code: string | null
  error_message: string | null
  decline: Decline | null
  /** It opened no page, and the next acquirer was asked. */
  passed_on: boolean
  /** What the acquirer flags; null: nothing. */
  risk: string | null
  /** How the bank's instalments differ from the chosen plan; null: they do not. */
  instalment_differences: Message[] | null
  started_at: Date
  held_at: Date | null
  finished_at: Date | null
  reviewed_at: Date | null
  reviewed_by: string | null
  review_note: string | null
  /** Since when only the acquirer's own dashboard showed what became of it. */
  operator_since: Date | null
  acquirer_ids: References
  return_ids: References
  surplus_minor: number | null
  returned_at: Date | null
}
type TimelineCompletion = {
  state: string
  /** Null: the balance of `order_id` was paid. */
  cart_id: string | null
  order_id: string | null
  refund_id: string | null
  last_error: Message | null
  history: HistoryEntry[]
}

/** What an admin wrote about the payment, in real time. */
export type PaymentNote = { id: string; text: string; actor_id: string; created_at: Date }

/** Everything known about one payment, from the checkout to the last delivery, on the merchant's clock. */
export type PaymentTimeline = {
  record: PaymentRecord & { opened_at: Date; metadata: Record<string, unknown> | null }
  /** In the order in which they were made. */
  attempts: TimelineAttempt[]
  /** Its reserved money; null: the money was taken at once, or nothing was paid. */
  reserved: CaptureView | null
  /** What was reserved for attempts that were over. */
  late: Authorization[]
  completion: TimelineCompletion | null
  refunds: TimelineRefund[]
  events: TimelineEvent[]
  deliveries: TimelineDelivery[]
}

/** A payment with more deliveries than this shows the latest ones. */
const DELIVERIES_MAX = 200

const DELIVERY_COLUMNS = `
  d.id, d.event_id, CASE WHEN d.endpoint_id IS NULL THEN 'ipn' ELSE 'webhook' END AS kind,
  COALESCE(e.endpoint_url, d.ipn_url) AS url, d.state, d.attempts, d.last_status_code, d.last_error,
  ${DELIVERY_TIMES}`

export class PaymentTimelineService {
  private readonly database: Database

  constructor({ database }: Cradle) {
    this.database = database
  }

  /** Throws TRANSACTION_NOT_FOUND, for other merchants' and environments' payments too. */
  async retrieve(tenant: Tenant, transaction_id: string): Promise<PaymentTimeline> {
    const [record] = await this.database.query<PaymentTimeline["record"]>(
      `SELECT ${PAYMENT_COLUMNS}, s.opened_at, s.metadata FROM ${PAYMENT_TABLES}
       WHERE t.id = $1 AND t.merchant_id = $2 AND t.environment = $3`,
      [transaction_id, tenant.merchant_id, tenant.environment]
    )
    if (record === undefined) {
      throw new GatewayError("TRANSACTION_NOT_FOUND")
    }
    const attempts = await this.database.query<TimelineAttempt>(
      `SELECT a.id, a.number, a.state, a.acquirer, a.payment_method, a.payment_service, a.instrument, a.acquirer_reference, a.error_code,
         a.error_message, a.decline, a.passed_on, a.risk, a.instalment_differences, a.started_at, a.held_at, a.finished_at, a.reviewed_at, a.reviewed_by, a.review_note, a.operator_since, a.acquirer_ids, a.return_ids, a.surplus_minor, e.occurred_at AS returned_at
       FROM gateway_payment_attempt a LEFT JOIN gateway_ledger_entry e ON ${entryOf("a.id || ':returned'", "acquirer_clearing")}
       WHERE a.transaction_id = $1 ORDER BY a.number`,
      [transaction_id]
    )
    const [completion] = await this.database.query<TimelineCompletion>(
      `SELECT state, cart_id, order_id, refund_id, last_error, history FROM gateway_cart_completion WHERE transaction_id = $1`,
      [transaction_id]
    )
    const refunds = await this.database.query<TimelineRefund>(
      `SELECT id, state, amount_minor, reason, requested_by, error_message, amount_mismatch, requested_at AS created_at, completed_at
       FROM gateway_refund WHERE transaction_id = $1 ORDER BY requested_at, id`,
      [transaction_id]
    )
    const about = [transaction_id, ...refunds.map(({ id }) => id)]
    const events = await this.database.query<TimelineEvent>(
      `SELECT event_id, event_type, resource_id, occurred_at FROM gateway_event
       WHERE resource_id = ANY($1) ORDER BY occurred_at, created_at, id`,
      [about]
    )
    const deliveries = await this.database.query<TimelineDelivery>(
      `SELECT ${DELIVERY_COLUMNS} FROM gateway_webhook_delivery d
       LEFT JOIN gateway_webhook_endpoint e ON e.id = d.endpoint_id ${DELIVERY_TIMES_FROM}
       WHERE d.event_id = ANY($1) ORDER BY d.number DESC LIMIT ${DELIVERIES_MAX}`,
      [events.map(({ event_id }) => event_id)]
    )
    const reserved = await this.reservedOf(transaction_id)
    const late = await lateAuthorizationsOf(this.database, transaction_id)
    const known = { record, attempts, reserved, late, completion: completion ?? null, refunds, events }
    return { ...known, deliveries: deliveries.reverse() }
  }

  private async reservedOf(transaction_id: string): Promise<CaptureView | null> {
    const authorization = await authorizationOf(this.database, transaction_id)
    return authorization && { authorization, captures: await capturesOf(this.database, transaction_id) }
  }

  /**
   * Adds a note about a payment. It is an entry of the audit log and nothing else, so that nobody can change it or take
   * it away. Throws TRANSACTION_NOT_FOUND.
   */
  async addNote({ merchant_id, environment, ...by }: Tenant & By, transaction_id: string, text: string): Promise<void> {
    await this.database.transaction(async (sql) => {
      const payment = await sql.query(
        "SELECT 1 FROM gateway_transaction WHERE id = $1 AND merchant_id = $2 AND environment = $3",
        [transaction_id, merchant_id, environment]
      )
      if (payment.length === 0) {
        throw new GatewayError("TRANSACTION_NOT_FOUND")
      }
      const note = { action: "payment.noted", resource_id: transaction_id, after: { note: text } } as const
      await audit(sql, { merchant_id, environment, by, ...note })
    })
  }

  /** The notes about a payment, the oldest first. */
  async notes({ merchant_id, environment }: Tenant, transaction_id: string): Promise<PaymentNote[]> {
    return this.database.query<PaymentNote>(
      `SELECT id, COALESCE(changes #>> '{note,to}', '') AS text, actor_id, created_at FROM gateway_audit_entry
       WHERE resource_id = $1 AND merchant_id = $2 AND environment = $3 AND action = 'payment.noted' ORDER BY number`,
      [transaction_id, merchant_id, environment]
    )
  }

  /** The payments that paid a Medusa order: their tenants and ids. */
  async ofOrder(order_id: string): Promise<(Tenant & { transaction_id: string })[]> {
    return this.database.query(
      `SELECT merchant_id, environment, transaction_id FROM gateway_cart_completion
       WHERE order_id = $1 ORDER BY created_at`,
      [order_id]
    )
  }
}
