import { readSecretBox } from "../../../scripts/lib/secret-box.mjs"

/** Merchants among whom the subscriptions are spread: each has its own series of invoices. */
export const MERCHANTS = 10

const MERCHANT_ROWS = `
  WITH numbers AS (SELECT 'mer_bench' || n AS id FROM generate_series(1, ${MERCHANTS}) n),
  merchants AS (INSERT INTO gateway_merchant (id, name) SELECT id, 'Bench' FROM numbers),
  services AS (
    INSERT INTO gateway_payment_service (id, merchant_id, environment, service_id, code, name, kind, fee_basis_points)
    SELECT 'gps_' || id, id, 'sandbox', 1, 'CARD', 'Card', 'card', 250 FROM numbers)
  INSERT INTO gateway_merchant_environment (id, merchant_id, environment, services, ip_allow_list, success_url, fail_url, cancel_url)
  SELECT 'menv_' || id, id, 'sandbox', '{subscriptions}', '{}', 'https://shop.example.com/ok', 'https://shop.example.com/no',
    'https://shop.example.com/back' FROM numbers`

const NUMBERS = `
  WITH numbers AS (
    SELECT 'bench' || n AS id, token, 'mer_bench' || n % ${MERCHANTS} + 1 AS merchant_id, now() - n * interval '1 millisecond' AS at
    FROM unnest($1::text[]) WITH ORDINALITY AS given (token, n))`

/**
 * Active monthly subscriptions whose next period is due, with their customers and kept cards, one for each of the tokens
 * $1, which are as the database holds them. Three statements: a trigger of each subscription reads its customer.
 */
const SUBSCRIPTION_ROWS = [
  `${NUMBERS}
  INSERT INTO gateway_customer (id, uuid, merchant_id, environment, name, email, email_key, opened_at)
  SELECT 'gcu_' || id, gen_random_uuid(), merchant_id, 'sandbox', 'Bench', id || '@example.com', id || '@example.com', at FROM numbers`,
  `${NUMBERS}
  INSERT INTO gateway_instrument (id, uuid, merchant_id, environment, customer_id, acquirer, token, method, service, brand, opened_at)
  SELECT 'gin_' || id, gen_random_uuid(), merchant_id, 'sandbox', 'gcu_' || id, 'sandbox', token, 'card', 'CARD', 'VISA', at FROM numbers`,
  `${NUMBERS}
  INSERT INTO gateway_subscription (id, uuid, merchant_id, environment, customer_id, instrument_id, status, amount_minor, currency,
    interval_count, interval_unit, anchor_at, anchor_period, current_period, paid_period, current_period_start, current_period_end,
    next_billing_date, billing_cycle_count, due_at, meta_data, opened_at)
  SELECT 'gsu_' || id, gen_random_uuid(), merchant_id, 'sandbox', 'gcu_' || id, 'gin_' || id, 'ACTIVE', 50000, 'BDT', 1, 'MONTH',
    at - interval '1 month', 1, 1, 1, at - interval '1 month', at, at, 1, at, '{}', at FROM numbers`,
]

/** Fills an empty database with due subscriptions. */
export async function fillSubscriptions(client, subscriptions) {
  await client.query(MERCHANT_ROWS)
  const { seal, SEALED } = await readSecretBox()
  const tokens = Array.from({ length: subscriptions }, (_, at) =>
    seal(`tok_bench${at + 1}`, SEALED.instrumentToken, `gin_bench${at + 1}`)
  )
  for (const rows of SUBSCRIPTION_ROWS) {
    await client.query(rows, [tokens])
  }
  await client.query("VACUUM ANALYZE")
}

const uuid = "gen_random_uuid()::text"
/** As the gateway makes ids: the time first, so that each row's are near those of the row before. */
const orderedUuid = (hex) => `overlay(left(moment || '7' || ${hex}, 32)::uuid::text PLACING '8' FROM 20 FOR 1)`
const event = (order, type, resource, data) => `
    SELECT 'gev_' || moment || '${order}' || left(${uuid}, 8), ${orderedUuid("md5(random()::text)")}, merchant_id, environment, '${type}', ${resource}, ${data}, now() FROM due`

/**
 * The same rows in one statement and without an acquirer: no leases, no batches, no state machine, all prices and dates
 * calculated in SQL. No run that has to survive a crash can be as fast.
 */
