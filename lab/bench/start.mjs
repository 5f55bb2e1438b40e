/*
 * npm run bench -- start             what the plugin adds to the start of a store, beside the same store without it
 *   --quick                          one start of each, to see that it works
 *   --rounds 9                       how many starts of each, interleaved
 *   --json <file>                    the figures, start by start
 *
 * Both are compiled stores in production mode with a worker. A start lasts from the process's creation to its first
 * answer. Memory is read once the worker has started too, and judged by what is held after a garbage collection: what is
 * resident depends on whether V8's last collection of a start came before the reading, which changes it by 40 MB. Figures
 * come from /proc: Linux only.
 */
import { randomBytes } from "node:crypto"
import { spawn } from "node:child_process"
import { closeSync, mkdirSync, openSync, readFileSync, writeFileSync } from "node:fs"
import { get } from "node:http"
import { join, resolve } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { parseArgs } from "node:util"
import { compileStore } from "../../scripts/lib/compiled-store.mjs"
import { Complaint, ROOT, say } from "../../scripts/lib/console.mjs"
import { createDatabase } from "../../scripts/lib/database.mjs"
import { heapProbe } from "../../scripts/lib/heap.mjs"
import { medusa } from "../../scripts/lib/medusa.mjs"
import { anyFreePort } from "../../scripts/lib/ports.mjs"
import { removePostgres, startPostgres } from "../../scripts/lib/postgres.mjs"
import { residentBytes } from "../../scripts/lib/process-state.mjs"
import { inFrame, wholeNumbers } from "./frame.mjs"
import { machine } from "./report.mjs"
import { median } from "./rounds.mjs"

const AIMS = { ms: 300, held_mb: 25 }
const END_WITH_PARENT = join(ROOT, "scripts/lib/end-with-parent.cjs")
const MEDUSA = join(ROOT, "node_modules/@medusajs/cli/cli.js")
const START_TIMEOUT_MS = 120_000
/** After the first answer: the worker has started then. */
const SETTLED_MS = 3_000
/** Clock ticks of /proc per second: 100 on every Linux that Node runs on. */
const TICKS = 100

/** The configuration of a store that does not know the plugin. */
const WITHOUT = `const { defineConfig } = require("@medusajs/framework/utils")
module.exports = defineConfig({
  projectConfig: {
    databaseUrl: process.env.DATABASE_URL,
    http: {
      storeCors: "http://localhost:8000",
      adminCors: "http://localhost:9000",
      authCors: "http://localhost:8000",
      jwtSecret: process.env.JWT_SECRET,
      cookieSecret: process.env.COOKIE_SECRET,
    },
  },
  admin: { disable: true },
})
`

/** Runs the benchmark; returns the exit code: 1 when an aim is missed. */
export async function benchStart(args) {
  const { values } = parseArgs({
    args,
    options: { quick: { type: "boolean", default: false }, rounds: { type: "string" }, json: { type: "string" } },
  })
  const { rounds } = wholeNumbers(values, { rounds: values.quick ? 1 : 9 })
  return inFrame(async (home, running) => {
    const probe = heapProbe()
    running.push(probe.remove)
    const stores = await prepare(home, running)
    const figures = { with: [], without: [] }
    for (let round = 1; round <= rounds; round++) {
      const names = round % 2 === 1 ? ["with", "without"] : ["without", "with"]
      for (const name of names) {
        figures[name].push(await startOnce(stores[name], probe, join(home, `${name}.log`)))
      }
      say(
        `round ${round} of ${rounds}: ${text(figures.with.at(-1))} with the plugin, ${text(figures.without.at(-1))} without`
      )
    }
    return report(figures, values.json)
  })
}

async function prepare(home, running) {
  say("starting PostgreSQL, compiling the store and migrating (about 30 seconds) ...")
  running.push(() => removePostgres(home))
  const postgres = await startPostgres({ home, name: `bench-${process.pid}` })
  running.push(postgres.stop)
  const stores = {}
  for (const name of ["with", "without"]) {
    const folder = join(home, name)
    if (name === "with") {
      compileStore(folder)
    } else {
      mkdirSync(folder)
      writeFileSync(join(folder, "medusa-config.js"), WITHOUT)
      writeFileSync(join(folder, "package.json"), readFileSync(join(ROOT, "package.json")))
    }
    await createDatabase(postgres.url("postgres"), name)
    const env = environment(postgres.url(name))
    await medusa(["db:migrate", "--execute-all-links", "--skip-scripts"], {
      cwd: folder,
      env,
      log: join(home, "migrate.log"),
    })
    stores[name] = { folder, env }
  }
  return stores
}

