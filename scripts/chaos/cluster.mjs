/*
 * npm run chaos -- cluster                 five minutes of kill -9 at a deployment of several processes
 * npm run chaos -- cluster --minutes 60
 *   --clients 8                          servers of merchants that buy and refund at the same time
 *   --pause 4                            seconds between two kills, on average
 *   --seed 1                             what is bought, refunded and killed, in which order
 *
 * Everything that `npm run cluster` starts is killed at random and started again: stores, workers, API processes, nginx,
 * PgBouncer, Redis, PostgreSQL and its replica. In the end the clients' own record of what they were answered is compared
 * with the database: no acknowledged payment or refund may be missing, no order paid twice, no request done twice; and
 * every invariant must hold.
 */
import { randomBytes } from "node:crypto"
import { rmSync } from "node:fs"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { parseArgs } from "node:util"
import { Complaint, main, ROOT, say } from "../lib/console.mjs"
import { connected } from "../lib/database.mjs"
import { ensureInstalled } from "../lib/install.mjs"
import { Random } from "../lib/random.mjs"
import { Clients } from "./cluster/clients.mjs"
import { Killer } from "./cluster/killer.mjs"
import { untilNothingIsOpen, wrongInBooks } from "./run.mjs"

const DEFAULTS = { minutes: 5, clients: 8, pause: 4, seed: 1 }
const PROGRESS_MS = 30_000

/** Nobody waits for the next time that the reconcilers ask. */
const ASK_AGAIN = [
  "UPDATE gateway_payment_attempt SET inquiry_at = now() WHERE state = 'STARTED' AND inquiry_at > now()",
  "UPDATE gateway_refund SET inquiry_at = now() WHERE state = 'processing' AND inquiry_at > now()",
]
const OPEN = `
  SELECT 'payment' AS kind, id, state FROM gateway_transaction WHERE state = 'PROCESSING'
  UNION ALL SELECT 'refund', id, state FROM gateway_refund WHERE state IN ('pending', 'processing')`

/** Differences between what clients were answered (parameters: JSON) and what the database has. */
const RECORD = {
  "acknowledged payments that are not paid, or not with their amount": `
    SELECT o.* FROM json_to_recordset($1) AS o (order_id text, transaction_id text, amount numeric, paid boolean)
    LEFT JOIN gateway_transaction t ON t.id = o.transaction_id
    WHERE o.paid AND (t.id IS NULL OR t.state NOT IN ('SUCCESS', 'REFUNDED') OR t.order_id <> o.order_id
      OR t.amount_minor <> o.amount * 100)`,
  "orders that were paid more than once": `
    SELECT o.order_id, count(*) FROM json_to_recordset($1) AS o (order_id text)
    JOIN gateway_transaction t ON t.order_id = o.order_id AND t.state IN ('SUCCESS', 'REFUNDED')
    GROUP BY o.order_id HAVING count(*) > 1`,
  "acknowledged refunds that are missing, or have another amount": `
    SELECT r.* FROM json_to_recordset($2) AS r (key text, refund_id text, transaction_id text, amount numeric)
    LEFT JOIN gateway_refund f ON f.id = r.refund_id
    WHERE r.refund_id IS NOT NULL AND (f.id IS NULL OR f.transaction_id <> r.transaction_id
      OR f.amount_minor <> r.amount * 100 OR f.state = 'failed')`,
  "requests for a refund that were done more than once": `
    SELECT r.key, count(*) FROM json_to_recordset($2) AS r (key text)
    JOIN gateway_refund f ON f.reason = r.key GROUP BY r.key HAVING count(*) > 1`,
  "payments of which more went back than came": `
    SELECT t.id FROM gateway_transaction t JOIN gateway_refund f ON f.transaction_id = t.id AND f.state = 'completed'
    GROUP BY t.id, t.amount_minor HAVING sum(f.amount_minor) > t.amount_minor`,
}

