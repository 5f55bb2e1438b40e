/*
 * npm run chaos -- billing                 500 times kill -9 while subscriptions are being billed
 * npm run chaos -- billing --kills 20
 *
 * A process bills hundreds of subscriptions, which are paused, resumed, cancelled, switched and given an end meanwhile,
 * over a line to the acquirer that takes its time and loses answers; it is killed at random points and started again, as
 * a rule a month later. In the end what is open is reconciled, and then: the acquirer's own book must show exactly one
 * charge for every subscription and period that is paid and none for any other, every record must be settled, every
 * credit of a switch be given and used once, nothing be charged after an end, and every invariant hold.
 */
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { Complaint, ROOT, say } from "../../scripts/lib/console.mjs"
import { startBundle } from "../../scripts/lib/dispatchers.mjs"
import { readSecretBox } from "../../scripts/lib/secret-box.mjs"
import { BOOKS, CREDIT_LOG } from "./billing-books.mjs"
import { killing, untilNothingIsOpen, wrongInBooks } from "./run.mjs"

const PROGRAM = join(ROOT, "integration-tests/support/billing-process.ts")
/** The longest life of a process; killed earlier, it is killed in the middle of its first batches. */
const LIFE_MS = 2_500
const SUBSCRIPTIONS = 240
const MORE_EACH_TIME = 6

const MERCHANT = `
  ${CREDIT_LOG};
  WITH merchant AS (INSERT INTO gateway_merchant (id, name) VALUES ('mer_chaos', 'Chaos')),
  services AS (
    INSERT INTO gateway_payment_service (id, merchant_id, environment, service_id, code, name, kind, fee_basis_points)
    VALUES ('gps_chaos', 'mer_chaos', 'sandbox', 1, 'CARD', 'Card', 'card', 250)),
  plans AS (
    INSERT INTO gateway_plan (id, number, uuid, merchant_id, environment, plan_name, amount_minor, currency, interval_count,
      interval_unit, meta_data, opened_at)
    SELECT 'gpl_chaos' || n, n, gen_random_uuid(), 'mer_chaos', 'sandbox', 'Plan ' || n, n * 30000, 'BDT', 1, 'MONTH', '{}', now()
    FROM generate_series(1, 2) n)
  INSERT INTO gateway_merchant_environment (id, merchant_id, environment, services, ip_allow_list)
  VALUES ('menv_chaos', 'mer_chaos', 'sandbox', '{subscriptions}', '{}')`

const NUMBERS = `
  WITH numbers AS (
    SELECT n, 'chaos' || n AS id, ($3::text[])[n - $1::int + 1] AS token, now() + e.clock_offset_seconds * interval '1 second' AS at,
           CASE n % 12 WHEN 0 THEN 'INSUFFICIENT_FUNDS' ELSE 'SUCCESS' END AS outcome
    FROM generate_series($1::int, $2::int) n, gateway_merchant_environment e WHERE e.id = 'menv_chaos')`

const CUSTOMERS = `${NUMBERS}
  INSERT INTO gateway_customer (id, uuid, merchant_id, environment, name, email, email_key, opened_at)
  SELECT 'gcu_' || id, gen_random_uuid(), 'mer_chaos', 'sandbox', 'Chaos', id || '@example.com', id || '@example.com', at FROM numbers`

/**
 * Active monthly subscriptions $1 to $2 whose first period is paid; the card of every twelfth is declined from now on. $3:
 * the tokens of their cards as the database holds them. Their customers are there already: a trigger reads them.
 */
const RENEWALS = `${NUMBERS},
  vault AS (
    INSERT INTO gateway_sandbox_instrument (id, method, outcome, summary) SELECT 'sbt_' || encode(sha256(convert_to('sbt_' || id, 'UTF8')), 'hex'), 'card', outcome, '{"brand":"VISA"}' FROM numbers),
  instruments AS (
    INSERT INTO gateway_instrument (id, uuid, merchant_id, environment, customer_id, acquirer, token, method, service, opened_at)
    SELECT 'gin_' || id, gen_random_uuid(), 'mer_chaos', 'sandbox', 'gcu_' || id, 'sandbox', token, 'card', 'CARD', at FROM numbers)
  INSERT INTO gateway_subscription (id, uuid, merchant_id, environment, customer_id, instrument_id, status, amount_minor, currency,
    interval_count, interval_unit, anchor_at, anchor_period, current_period, paid_period, current_period_start, current_period_end,
    next_billing_date, billing_cycle_count, due_at, meta_data, opened_at)
  SELECT 'gsu_' || id, gen_random_uuid(), 'mer_chaos', 'sandbox', 'gcu_' || id, 'gin_' || id, 'ACTIVE', 50000, 'BDT', 1, 'MONTH',
    at - interval '1 month', 1, 1, 1, at - interval '1 month', at, at, 1, at, '{}', at FROM numbers`

