/*
 * npm run chaos -- bad-day                 ten minutes in which an acquirer is down, slow, or refuses half its calls
 * npm run chaos -- bad-day --minutes 1     each of the three for a third of that
 *   --shoppers 6                           who buy at the same time
 *
 * A store in production mode has accounts at SSLCommerz and shurjoPay, stand-ins both, and asks SSLCommerz first for cards.
 * Shoppers with browsers buy all the time, over the hosted page: they pay, are declined, cancel, or leave. SSLCommerz is
 * down, slow, and refusing, one after the other, and good before and after each. It must hold that no shopper sees an
 * error page, that each payment has one outcome, the one that its shopper saw, that the books of both acquirers are ours,
 * that nobody pays twice, that every invariant holds, and that the overview shows each time that SSLCommerz went down and
 * came back.
 */
import { setTimeout as sleep } from "node:timers/promises"
import { say } from "../../scripts/lib/console.mjs"
import { startProductionStore } from "../../scripts/lib/production-store.mjs"
import { BOOKS, differences } from "./acquirers/books.mjs"
import { PROVIDERS } from "./acquirers/providers.mjs"
import { ASK_AGAIN, OPEN } from "./acquirers/statements.mjs"
import { startBadLine } from "./bad-day/line.mjs"
import { OverviewWatch } from "./bad-day/overview.mjs"
import { openShop, Shoppers } from "./bad-day/shoppers.mjs"
import { bearer, merchantKey, must } from "./hostile/client.mjs"
import { adminToken, STORE_SECRETS } from "./hostile/store.mjs"
import { chaos, untilNothingIsOpen, wrongInBooks } from "./run.mjs"

const FIRST = "sslcommerz"
const SECOND = "shurjopay"
const BAD_DAYS = ["down", "slow", "refusing"]
const GOOD_MS = 20_000
/** An acquirer that is down is tried once a minute. */
const LONGEST_RECOVERY_MS = 150_000
const PROGRESS_MS = 15_000
const CARD_SERVICE = 1
/** So long an acquirer that answers nobody in time is certain to be down, with few shoppers as well. */
const CERTAIN_MS = 60_000

const ENVIRONMENT = {
  ...STORE_SECRETS,
  GATEWAY_ENVIRONMENT: "sandbox",
  // The shop that browsers come back to is on this machine.
  GATEWAY_ALLOW_PRIVATE_URLS: "1",
  GATEWAY_RATE_LIMIT: "0",
  // All shoppers have one address; the limits of a checkout stay.
  GATEWAY_PAGE_LIMITS: "address=0,addressForms=0,cardsPerAddress=0,cardsPerMerchant=0",
  GATEWAY_AUTH_LIMITS: "0",
  MEDUSA_WORKER_MODE: "shared",
  REDIS_URL: "",
}

/** All sessions are over. */
const AN_HOUR_LATER =
  "UPDATE gateway_merchant_environment SET clock_offset_seconds = clock_offset_seconds + 3600 WHERE environment = 'sandbox'"

const TASKS = `
  SELECT graphile_worker.add_job(name) FROM unnest(ARRAY['expire-sessions', 'reconcile-payments', 'reconcile-refunds']) AS name`

const MORE_BOOKS = {
  ...BOOKS,
  "payments for which two attempts took money": `
    SELECT transaction_id FROM gateway_payment_attempt WHERE state = 'SUCCEEDED' GROUP BY 1 HAVING count(*) > 1`,
  "payments that never ended": "SELECT id, state FROM gateway_transaction WHERE state IN ('OPEN', 'PROCESSING')",
}

/** Both acquirers; the line to the first is the one that has bad days. */
async function openAcquirers() {
  const acquirers = { [FIRST]: await PROVIDERS[FIRST](), [SECOND]: await PROVIDERS[SECOND]() }
  const { standIn, isSafe } = acquirers[FIRST]
  const line = await startBadLine(standIn.url, isSafe)
  standIn.url = line.url
  return {
    acquirers,
    line,
    lines: { [FIRST]: line.url, [SECOND]: acquirers[SECOND].standIn.url },
    close: async () => {
      await line.close()
      await Promise.all(Object.values(acquirers).map((one) => one.standIn.close()))
    },
  }
}

/** The merchant's accounts and its order of them, entered as an admin would. */
async function setUp(store_url, token, acquirers) {
  const admin = (path, json) => must(store_url, "POST", `/admin/gateway/${path}`, { headers: bearer(token), json })
  const { default_merchant_id } = await must(store_url, "GET", "/admin/gateway", { headers: bearer(token) })
  const tenant = `merchant_id=${default_merchant_id}&environment=sandbox`
  for (const [name, { secrets }] of Object.entries(acquirers)) {
    await admin(`acquirers/${name}?${tenant}`, { credentials: secrets })
  }
  const routes = [{ acquirer: FIRST }, { acquirer: SECOND }]
  await admin(`payment-services/${CARD_SERVICE}?${tenant}`, { routes })
  const { key } = await admin(`api-keys?${tenant}`, { name: "bad-day" })
  return { tenant, api_key: key }
}

