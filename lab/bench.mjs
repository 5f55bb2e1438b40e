/*
 * npm run bench                      checkout and verify; a quarter of an hour or so (docs/benchmarks.md explains it)
 * npm run bench -- refunds           refunds of one transaction and of many; a few minutes
 * npm run bench -- overhead          what each thing costs that a checkout does and a bare route does not; some minutes
 * npm run bench -- --quick           a minute, to see that it works: its figures mean nothing
 * npm run bench -- lists             every list at a million rows (lab/bench/lists.mjs)
 * npm run bench -- webhooks          delivery of webhooks beside BullMQ (lab/bench/webhooks.mjs)
 * npm run bench -- billing           subscriptions that are due (lab/bench/billing.mjs)
 * npm run bench -- growth            whether what is written and read today depends on the months before (lab/bench/growth.mjs)
 * npm run bench -- size              what one payment writes (lab/bench/size.mjs)
 * npm run bench -- memory            whether memory stays flat over an hour (lab/bench/memory.mjs)
 * npm run bench -- settlements       a settlement file of 100,000 lines (lab/bench/settlements.mjs)
 * npm run bench -- start             what the plugin adds to the start of a store (lab/bench/start.mjs)
 *   --rows 1000000   sessions and transactions in the tables for the second measurement (0: only the first)
 *   --rounds 5  --seconds 3          how many rounds, and how long each
 *   --connections 16                 requests under way at any time
 *   --only checkout,raw-checkout     some scenarios (lab/bench/scenarios.mjs)
 *   --json <file>                    the figures, round by round
 *   --profile <folder>               a CPU profile of each scenario instead of a measurement
 */
import { randomBytes } from "node:crypto"
import { mkdirSync, writeFileSync } from "node:fs"
import { join, resolve } from "node:path"
import { fileURLToPath } from "node:url"
import { parseArgs } from "node:util"
import { inFrame } from "./bench/frame.mjs"
import { Complaint, main, say } from "../scripts/lib/console.mjs"
import { ensureInstalled } from "../scripts/lib/install.mjs"

const OPTIONS = {
  quick: { type: "boolean", default: false },
  rows: { type: "string" },
  rounds: { type: "string" },
  seconds: { type: "string" },
  connections: { type: "string" },
  only: { type: "string" },
  json: { type: "string" },
  profile: { type: "string" },
}
const FULL = {
  connections: 16,
  rows: 1_000_000,
  rounds: 5,
  seconds: 3,
  warm_up_seconds: 4,
  load_merchants: 200,
  other_merchants: 5_000,
}
const QUICK = {
  connections: 16,
  rows: 20_000,
  rounds: 1,
  seconds: 0.5,
  warm_up_seconds: 0.3,
  load_merchants: 20,
  other_merchants: 2_000,
}
/** Settings of each part: refunds are measured once, with a concurrency that makes one row hot. */
const SECTIONS = { requests: {}, refunds: { rows: 0, connections: 64 }, overhead: { rows: 0 } }
/** Parts that measure in their own way on the same server. */
const PARTS = {
  lists: () => import("./bench/lists.mjs"),
  size: () => import("./bench/size.mjs"),
  memory: () => import("./bench/memory.mjs"),
  settlements: () => import("./bench/settlements.mjs"),
}
/** Transactions in the tables at the first measurement: verification needs something to find. */
const FIRST_ROWS = 5_000
/** Peer routes that are compiled into the store under load. */
const PEERS = fileURLToPath(new URL("./bench/peers", import.meta.url))

async function readOptions(args) {
  const { SCENARIOS } = await import("./bench/scenarios.mjs")
  const { values, positionals } = parseArgs({ args, options: OPTIONS, allowPositionals: true })
  const [section = "requests"] = positionals
  if (!Object.hasOwn(SECTIONS, section)) {
    throw new Complaint(`Unknown: ${section}. There are: ${Object.keys(SECTIONS).join(", ")}`)
  }
  const size = { ...(values.quick ? QUICK : FULL), ...SECTIONS[section] }
  const whole = (name, min) => {
    const value = Number(values[name] ?? size[name])
    if (!(value >= min)) {
      throw new Complaint(`--${name} must be a number of at least ${min}.`)
    }
    return value
  }
  const all = SCENARIOS.filter((scenario) => scenario.section === section).map(({ name }) => name)
  const names = values.only?.split(",") ?? all
  const unknown = names.filter((name) => !all.includes(name))
  if (unknown.length > 0) {
    throw new Complaint(`Unknown: ${unknown.join(", ")}. There are: ${all.join(", ")}`)
  }
  const numbers = {
    rows: whole("rows", 0),
    rounds: whole("rounds", 1),
    seconds: whole("seconds", 0.1),
    connections: whole("connections", 1),
  }
  return { ...size, ...numbers, section, names, json: values.json, profile: values.profile }
}

