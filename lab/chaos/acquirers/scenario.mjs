import { setTimeout as sleep } from "node:timers/promises"
import { Complaint } from "../../../scripts/lib/console.mjs"
import { startBundle } from "../../../scripts/lib/dispatchers.mjs"
import { readSecretBox } from "../../../scripts/lib/secret-box.mjs"
import { untilNothingIsOpen, wrongInBooks } from "../run.mjs"
import { BOOKS, differences } from "./books.mjs"
import { startLine } from "./line.mjs"
import { PROVIDERS } from "./providers.mjs"
import * as sql from "./statements.mjs"

const CHECKOUTS_EACH_TIME = 30
const SUBSCRIPTIONS = 40
const LOST = { lostBefore: 0.02, lostAfter: 0.03 }
/** On the line to a provider whose payments go on at the next one. */
const OFTEN_LOST = { lostBefore: 0.2, lostAfter: 0.2 }
/** In so many of the rounds nobody reaches it at all. */
const DOWN = 0.25
const METHODS = { CARD: "card", BKASH: "mobile_banking", NAGAD: "mobile_banking" }

const COUNTS = `
  SELECT (SELECT count(*)::int FROM gateway_payment_attempt) AS attempts,
         (SELECT count(*)::int FROM gateway_payment_attempt WHERE state = 'SUCCEEDED') AS paid,
         (SELECT count(*)::int FROM gateway_payment_attempt WHERE passed_on) AS passed_on,
         (SELECT count(*)::int FROM gateway_payment_attempt WHERE state = 'RETURNED') AS surplus,
         (SELECT count(*)::int FROM gateway_billing_record WHERE status = 'SUCCESS') AS periods,
         (SELECT count(*)::int FROM gateway_refund) AS refunds,
         (SELECT count(*)::int FROM gateway_refund WHERE state = 'completed') AS refunded`

/** The acquirers of a name: `sslcommerz+shurjopay` are two, asked in this order. */
export const together = (name) => name.split("+")

/**
 * Kills a process again and again while it pays, refunds and charges at stand-ins, lets a last one settle what is open,
 * and compares the books. Of several providers, all but the last fail often: payments are passed on.
 * @param name of one provider, or of several (see `together`)
 * @param place `{ client, databaseUrl, file, kills, lifeMs, say }`: `file` is the bundled process, `lifeMs` its longest life
 * @returns `{ figures, wrong }`: `wrong` holds a line for each difference
 */
export async function runAcquirers(name, place) {
  const acquirers = together(name)
  const places = []
  try {
    for (const acquirer of acquirers) {
      const fails = places.length < acquirers.length - 1
      places.push({ acquirer, fails, ...(await open(acquirer, fails ? OFTEN_LOST : LOST)) })
    }
    const run = { ...place, name, places, secretBox: await readSecretBox() }
    await prepare(run)
    await rounds(run)
    const late = await settle(run)
    return await verdict(run, late)
  } finally {
    for (const { line, provider } of places) {
      await line.close()
      await provider.standIn.close()
    }
  }
}

/** A provider's stand-in behind a line that loses so much. */
async function open(acquirer, lost) {
  const provider = await PROVIDERS[acquirer]()
  const line = await startLine(provider.standIn.url, { ...lost, isSafe: provider.isSafe })
  const target = provider.standIn.account ?? provider.standIn
  target.url = line.url
  return { provider, line }
}

function start({ file, databaseUrl, places }, env = {}) {
  const urls = places.map(({ acquirer, line }) => [`${acquirer.toUpperCase()}_BASE_URL`, line.url])
  const ACQUIRERS = places.map(({ acquirer }) => acquirer).join()
  return startBundle(file, databaseUrl, { ACQUIRERS, ...Object.fromEntries(urls), ...env })
}

async function prepare(run) {
  const { client, places, secretBox } = run
  const [service, other] = new Set(places.map(({ provider }) => provider.service))
  if (other !== undefined) {
    throw new Complaint(`${run.name} cannot share payments: one takes ${service}, and another one ${other}`)
  }
  await client.query(sql.MERCHANTS, [service, METHODS[service]])
  for (const [position, { acquirer, provider }] of places.entries()) {
    for (const merchant of ["chaos", "renewals"]) {
      const account = `gaa_${merchant}_${acquirer}`
      const sealed = secretBox.seal(JSON.stringify(provider.secrets), secretBox.SEALED.acquirerCredentials, account)
      await client.query(sql.ACCOUNT, [account, `mer_${merchant}`, acquirer, sealed, position])
    }
  }
  await addSubscriptions(run, 0, SUBSCRIPTIONS)
  const first = await start(run, { SETTLE_ONLY: "1" })
  await first.kill("SIGTERM")
}

async function addSubscriptions({ client, places, secretBox: { seal, SEALED } }, before, count) {
  const cards = places.flatMap(({ provider }) => provider.keptCards?.(count) ?? [])
  const sealed = cards.map((card, at) => seal(card, SEALED.instrumentToken, `gin_chaos${before + 1 + at}`))
  await client.query(sql.CUSTOMERS, [before + 1, sealed])
  await client.query(sql.SUBSCRIPTIONS, [before + 1, sealed])
}