export const PEER = `
  WITH due AS MATERIALIZED (
    SELECT s.*, 'txn' || left(moment || md5(s.id), 32) AS transaction_id, 'ses_' || md5(s.id) AS session_id,
      'ref_pay' || left(moment || md5(s.id), 27) AS reference, 'pay' || left(moment || md5(s.id), 27) AS attempt_id,
      'sub_' || left(moment || md5(s.id), 26) AS order_id, 'sbr_' || left(moment || md5(s.id), 28) AS record_id,
      'inv_' || left(moment || md5(s.id), 28) AS invoice_id, ${orderedUuid("md5(s.id)")} AS invoice_uuid,
      c.number AS customer_number, c.name, c.email, c.phone, i.method, i.service, i.brand, i.acquirer,
      e.success_url, e.fail_url, e.cancel_url, round(s.amount_minor * f.fee_basis_points / 10000.0)::int + f.fee_fixed_minor AS fee,
      s.current_period_end + interval '1 month' AS next_end,
      row_number() OVER (PARTITION BY s.merchant_id ORDER BY s.due_at) AS invoice_number
    FROM (SELECT *, lpad(to_hex((extract(epoch FROM now()) * 1000)::bigint + row_number() OVER ()), 12, '0') AS moment
          FROM gateway_subscription WHERE due_at <= now()) s
    JOIN gateway_customer c ON c.id = s.customer_id
    JOIN gateway_instrument i ON i.id = s.instrument_id
    JOIN gateway_merchant_environment e ON e.merchant_id = s.merchant_id AND e.environment = s.environment
    JOIN gateway_payment_service f ON f.merchant_id = s.merchant_id AND f.environment = s.environment AND f.code = i.service),
  sessions AS (
    INSERT INTO gateway_checkout_session (id, merchant_id, environment, order_id, currency, amount_minor, description, success_url,
      fail_url, cancel_url, customer, customer_phone, payment_info, source, subscription_id, subscription_period, opened_at, expires_at)
    SELECT session_id, merchant_id, environment, order_id, currency, amount_minor, 'Subscription ' || number, success_url, fail_url,
      cancel_url, jsonb_build_object('name', name, 'email', email, 'address', '', 'city', '', 'postcode', '', 'country', '', 'phone', ''),
      '', '{"is_recurring":true}', 'billing', id, current_period + 1, now(), now() FROM due),
  transactions AS (
    INSERT INTO gateway_transaction (id, session_id, merchant_id, environment, order_id, state, currency, amount_minor, charge_minor,
      payment_method, payment_service, instrument, acquirer, acquirer_reference, attempts, attempt_id, expires_at, verified_at,
      finished_at)
    SELECT transaction_id, session_id, merchant_id, environment, order_id, 'SUCCESS', currency, amount_minor, fee, method, service,
      jsonb_build_object('brand', brand), acquirer, reference, 1, attempt_id, now(), now(), now() FROM due),
  attempts AS (
    INSERT INTO gateway_payment_attempt (id, transaction_id, merchant_id, environment, number, state, acquirer, payment_method,
      payment_service, currency, amount_minor, charge_minor, instrument, acquirer_reference, started_at, answer_ms, finished_at)
    SELECT attempt_id, transaction_id, merchant_id, environment, 1, 'SUCCEEDED', acquirer, method, service, currency, amount_minor, fee,
      jsonb_build_object('brand', brand), reference, now(), 0, now() FROM due),
  records AS (
    INSERT INTO gateway_billing_record (id, uuid, merchant_id, environment, subscription_id, period, status, amount_minor, currency,
      billing_date, period_start, period_end, attempts, transaction_id, session_id, opened_at)
    SELECT record_id, ${uuid}, merchant_id, environment, id, current_period + 1, 'SUCCESS', amount_minor, currency, current_period_end,
      current_period_end, next_end, 1, transaction_id, session_id, now() FROM due),
  invoices AS (
    INSERT INTO gateway_invoice (id, uuid, number, merchant_id, environment, subscription_id, customer_id, status, period, period_start,
      period_end, amount_minor, currency, interval_count, interval_unit, customer_name, customer_email, customer_phone, business_name, due_date,
      paid_at, opened_at)
    SELECT invoice_id, invoice_uuid, invoice_number, merchant_id, environment, id, customer_id, 'PAID', current_period + 1,
      current_period_end, next_end, amount_minor, currency, interval_count, interval_unit, name, email, phone, 'Bench', current_period_end,
      now(), now()
    FROM due),
  series AS (
    INSERT INTO gateway_invoice_series (id, merchant_id, environment, last_number)
    SELECT 'ins_' || merchant_id, merchant_id, environment, max(invoice_number) FROM due GROUP BY merchant_id, environment),
  entries AS (
    INSERT INTO gateway_ledger_entry (id, posting, kind, account, merchant_id, environment, currency, amount_minor, transaction_id, occurred_at)
    SELECT transaction_id || ':paid:' || account, transaction_id || ':paid', 'payment', account, merchant_id, environment, currency,
      CASE account WHEN 'acquirer_clearing' THEN -amount_minor WHEN 'fees' THEN fee ELSE amount_minor - fee END, transaction_id, now()
    FROM due, unnest(ARRAY['acquirer_clearing', 'merchant_balance', 'fees']) AS account),
  events AS (
    INSERT INTO gateway_event (id, event_id, merchant_id, environment, event_type, resource_id, data, occurred_at)
    ${event(
      0,
      "payment.succeeded",
      "transaction_id",
      `jsonb_build_object('transaction_id', transaction_id, 'order_id', order_id, 'session_id',
      session_id, 'status', 'SUCCESS', 'amount', to_char(amount_minor / 100.0, 'FM999999990.00'), 'currency', currency, 'charge_amount',
      to_char(fee / 100.0, 'FM999999990.00'), 'payment_method', service, 'error_code', NULL)`
    )}
    UNION ALL
    ${event(
      1,
      "invoice.created",
      "invoice_id",
      `jsonb_build_object('invoice_id', 'INV-' || lpad(invoice_number::text, 6, '0'), 'uuid',
      invoice_uuid, 'business_name', 'Bench', 'invoice_type', 'SUBSCRIPTION', 'due_date', current_period_end, 'payable_amount',
      amount_minor / 100.0, 'invoice_status', 'PAID', 'currency', currency, 'subscription_id', number, 'subscription_uuid', uuid,
      'customer_id', customer_number, 'period_start', current_period_end, 'period_end', next_end, 'payment_url', '/', 'paid_at', now(),
      'voided_at', NULL, 'created_at', now())`
    )}
    UNION ALL
    ${event(
      2,
      "subscription.payment_succeeded",
      "id",
      `jsonb_build_object('subscription_uuid', uuid, 'subscription_id', number,
      'customer_id', customer_number, 'amount', to_char(amount_minor / 100.0, 'FM999999990.00'), 'currency', currency, 'billing_cycle',
      current_period + 1, 'next_billing_date', next_end, 'payment_session_id', session_id, 'transaction_id', transaction_id)`
    )})
  UPDATE gateway_subscription s SET current_period = s.current_period + 1, paid_period = s.current_period + 1,
    current_period_start = s.current_period_end, current_period_end = due.next_end, next_billing_date = due.next_end,
    billing_cycle_count = s.billing_cycle_count + 1, due_at = due.next_end, updated_at = now()
  FROM due WHERE s.id = due.id`

