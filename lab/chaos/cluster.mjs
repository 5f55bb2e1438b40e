/*
 * npm run chaos -- cluster                 a quarter of an hour of faults in a deployment of several processes
 * npm run chaos -- cluster --minutes 60
 *   --clients 4                            servers of merchants that buy and refund at the same time
 *   --pause 4                              seconds between two kills, on average
 *   --plan short                           of the planned faults a failover and broken connections alone
 *   --seed 1                               what is bought, refunded and killed, in which order
 *
 * Everything that `npm run cluster` starts is killed at random, kill -9, and started again: stores, workers, nginx,
 * PgBouncer, Redis, PostgreSQL and its replica. In between, each at its time: an update to a version with another
 * migration, process by process; a failover to the replica and back; a network that stalls; broken connections; a restart
 * of PostgreSQL. Three processes have clocks that are wrong by half a minute.
 *
 * Meanwhile servers of a merchant buy and refund, shoppers fill carts of the sample shop and pay them, subscriptions of
 * another merchant renew, and all events are delivered to a receiver. In the end the clients' own record of what they
 * were answered is compared with the database (cluster/record.mjs), and every invariant must hold.
 */
import { randomBytes } from "node:crypto"
import { rmSync } from "node:fs"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { Complaint, main, ROOT, say } from "../../scripts/lib/console.mjs"
import { connected } from "../../scripts/lib/database.mjs"
import { ensureInstalled } from "../../scripts/lib/install.mjs"
import { Random } from "../../scripts/lib/random.mjs"
import { OPEN_RECORDS } from "./billing-books.mjs"
import { Faults, Windows } from "./cluster/faults.mjs"
import { Killer } from "./cluster/killer.mjs"
import { Link } from "./cluster/link.mjs"
import { startLoad } from "./cluster/load.mjs"
import { compileNextVersion } from "./cluster/next-version.mjs"
import { differences } from "./cluster/record.mjs"
import { readOptions, untilNothingIsOpen } from "./run.mjs"

const DEFAULTS = { minutes: 15, clients: 4, pause: 4, plan: "whole", seed: 1 }
const EACH_KIND_MS = 180_000
const PROGRESS_MS = 30_000
const SKEWED_CLOCK = join(ROOT, "lab/chaos/cluster/skewed-clock.cjs")
/** Seconds by which the clocks of these processes are wrong. */
const SKEW = { "store-1": -30, "store-2": 30, "worker-2": 30 }

/**
 * Nobody waits for the next time that the reconcilers ask, or that a delivery or a paid cart is tried again. Few tries
 * of a cart are left before its money goes back: they are half a minute apart, as its first two are.
 */
const ASK_AGAIN = [
  "UPDATE gateway_payment_attempt SET inquiry_at = now() WHERE state = 'STARTED' AND inquiry_at > now()",
  "UPDATE gateway_refund SET inquiry_at = now() WHERE state = 'processing' AND inquiry_at > now()",
  "UPDATE gateway_webhook_delivery SET next_attempt_at = now() WHERE state = 'pending' AND next_attempt_at > now()",
  `UPDATE gateway_cart_completion SET next_attempt_at = now()
   WHERE state = 'waiting' AND next_attempt_at > now() AND updated_at < now() - interval '30 seconds'`,
]
const OPEN = `
  SELECT 'payment' AS kind, id, state FROM gateway_transaction WHERE state = 'PROCESSING'
  UNION ALL SELECT 'refund', id, state FROM gateway_refund WHERE state IN ('pending', 'processing')
  UNION ALL SELECT 'paid cart', cart_id, state FROM gateway_cart_completion WHERE state IN ('waiting', 'giving_back')
  UNION ALL SELECT 'billing record', id, status FROM (${OPEN_RECORDS}) AS record
  UNION ALL SELECT 'delivery', id, state FROM gateway_webhook_delivery WHERE state = 'pending'`

/** Kills at random, with a fault from the plan in regular intervals. */
async function breakThings(killer, faults, { minutes, plan }) {
  const planned = Object.entries(faults.plan(plan))
  const between = (minutes * 60_000) / (planned.length + 1)
  for (const [what, happen] of planned) {
    await sleep(between)
    await killer.rest()
    say(`now: ${what}`)
    await happen()
    killer.resume()
  }
  await sleep(between)
}

/** On a busy machine a minute may be over before the first cart is paid: a load without one would prove nothing of carts. */
async function untilOfEachKind(load) {
  for (const end = Date.now() + EACH_KIND_MS; !load.didEverything() && Date.now() < end;) {
    await sleep(500)
  }
}