function environment(databaseUrl) {
  return {
    NODE_ENV: "production",
    NODE_OPTIONS: "",
    DATABASE_URL: databaseUrl,
    REDIS_URL: "",
    GATEWAY_ENVIRONMENT: "sandbox",
    GATEWAY_PUBLIC_URL: "http://localhost:9000",
    GATEWAY_ENCRYPTION_KEYS: `bench:${randomBytes(32).toString("base64")}`,
    JWT_SECRET: randomBytes(24).toString("hex"),
    COOKIE_SECRET: randomBytes(24).toString("hex"),
    DISABLE_MEDUSA_ADMIN: "true",
    MEDUSA_DISABLE_TELEMETRY: "true",
  }
}

/** Starts the store once: `{ ms, cpu_ms, mb, held_mb }`. */
async function startOnce({ folder, env }, probe, log) {
  const port = await anyFreePort()
  const output = openSync(log, "a", 0o600)
  const began = performance.now()
  const child = spawn(process.execPath, ["--require", END_WITH_PARENT, MEDUSA, "start", "--port", String(port)], {
    cwd: folder,
    env: { ...process.env, ...env, ...probe.env, PORT: String(port) },
    stdio: ["ignore", output, output, "ipc"],
  })
  closeSync(output)
  const ended = new Promise((done) => child.once("exit", done))
  try {
    while (!(await answers(port))) {
      if (child.exitCode !== null || performance.now() - began > START_TIMEOUT_MS) {
        throw new Complaint(`the store did not start:\n${readFileSync(log, "utf8").slice(-2_000)}`)
      }
      await sleep(10)
    }
    const ms = performance.now() - began
    const cpu_ms = cpuMilliseconds(child.pid)
    await sleep(SETTLED_MS)
    const mb = residentBytes(child.pid) / 1e6
    return { ms, cpu_ms, mb, held_mb: (await probe.held(child.pid)) / 1e6 }
  } finally {
    child.kill("SIGKILL")
    await ended
  }
}

function answers(port) {
  return new Promise((done) => {
    const request = get({ host: "127.0.0.1", port, path: "/health" }, (response) => {
      response.resume()
      done(response.statusCode === 200)
    })
    request.on("error", () => done(false))
  })
}

/** Processor time of a process, user and system. Its name, in brackets, may contain spaces. */
function cpuMilliseconds(pid) {
  const [, rest] = /\) (.*)$/s.exec(readFileSync(`/proc/${pid}/stat`, "utf8"))
  const fields = rest.split(" ")
  return ((Number(fields[11]) + Number(fields[12])) * 1_000) / TICKS
}

const text = ({ ms, cpu_ms, mb, held_mb }) =>
  `${ms.toFixed(0)} ms (${cpu_ms.toFixed(0)} of CPU), ${held_mb.toFixed(1)} MB held, ${mb.toFixed(0)} MB resident`

function report(figures, json) {
  const mid = (name) =>
    Object.fromEntries(
      ["ms", "cpu_ms", "mb", "held_mb"].map((key) => [key, median(figures[name].map((one) => one[key]))])
    )
  const [own, peer] = [mid("with"), mid("without")]
  const more = Object.fromEntries(Object.keys(own).map((key) => [key, own[key] - peer[key]]))
  process.stdout.write(`
start of a store, medians of ${figures.with.length}

with the plugin      ${text(own)}
without              ${text(peer)}
the plugin adds      ${text(more)}   aims: ${AIMS.ms} ms, ${AIMS.held_mb} MB held
`)
  if (json) {
    writeFileSync(resolve(json), `${JSON.stringify({ machine: machine(), figures, more }, null, 2)}\n`)
  }
  return more.ms <= AIMS.ms && more.held_mb <= AIMS.held_mb ? 0 : 1
}
