/*
 * npm run bench -- growth            whether what is written and read today depends on the months before it
 *   --quick                          half a minute, to see that it works: its figures mean nothing
 *   --rows 1000000                   rows of each table in a month
 *   --months 12                      months before this one in the second measurement
 *   --seconds 10                     how long events are emitted and postings made
 *   --reads 50                       reads of each page
 *   --json <file>                    the figures
 *
 * First with the rows of this month alone, then with as many in each month before it. No retention runs: events and
 * deliveries have more months than in a store, whose worker drops them after 90 days.
 */
import { rmSync, writeFileSync } from "node:fs"
import { dirname, join, resolve } from "node:path"
import { parseArgs } from "node:util"
import { bundle } from "../../scripts/lib/bundle.mjs"
import { ROOT, say } from "../../scripts/lib/console.mjs"
import { connected } from "../../scripts/lib/database.mjs"
import { inFrame, wholeNumbers } from "./frame.mjs"
import { startProcess } from "./processes.mjs"
import { machine } from "./report.mjs"

const FULL = { rows: 1_000_000, months: 12, seconds: 10, reads: 50 }
const QUICK = { rows: 10_000, months: 3, seconds: 1, reads: 5 }
const MERCHANTS = 20
const BATCH = 50_000

const SEED = [
  `INSERT INTO gateway_merchant (id, name) SELECT 'mer_growth' || n, 'Growth' FROM generate_series(1, ${MERCHANTS}) n`,
  `INSERT INTO gateway_merchant_environment (id, merchant_id, environment, services, ip_allow_list)
   SELECT 'menv_growth' || n, 'mer_growth' || n, 'sandbox', '{}', '{}' FROM generate_series(1, ${MERCHANTS}) n`,
  `INSERT INTO gateway_webhook_endpoint (id, uuid, merchant_id, environment, endpoint_url, event_types, secret)
   SELECT 'gwe_growth' || n, gen_random_uuid()::text, 'mer_growth' || n, 'sandbox', 'http://localhost:9/', '{*}', 'x'
   FROM generate_series(1, ${MERCHANTS}) n`,
]
const PARTITIONS = `
  SELECT gateway_partition_add(parent, date_trunc('month', now(), 'UTC') - $1 * interval '1 month')
  FROM unnest(array['gateway_event', 'gateway_webhook_delivery', 'gateway_ledger_entry']) AS parent`
/** Rows `$3` to `$4` of `$2`, spread over the month `$1` months ago; this one is filled until `$5`. */
const EACH = `
  FROM (SELECT date_trunc('month', now(), 'UTC') - $1::int * interval '1 month' AS first,
          CASE $1::int WHEN 0 THEN $5::timestamptz ELSE date_trunc('month', now(), 'UTC') - ($1::int - 1) * interval '1 month' END AS next) AS month,
    generate_series($3::int, $4::int) AS n,
    LATERAL (SELECT first + (next - first) * (n - 0.5) / $2::int AS at, 'mer_growth' || (n % ${MERCHANTS} + 1) AS merchant_id,
      $1::int || '_' || n AS name) AS one`
const FILL = [
  `INSERT INTO gateway_event (id, event_id, merchant_id, environment, event_type, resource_id, data, occurred_at, created_at)
   SELECT 'gev_' || lpad(name, 20, '0'), md5(name), merchant_id, 'sandbox', 'payment.succeeded', 'txn' || md5(name),
     jsonb_build_object('transaction_id', 'txn' || md5(name), 'order_id', 'ORD-' || n, 'status', 'SUCCESS', 'amount', '1000.00'), at, at ${EACH}`,
  `INSERT INTO gateway_webhook_delivery (id, merchant_id, environment, event_id, event_type, occurred_at, endpoint_id, receiver_key,
     state, attempts, next_attempt_at, delivered_at, created_at)
   SELECT 'gwd_' || md5(name), merchant_id, 'sandbox', md5(name), 'payment.succeeded', at, 'gwe_growth' || (n % ${MERCHANTS} + 1),
     'gwe_growth' || (n % ${MERCHANTS} + 1), 'delivered', 1, at, at, at ${EACH}`,
  `INSERT INTO gateway_webhook_attempt (id, delivery_id, delivery_created_at, attempt, attempted_at, url, duration_ms, status_code)
   SELECT 'gwa_' || md5(name), 'gwd_' || md5(name), at, 1, at, 'http://localhost:9/', 20, 200 ${EACH}`,
  `INSERT INTO gateway_ledger_entry (id, posting, kind, account, merchant_id, environment, currency, amount_minor, occurred_at, created_at)
   SELECT name || ':' || account, name, 'payment', account, merchant_id, 'sandbox', 'BDT', amount, at, at ${EACH},
     LATERAL (VALUES ('acquirer_clearing', -1000), ('merchant_balance', 1000)) AS entry (account, amount)`,
]