/**
 * What a run has written, by table: of every row, and of one subscription the members that do not differ from run to
 * run.
 */
const WRITTEN = {
  gateway_checkout_session: "subscription_id = $1",
  gateway_transaction: "session_id IN (SELECT id FROM gateway_checkout_session WHERE subscription_id = $1)",
  gateway_payment_attempt:
    "transaction_id = (SELECT transaction_id FROM gateway_billing_record WHERE subscription_id = $1)",
  gateway_billing_record: "subscription_id = $1",
  gateway_invoice: "subscription_id = $1",
  gateway_ledger_entry:
    "transaction_id = (SELECT transaction_id FROM gateway_billing_record WHERE subscription_id = $1)",
  gateway_event: `resource_id IN ($1, (SELECT transaction_id FROM gateway_billing_record WHERE subscription_id = $1),
    (SELECT id FROM gateway_invoice WHERE subscription_id = $1))`,
  gateway_subscription: "id = $1",
}

const OWN =
  /^(id|uuid|number|pay_token|posting|resource_id|event_id|order_id|data|attempt_id|acquirer_reference|inserted_.*|transaction_id|session_id|lock_token|locked_until|answer_ms)$|_at$/

/** The counts of what was written, and one subscription's rows: equal for two runs that did the same. */
export async function written(client, subscription) {
  const tables = {}
  for (const [table, where] of Object.entries(WRITTEN)) {
    const { rows } = await client.query(`SELECT * FROM ${table} WHERE ${where}`, [subscription])
    const {
      rows: [{ count }],
    } = await client.query(`SELECT count(*)::int AS count FROM ${table}`)
    const kept = rows.map((row) =>
      JSON.stringify(Object.fromEntries(Object.entries(row).filter(([name]) => !OWN.test(name))))
    )
    tables[table] = {
      count,
      rows: kept.sort(),
      members: rows
        .map(({ data }) =>
          Object.keys(data ?? {})
            .sort()
            .join()
        )
        .sort(),
    }
  }
  return tables
}
