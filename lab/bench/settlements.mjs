/*
 * npm run bench -- settlements       a settlement file, imported and matched with a million payments
 *   --rows 1000000                   payments in the tables; of ten, eight are paid
 *   --lines 100000                   lines of the file, each a payment of its own, spread over all of them
 *   --json <file>                    the figures
 *
 * The file goes to the admin's route, over HTTP. Every tenth line has another amount, every tenth a number that nobody
 * knows; a fee is agreed. Memory is the process's (resident), read four times a second, and what it holds after a garbage
 * collection, before and after.
 */
import { writeFileSync } from "node:fs"
import { resolve } from "node:path"
import { performance } from "node:perf_hooks"
import { parseArgs } from "node:util"
import { Complaint, say } from "../../scripts/lib/console.mjs"
import { connected } from "../../scripts/lib/database.mjs"
import { fillLists, SESSIONS, TRANSACTIONS } from "./fill-lists.mjs"
import { wholeNumbers } from "./frame.mjs"
import { machine } from "./report.mjs"

const MB = 2 ** 20
const AIM_SECONDS = 60
const SAMPLE_MS = 250
const COLUMNS = { id: "Id", reference: "Bank tran id", date: "Date", gross: "Amount", fee: "Fee", vat: "VAT" }
const TEMPLATE = { name: "Bench", source: "sandbox", definition: { kind: "settlement", columns: COLUMNS } }
const AGREED = { source: "sandbox", valid_from: "2020-01-01", rate_percent: "2.00", vat_percent: "15.00" }

export function readOptions(args) {
  const options = { rows: { type: "string" }, lines: { type: "string" }, json: { type: "string" } }
  const { values } = parseArgs({ args, options })
  const sizes = wholeNumbers(values, { rows: 1_000_000, lines: 100_000 })
  if (sizes.rows < sizes.lines * 10) {
    throw new Complaint("--rows must be at least ten times --lines.")
  }
  return { ...sizes, json: values.json }
}

/**
 * Fills the tables, imports the file and lists what is missing. Returns the process's exit code.
 * @param parts the store under load (bench.mjs)
 */
export async function measure({ url, server, database, context }, { rows, lines, json }) {
  const [merchant] = context.merchants
  const headers = { Authorization: `Bearer ${await server.ask("admin")}`, "Content-Type": "application/json" }
  const call = async (method, path, body, more = {}) => {
    const tenant = `merchant_id=${merchant.id}&environment=sandbox`
    const address = `${url}/admin/gateway/settlements${path}${path.includes("?") ? "&" : "?"}${tenant}`
    const response = await fetch(address, { method, headers: { ...headers, ...more }, body })
    const text = await response.text()
    if (!response.ok) {
      throw new Complaint(`${method} ${path}: ${response.status} ${text.slice(0, 300)}`)
    }
    return JSON.parse(text)
  }
  say(`filling the tables with ${rows} payments ...`)
  const now = await fill(database, merchant.id, rows)
  const { template } = await call("POST", "/templates", JSON.stringify(TEMPLATE))
  await call("POST", "/agreements", JSON.stringify(AGREED))
  const file = fileOf(merchant.id, lines, now)
  say(`importing ${lines} lines ...`)
  const path = `/imports?template_id=${template.id}&file_name=bench.csv`
  const type = { "Content-Type": "application/octet-stream" }
  const figures = await watched(server, () => call("POST", path, file, type))
  const again = await watched(server, () => call("POST", path, file, type))
  const start = performance.now()
  const { count } = await call("GET", "/missing?source=sandbox&totals=true")
  const missing = { count, seconds: (performance.now() - start) / 1_000 }
  const states = await statesOf(database)
  if (json) {
    const all = { machine: machine(), rows, lines, figures, again, missing, states }
    writeFileSync(resolve(json), `${JSON.stringify(all, null, 2)}\n`)
  }
  return report(lines, { figures, again, missing, states })
}

/** Returns the database's time, from which the payments count back. */
async function fill(database, merchant_id, rows) {
  return connected(database, async (client) => {
    const [{ now }] = (await client.query("SELECT now()")).rows
    await fillLists((text, values) => client.query(text, values), [SESSIONS, TRANSACTIONS], merchant_id, rows)
    await client.query("VACUUM (ANALYZE)")
    await client.query("CHECKPOINT")
    return now
  })
}

/** Of each ten payments one that is paid (fill-lists.mjs). */
function fileOf(merchant_id, lines, now) {
  const rows = [Object.values(COLUMNS).join(",")]
  for (let nth = 1; nth <= lines; nth++) {
    const number = (nth - 1) * 10 + (nth % 8)
    const minor = 1_000 + (number % 100_000)
    const gross = nth % 10 === 1 ? minor - 1 : minor
    const fee = Math.floor((minor * 2 + 50) / 100)
    const vat = Math.floor((fee * 15 + 50) / 100)
    const reference = nth % 10 === 2 ? `unknown-${nth}` : `${merchant_id}${number}`
    const day = new Date(now.getTime() - number * 10_000 + 6 * 3_600_000).toISOString().slice(0, 10)
    rows.push([`L${nth}`, reference, day, ...[gross, fee, vat].map((one) => (one / 100).toFixed(2))].join(","))
  }
  return rows.join("\n")
}

/** What it takes: seconds, the server's processor time, its memory before and at its highest. */
async function watched(server, work) {
  const { rss: before, held: held_before } = await server.ask("memory")
  const cpu = await server.ask("cpu")
  const start = performance.now()
  let highest = before
  const timer = setInterval(() => {
    void server.ask("rss").then((rss) => (highest = Math.max(highest, rss)))
  }, SAMPLE_MS)
  try {
    await work()
  } finally {
    clearInterval(timer)
  }
  const seconds = (performance.now() - start) / 1_000
  const { user, system } = await server.ask("cpu")
  const cpu_seconds = (user + system - cpu.user - cpu.system) / 1e6
  const { held } = await server.ask("memory")
  return { seconds, cpu_seconds, memory_mb: [before, highest, held_before, held].map((one) => one / MB) }
}

async function statesOf(database) {
  return connected(database, async (client) => {
    const { rows } = await client.query(
      "SELECT state, count(*)::int AS count FROM gateway_settlement_line GROUP BY state ORDER BY state"
    )
    return Object.fromEntries(rows.map(({ state, count }) => [state, count]))
  })
}

function report(lines, { figures, again, missing, states }) {
  const line = (name, { seconds, cpu_seconds, memory_mb }) => {
    const [before, highest, held_before, held] = memory_mb.map((one) => one.toFixed(0))
    return (
      `${name.padEnd(16)} ${seconds.toFixed(1)} s, ${(lines / seconds).toFixed(0)} lines per second; ` +
      `${cpu_seconds.toFixed(1)} CPU-s of the store; ${before} MB before, ${highest} MB at most, ` +
      `held ${held_before} MB before and ${held} MB after`
    )
  }
  const said = [
    line(`${lines} lines`, figures),
    line("the same again", again),
    `lines by state   ${JSON.stringify(states)}`,
    `missing          ${missing.count} rows and their sum, ${missing.seconds.toFixed(1)} s`,
  ]
  process.stdout.write(`\n${said.join("\n")}\n`)
  if (figures.seconds >= AIM_SECONDS) {
    say(`over ${AIM_SECONDS} seconds`)
    return 1
  }
  return 0
}
