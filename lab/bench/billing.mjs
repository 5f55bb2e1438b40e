/*
 * npm run bench -- billing           what is due is billed, beside one SQL statement that writes the same rows
 *   --quick                          half a minute, to see that it works: its figures mean nothing
 *   --subscriptions 100000           how many are due
 *   --rounds 3                       how many, interleaved, each on a fresh copy of the database
 *   --json <file>                    the figures, round by round
 */
import { randomBytes } from "node:crypto"
import { rmSync, writeFileSync } from "node:fs"
import { dirname, join, resolve } from "node:path"
import { isDeepStrictEqual, parseArgs } from "node:util"
import { bundle } from "../../scripts/lib/bundle.mjs"
import { Complaint, ROOT, say } from "../../scripts/lib/console.mjs"
import { connected, createDatabase, dropDatabase, withDatabase } from "../../scripts/lib/database.mjs"
import { fillSubscriptions, PEER, written } from "./billing/statements.mjs"
import { inFrame, wholeNumbers } from "./frame.mjs"
import { startProcess } from "./processes.mjs"
import { machine } from "./report.mjs"
import { median } from "./rounds.mjs"

const FULL = { subscriptions: 100_000, rounds: 3 }
const QUICK = { subscriptions: 2_000, rounds: 1 }
const AIM_SECONDS = 10
/** Growth of memory after the first tenth of a run that still counts as flat. */
const FLAT = 1.5

function readOptions(args) {
  const numbers = Object.fromEntries(Object.keys(FULL).map((name) => [name, { type: "string" }]))
  const { values } = parseArgs({
    args,
    options: { quick: { type: "boolean", default: false }, json: { type: "string" }, ...numbers },
  })
  return { ...wholeNumbers(values, values.quick ? QUICK : FULL), json: values.json }
}

/** Runs `side` on a fresh copy of the filled database; returns its figures and what it has written. */
async function onCopy({ adminUrl, filled }, side) {
  const name = `billing_${randomBytes(4).toString("hex")}`
  await createDatabase(adminUrl, name, filled)
  const databaseUrl = withDatabase(adminUrl, name)
  try {
    await connected(databaseUrl, (client) => client.query("CHECKPOINT"))
    const figures = await side(databaseUrl)
    return { figures, rows: await connected(databaseUrl, (client) => written(client, "gsu_bench1")) }
  } finally {
    await dropDatabase(adminUrl, name)
  }
}

const sides = (home, file) => ({
  gateway: async (databaseUrl) => {
    const worker = startProcess(file, {
      cwd: ROOT,
      env: { DATABASE_URL: databaseUrl, NODE_OPTIONS: "" },
      log: join(home, "worker.log"),
    })
    try {
      await worker.ready
      return await worker.ask("run")
    } finally {
      await worker.stop()
    }
  },
  statement: (databaseUrl) =>
    connected(databaseUrl, async (client) => {
      const started = performance.now()
      await client.query(PEER)
      return { seconds: (performance.now() - started) / 1_000 }
    }),
})

async function rounds(place, parts, options) {
  const figures = { gateway: [], statement: [] }
  for (let round = 1; round <= options.rounds; round++) {
    const rows = {}
    for (const side of round % 2 ? ["gateway", "statement"] : ["statement", "gateway"]) {
      say(`round ${round} of ${options.rounds}: ${side}`)
      const answer = await onCopy(place, parts[side])
      figures[side].push(answer.figures)
      rows[side] = answer.rows
    }
    // A comparison means something only when both sides do the same work, and all of it.
    const done = rows.gateway.gateway_billing_record.count
    const differing = Object.keys(rows.gateway).filter(
      (table) => !isDeepStrictEqual(rows.gateway[table], rows.statement[table])
    )
    if (done !== options.subscriptions || differing.length > 0) {
      const shown = differing.map((table) =>
        JSON.stringify([table, rows.gateway[table], rows.statement[table]], null, 2)
      )
      throw new Complaint(
        `${done} of ${options.subscriptions} were billed; these are not the same on both sides:\n${shown.join("\n")}`
      )
    }
  }
  return figures
}

function report({ gateway, statement }, { subscriptions }) {
  const of = (side, name) => median(side.map((round) => round[name]))
  const seconds = of(gateway, "seconds")
  const ratio = median(gateway.map((round, index) => round.seconds / statement[index].seconds))
  const growth = median(gateway.map(({ memory_most_mb, memory_early_mb }) => memory_most_mb / memory_early_mb))
  const aim =
    subscriptions === FULL.subscriptions
      ? `   aim ${AIM_SECONDS} s: ${seconds <= AIM_SECONDS ? "reached" : "not reached"}`
      : ""
  return [
    "",
    `${subscriptions} subscriptions due`,
    "",
    `gateway                 ${seconds.toFixed(1).padStart(8)} s   ${Math.round(subscriptions / seconds)} a second, ${of(gateway, "cpu_seconds").toFixed(1)} s of the worker's processor time${aim}`,
    `one SQL statement       ${of(statement, "seconds").toFixed(1).padStart(8)} s`,
    `gateway : statement     ${ratio.toFixed(2).padStart(8)}`,
    `the worker's memory     ${of(gateway, "memory_most_mb").toFixed(0).padStart(8)} MB at most, ${growth.toFixed(2)} times what it was early on: ${growth <= FLAT ? "flat" : "not flat"}`,
  ].join("\n")
}

/** Runs the whole benchmark; returns the process's exit code. */
export async function benchBilling(args) {
  const options = readOptions(args)
  return inFrame(async (home, running) => {
    const { startOwnServer } = await import("../../scripts/lib/test-server.mjs")
    say("starting PostgreSQL, with everything forced to disk as in production ...")
    const postgres = await startOwnServer()
    running.push(postgres.remove)
    const file = bundle(join(ROOT, "lab/bench/billing/run-process.ts"))
    running.push(() => rmSync(dirname(file), { recursive: true, force: true }))
    say(`making ${options.subscriptions} subscriptions that are due ...`)
    await connected(postgres.url, (client) => fillSubscriptions(client, options.subscriptions))
    const place = { adminUrl: withDatabase(postgres.url, "postgres"), filled: new URL(postgres.url).pathname.slice(1) }
    const figures = await rounds(place, sides(home, file), options)
    process.stdout.write(`${report(figures, options)}\n`)
    if (options.json) {
      writeFileSync(resolve(options.json), `${JSON.stringify({ machine: machine(), options, figures }, null, 2)}\n`)
    }
    return 0
  })
}