async function rounds(run) {
  const { client, kills, lifeMs, say, places } = run
  for (let kill = 1; kill <= kills; kill++) {
    await client.query(sql.CHECKOUTS, [(kill - 1) * CHECKOUTS_EACH_TIME + 1, kill * CHECKOUTS_EACH_TIME])
    await addSubscriptions(run, SUBSCRIPTIONS + kill - 1, 1)
    for (const { provider, line, fails } of places) {
      provider.mischief()
      line.breaks(fails && Math.random() < DOWN)
    }
    const worker = await start(run)
    await sleep(Math.random() ** 2 * lifeMs)
    while (kill === kills && worker.isRunning() && (await counted(client)).paid === 0) {
      // A machine that is too busy has let no process live long enough to prove anything.
      await sleep(50)
    }
    if (!worker.isRunning()) {
      throw new Complaint(`The process ended unexpectedly:\n${worker.output()}`)
    }
    await worker.kill("SIGKILL")
    await Promise.all(places.map(({ line }) => line.quiet()))
    for (const statement of [...sql.AFTER_A_KILL, ...sql.ASK_AGAIN, sql.A_MONTH_LATER]) {
      await client.query(statement)
    }
    if (kill % 10 === 0 || kill === kills) {
      const { attempts, passed_on, paid, refunds, periods } = await counted(client)
      say(
        `${run.name}: ${kill} kills, ${attempts} attempts, ${passed_on} passed on, ${paid} paid, ${periods} of them periods, ${refunds} refunds so far`
      )
    }
  }
}

/**
 * Hours later: pages are over, some shoppers still pay, and the last process settles without beginning anything. Nothing
 * gets lost any more: that would only have to wait until its calls are over.
 */
async function settle(run) {
  const { client, places } = run
  for (const { line, provider } of places) {
    line.losesNothing()
    provider.standIn.faults.clear()
  }
  await client.query(sql.AN_HOUR_LATER)
  const last = await start(run, { SETTLE_ONLY: "1" })
  await untilNothingIsOpen({
    look: () =>
      look(run, ({ kind, state }) => kind !== "attempt" || !["ABANDONED", "SUCCEEDED", "DECLINED"].includes(state)),
    nudge: () => nudge(run, [...sql.ASK_AGAIN, sql.MINUTES_LATER]),
    show: () => openOf(run),
    worker: last,
  })
  const { rows } = await client.query(sql.PAGES)
  const pages = rows.map(({ page }) => page)
  let late = 0
  for (const { provider, line } of places) {
    late += await provider.lateShoppers(new Set(pages.filter((page) => page.startsWith(line.url))))
  }
  await untilNothingIsOpen({
    look: () => look(run, () => true),
    nudge: () => nudge(run, [...sql.ASK_AGAIN, sql.MINUTES_LATER, sql.WATCHED, sql.A_DAY_LATER]),
    show: () => openOf(run),
    worker: last,
  })
  await last.kill("SIGTERM")
  return late
}

async function nudge({ client, places }, statements) {
  const { rows } = await client.query("SELECT return_key FROM gateway_payment_attempt WHERE return_key IS NOT NULL")
  for (const { provider } of places) {
    await provider.later?.(new Set(rows.map(({ return_key }) => return_key)))
  }
  for (const statement of statements) {
    await client.query(statement)
  }
}

/** What is open and will end. */
async function openOf(run) {
  return (await run.client.query(sql.OPEN)).rows.filter((one) => !isUnknowable(run, one))
}

/** What is of no acquirer, such as a period, always ends. */
function isUnknowable({ places }, one) {
  const place = places.find(({ acquirer }) => acquirer === one.acquirer)
  return place !== undefined && place.provider.isUnknowable(one)
}

async function look(run, counts) {
  const open = (await openOf(run)).filter(counts).length
  return { open, ...(await counted(run.client)) }
}

async function verdict(run, late) {
  const { client, name, places, say, kills } = run
  const lostOnLines = places.reduce((sum, { line }) => sum + line.lost.before + line.lost.after, 0)
  const figures = { kills, late, lost: lostOnLines, ...(await counted(client)) }
  const movements = places.flatMap(({ provider }) => provider.movements())
  const open = (await client.query(sql.OPEN)).rows
  const unknowable = open.filter((one) => isUnknowable(run, one))
  const wrong = [
    ...(await differences(client, movements, {
      named: (id, acquirer) => places.find((one) => one.acquirer === acquirer)?.provider.named?.(id) ?? id,
      unknown: unknowable.filter(({ kind }) => kind === "refund"),
    })),
    ...open.filter((one) => !unknowable.includes(one)).map((one) => `open: ${JSON.stringify(one)}`),
  ]
  const { attempts, passed_on, paid, surplus, periods, refunds, refunded, lost } = figures
  say(`${name}: ${kills} kills, ${lost} requests or answers lost, ${late} late shoppers`)
  say(
    `${name}: ${attempts} attempts, ${passed_on} passed on, ${paid} paid, ${periods} of them periods; ${surplus} payments given back`
  )
  say(`${name}: ${refunds} refunds, ${refunded} completed; ${movements.length} movements in the books there`)
  for (const kind of ["attempt", "refund"]) {
    say(`${name}: ${unknowable.filter((one) => one.kind === kind).length} ${kind}s need an operator, by design`)
  }
  wrong.slice(0, 10).forEach((line) => say(`WRONG ${line}`))
  const count = await wrongInBooks(client, BOOKS, say)
  if (count > 0) {
    wrong.push(`${count} rows break what must hold`)
  }
  return { figures: { ...figures, unknowable: unknowable.length, movements: movements.length }, wrong }
}

async function counted(client) {
  return (await client.query(COUNTS)).rows[0]
}