/**
 * Stops the clock while something has been due for two months: otherwise there would be years to catch up with in the
 * end.
 */
const A_MONTH_LATER = `
  UPDATE gateway_merchant_environment e SET clock_offset_seconds = clock_offset_seconds + 2678400
  WHERE id = 'menv_chaos' AND NOT EXISTS (SELECT 1 FROM gateway_subscription
    WHERE due_at < now() + e.clock_offset_seconds * interval '1 second' - interval '62 days')`

/**
 * Simulates the passage of time: leases of dead processes expire, their calls are over, and open payments are asked
 * about again.
 */
const MEANWHILE = [
  "UPDATE gateway_subscription SET locked_until = now() WHERE locked_until > now()",
  "UPDATE gateway_payment_attempt SET inquiry_at = now(), started_at = now() - interval '1 hour' WHERE state = 'STARTED'",
]

const COUNTS = `
  SELECT (SELECT count(*)::int FROM gateway_billing_record WHERE status = 'SUCCESS') AS paid,
         (SELECT count(*)::int FROM gateway_billing_record WHERE status = 'FAILED') AS failed,
         (SELECT count(*)::int FROM gateway_event WHERE event_type = 'subscription.changed') AS switched,
         (SELECT count(*)::int FROM gateway_payment_attempt WHERE inquiry_count > 0) AS reconciled,
         (SELECT count(*)::int FROM gateway_billing_record WHERE status = 'PROCESSING')
           + (SELECT count(*)::int FROM gateway_subscription s JOIN gateway_merchant_environment e USING (merchant_id, environment)
              WHERE s.due_at <= now() + e.clock_offset_seconds * interval '1 second') AS open`

const OPEN = `
  SELECT s.*, to_jsonb(r) AS record, to_jsonb(t) AS payment, now() + e.clock_offset_seconds * interval '1 second' AS clock
  FROM gateway_subscription s JOIN gateway_merchant_environment e USING (merchant_id, environment)
  LEFT JOIN gateway_billing_record r ON r.subscription_id = s.id AND r.status = 'PROCESSING'
  LEFT JOIN gateway_transaction t ON t.id = r.transaction_id
  WHERE r.id IS NOT NULL OR s.due_at <= now() + e.clock_offset_seconds * interval '1 second'`

async function addSubscriptions(client, { seal, SEALED }, from, to) {
  const ids = Array.from({ length: to - from + 1 }, (_, at) => `chaos${from + at}`)
  const tokens = ids.map((id) => seal(`sbt_${id}`, SEALED.instrumentToken, `gin_${id}`))
  await client.query(CUSTOMERS, [from, to, tokens])
  await client.query(RENEWALS, [from, to, tokens])
}

async function rounds({ kills }, { client, databaseUrl, file }) {
  const secretBox = await readSecretBox()
  let subscriptions = SUBSCRIPTIONS
  await addSubscriptions(client, secretBox, 1, subscriptions)
  for (let kill = 1; kill <= kills; kill++) {
    await addSubscriptions(client, secretBox, subscriptions + 1, (subscriptions += MORE_EACH_TIME))
    const worker = await startBundle(file, databaseUrl)
    await sleep(Math.random() ** 2 * LIFE_MS)
    if (!worker.isRunning()) {
      throw new Complaint(`The billing process ended unexpectedly:\n${worker.output()}`)
    }
    await worker.kill("SIGKILL")
    for (const statement of [...MEANWHILE, A_MONTH_LATER]) {
      await client.query(statement)
    }
    if (kill % 10 === 0 || kill === kills) {
      const { paid, failed, switched, reconciled } = await counted(client)
      say(
        `${kill} kills, ${paid} periods paid, ${failed} not, ${switched} switches, ${reconciled} payments left to the reconciler so far`
      )
    }
  }
}

/** The last process changes nothing: it bills and reconciles until nothing is due or open. */
async function settle({ client, databaseUrl, file }) {
  const last = await startBundle(file, databaseUrl, { SETTLE_ONLY: "1" })
  await untilNothingIsOpen({
    look: () => counted(client),
    nudge: () => client.query(MEANWHILE[1]),
    show: async () => (await client.query(OPEN)).rows,
    worker: last,
  })
  await last.kill("SIGTERM")
}

async function verdict(client) {
  const { paid, failed, switched, reconciled } = await counted(client)
  say(
    `${paid} periods paid, ${failed} not, ${switched} switches; ${reconciled} payments were settled by the reconciler`
  )
  const wrong = await wrongInBooks(client, BOOKS)
  return wrong === 0 && paid > 0 && switched > 0 ? 0 : 1
}

async function counted(client) {
  return (await client.query(COUNTS)).rows[0]
}

await killing({ program: PROGRAM, before: MERCHANT, rounds, settle, verdict })
