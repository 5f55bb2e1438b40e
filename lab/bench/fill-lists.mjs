/*
 * Rows for every list, as SQL and not through the gateway: `$1` is the merchant's id, `$2` to `$3` are the numbers of
 * the rows. Rows of different tables with the same number belong together.
 */
const CUSTOMERS = `
  INSERT INTO gateway_customer (id, uuid, merchant_id, environment, name, email, email_key, phone, opened_at, created_at)
  SELECT 'gcu_' || md5($1 || n), gen_random_uuid()::text, $1, 'sandbox', 'Customer ' || n, 'c' || n || '@example.com',
         'c' || n || '@example.com', '01712345678', now() - n * interval '1 second', now() - n * interval '1 second'
  FROM generate_series($2::int, $3::int) n`

/** Of four, one is archived. */
const PLANS = `
  INSERT INTO gateway_plan (id, uuid, merchant_id, environment, plan_name, amount_minor, currency, interval_count, interval_unit,
    meta_data, is_active, opened_at, created_at)
  SELECT 'gpl_' || md5($1 || n), gen_random_uuid()::text, $1, 'sandbox', 'Plan ' || n, 1000 + n % 100000, 'BDT', 1 + n % 3, 'MONTH',
         '{}', n % 4 <> 0, now() - n * interval '1 second', now() - n * interval '1 second'
  FROM generate_series($2::int, $3::int) n`

/** Of ten, six are active, and one each is on trial, pending, cancelled and expired. */
const SUBSCRIPTIONS = `
  INSERT INTO gateway_subscription (id, uuid, merchant_id, environment, customer_id, plan_id, status, amount_minor, currency,
    interval_count, interval_unit, trial_end_date, anchor_at, current_period_start, current_period_end, next_billing_date,
    cancelled_at, ended_at, meta_data, opened_at, created_at)
  SELECT 'gsu_' || md5($1 || n), gen_random_uuid()::text, $1, 'sandbox', 'gcu_' || md5($1 || n), 'gpl_' || md5($1 || n), status,
         1000 + n % 100000, 'BDT', 1 + n % 3, 'MONTH', CASE WHEN status = 'TRIALING' THEN at + interval '14 days' END,
         CASE WHEN status = 'ACTIVE' THEN at END, CASE WHEN status = 'ACTIVE' THEN at END,
         CASE WHEN status = 'ACTIVE' THEN at + interval '90 days' END, CASE WHEN status = 'ACTIVE' THEN at + interval '90 days' END,
         CASE WHEN status = 'CANCELLED' THEN at END, CASE WHEN status = 'EXPIRED' THEN at END, '{}', at, at
  FROM generate_series($2::int, $3::int) n,
    LATERAL (SELECT now() - n * interval '10 seconds' AS at,
      (ARRAY['TRIALING', 'PENDING', 'CANCELLED', 'EXPIRED', 'ACTIVE', 'ACTIVE', 'ACTIVE', 'ACTIVE', 'ACTIVE', 'ACTIVE'])[n % 10 + 1] AS status) AS one`

const INVOICES = `
  INSERT INTO gateway_invoice (id, uuid, number, merchant_id, environment, subscription_id, customer_id, status, period, period_start,
    period_end, amount_minor, currency, interval_count, interval_unit, plan_name, customer_name, customer_email, customer_phone, business_name, due_date,
    revision, paid_at, voided_at, opened_at, created_at)
  SELECT 'inv_' || md5($1 || n), gen_random_uuid()::text, n, $1, 'sandbox', 'gsu_' || md5($1 || n), 'gcu_' || md5($1 || n), status, 1, at,
         at + interval '30 days', 1000 + n % 100000, 'BDT', 1 + n % 3, 'MONTH', 'Plan ' || n, 'Customer ' || n, 'c' || n || '@example.com', '01712345678', 'Lists', at,
         CASE WHEN status = 'VOID' THEN n ELSE 0 END,
         CASE WHEN status = 'PAID' THEN at END, CASE WHEN status = 'VOID' THEN at END, at, at
  FROM generate_series($2::int, $3::int) n,
    LATERAL (SELECT now() - n * interval '10 seconds' AS at, (ARRAY['PENDING', 'PAID', 'PAID', 'VOID'])[n % 4 + 1] AS status) AS one`

/** The rows that billing needs. */
export const BILLING_FILL = [CUSTOMERS, PLANS, SUBSCRIPTIONS, INVOICES]