function readOptions(args) {
  const numbers = Object.fromEntries(Object.keys(FULL).map((name) => [name, { type: "string" }]))
  const own = { quick: { type: "boolean", default: false }, json: { type: "string" } }
  const { values } = parseArgs({ args, options: { ...own, ...numbers } })
  return { ...wholeNumbers(values, values.quick ? QUICK : FULL), json: values.json }
}

async function fillMonth(client, ago, rows) {
  const now = new Date()
  await client.query(PARTITIONS, [ago])
  for (const statement of FILL) {
    for (let first = 1; first <= rows; first += BATCH) {
      await client.query(statement, [ago, rows, first, Math.min(rows, first + BATCH - 1), now])
    }
  }
}

async function fill(url, from, to, rows) {
  await connected(url, async (client) => {
    for (let ago = from; ago <= to; ago++) {
      await fillMonth(client, ago, rows)
      say(`filled: ${rows} rows of each table, ${ago} months ago`)
    }
    await client.query("VACUUM (ANALYZE)")
    await client.query("CHECKPOINT")
  })
}

function report({ one, many }, { rows, months }) {
  const line = (name, ...figures) => name.padEnd(44) + figures.map((figure) => figure.padStart(14)).join("")
  return [
    "",
    `${rows} rows of each table in a month, ${MERCHANTS} merchants`,
    "",
    line("", "this month", `${months} before it`, "ratio"),
    ...Object.keys(one).map((name) =>
      line(name, one[name].toFixed(1), many[name].toFixed(1), (many[name] / one[name]).toFixed(2))
    ),
  ].join("\n")
}

/** Runs the whole benchmark; returns the process's exit code. */
export async function benchGrowth(args) {
  const options = readOptions(args)
  return inFrame(async (home, running) => {
    const { startOwnServer } = await import("../../scripts/lib/test-server.mjs")
    say("starting PostgreSQL, with everything forced to disk as in production ...")
    const { url, remove } = await startOwnServer()
    running.push(remove)
    const file = bundle(join(ROOT, "lab/bench/growth/run-process.ts"))
    running.push(() => rmSync(dirname(file), { recursive: true, force: true }))
    await connected(url, async (client) => {
      for (const statement of SEED) {
        await client.query(statement)
      }
    })
    const env = { DATABASE_URL: url, NODE_OPTIONS: "" }
    const program = startProcess(file, { cwd: ROOT, env, log: join(home, "growth.log") })
    running.push(program.stop)
    await program.ready
    const merchants = Array.from({ length: MERCHANTS }, (_, index) => `mer_growth${index + 1}`)
    const measured = () => program.ask("measure", { merchants, seconds: options.seconds, reads: options.reads })
    await fill(url, 0, 0, options.rows)
    const one = await measured()
    await fill(url, 1, options.months, options.rows)
    const figures = { one, many: await measured() }
    process.stdout.write(`${report(figures, options)}\n`)
    if (options.json) {
      writeFileSync(resolve(options.json), `${JSON.stringify({ machine: machine(), options, ...figures }, null, 2)}\n`)
    }
    return 0
  })
}
