import type { Kind } from "../../../../i18n/message"
import { openRecord } from "../billing/records"
import { columnar, type Sql } from "../../kernel/database/database"
import { queueHooks } from "../../kernel/database/hook-calls"
import { newId } from "../../kernel/text/ids"
import { emit } from "../../kernel/database/outbox"
import { subscriptionEvents, type SkippedPeriod } from "../events"
import { boundsOf, findSubscription, type SubscriptionRow } from "../records"
import type { Tenant } from "../../kernel/types"

export type PaidPeriod = { transaction_id: string; subscription_id: string; period: number; at: Date }

const PAID = {
  transaction_id: "text",
  subscription_id: "text",
  period: "int",
  at: "timestamptz",
  id: "text",
  cart_id: "text",
}

const RENEWAL_PAID: Kind = "cart.renewal_paid"

/**
 * The promise that a paid renewal of a store's subscription gets its Medusa order or its money back, made in the
 * transaction that settles it. The order comes of a Medusa cart whose id is drawn here, so that it is made once, and is
 * of the variant that was paid for, whatever plan follows. What a cart has paid, the first period, has its order.
 */
export async function promiseOrders(sql: Sql, paid: readonly PaidPeriod[]): Promise<void> {
  if (paid.length === 0) {
    return
  }
  const rows = paid.map((one) => ({ ...one, id: newId("gcc"), cart_id: newId("cart") }))
  const { source, values } = columnar(PAID, rows)
  await sql.query(
    `WITH marked AS (
       UPDATE gateway_checkout_session s SET cart_id = input.cart_id, updated_at = now()
       FROM ${source} JOIN gateway_transaction t ON t.id = input.transaction_id
       WHERE s.id = t.session_id AND s.source <> 'cart'
       RETURNING input.*, s.id AS session_id, s.merchant_id, s.environment)
     INSERT INTO gateway_cart_completion (id, transaction_id, session_id, merchant_id, environment, cart_id, subscription_id,
       period, variant_id, next_attempt_at, history)
     SELECT m.id, m.transaction_id, m.session_id, m.merchant_id, m.environment, m.cart_id, m.subscription_id, m.period,
       s.store_variant_id, now(),
       jsonb_build_array(jsonb_build_object('at', m.at, 'kind', '${RENEWAL_PAID}', 'params', jsonb_build_object('period', m.period)))
     FROM marked m JOIN gateway_subscription s ON s.id = m.subscription_id`,
    values
  )
}

type Skip = { row: SubscriptionRow; skipped: SkippedPeriod; at: Date }

const SKIP = {
  id: "text",
  merchant_id: "text",
  environment: "text",
  subscription_id: "text",
  period: "int",
  reason: "text",
  amount_minor: "int",
  period_start: "timestamptz",
  period_end: "timestamptz",
  skipped_at: "timestamptz",
}

/** Writes down periods that were not delivered; their customers are notified by e-mail soon. */
export async function writeSkips(sql: Sql, skips: readonly Skip[]): Promise<void> {
  if (skips.length === 0) {
    return
  }
  const rows = skips.map(({ row: { merchant_id, environment, id: subscription_id }, skipped, at }) => {
    const { period, reason, amount_minor, start: period_start, end: period_end } = skipped
    return {
      id: newId("gsk"),
      merchant_id,
      environment,
      subscription_id,
      period,
      reason,
      amount_minor,
      period_start,
      period_end,
      skipped_at: at,
    }
  })
  const { source, values } = columnar(SKIP, rows)
  const names = Object.keys(SKIP).join(", ")
  await sql.query(
    `INSERT INTO gateway_skipped_period (${names}, mail_due_at) SELECT ${names}, now() FROM ${source}
     ON CONFLICT (subscription_id, period) DO NOTHING`,
    values
  )
}

type Renewal = Tenant & {
  transaction_id: string
  session_id: string
  subscription_id: string | null
  period: number | null
}

/** A paid renewal has its order: the host's hook is called for it. A cart that a shopper paid is no renewal. */
export async function queueOrderHook(sql: Sql, renewal: Renewal, order_id: string): Promise<void> {
  const { merchant_id, environment, subscription_id, period, transaction_id } = renewal
  if (subscription_id === null || period === null) {
    return
  }
  const { uuid } = await findSubscription(sql, renewal, subscription_id)
  const input = { merchant_id, environment, order_id, transaction_id, subscription_id: uuid, period }
  await queueHooks(sql, [{ hook: "renewalOrderCreated", resource_id: transaction_id, input }])
}

/** A paid renewal that no order could be made of has gone back: its period was not delivered after all. */
export async function notifyUndelivered(sql: Sql, renewal: Renewal): Promise<void> {
  const { subscription_id, period, transaction_id, session_id } = renewal
  if (subscription_id === null || period === null) {
    return
  }
  const now = await findSubscription(sql, renewal, subscription_id)
  const record = await openRecord(sql, now, period)
  if (record === null) {
    return
  }
  const [{ at, variant_id }] = await sql.query<{ at: Date; variant_id: string | null }>(
    `SELECT now() + e.clock_offset_seconds * interval '1 second' AS at, c.variant_id
     FROM gateway_cart_completion c JOIN gateway_merchant_environment e
       ON e.merchant_id = c.merchant_id AND e.environment = c.environment
     WHERE c.transaction_id = $1`,
    [transaction_id]
  )
  // Another plan may have begun since this period was paid.
  const row = { ...now, store_variant_id: variant_id ?? now.store_variant_id }
  const { amount_minor } = record
  const skipped: SkippedPeriod = { period, reason: "no_order", amount_minor, ...boundsOf(record) }
  await writeSkips(sql, [{ row, skipped, at }])
  const payment = { amount_minor, period, transaction_id, session_id }
  await emit(sql, subscriptionEvents(row, ["subscription.period_skipped"], at, payment, skipped))
}