export const SESSIONS = `
  INSERT INTO gateway_checkout_session (id, merchant_id, environment, order_id, currency, amount_minor, success_url, fail_url,
    cancel_url, customer, customer_phone, opened_at, expires_at, created_at)
  SELECT 'ses_' || md5($1 || n), $1, 'sandbox', 'list-' || n, 'BDT', 1000 + n % 100000, '', '', '',
         jsonb_build_object('name', 'Customer ' || n, 'email', 'c' || n || '@example.com'), '', at, at, at
  FROM generate_series($2::int, $3::int) n, LATERAL (SELECT now() - n * interval '10 seconds' AS at) AS one`

/** Of ten, eight are paid and two have failed. */
export const TRANSACTIONS = `
  INSERT INTO gateway_transaction (id, session_id, merchant_id, environment, order_id, state, currency, amount_minor, charge_minor,
    refunded_minor, payment_method, payment_service, acquirer, acquirer_reference, expires_at, verified_at, finished_at, created_at)
  SELECT 'txn' || md5($1 || n), 'ses_' || md5($1 || n), $1, 'sandbox', 'list-' || n, CASE WHEN paid THEN 'SUCCESS' ELSE 'FAILED' END,
         'BDT', 1000 + n % 100000, CASE WHEN paid THEN 25 ELSE 0 END, 0, 'card', (ARRAY['CARD', 'BKASH', 'NAGAD'])[n % 3 + 1], 'sandbox',
         CASE WHEN paid THEN $1 || n END, at, CASE WHEN paid THEN at END, at, at
  FROM generate_series($2::int, $3::int) n, LATERAL (SELECT now() - n * interval '10 seconds' AS at, n % 10 < 8 AS paid) AS one`

const REFUNDS = `
  INSERT INTO gateway_refund (id, transaction_id, merchant_id, environment, state, amount_minor, currency, reason, requested_by,
    requested_at, created_at)
  SELECT 'rfd_' || md5($1 || n), 'txn' || md5($1 || n), $1, 'sandbox', (ARRAY['completed', 'completed', 'completed', 'failed', 'cancelled'])[n % 5 + 1],
         100, 'BDT', 'filled', 'bench', at, at
  FROM generate_series($2::int, $3::int) n, LATERAL (SELECT now() - n * interval '10 seconds' AS at) AS one`

const EVENTS = `
  INSERT INTO gateway_event (id, event_id, merchant_id, environment, event_type, resource_id, data, occurred_at, created_at)
  SELECT 'gev_' || lpad(n::text, 12, '0') || $1, gen_random_uuid()::text, $1, 'sandbox',
         (ARRAY['payment.succeeded', 'payment.failed', 'refund.completed'])[n % 3 + 1], 'txn' || md5($1 || n),
         CASE n % 3 WHEN 2 THEN jsonb_build_object('refund_id', 'rfd_' || n, 'transaction_id', 'txn' || md5($1 || n),
             'refund_amount', '100.00', 'refund_status', 'completed', 'original_amount', '1000.00', 'remaining_amount', '900.00')
           ELSE jsonb_build_object('transaction_id', 'txn' || md5($1 || n), 'order_id', 'ORD-' || n,
             'session_id', 'ses_' || md5($1 || n), 'status', (ARRAY['SUCCESS', 'FAILED'])[n % 3 + 1], 'amount', '1000.00',
             'currency', 'BDT', 'charge_amount', '25.00', 'payment_method', 'BKASH', 'error_code', NULL) END, at, at
  FROM generate_series($2::int, $3::int) n, LATERAL (SELECT now() - n * interval '10 seconds' AS at) AS one`

const DELIVERIES = `
  INSERT INTO gateway_webhook_delivery (id, merchant_id, environment, event_id, event_type, occurred_at, ipn_url, receiver_key, state, attempts, next_attempt_at,
    delivered_at, created_at)
  SELECT 'gwd_' || md5($1 || n), $1, 'sandbox', gen_random_uuid()::text, 'payment.succeeded', at, 'https://shop.example.com/ipn', 'ipn',
         CASE WHEN n % 100 = 0 THEN 'failed' ELSE 'delivered' END, 1, at, CASE WHEN n % 100 = 0 THEN NULL ELSE at END, at
  FROM generate_series($2::int, $3::int) n, LATERAL (SELECT now() - n * interval '10 seconds' AS at) AS one`

