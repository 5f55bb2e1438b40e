/** $1: the payment service, $2: its method. */
export const MERCHANTS = `
  WITH given (id) AS (VALUES ('mer_chaos'), ('mer_renewals')),
  merchants AS (INSERT INTO gateway_merchant (id, name) SELECT id, 'Chaos' FROM given),
  services AS (
    INSERT INTO gateway_payment_service (id, merchant_id, environment, service_id, code, name, kind, fee_basis_points)
    SELECT 'gps_' || id, id, 'sandbox', 1, $1, 'Chaos', $2, 250 FROM given)
  INSERT INTO gateway_merchant_environment (id, merchant_id, environment, services, ip_allow_list)
  SELECT 'menv_' || id, id, 'sandbox', '{checkout,refunds,subscriptions}', '{}' FROM given`

/** The merchant $2's account $1 at the acquirer $3 with its sealed credentials $4, asked as the $5th. */
export const ACCOUNT = `
  INSERT INTO gateway_acquirer_account (id, merchant_id, environment, acquirer, services, settings, credentials, position)
  VALUES ($1, $2, 'sandbox', $3, '{}', '{}', $4, $5)`

/** Open checkouts $1 to $2. */
export const CHECKOUTS = `
  WITH numbers AS (SELECT n, md5('chaos' || n) AS digest, 50000 + n * 7919 % 200000 AS amount FROM generate_series($1::int, $2::int) n),
  sessions AS (
    INSERT INTO gateway_checkout_session (id, merchant_id, environment, order_id, currency, amount_minor, success_url, fail_url,
      cancel_url, customer, customer_phone, opened_at, expires_at)
    SELECT 'ses_' || digest, 'mer_chaos', 'sandbox', 'chaos-' || n, 'BDT', amount, 'https://shop.example/ok', 'https://shop.example/no', 'https://shop.example/back',
      '{"name":"Chaos","email":"chaos@example.com","address":"1 Road","city":"Dhaka","postcode":"1207","country":"Bangladesh","phone":"01700000000"}',
      '01700000000', now(), now() + interval '30 minutes' FROM numbers)
  INSERT INTO gateway_transaction (id, session_id, merchant_id, environment, order_id, currency, amount_minor, expires_at)
  SELECT 'txn' || digest, 'ses_' || digest, 'mer_chaos', 'sandbox', 'chaos-' || n, 'BDT', amount, now() + interval '30 minutes'
  FROM numbers`

const RENEWALS = `
  WITH numbers AS (
    SELECT 'chaos' || ($1::int + n - 1) AS id, token, now() + e.clock_offset_seconds * interval '1 second' AS at
    FROM unnest($2::text[]) WITH ORDINALITY AS given (token, n), gateway_merchant_environment e WHERE e.merchant_id = 'mer_renewals')`

export const CUSTOMERS = `${RENEWALS}
  INSERT INTO gateway_customer (id, uuid, merchant_id, environment, name, email, email_key, opened_at)
  SELECT 'gcu_' || id, gen_random_uuid(), 'mer_renewals', 'sandbox', 'Chaos', id || '@example.com', id || '@example.com', at FROM numbers`

/**
 * Active monthly subscriptions from $1 on whose first period is paid. $2: the tokens of their cards, sealed. Their customers
 * are there already: a trigger reads them.
 */
export const SUBSCRIPTIONS = `${RENEWALS},
  instruments AS (
    INSERT INTO gateway_instrument (id, uuid, merchant_id, environment, customer_id, acquirer, token, method, service, opened_at)
    SELECT 'gin_' || id, gen_random_uuid(), 'mer_renewals', 'sandbox', 'gcu_' || id, 'stripe', token, 'card', 'CARD', at FROM numbers)
  INSERT INTO gateway_subscription (id, uuid, merchant_id, environment, customer_id, instrument_id, status, amount_minor, currency,
    interval_count, interval_unit, anchor_at, anchor_period, current_period, paid_period, current_period_start, current_period_end,
    next_billing_date, billing_cycle_count, due_at, meta_data, opened_at)
  SELECT 'gsu_' || id, gen_random_uuid(), 'mer_renewals', 'sandbox', 'gcu_' || id, 'gin_' || id, 'ACTIVE', 50000, 'BDT', 1, 'MONTH',
    at - interval '1 month', 1, 1, 1, at - interval '1 month', at, at, 1, at, '{}', at FROM numbers`

/** Stops the clock while something has been due for two months, so that little is left to catch up with in the end. */
export const A_MONTH_LATER = `
  UPDATE gateway_merchant_environment e SET clock_offset_seconds = clock_offset_seconds + 2678400
  WHERE merchant_id = 'mer_renewals' AND NOT EXISTS (SELECT 1 FROM gateway_subscription
    WHERE due_at < now() + e.clock_offset_seconds * interval '1 second' - interval '62 days')`

