/*
 * npm run chaos -- refunds                 500 times kill -9 while refunds are being made
 * npm run chaos -- refunds --kills 20
 *
 * A process makes refunds of all kinds (single ones, repeated requests, batches) as fast as it can, on transactions of
 * cards that refund at once, refuse, or take a day; it is killed at random points and started again. In the end what is
 * open is reconciled, and then: the acquirer's own book must equal ours, refund by refund, and every invariant must hold.
 */
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { ROOT, say } from "../../scripts/lib/console.mjs"
import { startBundle } from "../../scripts/lib/dispatchers.mjs"
import { killing, untilNothingIsOpen, wrongInBooks } from "./run.mjs"

const PROGRAM = join(ROOT, "integration-tests/support/refund-process.ts")
/** The longest life of a process; killed earlier, it is killed in the middle of its first calls. */
const LIFE_MS = 1_200

const MERCHANT = `
  WITH merchant AS (INSERT INTO gateway_merchant (id, name) VALUES ('mer_chaos', 'Chaos'))
  INSERT INTO gateway_merchant_environment (id, merchant_id, environment, services, ip_allow_list)
  VALUES ('menv_chaos', 'mer_chaos', 'sandbox', '{refunds}', '{}')`

/** Successful payments, in our books and in the acquirer's. A few of them are hot: most refunds are theirs. */
const PAYMENTS = `
  WITH numbers AS (SELECT n, 'txn' || md5('chaos' || n) AS id, 'pay' || substr(md5('chaos' || n), 1, 27) AS attempt, (ARRAY['standard', 'fails', 'delayed', 'instant'])[n % 4 + 1] AS behaviour
    FROM generate_series($1::int, $2::int) n),
  sessions AS (
    INSERT INTO gateway_checkout_session (id, merchant_id, environment, order_id, currency, amount_minor, success_url, fail_url,
      cancel_url, customer, customer_phone, opened_at, expires_at)
    SELECT 'ses_' || id, 'mer_chaos', 'sandbox', 'chaos-' || n, 'BDT', 100000, '', '', '', '{}', '', now(), now() FROM numbers),
  transactions AS (
    INSERT INTO gateway_transaction (id, session_id, merchant_id, environment, order_id, state, currency, amount_minor, charge_minor,
      payment_service, acquirer, acquirer_reference, attempts, attempt_id, expires_at, verified_at, finished_at)
    SELECT id, 'ses_' || id, 'mer_chaos', 'sandbox', 'chaos-' || n, 'SUCCESS', 'BDT', 100000, 2500, 'CARD', 'sandbox', 'ref-' || n,
      1, attempt, now(), now(), now() FROM numbers),
  attempts AS (
    INSERT INTO gateway_payment_attempt (id, transaction_id, merchant_id, environment, number, state, acquirer, payment_method,
      payment_service, currency, amount_minor, charge_minor, acquirer_reference, started_at, finished_at)
    SELECT attempt, id, 'mer_chaos', 'sandbox', 1, 'SUCCEEDED', 'sandbox', 'card', 'CARD', 'BDT', 100000, 2500, 'ref-' || n, now(), now()
    FROM numbers),
  book AS (
    INSERT INTO gateway_sandbox_operation (id, key, kind, outcome, refund_behaviour, amount_minor, currency, reference, available_at)
    SELECT 'sbo_' || id, attempt, 'charge', 'SUCCESS', behaviour, 100000, 'BDT', 'ref-' || n, now() FROM numbers)
  INSERT INTO gateway_ledger_entry (id, posting, kind, account, merchant_id, environment, currency, amount_minor, transaction_id, occurred_at)
  SELECT id || ':paid:' || account, id || ':paid', 'payment', account, 'mer_chaos', 'sandbox', 'BDT', amount, id, now()
  FROM numbers, (VALUES ('acquirer_clearing', -100000), ('merchant_balance', 97500), ('fees', 2500)) AS line (account, amount)`

/** Simulates the passage of time: leases of dead processes expire, and open refunds are asked about again. */
const MEANWHILE = [
  "UPDATE gateway_refund SET locked_until = now() WHERE locked_until > now()",
  "UPDATE gateway_refund SET inquiry_at = now() WHERE state = 'processing' AND inquiry_at > now()",
]
/** A refund of the card that takes a day takes its day from the moment it was requested. */
const A_DAY_LATER =
  "UPDATE gateway_merchant_environment SET clock_offset_seconds = clock_offset_seconds + 90000 WHERE environment = 'sandbox'"

const OPEN = "SELECT * FROM gateway_refund WHERE state IN ('pending', 'processing')"

const COUNTS = `
  SELECT count(*)::int AS refunds, count(*) FILTER (WHERE state = 'completed')::int AS completed,
         count(*) FILTER (WHERE state = 'failed')::int AS failed, count(*) FILTER (WHERE inquiry_count > 0)::int AS reconciled,
         count(*) FILTER (WHERE state IN ('pending', 'processing'))::int AS open
  FROM gateway_refund`

/** Differences that equal books do not have; the others are among the invariants (refunds_equal_the_book). */
const BOOKS = {
  "refunds in the acquirer's book that are not in ours": `
    SELECT key FROM gateway_sandbox_operation o WHERE kind = 'refund' AND NOT EXISTS (SELECT 1 FROM gateway_refund r WHERE r.id = o.key)`,
  "transactions whose sums differ": `
    SELECT t.id FROM gateway_transaction t
    WHERE (SELECT COALESCE(sum(amount_minor), 0) FROM gateway_refund r WHERE r.transaction_id = t.id AND r.state = 'completed')
       <> (SELECT COALESCE(sum(amount_minor), 0) FROM gateway_sandbox_operation o WHERE o.charge_key = t.attempt_id AND o.outcome = 'SUCCESS')`,
  "refunds without exactly one event": `
    SELECT r.id FROM gateway_refund r JOIN gateway_event e ON e.resource_id = r.id GROUP BY r.id
    HAVING array_agg(e.event_type ORDER BY e.event_type) <> ARRAY['refund.' || r.state, 'refund.initiated', 'refund.processing']`,
}

async function rounds({ kills }, { client, databaseUrl, file }) {
  let payments = 0
  for (let kill = 1; kill <= kills; kill++) {
    await client.query(PAYMENTS, [payments + 1, (payments += 8)])
    const refunder = await startBundle(file, databaseUrl)
    await sleep(Math.random() ** 2 * LIFE_MS)
    await refunder.kill("SIGKILL")
    for (const statement of MEANWHILE) {
      await client.query(statement)
    }
    if (kill % 10 === 0 || kill === kills) {
      const { refunds, reconciled } = await counted(client)
      say(`${kill} kills, ${refunds} refunds, ${reconciled} of them left to the reconciler so far`)
    }
  }
}

/** The last process creates nothing: it processes and reconciles until nothing is open. */
async function settle({ client, databaseUrl, file }) {
  const last = await startBundle(file, databaseUrl, { SETTLE_ONLY: "1" })
  const nudge = async () => {
    await client.query(MEANWHILE[1])
    await client.query(A_DAY_LATER)
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
  const { refunds, completed, failed, reconciled } = await counted(client)
  say(`${refunds} refunds: ${completed} completed, ${failed} failed; ${reconciled} were settled by the reconciler`)
  const wrong = await wrongInBooks(client, BOOKS)
  return wrong === 0 && completed > 0 ? 0 : 1
}

async function counted(client) {
  return (await client.query(COUNTS)).rows[0]
}

await killing({ program: PROGRAM, before: MERCHANT, rounds, settle, verdict })
