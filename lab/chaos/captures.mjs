/*
 * npm run chaos -- captures                500 times kill -9 while money is reserved, captured and released, and cash comes
 * npm run chaos -- captures --kills 20
 *
 * A process authorises payments, captures parts of them, voids some, and records couriers' files, the same ones again and
 * again; it is killed at random points and started again. In the end what is open is reconciled, and then: the acquirer's
 * own book must equal ours, capture by capture, no file has recorded a line twice, and every invariant must hold.
 */
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { ROOT, say } from "../../scripts/lib/console.mjs"
import { startBundle } from "../../scripts/lib/dispatchers.mjs"
import { CAPTURE_BOOKS } from "./capture-books.mjs"
import { killing, untilNothingIsOpen, wrongInBooks } from "./run.mjs"

const PROGRAM = join(ROOT, "integration-tests/support/capture-process.ts")
/** The longest life of a process; killed earlier, it is killed in the middle of its first calls. */
const LIFE_MS = 2_000
const MORE_EACH_TIME = 8

const MERCHANT = `
  WITH merchant AS (INSERT INTO gateway_merchant (id, name) VALUES ('mer_chaos', 'Chaos')),
  services AS (
    INSERT INTO gateway_payment_service (id, merchant_id, environment, service_id, code, name, kind, fee_basis_points)
    VALUES ('gps_chaos', 'mer_chaos', 'sandbox', 1, 'CARD', 'Card', 'card', 250))
  INSERT INTO gateway_merchant_environment (id, merchant_id, environment, services, ip_allow_list, capture)
  VALUES ('menv_chaos', 'mer_chaos', 'sandbox', '{checkout}', '{}', 'manual')`

/** Checkouts $1 to $2, open, of 1000.00 each. */
const CHECKOUTS = `
  WITH numbers AS (SELECT n, 'txn' || md5('chaos' || n) AS id FROM generate_series($1::int, $2::int) n),
  sessions AS (
    INSERT INTO gateway_checkout_session (id, merchant_id, environment, order_id, currency, amount_minor, success_url, fail_url,
      cancel_url, customer, customer_phone, opened_at, expires_at)
    SELECT 'ses_' || md5('chaos' || n), 'mer_chaos', 'sandbox', 'chaos-' || n, 'BDT', 100000, 'http://shop.test/', 'http://shop.test/', 'http://shop.test/',
      '{"name":"Chaos","email":"chaos@example.com","phone":"01712345678"}', '+8801712345678', now(), now() + interval '1 day' FROM numbers)
  INSERT INTO gateway_transaction (id, session_id, merchant_id, environment, order_id, state, currency, amount_minor, expires_at)
  SELECT id, 'ses_' || md5('chaos' || n), 'mer_chaos', 'sandbox', 'chaos-' || n, 'OPEN', 'BDT', 100000, now() + interval '1 day' FROM numbers`

/** Orders in cash of 1000.00 each, placed. Their number is their courier's. */
const CASH = `
  WITH numbers AS (SELECT n, 'gco_chaos' || n AS id FROM generate_series($1::int, $2::int) n),
  orders AS (
    INSERT INTO gateway_cash_order (id, merchant_id, environment, currency, state, total_minor, cart_id, payment_session_id, order_id,
      order_number, authorized_at, placed_at)
    SELECT id, 'mer_chaos', 'sandbox', 'BDT', 'due', 100000, 'cart_' || n, 'payses_' || n, 'order_' || n, 'N' || n, now(), now() FROM numbers)
  INSERT INTO gateway_ledger_entry (id, posting, kind, account, merchant_id, environment, currency, amount_minor, occurred_at)
  SELECT id || ':due:' || account, id || ':due', 'cash_ordered', account, 'mer_chaos', 'sandbox', 'BDT', amount, now()
  FROM numbers, (VALUES ('cash_due', -100000), ('cash_orders', 100000)) AS line (account, amount)`

/** Simulates the passage of time: leases of dead processes expire, and what is open is asked about again. */
const MEANWHILE = [
  "UPDATE gateway_payment_attempt SET inquiry_at = now(), started_at = now() - interval '1 hour' WHERE state = 'STARTED'",
  "UPDATE gateway_capture SET inquiry_at = now() WHERE state = 'processing' AND inquiry_at > now()",
  "UPDATE gateway_authorization SET due_at = now(), locked_until = NULL WHERE state = 'releasing'",
]

const COUNTS = `
  SELECT (SELECT count(*)::int FROM gateway_authorization) AS authorized,
         (SELECT count(*)::int FROM gateway_capture WHERE state = 'completed') AS captured,
         (SELECT count(*)::int FROM gateway_authorization WHERE ended_because = 'voided') AS voided,
         (SELECT count(*)::int FROM gateway_cash_collection) AS collected,
         (SELECT count(*)::int FROM gateway_capture WHERE inquiry_count > 0) AS reconciled,
         (SELECT count(*)::int FROM gateway_capture WHERE state = 'processing')
           + (SELECT count(*)::int FROM gateway_authorization WHERE state = 'releasing')
           + (SELECT count(*)::int FROM gateway_payment_attempt WHERE state = 'STARTED') AS open`

const OPEN = "SELECT * FROM gateway_capture WHERE state = 'processing'"

const BOOKS = {
  ...CAPTURE_BOOKS,
  "orders of which more came than they cost": `
    SELECT o.id FROM gateway_cash_order o
    WHERE (SELECT COALESCE(sum(amount_minor), 0) FROM gateway_cash_collection c WHERE c.cash_order_id = o.id) <> o.collected_minor`,
}

async function rounds({ kills }, { client, databaseUrl, file }) {
  let made = 0
  for (let kill = 1; kill <= kills; kill++) {
    for (const rows of [CHECKOUTS, CASH]) {
      await client.query(rows, [made + 1, made + MORE_EACH_TIME])
    }
    made += MORE_EACH_TIME
    const worker = await startBundle(file, databaseUrl)
    await sleep(Math.random() ** 2 * LIFE_MS)
    await worker.kill("SIGKILL")
    for (const statement of MEANWHILE) {
      await client.query(statement)
    }
    if (kill % 10 === 0 || kill === kills) {
      const { captured, collected, reconciled } = await counted(client)
      say(
        `${kill} kills, ${captured} captures, ${collected} sums of cash, ${reconciled} captures left to the reconciler so far`
      )
    }
  }
}

/** The last process begins nothing: it reconciles until nothing is open. */
async function settle({ client, databaseUrl, file }) {
  const last = await startBundle(file, databaseUrl, { SETTLE_ONLY: "1" })
  const nudge = async () => {
    for (const statement of MEANWHILE) {
      await client.query(statement)
    }
  }
  await untilNothingIsOpen({
    look: () => counted(client),
    nudge,
    show: async () => (await client.query(OPEN)).rows,
    worker: last,
  })
  await last.kill("SIGTERM")
}

async function verdict(client) {
  const { authorized, captured, voided, collected, reconciled } = await counted(client)
  say(
    `${authorized} payments authorised, ${captured} captures, ${voided} voided, ${collected} sums of cash; ${reconciled} captures were settled by the reconciler`
  )
  const wrong = await wrongInBooks(client, BOOKS)
  return wrong === 0 && captured > 0 && voided > 0 && collected > 0 ? 0 : 1
}

async function counted(client) {
  return (await client.query(COUNTS)).rows[0]
}

await killing({ program: PROGRAM, before: MERCHANT, rounds, settle, verdict })
