/*
 * npm run chaos -- orders                  40 times kill -9 at a whole store while its orders are paid
 * npm run chaos -- orders --kills 200
 * npm run chaos -- orders --minutes 5      no more kills after five minutes
 *
 * A store in production mode takes orders: some in cash with an advance, some paid online, some with reserved money that is
 * captured in parts or let go. Admins edit them, shoppers pay the balances, several browsers at once, and couriers' files
 * come again and again. While one process works the next one boots; then the first is killed at a random moment, and the
 * next takes its place. In the end what is open is settled, and then: Medusa's captures and transactions of each order are
 * our payments of it, no order or balance is paid twice, the acquirer's book is ours, and every invariant holds.
 */
import { setTimeout as sleep } from "node:timers/promises"
import { say } from "../../scripts/lib/console.mjs"
import { startProductionStore } from "../../scripts/lib/production-store.mjs"
import { ADDRESS } from "../../scripts/demo/payment.mjs"
import { bearer, must } from "./hostile/client.mjs"
import { openShop } from "./hostile/shop.mjs"
import { adminToken, STORE_SECRETS } from "./hostile/store.mjs"
import { BOOKS, COUNTS, EVIDENCE, LATER, MEANWHILE, OPEN, TASKS } from "./orders/books.mjs"
import { Desk } from "./orders/desk.mjs"
import { chaos, untilNothingIsOpen, wrongInBooks } from "./run.mjs"

/** How long a process works beside the next one that works, before it is killed. */
const LONGEST_BESIDE_MS = 2_000
const TASKS_MS = 2_000
const NUDGE_MS = 5_000
const PAUSE_MS = 100

const ENVIRONMENT = {
  ...STORE_SECRETS,
  GATEWAY_ENVIRONMENT: "sandbox",
  GATEWAY_RATE_LIMIT: "0",
  GATEWAY_PAGE_LIMITS: "0",
  GATEWAY_AUTH_LIMITS: "0",
  MEDUSA_WORKER_MODE: "shared",
  REDIS_URL: "",
}

/** The shop of the attacks, with cash on delivery, and its delivery charge in advance. */
async function openedShop(url, token) {
  const shop = await openShop(url, token)
  const admin = (path, json) => must(url, "POST", path, { headers: bearer(token), json })
  await admin(`/admin/regions/${shop.region}`, { payment_providers: ["pp_gateway_default", "pp_gateway_cod"] })
  const tenant = `merchant_id=${shop.merchant_id}&environment=sandbox`
  await admin(`/admin/gateway/cash-settings?${tenant}`, { rules: [{ advance: "delivery" }] })
  return Object.assign(shop, { address: ADDRESS })
}

/** Some of the payments take the money, and some reserve it. */
const CAPTURE = "UPDATE gateway_merchant_environment SET capture = $1"

/** One connection answers one statement after the other. */
function inTurn(client) {
  let last = Promise.resolve()
  return (text, values) => {
    const asked = last.then(() => client.query(text, values))
    last = asked.catch(() => undefined)
    return asked.then(({ rows }) => rows)
  }
}

/** Everybody at work until `isOver`. */
function atWork(desk, isOver) {
  const forEver = async (work, pause = PAUSE_MS) => {
    while (!isOver()) {
      await work()
      await sleep(Math.random() * pause * 2)
    }
  }
  return Promise.all([
    ...[1, 2, 3, 4].map(() => forEver(() => desk.order())),
    ...[1, 2].map(() => forEver(() => desk.captureOrVoid())),
    ...[1, 2].map(() => forEver(() => desk.balance())),
    forEver(() => desk.raise()),
    forEver(() => desk.importCash(), 5 * PAUSE_MS),
    forEver(() => desk.query(CAPTURE, [Math.random() < 0.5 ? "manual" : "automatic"]), 10 * PAUSE_MS),
    forEver(() => desk.query(TASKS), TASKS_MS / 2),
  ])
}

async function rounds({ kills, minutes }, { client, databaseUrl }) {
  const boot = () => startProductionStore({ databaseUrl, env: ENVIRONMENT })
  const line = [await boot()]
  const token = adminToken(["role_super_admin"])
  const shop = await openedShop(line[0].url, token)
  const query = inTurn(client)
  const desk = new Desk({ shop, token, query, line: () => line.map(({ url }) => url) })
  let isOver = false
  const working = atWork(desk, () => isOver)
  const endsAt = Date.now() + minutes * 60_000
  let kill = 0
  const killed = async () => {
    while (kill < kills && Date.now() < endsAt) {
      kill++
      line.push(await boot())
      await sleep(Math.random() * LONGEST_BESIDE_MS)
      await desk.between(() => line.shift().kill("SIGKILL"))
      if (kill % 5 === 0) {
        say(`${kill} kills: ${JSON.stringify((await query(COUNTS))[0])}`)
      }
    }
    isOver = true
  }
  await Promise.race([killed(), working])
  await working
  await line[0].kill("SIGKILL")
  for (const [kind, count] of desk.failures) {
    say(`answered ${count} times: ${kind}`)
  }
  return kill
}

/** The last process gets no orders: it settles what is there. */
async function settle({ client, databaseUrl }) {
  for (const statement of LATER) {
    await client.query(statement)
  }
  const last = await startProductionStore({ databaseUrl, env: ENVIRONMENT })
  let nudgedAt = 0
  await untilNothingIsOpen({
    look: async () => {
      const { rows } = await client.query(
        `SELECT kind, count(*)::int FROM (${OPEN}) AS open GROUP BY kind ORDER BY kind`
      )
      const kinds = rows.map(({ kind, count }) => `${kind} ${count}`).join(", ")
      return { open: rows.reduce((sum, { count }) => sum + count, 0), kinds }
    },
    nudge: async () => {
      if (Date.now() - nudgedAt > NUDGE_MS) {
        nudgedAt = Date.now()
        for (const statement of [...MEANWHILE, TASKS]) {
          await client.query(statement)
        }
      }
    },
    show: async () => (await client.query(OPEN)).rows,
    worker: last,
  })
  await last.kill("SIGTERM")
}

async function verdict(client, kills) {
  const counts = (await client.query(COUNTS)).rows[0]
  const { orders, authorized, captured, voided, balances, in_cash, collected, refunds } = counts
  const wrong = await wrongInBooks(client, BOOKS)
  say(
    `${kills} kills: ${orders} orders, ${in_cash} of them in cash; ${authorized} payments authorised, ${captured} captures, ${voided} voided, ${balances} balances paid, ${collected} sums of cash, ${refunds} refunds; ${wrong} wrong`
  )
  if (wrong > 0) {
    await showEvidence(client)
  }
  const isEach = [captured, voided, balances, collected].every((count) => count > 0)
  return wrong === 0 && isEach ? 0 : 1
}

/** What is known of every order and payment that a book names: the database is gone after this. */
async function showEvidence(client) {
  const ids = new Set()
  for (const query of Object.values(BOOKS)) {
    const { rows } = await client.query(query)
    rows.forEach((row) => say(JSON.stringify(row)))
    rows.forEach(({ id }) => String(id).startsWith("order_") && ids.add(id))
  }
  for (const id of ids) {
    const { rows } = await client.query(EVIDENCE, [id])
    say(`${id}: ${JSON.stringify(rows[0].evidence)}`)
  }
}

await chaos({
  defaults: { kills: 40, minutes: 60 },
  scenario: async ({ options, ...place }) => {
    const kills = await rounds(options, place)
    await settle(place)
    return verdict(place.client, kills)
  },
})