function readOptions(args) {
  const options = Object.fromEntries(
    Object.entries(DEFAULTS).map(([name, value]) => [name, { type: "string", default: String(value) }])
  )
  const values = Object.entries(parseArgs({ args, options }).values).map(([name, text]) => [name, Number(text)])
  const wrong = values.find(([, value]) => !Number.isInteger(value) || value < 1)
  if (wrong) {
    throw new Complaint(`--${wrong[0]} is a whole number above zero`)
  }
  return Object.fromEntries(values)
}

async function load(cluster, clients, killer, { minutes, clients: count, pause }) {
  const progress = setInterval(() => {
    const paid = [...clients.orders.values()].filter((order) => order.paid).length
    say(`${paid} of ${clients.orders.size} orders paid, ${clients.refunds.size} refunds asked for`)
  }, PROGRESS_MS)
  try {
    const buying = clients.work(count)
    const killing = killer.work(pause * 1_000)
    await Promise.race([sleep(minutes * 60_000), killing])
    killer.stop()
    await killing
    say("everything runs again: the clients finish what they have begun")
    clients.stop()
    await buying
  } finally {
    clearInterval(progress)
  }
}

async function verdict(client, clients) {
  const orders = [...clients.orders.values()]
  const refunds = [...clients.refunds.values()]
  const paid = orders.filter((order) => order.paid).length
  const given = refunds.filter((refund) => refund.refund_id !== null).length
  say(`${paid} of ${orders.length} orders and ${given} of ${refunds.length} refunds acknowledged`)
  const answers = [...clients.answers].sort(([, one], [, other]) => other - one)
  say(`answers: ${answers.map(([what, count]) => `${count} × ${what}`).join(", ")}`)
  let wrong = clients.unanswered
  say(`${clients.unanswered} requests that nobody answered in three minutes of trying`)
  for (const [what, sql] of Object.entries(RECORD)) {
    const values = [JSON.stringify(orders), JSON.stringify(refunds)]
    const used = values.filter((_, index) => sql.includes(`$${index + 1}`))
    const { rows } = await client.query(used.length === 1 ? sql.replace(/\$[12]/, "$1") : sql, used)
    wrong += rows.length
    say(`${rows.length} ${what}${rows.length === 0 ? "" : `, like ${JSON.stringify(rows[0])}`}`)
  }
  wrong += await wrongInBooks(client, {})
  return wrong === 0 && paid > 0 ? 0 : 1
}

/** Waits until nothing is open any more. The workers do it: the processes' logs say what they did. */
async function settle(client) {
  await untilNothingIsOpen({
    look: async () => ({ open: (await client.query(OPEN)).rowCount }),
    nudge: async () => {
      for (const statement of ASK_AGAIN) {
        await client.query(statement)
      }
    },
    show: async () => (await client.query(OPEN)).rows,
    worker: { output: () => "" },
  })
}

async function run(options, running) {
  const { startCluster } = await import("../cluster/deployment.mjs")
  const { ensureMerchant } = await import("../cluster/merchant.mjs")
  const home = join(ROOT, ".test", `cluster-${process.pid}`)
  const env = { GATEWAY_RATE_LIMIT: "0", GATEWAY_PAGE_LIMITS: "0" }
  const cluster = await startCluster({ home, env, onEnd: (name, how) => say(`${name} has ended (${how})`) }, running)
  const random = new Random(options.seed)
  const clients = new Clients(
    await ensureMerchant(cluster),
    random.fork("clients"),
    `CHAOS-${randomBytes(3).toString("hex").toUpperCase()}`
  )
  const killer = new Killer(cluster.processes, random.fork("kills"))
  await load(cluster, clients, killer, options)
  say(`kills: ${[...killer.kills].map(([name, count]) => `${name} ${count}`).join(", ")}`)
  const code = await connected(cluster.addresses.direct, async (client) => {
    await settle(client)
    return verdict(client, clients)
  })
  await cluster.stop()
  if (code === 0) {
    const { removePostgres } = await import("../lib/postgres.mjs")
    for (const name of ["primary", "replica"]) {
      removePostgres(join(home, name))
    }
    rmSync(home, { recursive: true, force: true })
  } else {
    say(`the deployment's logs and data are kept in ${home}`)
  }
  return code
}

const code = await main(async () => {
  const options = readOptions(process.argv.slice(2))
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