/** The first acquirer's days: good, and each bad one with a good one behind it. Returns what was not as it should be. */
async function days({ line, watch, minutes, paidAt }) {
  const wrong = []
  const badMs = (minutes * 60_000) / BAD_DAYS.length
  await sleep(GOOD_MS)
  for (const mode of BAD_DAYS) {
    const before = await watch.look()
    say(`${FIRST} is ${mode}`)
    await line.become(mode)
    await sleep(badMs)
    const after = await watch.look()
    if (after.passed_on <= before.passed_on) {
      wrong.push(`nothing was passed on while ${FIRST} was ${mode}`)
    }
    const wasShown = watch.changes.some((one) => one.mode === mode && one.state === "down" && one.since !== null)
    if (mode !== "refusing" && badMs >= CERTAIN_MS && !wasShown) {
      wrong.push(`the overview never showed ${FIRST} as down while it was ${mode}`)
    }
    say(`${FIRST} is good`)
    await line.become("good")
    wrong.push(...(await comesBack({ mode, watch, paidAt })))
  }
  return wrong
}

async function comesBack({ mode, watch, paidAt }) {
  const end = Date.now() + LONGEST_RECOVERY_MS
  const paid = (await watch.look()).paid
  while (Date.now() < end) {
    const { state, paid: now } = await watch.look()
    if (state === "up" && now > paid) {
      await sleep(GOOD_MS)
      const more = (await watch.look()).paid - paid
      say(`the overview shows ${more} payments at ${FIRST} since it is good; its own book has ${paidAt(FIRST)} in all`)
      return []
    }
    await sleep(1_000)
  }
  return [`${FIRST} took no payment within ${LONGEST_RECOVERY_MS / 1_000} seconds after it had been ${mode}`]
}

/** Hours later: what shoppers have left ends, and what is in doubt is asked about. */
async function settle({ client, store }) {
  await client.query(AN_HOUR_LATER)
  // A late payment of a page that was left is watched for a week; nobody pays here any more.
  const isOver = ({ kind, state }) => kind === "attempt" && ["ABANDONED", "SUCCEEDED", "DECLINED"].includes(state)
  const open = async () => (await client.query(OPEN)).rows.filter((one) => !isOver(one))
  await untilNothingIsOpen({
    look: async () => ({ open: (await open()).length }),
    nudge: async () => {
      for (const statement of [...ASK_AGAIN, TASKS]) {
        await client.query(statement)
      }
    },
    show: open,
    worker: store,
  })
}

/** What each shopper saw must be what the merchant is told. */
async function outcomesThatDiffer({ store_url, api_key, payments }) {
  const wrong = []
  const counts = {}
  const seen = {}
  const count = (of, name) => (of[name] = (of[name] ?? 0) + 1)
  for (const { transaction_id, order_id, saw } of payments) {
    const path = `/api/v2/payments/verify/${transaction_id}`
    const { data } = await must(store_url, "GET", path, { headers: merchantKey(api_key) })
    count(counts, data.status)
    count(seen, saw ?? "no outcome")
    const isEnd = ["SUCCESS", "FAILED", "CANCELLED", "EXPIRED"].includes(data.status)
    if (!isEnd || data.order_id !== order_id || (saw !== null && saw !== "PENDING" && saw !== data.status)) {
      wrong.push(`the shopper of ${order_id} saw ${saw}, and its payment is ${data.status}`)
    }
  }
  return { wrong, counts, seen }
}

/** Payments for which the acquirers' books together have more money than they cost, or a part of it. */
async function paidWrong(client, movements) {
  const { rows } = await client.query(`
    SELECT a.id, a.return_key, t.id AS transaction_id, t.amount_minor::int AS amount
    FROM gateway_payment_attempt a JOIN gateway_transaction t ON t.id = a.transaction_id`)
  const owner = new Map(rows.flatMap((row) => [row.id, row.return_key].map((key) => [key, row])))
  const sums = new Map()
  const strangers = movements.filter(({ key }) => !owner.has(key))
  for (const { kind, key, amount } of movements.filter((one) => owner.has(one.key))) {
    const { transaction_id } = owner.get(key)
    sums.set(transaction_id, (sums.get(transaction_id) ?? 0) + (kind === "payment" ? amount : -amount))
  }
  const amounts = new Map(rows.map(({ transaction_id, amount }) => [transaction_id, amount]))
  return [
    ...strangers.map(({ id, key }) => `the movement ${id} of ${key} is of no attempt`),
    ...[...sums]
      .filter(([id, sum]) => sum !== 0 && sum !== amounts.get(id))
      .map(([id, sum]) => `${id} cost ${amounts.get(id)}, and ${sum} was paid`),
  ]
}

