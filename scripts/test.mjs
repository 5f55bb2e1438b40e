/*
 * npm test                          what proves a change in minutes: all unit tests, and the files of jest.config.js (SHORT)
 * npm run test:all                  everything
 * npm run test:all -- rest          everything else
 * npm test -- unit                  one or more of: unit, http, browser
 * npm test -- http checkout         files whose path contains "checkout", each with a store of its own
 * npm test -- http groups/shop      files that share a store (integration-tests/groups)
 * npm test -- browser groups/browser/shop
 *                                   browser tests that share a store
 * npm test -- unit -t "rounds half" any option of jest after that
 *
 * TEST_MODE=production npm test -- http checkout
 *                                   every store in production mode, not only those of the files that ask for it
 */
import { spawn } from "node:child_process"
import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs"
import { availableParallelism } from "node:os"
import { join } from "node:path"
import { findPrograms } from "../lab/cluster/programs.mjs"
import { Complaint, main, ROOT, say } from "./lib/console.mjs"
import { ensureInstalled } from "./lib/install.mjs"
import { findChromium, findRedis } from "./lib/programs.mjs"
import { failuresIn } from "./lib/test-report.mjs"

const GROUPS = ["unit", "http", "browser"]
// Each store takes most of a core while it boots, and about 700 MB of memory with its browser.
const STORES_AT_ONCE = 4
// Files wait for due times and for other processes: with one file more than cores a sixth of the processor time is idle.
const FILES_BESIDE_CORES = 2
const JEST = join(ROOT, "node_modules/jest/bin/jest.js")
const REPORTS = join(ROOT, ".test")
const PROGRESS = join(ROOT, "integration-tests/support/jest/progress.js")

/** `scope`: which of the files that boot stores run, where none are named: `short`, `rest`, or `all`. */
function readArguments(args) {
  const chosen = []
  const isAll = args[0] === "all" && args.shift() === "all"
  const isRest = isAll && args[0] === "rest" && args.shift() === "rest"
  while (GROUPS.includes(args[0])) {
    chosen.push(args.shift())
  }
  const isNamed = chosen.length > 0 || args.some((one) => !one.startsWith("-"))
  const scope = isRest ? "rest" : isAll || isNamed ? "all" : "short"
  const groups = chosen.length ? GROUPS.filter((group) => chosen.includes(group)) : GROUPS
  return { groups: isRest ? groups.filter((group) => group !== "unit") : groups, rest: args, scope }
}

function canDeploy() {
  try {
    findPrograms()
    return true
  } catch {
    return false
  }
}

/** Reports which tests are left out because a program is missing, and how to get it. In CI nothing is left out. */
function leaveOut(groups) {
  const env = {}
  const missing = []
  const chromium = findChromium()
  if (groups.includes("browser") && !chromium) {
    missing.push(
      "Left out: the browser suites (integration-tests/browser). Install Chromium or set CHROMIUM_PATH to one."
    )
  }
  if (groups.some((group) => group !== "unit") && !findRedis()) {
    missing.push("Left out: the Redis suites (*.redis.spec.ts). Install redis-server or set REDIS_SERVER_PATH to one.")
    env.TEST_WITHOUT_REDIS = "1"
  }
  if (groups.includes("http") && !canDeploy()) {
    missing.push(
      "Left out: a deployment of several processes (*.cluster.spec.ts). Install nginx-light, pgbouncer and redis-server."
    )
    env.TEST_WITHOUT_CLUSTER = "1"
  }
  if (missing.length && process.env.CI) {
    throw new Complaint(`Nothing may be left out with CI set.\n${missing.join("\n")}`)
  }
  missing.forEach((line) => say(line))
  return {
    env: chromium ? { ...env, CHROMIUM_PATH: chromium } : env,
    groups: groups.filter((group) => group !== "browser" || chromium),
    missing,
  }
}