async function underLoad(load, killer, faults, options) {
  const progress = setInterval(() => say(load.progress()), PROGRESS_MS)
  try {
    const killing = killer.work(options.pause * 1_000)
    // A killer that fails, because a process does not come back, ends it all, and so does a client.
    await Promise.race([breakThings(killer, faults, options), killing, load.working])
    killer.stop()
    await killing
    say("everything runs again: the clients finish what they have begun")
    await Promise.race([untilOfEachKind(load), load.working])
    await load.stop()
    say(load.progress())
  } finally {
    clearInterval(progress)
  }
}

/** Waits until nothing is open any more. The workers do it: the processes' logs say what they did. */
async function settle(client) {
  await untilNothingIsOpen({
    look: async () => {
      const { rows } = await client.query(`SELECT kind, count(*)::int FROM (${OPEN}) open GROUP BY kind ORDER BY kind`)
      const open = rows.reduce((total, { count }) => total + count, 0)
      return { open, kinds: rows.map(({ kind, count }) => `${kind} ${count}`).join(", ") }
    },
    nudge: async () => {
      for (const statement of ASK_AGAIN) {
        await client.query(statement)
      }
    },
    show: async () => (await client.query(OPEN)).rows,
    worker: { output: () => "" },
  })
}

/** Compiled before there is a load: it keeps this process busy for seconds. The short plan has no update. */
function nextVersion({ plan }, home) {
  if (plan === "short") {
    return null
  }
  say("compiling a second version ...")
  return compileNextVersion(home)
}

/** The network before a server, in the way of the other processes. */
async function laid(links, running, name, port) {
  links[name] = new Link(port)
  running.push({ stop: async () => links[name].close() })
  return links[name].open()
}

async function run(options, running) {
  const { startCluster } = await import("../cluster/deployment.mjs")
  const home = join(ROOT, ".test", `cluster-${process.pid}`)
  const links = {}
  const skewed = (seconds) => ({ CLOCK_SKEW_SECONDS: String(seconds), NODE_OPTIONS: `--require ${SKEWED_CLOCK}` })
  const deployment = {
    home,
    env: { GATEWAY_RATE_LIMIT: "0", GATEWAY_PAGE_LIMITS: "0" },
    envOf: (name) => (SKEW[name] ? skewed(SKEW[name]) : {}),
    reach: (name, port) => laid(links, running, name, port),
    onEnd: (name, how) => say(`${name} has ended (${how})`),
  }
  const cluster = await startCluster(deployment, running)
  const windows = new Windows()
  const faults = new Faults(cluster, links, windows, nextVersion(options, home))
  await faults.commitOnBoth()
  const random = new Random(options.seed)
  const killer = new Killer(cluster.processes, random.fork("kills"), windows)
  const name = `CHAOS-${randomBytes(3).toString("hex").toUpperCase()}`
  const load = await startLoad(cluster, { name, random: random.fork("clients"), clients: options.clients })
  running.push({ stop: async () => load.receiver.close() })
  await underLoad(load, killer, faults, options)
  say(`kills: ${[...killer.kills].map(([one, count]) => `${one} ${count}`).join(", ")}`)
  const wrong = await connected(cluster.addresses.direct, async (client) => {
    await settle(client)
    return differences(client, load, windows.all)
  })
  await cluster.stop()
  const passed = wrong === 0 && load.didEverything()
  return passed ? removed(home) : kept(home)
}

async function removed(home) {
  const { removePostgres } = await import("../../scripts/lib/postgres.mjs")
  for (const name of ["primary", "replica"]) {
    removePostgres(join(home, name))
  }
  rmSync(home, { recursive: true, force: true })
  return 0
}

function kept(home) {
  say(`the deployment's logs and data are kept in ${home}`)
  return 1
}

const code = await main(async () => {
  const options = readOptions(process.argv.slice(2), DEFAULTS)
  if (!["whole", "short"].includes(options.plan)) {
    throw new Complaint("--plan is whole or short")
  }
  await ensureInstalled()
  const running = []
  const asked = new Promise((done) =>
    ["SIGINT", "SIGTERM", "SIGHUP"].forEach((signal) => process.on(signal, () => done(130)))
  )
  try {
    return await Promise.race([run(options, running), asked])
  } finally {
    for (const one of running.splice(0).reverse()) {
      await one.stop()
    }
  }
})
process.exit(code)