/** After each outage, once more as an admin reads it in the audit log. */
async function outagesWrong({ store_url, token, tenant }) {
  const headers = bearer(token)
  const count = async (action) =>
    (await must(store_url, "GET", `/admin/gateway/audit?${tenant}&action=${action}`, { headers })).count
  const [down, back] = [await count("acquirer.went_down"), await count("acquirer.came_back")]
  say(`the audit log has ${down} times that an acquirer went down, and ${back} that it came back`)
  return down > 0 && down === back ? [] : [`${down} outages, of which ${back} ended`]
}

function showClicks(clicks) {
  for (const mode of ["good", ...BAD_DAYS]) {
    const own = clicks.filter((click) => click.mode === mode)
    const times = own.map(({ ms }) => ms).sort((one, other) => one - other)
    const at = (name) => own.filter((click) => click.at === name).length
    const within = (share) => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0
    say(
      `${mode}: ${own.length} clicks on Pay, ${at(FIRST)} led to ${FIRST}, ${at(SECOND)} to ${SECOND}, ${at(null)} nowhere; ` +
        `half within ${within(0.5)} ms, 95 of 100 within ${within(0.95)} ms, all within ${times.at(-1) ?? 0} ms`
    )
  }
}

function showOverview(shown) {
  for (const name of [FIRST, SECOND]) {
    const { state, paid, declined, passed_on, left, success_percent, median_ms, p95_ms } = shown[name]
    say(
      `overview: ${name} ${state}, ${paid} paid, ${declined} declined, ${left} left, ${passed_on} passed on, ${success_percent} % success, ` +
        `answers within ${median_ms} ms (half) and ${p95_ms} ms (95 of 100)`
    )
  }
}

async function badDay({ options: { minutes, shoppers: count }, client, databaseUrl }) {
  const { acquirers, line, lines, close } = await openAcquirers()
  const shop = await openShop()
  const urls = Object.entries(lines).map(([name, url]) => [`${name.toUpperCase()}_BASE_URL`, url])
  const store = await startProductionStore({ databaseUrl, env: { ...ENVIRONMENT, ...Object.fromEntries(urls) } })
  try {
    const token = adminToken(["role_super_admin"])
    const place = {
      store_url: store.url,
      shop_url: shop.url,
      token,
      lines,
      mode: () => line.mode,
      acquirer: FIRST,
      say,
    }
    Object.assign(place, await setUp(store.url, token, acquirers))
    const movements = () => Object.values(acquirers).flatMap((one) => one.movements())
    const paidAt = (name) => acquirers[name].movements().filter(({ kind }) => kind === "payment").length
    const watch = new OverviewWatch(place)
    const shoppers = new Shoppers(place)
    const timer = setInterval(() => {
      const [first, second] = [FIRST, SECOND].map((name) => `${paidAt(name)} paid at ${name}`)
      say(`${line.mode}: ${shoppers.payments.length} checkouts, ${first}, ${second}, ${shoppers.faults.length} faults`)
    }, PROGRESS_MS)
    const working = Promise.all([shoppers.work(count), watch.work()])
    const wrong = await Promise.race([days({ line, watch, minutes, paidAt }), working.then(() => [])])
    shoppers.stop()
    watch.stop()
    await working
    clearInterval(timer)
    await settle({ client, store })
    await watch.look()
    return await verdict({ ...place, client, store, shoppers, watch, wrong, movements: movements(), paidAt })
  } finally {
    await store.kill("SIGTERM")
    shop.close()
    await close()
  }
}

async function verdict({ client, store, shoppers, watch, wrong, movements, paidAt, ...place }) {
  const { payments, clicks, faults } = shoppers
  const { wrong: outcomes, counts, seen } = await outcomesThatDiffer({ ...place, payments })
  const broken = store.accessLog().filter(({ status }) => status >= 500)
  const all = [
    ...faults,
    ...broken.map(({ method, path, status }) => `${method} ${path} was answered ${status}`),
    ...wrong,
    ...outcomes,
    ...(await differences(client, movements)),
    ...(await paidWrong(client, movements)),
    ...(await outagesWrong(place)),
    ...[FIRST, SECOND]
      .filter((name) => watch.shown[name].paid !== paidAt(name))
      .map((name) => `the overview shows ${watch.shown[name].paid} payments of ${paidAt(name)} at ${name}`),
  ]
  const inBooks = await wrongInBooks(client, MORE_BOOKS)
  showClicks(clicks)
  showOverview(watch.shown)
  const listed = (of) => Object.entries(of).map(([status, number]) => `${number} ${status}`)
  say(`${payments.length} checkouts: ${listed(counts).join(", ")}; ${movements.length} movements in the books there`)
  say(`shoppers came back to the shop with ${listed(seen).join(", ")}`)
  all.slice(0, 20).forEach((text) => say(`WRONG ${text}`))
  say(`${all.length + inBooks} wrong`)
  return all.length + inBooks === 0 && seen.SUCCESS > 0 ? 0 : 1
}

await chaos({ defaults: { minutes: 10, shoppers: 6 }, scenario: badDay })