function jest(args, env, stdio = "inherit") {
  const child = spawn(process.execPath, [JEST, ...args], {
    cwd: ROOT,
    // Medusa imports modules dynamically; jest allows that only with this flag.
    env: {
      ...process.env,
      ...env,
      NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ""} --experimental-vm-modules --no-warnings`,
    },
    stdio,
  })
  let output = ""
  child.stdout?.on("data", (chunk) => (output += chunk))
  return new Promise((resolve, reject) => {
    child.once("error", reject)
    child.once("exit", (code, signal) => resolve({ code: code ?? 1, signal, output }))
  })
}

const projects = (groups) => ["--selectProjects", ...groups]

/** The test files that jest would run. */
async function filesOf(groups, rest, env) {
  const args = [...projects(groups), "--listTests", "--passWithNoTests", ...rest]
  const { output } = await jest(args, env, ["ignore", "pipe", "inherit"])
  return output.split("\n").filter((line) => line.endsWith(".ts"))
}

const isUnit = (file) => file.endsWith(".unit.spec.ts")

/** Builds the admin's pages before their tests begin: two concurrent files would each build them. */
async function prepareAdmin(files) {
  if (files.some((file) => readFileSync(file, "utf8").includes("withAdmin: true"))) {
    say("building the admin, unless it is there (about a minute) ...")
    const { buildAdmin } = await import("./lib/admin-build.mjs")
    await buildAdmin()
  }
}

/** Starts the tests' database server, and compiles the store that tests start in production mode once for all files. */
async function prepareStores() {
  say("starting a PostgreSQL server for the tests ...")
  const { startTestServer } = await import("./lib/test-server.mjs")
  const { compiledStore } = await import("./lib/compiled-store.mjs")
  const server = startTestServer()
  // Compiled while another process migrates the tests' template database.
  compiledStore()
  return server
}

/** Runs the tests and counts them. A file that could not run, or an interrupted run, counts as a failure. */
async function run(groups, rest, env, workers) {
  const report = join(REPORTS, `report-${process.pid}.json`)
  const output = ["--reporters", PROGRESS, "--json", "--outputFile", report]
  const args = [...projects(groups), "--maxWorkers", String(workers), ...output, "--forceExit"]
  const { code } = await jest([...args, ...rest], env, ["ignore", "ignore", "inherit"])
  if (!existsSync(report)) {
    return { passed: 0, failed: 1, skipped: 0 }
  }
  const result = JSON.parse(readFileSync(report, "utf8"))
  rmSync(report)
  const failed = result.numFailedTests + result.numRuntimeErrorTestSuites
  const failures = failuresIn(result, ROOT)
  if (failures.length > 0) {
    process.stdout.write(`\n${failures.join("\n")}\n`)
  }
  return {
    passed: result.numPassedTests,
    failed: failed || (code === 0 ? 0 : 1),
    skipped: result.numPendingTests + result.numTodoTests,
  }
}

await main(async () => {
  const { groups: wanted, rest, scope } = readArguments(process.argv.slice(2))
  await ensureInstalled()
  const { env, groups, missing } = leaveOut(wanted)
  env.TEST_SCOPE = scope
  if (rest.length > 0 && !rest[0].startsWith("-") && !rest[0].includes("groups/")) {
    env.TEST_FILES_ALONE = "1"
  }
  // Ctrl-C reaches jest as well: this process waits until jest has ended, then stops the database.
  let interrupted = false
  process.on("SIGINT", () => (interrupted = true))
  process.on("SIGTERM", () => (interrupted = true))
  mkdirSync(REPORTS, { recursive: true })
  const files = groups.length > 0 ? await filesOf(groups, rest, env) : []
  const withStores = files.some((file) => !isUnit(file))
  const [, server] = withStores ? await Promise.all([prepareAdmin(files), prepareStores()]) : []
  let total = { passed: 0, failed: 0, skipped: 0 }
  if (files.length > 0 && !interrupted) {
    say(`running the tests: ${groups.join(", ")} ...`)
    const cores = availableParallelism()
    const workers = withStores ? Math.min(cores + FILES_BESIDE_CORES, STORES_AT_ONCE) : cores
    total = await run(groups, rest, { ...env, ...server?.env }, workers)
  }
  await server?.stop()
  if (!interrupted && total.passed + total.failed === 0) {
    throw new Complaint(`No test matches: ${[...wanted, ...rest].join(" ")}`)
  }
  missing.forEach((line) => say(line))
  const skipped = total.skipped ? `, ${total.skipped} skipped` : ""
  process.stdout.write(`\n${total.passed} passed, ${total.failed} failed${skipped}\n`)
  return total.failed || interrupted ? 1 : 0
})
