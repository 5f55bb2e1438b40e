import { connected } from "../../scripts/lib/database.mjs"

/** So many that two requests rarely meet; the first one is the hot one. */
const COUNT = 5_000

/** Paid with the largest possible amount: refunds of 0.01 never use it up. In our books and in the sandbox's. */
const PAID = `
  WITH numbers AS (
    SELECT n, 'txn' || md5('paid' || n) AS id, 'pay' || substr(md5('paid' || n), 1, 27) AS attempt, ($1::text[])[n % cardinality($1::text[]) + 1] AS merchant_id
    FROM generate_series(1, ${COUNT}) n),
  sessions AS (
    INSERT INTO gateway_checkout_session (id, merchant_id, environment, order_id, currency, amount_minor, success_url, fail_url,
      cancel_url, customer, customer_phone, opened_at, expires_at)
    SELECT 'ses_' || id, merchant_id, 'sandbox', 'paid-' || n, 'BDT', 50000000, '', '', '', '{}', '', now(), now() FROM numbers),
  transactions AS (
    INSERT INTO gateway_transaction (id, session_id, merchant_id, environment, order_id, state, currency, amount_minor,
      charge_minor, payment_method, payment_service, acquirer, acquirer_reference, attempts, attempt_id, expires_at, verified_at,
      finished_at)
    SELECT id, 'ses_' || id, merchant_id, 'sandbox', 'paid-' || n, 'SUCCESS', 'BDT', 50000000, 1250000, 'card', 'CARD', 'sandbox',
      'paid-' || n, 1, attempt, now(), now(), now() FROM numbers),
  attempts AS (
    INSERT INTO gateway_payment_attempt (id, transaction_id, merchant_id, environment, number, state, acquirer, payment_method,
      payment_service, currency, amount_minor, charge_minor, acquirer_reference, started_at, finished_at)
    SELECT attempt, id, merchant_id, 'sandbox', 1, 'SUCCEEDED', 'sandbox', 'card', 'CARD', 'BDT', 50000000, 1250000, 'paid-' || n, now(), now()
    FROM numbers),
  book AS (
    INSERT INTO gateway_sandbox_operation (id, key, kind, outcome, amount_minor, currency, reference, available_at)
    SELECT 'sbo_' || id, attempt, 'charge', 'SUCCESS', 50000000, 'BDT', 'paid-' || n, now() FROM numbers),
  entries AS (
    INSERT INTO gateway_ledger_entry (id, posting, kind, account, merchant_id, environment, currency, amount_minor, transaction_id, occurred_at)
    SELECT id || ':paid:' || account, id || ':paid', 'payment', account, merchant_id, 'sandbox', 'BDT', amount, id, now()
    FROM numbers, (VALUES ('acquirer_clearing', -50000000), ('merchant_balance', 48750000), ('fees', 1250000)) AS line (account, amount))
  SELECT id, merchant_id FROM numbers ORDER BY n`

/** Payments that can be refunded: `[{ id, key, merchant_id }]`, with their merchants' API keys. */
export async function fillPaid(url, merchants) {
  return connected(url, async (client) => {
    const { rows } = await client.query(PAID, [merchants.map(({ id }) => id)])
    await client.query("VACUUM (ANALYZE)")
    await client.query("CHECKPOINT")
    const keys = new Map(merchants.map(({ id, key }) => [id, key]))
    return rows.map(({ id, merchant_id }) => ({ id, merchant_id, key: keys.get(merchant_id) }))
  })
}