export const AUDIT = `
  INSERT INTO gateway_audit_entry (id, merchant_id, environment, actor_type, actor_id, action, resource_id, changes, created_at)
  SELECT 'gau_' || md5($1 || n), $1, 'sandbox', 'user', 'user_bench', (ARRAY['settings.updated', 'plan.updated'])[n % 2 + 1], $1, '{}',
         now() - n * interval '10 seconds'
  FROM generate_series($2::int, $3::int) n`

const REQUESTS = `
  INSERT INTO gateway_request_log (id, merchant_id, environment, key_id, method, path, status, error_code, duration_ms, request_id, requested_at)
  SELECT 'grl_' || md5($1 || n), $1, 'sandbox', 'key_of_the_bench', 'GET', '/payments/verify/{transaction_id}',
         CASE WHEN n % 50 = 0 THEN 404 ELSE 200 END, CASE WHEN n % 50 = 0 THEN 'TRANSACTION_NOT_FOUND' END, 3, gen_random_uuid()::text,
         now() - n * interval '1 second'
  FROM generate_series($2::int, $3::int) n`

export const PAYOUTS = `
  INSERT INTO gateway_payout (id, merchant_id, environment, amount_minor, currency, reference, recorded_by, recorded_at, created_at)
  SELECT 'gpo_' || md5($1 || n), $1, 'sandbox', 1000, 'BDT', 'TT-' || n, 'bench', at, at
  FROM generate_series($2::int, $3::int) n, LATERAL (SELECT now() - n * interval '10 seconds' AS at) AS one`

export const LINKS = `
  INSERT INTO gateway_payment_link (id, token, merchant_id, environment, amount_minor, currency, description, customer, created_by,
    opened_at, created_at)
  SELECT 'lnk_' || md5($1 || n), md5('link' || $1 || n), $1, 'sandbox', 1000, 'BDT', 'filled',
         jsonb_build_object('name', 'Customer ' || n, 'email', 'c' || n || '@example.com'), 'bench', at, at
  FROM generate_series($2::int, $3::int) n, LATERAL (SELECT now() - n * interval '10 seconds' AS at) AS one`

/** Of a hundred payments, one is disputed: a merchant with more loses its acquirer. */
const DISPUTES = `
  INSERT INTO gateway_dispute (id, merchant_id, environment, transaction_id, state, source, acquirer, acquirer_reference, reason,
    amount_minor, currency, recorded_by, opened_at, recorded_at, closed_at, created_at)
  SELECT 'gdi_' || md5($1 || n), $1, 'sandbox', 'txn' || md5($1 || n), CASE WHEN n % 400 = 0 THEN 'under_review' ELSE 'won' END, 'admin',
         'sandbox', 'CB-' || n, 'general', 1000, 'BDT', 'bench', at, at, CASE WHEN n % 400 = 0 THEN NULL ELSE at END, at
  FROM generate_series($2::int, $3::int) n, LATERAL (SELECT now() - n * interval '10 seconds' AS at) AS one
  WHERE n % 100 = 0`

/** Postings of payments, without the payments; of ten, nine have a fee. */
export const ENTRIES = `
  INSERT INTO gateway_ledger_entry (id, posting, kind, account, merchant_id, environment, currency, amount_minor, occurred_at, created_at)
  SELECT posting || ':' || account, posting, 'payment', account, $1, 'sandbox', 'BDT', amount, at, at
  FROM generate_series($2::int, $3::int) n,
    LATERAL (SELECT 'txn' || md5($1 || n) AS posting, now() - n * interval '10 seconds' AS at, CASE WHEN n % 10 = 0 THEN 0 ELSE 25 END AS fee) AS one,
    LATERAL (VALUES ('acquirer_clearing', -1000), ('merchant_balance', 1000 - fee), ('fees', fee)) AS entry (account, amount)
  WHERE amount <> 0`

/** The logs of events and deliveries. */
export const LOGS_FILL = [EVENTS, DELIVERIES]

/** The rows of all lists, in parts that do not refer to each other: each can be filled on a connection of its own. */
export const LISTS_FILL = [
  [...BILLING_FILL, AUDIT, REQUESTS, PAYOUTS, LINKS],
  [SESSIONS, TRANSACTIONS, REFUNDS, DISPUTES, ...LOGS_FILL, ENTRIES],
]

const BATCH = 50_000

/** Rows number 1 to `count`; `query(text, values)` runs one statement. */
export async function fillLists(query, statements, merchant_id, count) {
  for (const statement of statements) {
    for (let first = 1; first <= count; first += BATCH) {
      await query(statement, [merchant_id, first, Math.min(count, first + BATCH - 1)])
    }
  }
}
