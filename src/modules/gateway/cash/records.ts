import type { Message } from "../../../i18n/message"
import type { Sql } from "../kernel/database/database"
import { GatewayError } from "../kernel/errors"
import { clockNow } from "../kernel/money/clock"
import type { Minor } from "../kernel/money/money"
import { newOrderedId } from "../kernel/text/ids"
import type { Tenant } from "../kernel/types"
import { emit } from "../kernel/database/outbox"
import { cashEventData, type CashSource, type EventCash } from "./rules"
import type { RefundState } from "../refunds/states"
import type { CashOrderState, CashRefundState } from "./states"

/** Amounts in hundredths of the currency; times on the merchant's clock. */
export type CashOrder = Tenant & {
  id: string
  currency: string
  state: CashOrderState
  total_minor: number
  advance_minor: number
  collected_minor: number
  given_up_minor: number
  returned_minor: number
  cart_id: string
  payment_session_id: string
  transaction_id: string | null
  advance_capture_id: string | null
  payment_id: string | null
  order_id: string | null
  order_number: string | null
  customer_name: string | null
  phone: string | null
  district: string | null
  advance_back: boolean
  ended_by: string | null
  goods_back: boolean
  return_id: string | null
  changes: number
  stuck_since: Date | null
  authorized_at: Date | null
  placed_at: Date | null
  closed_at: Date | null
  attempts: number
  last_error: Message | null
}

export type CashCollection = Tenant & {
  id: string
  cash_order_id: string
  amount_minor: number
  charge_minor: number
  source: CashSource
  courier: string | null
  note: string | null
  recorded_by: string
  request_key: string
  capture_id: string | null
  collected_at: Date
}

export type NewCollection = {
  /** Null: all that is due when it is recorded. */
  amount: Minor | null
  charge: Minor
  source: CashSource
  courier: string | null
  note: string | null
  /** The same key again changes nothing. */
  request_key: string
  /** Medusa's capture, when that came first. */
  capture_id?: string
}

/** A refund of Medusa. `online_state`: what became of its online part at the gateway; null: it was not asked for yet. */
export type CashRefund = Tenant & {
  id: string
  cash_order_id: string
  medusa_refund_id: string
  keys: string[]
  state: CashRefundState
  amount_minor: number
  online_minor: number
  cash_minor: number
  online_state: RefundState | null
}

export const CASH_REFUND_COLUMNS =
  "r.id, r.merchant_id, r.environment, r.cash_order_id, r.medusa_refund_id, r.keys, r.state, r.amount_minor, r.online_minor, r.cash_minor"

export const CASH_ORDER_COLUMNS =
  "o.id, o.merchant_id, o.environment, o.currency, o.state, o.total_minor, o.advance_minor, o.collected_minor, o.given_up_minor, o.returned_minor, o.cart_id, o.payment_session_id, o.transaction_id, o.advance_capture_id, o.payment_id, o.order_id, o.order_number, o.customer_name, o.phone, o.district, o.advance_back, o.ended_by, o.goods_back, o.return_id, o.changes, o.stuck_since, o.authorized_at, o.placed_at, o.closed_at, o.attempts, o.last_error"

export const COLLECTION_COLUMNS =
  "id, merchant_id, environment, cash_order_id, amount_minor, charge_minor, source, courier, note, recorded_by, request_key, capture_id, collected_at"

/** Writes the events of a change, in its transaction. */
export async function emitCash(
  sql: Sql,
  event_types: readonly string[],
  order: CashOrder,
  cash: EventCash,
  occurred_at: Date
): Promise<void> {
  const { id: resource_id, merchant_id, environment } = order
  const data = cashEventData(order, cash)
  await emit(
    sql,
    event_types.map((event_type) => ({ merchant_id, environment, event_type, resource_id, data, occurred_at }))
  )
}

/** Locks a cash order until the transaction of `sql` ends. Throws CASH_ORDER_NOT_FOUND, for another tenant's too. */
export async function holdCashOrder(sql: Sql, id: string, tenant?: Tenant): Promise<CashOrder> {
  const [row] = await sql.query<CashOrder>(
    `SELECT ${CASH_ORDER_COLUMNS} FROM gateway_cash_order o
     WHERE id = $1 AND ($2::text IS NULL OR merchant_id = $2 AND environment = $3) FOR UPDATE`,
    [id, tenant?.merchant_id ?? null, tenant?.environment ?? null]
  )
  if (row === undefined) {
    throw new GatewayError("CASH_ORDER_NOT_FOUND")
  }
  return row
}

/** Writes cash that came; `sql` holds the order's lock. */
export async function insertCollection(
  sql: Sql,
  order: CashOrder,
  input: NewCollection & { amount: Minor },
  recorded_by: string,
  now: Date
): Promise<CashCollection> {
  const [row] = await sql.query<CashCollection>(
    `INSERT INTO gateway_cash_collection (id, merchant_id, environment, cash_order_id, currency, amount_minor,
       charge_minor, source, courier, note, recorded_by, request_key, capture_id, collected_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14) RETURNING ${COLLECTION_COLUMNS}`,
    [
      newOrderedId("gch"),
      order.merchant_id,
      order.environment,
      order.id,
      order.currency,
      Number(input.amount),
      Number(input.charge),
      input.source,
      input.courier,
      input.note,
      recorded_by,
      input.request_key,
      input.capture_id ?? null,
      now,
    ]
  )
  return row
}

/** The current moment of the order's clock. */
export async function nowOf(sql: Sql, { merchant_id, environment }: Tenant): Promise<Date> {
  const [row] = await sql.query<{ clock_offset_seconds: number }>(
    "SELECT clock_offset_seconds FROM gateway_merchant_environment WHERE merchant_id = $1 AND environment = $2",
    [merchant_id, environment]
  )
  return clockNow(new Date(), row?.clock_offset_seconds ?? 0)
}
