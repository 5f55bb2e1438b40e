import { connected } from "../../scripts/lib/database.mjs"
import { CUSTOMER, ITEMS, SHIPPING } from "./order.mjs"

/** The id of the n-th filled transaction. Its merchant is the one with the number `n % merchants`. */
export const FILLED_ID = "'txn' || md5('t' || n)"

const OTHERS = `
  WITH merchant AS (
    INSERT INTO gateway_merchant (id, name)
    SELECT 'gme_filled' || n, 'Filled ' || n FROM generate_series(1, $1::int) n RETURNING id),
  environment AS (
    INSERT INTO gateway_merchant_environment (id, merchant_id, environment, services, ip_allow_list)
    SELECT 'gen_' || id, id, 'sandbox', '{checkout}', '{}' FROM merchant)
  INSERT INTO gateway_api_key (id, merchant_id, environment, name, prefix, last_four, key_hash, scopes)
  SELECT 'gak_' || k || id, id, 'sandbox', 'Filled', 'sk_test_', 'fill',
         encode(sha256((k || id)::bytea), 'hex'), '{}'
  FROM merchant, generate_series(1, 10) k`

const SESSIONS = `
  INSERT INTO gateway_checkout_session
    (id, merchant_id, environment, order_id, currency, amount_minor, description, success_url, fail_url, cancel_url,
     ipn_url, customer, customer_phone, shipping, items, opened_at, expires_at)
  SELECT 'ses_' || md5('s' || n), ($4::text[])[n % cardinality($4::text[]) + 1], 'sandbox', 'filled-' || n, 'BDT',
         1000 + n % 100000, 'Order ' || n, 'https://shop.example.com/paid', 'https://shop.example.com/failed',
         'https://shop.example.com/cancelled', 'https://shop.example.com/ipn', $3, '+8801712345678', $5, $6,
         now() - n * interval '1 second', now() - n * interval '1 second' + interval '30 minutes'
  FROM generate_series($1::int, $2::int) n`

/** Of ten, eight are paid, one has failed and one is still open. */
const TRANSACTIONS = `
  INSERT INTO gateway_transaction
    (id, session_id, merchant_id, environment, order_id, state, currency, amount_minor, charge_minor, payment_method,
     payment_service, acquirer, acquirer_reference, error_code, error_message, expires_at, verified_at, finished_at)
  SELECT ${FILLED_ID}, 'ses_' || md5('s' || n), ($3::text[])[n % cardinality($3::text[]) + 1], 'sandbox', 'filled-' || n,
         CASE WHEN n % 10 < 8 THEN 'SUCCESS' WHEN n % 10 = 8 THEN 'FAILED' ELSE 'OPEN' END, 'BDT', 1000 + n % 100000,
         CASE WHEN n % 10 < 8 THEN 25 + n % 2500 ELSE 0 END, 'card', 'CARD', 'sandbox',
         CASE WHEN n % 10 < 8 THEN 'filled-' || n END, CASE WHEN n % 10 = 8 THEN 'CARD_DECLINED' END,
         CASE WHEN n % 10 = 8 THEN 'The card was declined' END,
         now() - n * interval '1 second' + interval '30 minutes',
         CASE WHEN n % 10 < 8 THEN now() - n * interval '1 second' END,
         CASE WHEN n % 10 < 9 THEN now() - n * interval '1 second' END
  FROM generate_series($1::int, $2::int) n`

const BATCH = 50_000

/**
 * Adds sessions and transactions number `from` to `to`, spread evenly over the merchants, as SQL and not through the
 * gateway. Ends with what autovacuum and the checkpointer would otherwise do in the middle of the measurement.
 */
export async function fillOrders(url, merchants, { from, to }, progress = () => {}) {
  await connected(url, async (client) => {
    const ids = merchants.map(({ id }) => id)
    for (let first = from; first <= to; first += BATCH) {
      const last = Math.min(to, first + BATCH - 1)
      const [customer, shipping, items] = [CUSTOMER, SHIPPING, ITEMS].map((value) => JSON.stringify(value))
      await client.query(SESSIONS, [first, last, customer, ids, shipping, items])
      await client.query(TRANSACTIONS, [first, last, ids])
      progress(last)
    }
    await settle(client)
  })
}

/** Other merchants, with ten keys each. */
export async function fillKeys(url, merchants) {
  await connected(url, async (client) => {
    await client.query(OTHERS, [merchants])
    await settle(client)
  })
}

async function settle(client) {
  await client.query("VACUUM (ANALYZE)")
  await client.query("CHECKPOINT")
}