function storeEnvironment(url, port) {
  return {
    NODE_ENV: "production",
    DATABASE_URL: url,
    PORT: String(port),
    REDIS_URL: "",
    MEDUSA_WORKER_MODE: "server",
    GATEWAY_ENVIRONMENT: "sandbox",
    GATEWAY_PUBLIC_URL: `http://localhost:${port}`,
    // Requests are counted as in production, with a quota out of reach.
    GATEWAY_RATE_LIMIT: "1000000000",
    LOG_LEVEL: "http",
    DISABLE_MEDUSA_ADMIN: "true",
    MEDUSA_DISABLE_TELEMETRY: "true",
    GATEWAY_ENCRYPTION_KEYS: `bench:${randomBytes(32).toString("base64")}`,
    JWT_SECRET: randomBytes(24).toString("hex"),
    COOKIE_SECRET: randomBytes(24).toString("hex"),
  }
}

/**
 * Starts database, built store, server and load. `running` collects what has been started, to be stopped in reverse
 * order.
 */
async function prepare(home, options, running) {
  const { startPostgres, removePostgres } = await import("../scripts/lib/postgres.mjs")
  const { createDatabase } = await import("../scripts/lib/database.mjs")
  const { medusa } = await import("../scripts/lib/medusa.mjs")
  const { anyFreePort } = await import("../scripts/lib/ports.mjs")
  const { compileStore } = await import("../scripts/lib/compiled-store.mjs")
  const { startProcess } = await import("./bench/processes.mjs")
  say("starting PostgreSQL, with everything forced to disk as in production, and compiling the store ...")
  running.push(() => removePostgres(home))
  const postgres = await startPostgres({ home, name: `bench-${process.pid}` })
  running.push(postgres.stop)
  await createDatabase(postgres.url("postgres"), "bench")
  const store = join(home, "store")
  compileStore(store, PEERS)
  const port = await anyFreePort()
  const env = storeEnvironment(postgres.url("bench"), port)
  say("migrating (about 15 seconds) ...")
  await medusa(["db:migrate", "--execute-all-links", "--skip-scripts"], {
    cwd: store,
    env,
    log: join(home, "migrate.log"),
  })
  say("starting the server ...")
  const server = startProcess("./server.mjs", { cwd: store, env, log: join(home, "server.log") })
  running.push(server.stop)
  await server.ready
  const overhead = options.section === "overhead" ? await startOverhead({ home, store, env }, running) : null
  const load = startProcess("./load.mjs", { cwd: home, log: join(home, "load.log") })
  running.push(load.stop)
  const context = {
    merchants: await server.ask("merchants", options.load_merchants),
    cart: await server.ask("cart"),
    filled: 0,
  }
  const fill = async (to) => {
    const { fillOrders } = await import("./bench/fill.mjs")
    await fillOrders(env.DATABASE_URL, context.merchants, { from: context.filled + 1, to })
    context.filled = to
    load.send({ context })
  }
  const fillRefundable = async () => {
    const { fillPaid } = await import("./bench/fill-paid.mjs")
    context.paid = await fillPaid(env.DATABASE_URL, context.merchants)
    load.send({ context })
  }
  const main = { server, url: `http://127.0.0.1:${port}` }
  return {
    ...main,
    load,
    overhead,
    /** What answers the scenarios of the section. */
    measured: overhead ?? main,
    connections: options.connections,
    database: env.DATABASE_URL,
    context,
    fill,
    fillRefundable,
  }
}

/** Starts the process that answers the scenarios of `overhead` (bench/overhead.mjs). */
async function startOverhead({ home, store, env }, running) {
  const { anyFreePort } = await import("../scripts/lib/ports.mjs")
  const { startProcess } = await import("./bench/processes.mjs")
  const port = await anyFreePort()
  const log = join(home, "overhead.log")
  const server = startProcess("./overhead.mjs", { cwd: store, env: { ...env, PORT: String(port) }, log })
  running.push(server.stop)
  await server.ready
  return { server, url: `http://127.0.0.1:${port}` }
}

