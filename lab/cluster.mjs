/*
 * npm run cluster               a deployment of several processes on this machine, until Ctrl-C
 * npm run cluster -- --once     ends after it has used every part once; non-zero if anything failed
 * npm run cluster -- --fresh    starts over with empty data
 *
 * nginx, two stores, two workers, Redis, PgBouncer, PostgreSQL with a streaming replica (docs/operations.md). It prints
 * where the metrics of each store and worker are. Needs Debian's packages nginx-light, pgbouncer and redis-server.
 *
 * env: PORT (default 21000, nginx; the other processes take the next free ports), NGINX_PATH, PGBOUNCER_PATH,
 *      REDIS_SERVER_PATH
 */
import { join } from "node:path"
import { parseArgs } from "node:util"
import { whenOrphaned } from "../scripts/lib/ancestors.mjs"
import { Complaint, main, ROOT, say } from "../scripts/lib/console.mjs"
import { ensureInstalled } from "../scripts/lib/install.mjs"

const HOME = join(ROOT, ".cluster")

function readArguments(args) {
  try {
    const options = { once: { type: "boolean", default: false }, fresh: { type: "boolean", default: false } }
    return parseArgs({ args, options }).values
  } catch (error) {
    throw new Complaint(`${error.message}. Use: npm run cluster -- [--once] [--fresh]`)
  }
}

function readPort(text) {
  const port = text ? Number(text) : undefined
  if (port !== undefined && !(Number.isInteger(port) && port >= 1 && port <= 65_000)) {
    throw new Complaint(`PORT must be a port number up to 65000, not "${text}".`)
  }
  return port
}

/** Resolves with 130 or 143, as a shell reports the signal, or when the process that started this one is gone. */
function untilAsked() {
  return new Promise((resolve) => {
    process.on("SIGINT", () => resolve(130))
    for (const signal of ["SIGTERM", "SIGHUP"]) {
      process.on(signal, () => resolve(143))
    }
    whenOrphaned(() => resolve(143))
  })
}

function table({ processes }) {
  const line = (name, pid, port, role) => `  ${name.padEnd(10)} ${pid.padStart(8)} ${port.padStart(6)}  ${role}`
  const rows = Object.values(processes).map(({ name, pid, port, role }) =>
    line(name, String(pid ?? "ended"), String(port), role)
  )
  return ["", line("process", "pid", "port", "role"), ...rows, ""].join("\n")
}

function metricsOf({ processes }) {
  const measured = Object.values(processes).filter(({ metrics }) => metrics)
  return measured.map(({ name, metrics }) => `                   ${name.padEnd(10)} ${metrics}`).join("\n")
}

const addressesOf = (cluster) => `
  Stores           ${cluster.url}  (key of the sandbox in .cluster/credentials.json)
  Metrics          for Prometheus, with the token "metrics" of .cluster/secrets.json
${metricsOf(cluster)}
  Logs             .cluster/logs, .cluster/nginx, .cluster/primary, .cluster/replica
  A process that you kill stays dead: the others go on without it.
  Ctrl-C ends all. The next start finds the data as it was.

`

/** Whether the deployment is up and waits for its end. */
let isUp = false

async function run({ once, fresh }, running, asked) {
  const { startCluster } = await import("./cluster/deployment.mjs")
  const { ensureMerchant } = await import("./cluster/merchant.mjs")
  const failed = []
  const onEnd = (name, how) => {
    failed.push(name)
    say(`${name} has ended (${how}); its log is in .cluster`)
  }
  const cluster = await startCluster({ home: HOME, fresh, port: readPort(process.env.PORT), onEnd }, running)
  const credentials = await ensureMerchant(cluster)
  say(`the deployment is up at ${cluster.url}`)
  if (once) {
    const { checkDeployment } = await import("./cluster/check.mjs")
    await checkDeployment(cluster, credentials, say)
  }
  process.stdout.write(`${table(cluster)}${once ? "\n" : addressesOf(cluster)}`)
  if (!once) {
    isUp = true
    await asked
  } else if (failed.length > 0) {
    throw new Complaint(`Ended without being asked: ${failed.join(", ")}.`)
  }
  return 0
}

const code = await main(async () => {
  const options = readArguments(process.argv.slice(2))
  const asked = untilAsked()
  await ensureInstalled()
  const running = []
  try {
    // Once up, Ctrl-C is the way to end it. Before, what has been started by then is stopped below.
    return await Promise.race([run(options, running, asked), asked.then((how) => (isUp ? 0 : how))])
  } finally {
    say("stopping ...")
    for (const one of running.splice(0).reverse()) {
      await one.stop()
    }
  }
})
// An interrupted start leaves promises that nothing awaits any more.
process.exit(code)