/** All sessions are over. */
export const AN_HOUR_LATER =
  "UPDATE gateway_merchant_environment SET clock_offset_seconds = clock_offset_seconds + 3600"
/** Acquirers are asked daily. */
export const A_DAY_LATER =
  "UPDATE gateway_merchant_environment SET clock_offset_seconds = clock_offset_seconds + 90000 WHERE merchant_id = 'mer_chaos'"
/** A charge that never arrived can no longer arrive. */
export const MINUTES_LATER =
  "UPDATE gateway_merchant_environment SET clock_offset_seconds = clock_offset_seconds + 900 WHERE merchant_id = 'mer_renewals'"

/** Leases of dead processes expire, and their calls are over. */
export const AFTER_A_KILL = [
  // The minute is over after which an acquirer that is down is tried again.
  "UPDATE gateway_acquirer_outage SET probe_at = now()",
  "UPDATE gateway_acquirer_token SET locked_until = now() WHERE locked_until > now()",
  "UPDATE gateway_subscription SET locked_until = now() WHERE locked_until > now()",
  `UPDATE gateway_payment_attempt SET started_at = started_at - interval '1 hour', confirmed_at = confirmed_at - interval '1 hour'
   WHERE state IN ('STARTED', 'REDIRECTED', 'CONFIRMING')`,
  // When the adapter of Stripe last sent a charge.
  `UPDATE gateway_payment_attempt SET acquirer_ids = acquirer_ids
     || jsonb_build_object('sent_at', (acquirer_ids ->> 'sent_at')::timestamptz - interval '1 hour')
   WHERE state = 'STARTED' AND acquirer_ids ->> 'sent_at' IS NOT NULL`,
]

/**
 * Nobody waits for the next time to ask. Only once everything that is due has been asked about: what has just been asked
 * would else be asked again and again before the rest.
 */
const dueAtOnce = (table, rows) => `
  UPDATE ${table} SET inquiry_at = now() WHERE inquiry_at > now() AND ${rows}
    AND NOT EXISTS (SELECT 1 FROM ${table} WHERE inquiry_at <= now() AND ${rows})`

/** What is open is asked about again. */
export const ASK_AGAIN = [
  dueAtOnce("gateway_refund", "state = 'processing'"),
  dueAtOnce("gateway_payment_attempt", "state IN ('STARTED', 'REDIRECTED', 'CONFIRMING', 'SURPLUS')"),
]

/** What is asked about at its next time only: while the processes are killed nobody waits for days. */
export const WATCHED = dueAtOnce("gateway_payment_attempt", "state IN ('ABANDONED', 'SUCCEEDED', 'DECLINED')")

/** Where shoppers were sent. */
export const PAGES = "SELECT redirect_url AS page FROM gateway_payment_attempt WHERE redirect_url IS NOT NULL"

/** Everything that has not ended; `behind`: earlier open refunds of the same payment. */
export const OPEN = `
  SELECT 'attempt' AS kind, id AS key, acquirer, state, acquirer_ids AS ids, '[]'::jsonb AS behind
  FROM gateway_payment_attempt
  WHERE state IN ('STARTED', 'REDIRECTED', 'CONFIRMING', 'SURPLUS') OR state IN ('ABANDONED', 'SUCCEEDED', 'DECLINED') AND inquiry_at IS NOT NULL
  UNION ALL
  SELECT 'refund', r.id, t.acquirer, r.state, r.acquirer_ids, COALESCE((
    SELECT jsonb_agg(jsonb_build_object('kind', 'refund', 'key', b.id, 'state', b.state, 'ids', b.acquirer_ids))
    FROM gateway_refund b WHERE b.transaction_id = r.transaction_id AND b.state = 'processing'
      AND (b.requested_at, b.id) < (r.requested_at, r.id)), '[]')
  FROM gateway_refund r JOIN gateway_transaction t ON t.id = r.transaction_id WHERE r.state IN ('pending', 'processing')
  UNION ALL
  SELECT 'payment', t.id, NULL, t.state, '{}', '[]' FROM gateway_transaction t
  WHERE state = 'OPEN' OR state = 'PROCESSING' AND NOT EXISTS (
    SELECT 1 FROM gateway_payment_attempt a WHERE a.id = t.attempt_id AND a.state IN ('STARTED', 'REDIRECTED', 'CONFIRMING'))
  UNION ALL
  SELECT 'period', r.id, NULL, r.status, '{}', '[]' FROM gateway_billing_record r WHERE status = 'PROCESSING'
  UNION ALL
  SELECT 'subscription', s.id, NULL, s.status, '{}', '[]'
  FROM gateway_subscription s JOIN gateway_merchant_environment e USING (merchant_id, environment)
  WHERE s.due_at <= now() + e.clock_offset_seconds * interval '1 second'`