async function profile(parts, { names, seconds, profile: folder }) {
  mkdirSync(resolve(folder), { recursive: true })
  const { server, url } = parts.measured
  for (const scenario of names) {
    const round = { url, scenario, connections: parts.connections }
    await parts.load.ask("round", { ...round, seconds: 2 })
    await server.ask("startProfile")
    await parts.load.ask("round", { ...round, seconds })
    await server.ask("stopProfile", resolve(folder, `${scenario}.cpuprofile`))
    say(`${scenario}.cpuprofile`)
  }
}

/** Those of the tables that have no row. */
async function emptyOf(database, tables) {
  const { connected } = await import("../scripts/lib/database.mjs")
  return connected(database, async (client) => {
    const empty = []
    for (const table of new Set(tables)) {
      const { rowCount } = await client.query(`SELECT FROM ${client.escapeIdentifier(table)} LIMIT 1`)
      empty.push(...(rowCount === 0 ? [table] : []))
    }
    return empty
  })
}

/** The two measurements: tables nearly empty, then full. Returns the figures for the table and for --json. */
async function measure(parts, options) {
  const { measureRounds, ratiosOf } = await import("./bench/rounds.mjs")
  const { machine, planReport, scannedIn, table } = await import("./bench/report.mjs")
  const { checkPeers, checkRefundPeers } = await import("./bench/same-rows.mjs")
  const checks = { requests: checkPeers, refunds: checkRefundPeers }
  await checks[options.section]?.(parts)
  const measurements = []
  const take = async (title) => {
    const figures = await measureRounds(parts, options, say)
    measurements.push({ title, figures, ratios: ratiosOf(figures) })
  }
  await take(`${FIRST_ROWS} sessions and transactions, ${options.load_merchants} keys`)
  let plans = {}
  let empty = []
  if (options.rows > 0) {
    const { fillKeys } = await import("./bench/fill.mjs")
    say(`filling the tables with ${options.rows} sessions and transactions ...`)
    await fillKeys(parts.database, options.other_merchants)
    await parts.fill(FIRST_ROWS + options.rows)
    const keys = options.other_merchants * 10 + options.load_merchants
    await take(`${FIRST_ROWS + options.rows} sessions and transactions, ${keys} keys`)
    plans = await parts.server.ask("plans")
    empty = await emptyOf(parts.database, Object.values(plans).flatMap(scannedIn))
  }
  const { text, scanning } = planReport(plans, empty)
  process.stdout.write(`${measurements.map(table).join("\n")}\n${options.rows > 0 ? text : ""}\n`)
  if (options.json) {
    writeFileSync(
      resolve(options.json),
      `${JSON.stringify({ machine: machine(), options, measurements, plans }, null, 2)}\n`
    )
  }
  return scanning.length > 0 ? 1 : 0
}

const code = await main(async () => {
  await ensureInstalled()
  const [name, ...rest] = process.argv.slice(2)
  if (name === "webhooks") {
    const { benchWebhooks } = await import("./bench/webhooks.mjs")
    return benchWebhooks(rest)
  }
  if (name === "billing") {
    const { benchBilling } = await import("./bench/billing.mjs")
    return benchBilling(rest)
  }
  if (name === "growth") {
    const { benchGrowth } = await import("./bench/growth.mjs")
    return benchGrowth(rest)
  }
  if (name === "start") {
    const { benchStart } = await import("./bench/start.mjs")
    return benchStart(rest)
  }
  const part = PARTS[name] === undefined ? null : await PARTS[name]()
  const options =
    part === null
      ? await readOptions(process.argv.slice(2))
      : { load_merchants: 1, connections: 1, ...part.readOptions(rest) }
  return inFrame(async (home, running) => {
    const parts = await prepare(home, options, running)
    if (part !== null) {
      return part.measure(parts, options)
    }
    await parts.fill(FIRST_ROWS)
    if (options.section === "refunds") {
      await parts.fillRefundable()
    }
    if (options.section === "overhead") {
      const { giveStatements } = await import("./bench/same-rows.mjs")
      await giveStatements(parts)
    }
    return options.profile ? (await profile(parts, options), 0) : measure(parts, options)
  })
})
process.exit(code)
