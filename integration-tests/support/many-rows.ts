import { newId } from "../../src/modules/gateway/kernel/text/ids"
import type { Tenant } from "../../src/modules/gateway/kernel/types"
import type { Store } from "./store"

/*
 * More rows than the services would make in a reasonable time, written as they would write them.
 */

/** Monthly plans of these names, the oldest first; answers their ids. */
export async function insertPlans(
  store: Store,
  { merchant_id, environment }: Tenant,
  names: readonly string[]
): Promise<string[]> {
  const ids = names.map(() => newId("gpl")).sort()
  await store.db.raw(
    `INSERT INTO gateway_plan (id, uuid, merchant_id, environment, plan_name, amount_minor, currency, interval_count,
       interval_unit, meta_data, opened_at)
     SELECT id, gen_random_uuid()::text, ?, ?, name, 45000, 'BDT', 1, 'MONTH', '{}', now()
     FROM unnest(?::text[], ?::text[]) WITH ORDINALITY AS plan (id, name, place) ORDER BY place`,
    [merchant_id, environment, ids, [...names]]
  )
  return ids
}

/**
 * Copies an unpaid payment, with another currency and a customer's name of this length. Three copies at a time have the
 * same time, and the next ones are a microsecond later.
 */
export async function copyPayment(
  store: Store,
  { session_id, transaction_id }: { session_id: string; transaction_id: string },
  count: number,
  { currency = "BDT", nameLength = 1 } = {}
): Promise<void> {
  await store.db.raw(
    `INSERT INTO gateway_checkout_session
     SELECT (jsonb_populate_record(s, jsonb_build_object('id', 'ses_' || md5(s.id || n), 'order_id', ? || n, 'currency', ?::text,
       'customer', s.customer || jsonb_build_object('name', repeat('x', ?::int))))).*
     FROM gateway_checkout_session s, generate_series(1, ?::int) n WHERE s.id = ?`,
    [`${currency}-`, currency, nameLength, count, session_id]
  )
  await store.db.raw(
    `INSERT INTO gateway_transaction
     SELECT (jsonb_populate_record(t, jsonb_build_object('id', 'txn' || md5(t.id || n), 'order_id', ? || n, 'currency', ?::text,
       'session_id', 'ses_' || md5(t.session_id || n), 'created_at', t.created_at + (n / 3) * interval '1 microsecond'))).*
     FROM gateway_transaction t, generate_series(1, ?::int) n WHERE t.id = ?`,
    [`${currency}-`, currency, count, transaction_id]
  )
}

/** Copies the one invoice of a subscription, one for each of the periods after its own. */
export async function copyInvoice(store: Store, subscription_id: string, count: number): Promise<void> {
  await store.db.raw(
    `INSERT INTO gateway_invoice (id, uuid, number, merchant_id, environment, subscription_id, customer_id, invoice_type,
       status, period, period_start, period_end, amount_minor, currency, interval_count, interval_unit, customer_name,
       customer_email, business_name, due_date, paid_at, opened_at, revision)
     SELECT 'inv_' || md5(n || id), gen_random_uuid()::text, number + n, merchant_id, environment, subscription_id,
       customer_id, invoice_type, status, period + n, period_start, period_end, amount_minor, currency, interval_count,
       interval_unit, customer_name, customer_email, business_name, due_date, paid_at, opened_at, revision
     FROM gateway_invoice, generate_series(1, ?::int) AS n WHERE subscription_id = ?`,
    [count, subscription_id]
  )
}
