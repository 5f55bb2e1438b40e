/*
 * npm run bench -- size              what one payment writes: WAL, disk by table, transactions
 *   --payments 3000                  how many are made, by 8 at a time
 *   --json <file>                    the figures
 *
 * A payment is a checkout, the sandbox's Pay button, a verification and its two notifications (IPN and a webhook), which
 * are written and not sent: no worker runs. One payment in twenty is refunded. Sizes count indexes; WAL includes the page
 * images after checkpoints, as in production.
 */
import { writeFileSync } from "node:fs"
import { resolve } from "node:path"
import { parseArgs } from "node:util"
import { Complaint, say } from "../../scripts/lib/console.mjs"
import { connected } from "../../scripts/lib/database.mjs"
import { wholeNumbers } from "./frame.mjs"
import { orderText } from "./order.mjs"
import { machine } from "./report.mjs"

const AT_ONCE = 8
const REFUNDED_EVERY = 20
/** Statistics of transactions reach the database's view about once a second. */
const STATISTICS = "SELECT pg_stat_force_next_flush()"
const STATE = `
  SELECT pg_current_wal_insert_lsn()::text AS lsn,
         (SELECT xact_commit::int FROM pg_stat_database WHERE datname = current_database()) AS commits,
         (SELECT jsonb_object_agg(name, jsonb_build_object('bytes', bytes, 'index_bytes', index_bytes))
          FROM (SELECT COALESCE(pg_partition_root(oid), oid)::regclass::text AS name, sum(pg_table_size(oid)) AS bytes,
                  sum(pg_indexes_size(oid)) AS index_bytes
                FROM pg_class WHERE relkind = 'r' AND relname LIKE 'gateway\\_%' GROUP BY 1) AS sizes) AS tables`
const ROWS = `
  SELECT c.relname AS name, (xpath('/row/n/text()', query_to_xml(format('SELECT count(*) AS n FROM %I', c.relname), false, true, '')))[1]::text::int AS rows
  FROM pg_class c WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition AND c.relname LIKE 'gateway\\_%'`

export function readOptions(args) {
  const { values } = parseArgs({ args, options: { payments: { type: "string" }, json: { type: "string" } } })
  return { ...wholeNumbers(values, { payments: 3_000 }), json: values.json }
}

/** @param parts the server under load (bench.mjs) */
export async function measure({ url, database, context }, { payments, json }) {
  const [{ key }] = context.merchants
  const call = async (method, path, body) => {
    const headers = { "Content-Type": "application/json", "X-Merchant-API-Key": key }
    const response = await fetch(`${url}/api/v2${path}`, { method, headers, body })
    const text = await response.text()
    if (!response.ok) {
      throw new Complaint(`${method} ${path}: ${response.status} ${text.slice(0, 300)}`)
    }
    return JSON.parse(text)
  }
  const endpoint = { endpoint_url: "https://shop.example.com/webhooks", event_types: ["payment.succeeded"] }
  await call("POST", "/merchants/webhooks", JSON.stringify(endpoint))
  const make = async (number) => {
    const { data } = await call("POST", "/payments/checkout", orderText(`size-${number}`))
    const card = { payment_method: "card", card_number: "4111111111111111" }
    await call("POST", `/sandbox/sessions/${data.session_id}/pay`, JSON.stringify(card))
    await call("GET", `/payments/verify/${data.transaction_id}`)
    if (number % REFUNDED_EVERY === 0) {
      const refund = { transaction_id: data.transaction_id, refund_amount: "100.00", refund_reason: "Damaged" }
      await call("POST", "/payments/refund", JSON.stringify(refund))
    }
  }
  return connected(database, async (client) => {
    await makeAll(50, (number) => make(-number))
    const before = await stateOf(client)
    await makeAll(payments, make, say)
    const after = await stateOf(client)
    return report(before, after, { payments, json })
  })
}

async function makeAll(count, make, progress) {
  let next = 1
  const worker = async () => {
    while (next <= count) {
      const number = next++
      await make(number)
      if (progress !== undefined && number % 1_000 === 0) {
        progress(`${number} of ${count} payments`)
      }
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
}

async function stateOf(client) {
  // The server writes its log of requests together, after a moment.
  await new Promise((done) => setTimeout(done, 2_500))
  await client.query(STATISTICS)
  const { rows: counts } = await client.query(ROWS)
  const [state] = (await client.query(STATE)).rows
  return { ...state, rows: Object.fromEntries(counts.map(({ name, rows }) => [name, rows])) }
}

function report(before, after, { payments, json }) {
  const number = (lsn) => lsn.split("/").reduce((sum, part) => (sum << 32n) + BigInt(`0x${part}`), 0n)
  const wal = Number(number(after.lsn) - number(before.lsn)) / payments
  const commits = (after.commits - before.commits) / payments
  const tables = Object.entries(after.tables)
    .map(([name, { bytes, index_bytes }]) => ({
      name,
      rows: (after.rows[name] - before.rows[name]) / payments,
      bytes: (bytes - before.tables[name].bytes) / payments,
      index_bytes: (index_bytes - before.tables[name].index_bytes) / payments,
    }))
    .filter(({ rows, bytes }) => rows > 0 || bytes > 0)
    .sort((one, other) => other.bytes + other.index_bytes - one.bytes - one.index_bytes)
  const total = tables.reduce((sum, { bytes, index_bytes }) => sum + bytes + index_bytes, 0)
  const line = (name, ...figures) => name.padEnd(34) + figures.map((one) => one.padStart(12)).join("")
  const lines = [
    `what one payment writes, mean of ${payments}`,
    "",
    line("", "rows", "bytes", "of indexes"),
    ...tables.map(({ name, rows, bytes, index_bytes }) =>
      line(name, rows.toFixed(2), bytes.toFixed(0), index_bytes.toFixed(0))
    ),
    "",
    `disk ${(total / 1e3).toFixed(1)} kB, WAL ${(wal / 1e3).toFixed(1)} kB, ${commits.toFixed(1)} transactions`,
  ]
  process.stdout.write(`\n${lines.join("\n")}\n`)
  if (json) {
    const figures = { payments, wal_bytes: wal, disk_bytes: total, commits, tables }
    writeFileSync(resolve(json), `${JSON.stringify({ machine: machine(), ...figures }, null, 2)}\n`)
  }
  return 0
}
