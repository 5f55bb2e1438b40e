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
const METHODS = { CARD: "card", BKASH: "mobile_banking", NAGAD: "mobile_banking" }

const COUNTS = `
  SELECT (SELECT count(*)::int FROM gateway_payment_attempt) AS attempts,
         (SELECT count(*)::int FROM gateway_payment_attempt WHERE state = 'SUCCEEDED') AS paid,
         (SELECT count(*)::int FROM gateway_payment_attempt WHERE state = 'RETURNED') AS surplus,
         (SELECT count(*)::int FROM gateway_billing_record WHERE status = 'SUCCESS') AS periods,
         (SELECT count(*)::int FROM gateway_refund) AS refunds,
         (SELECT count(*)::int FROM gateway_refund WHERE state = 'completed') AS refunded`

/**
 * Kills a process again and again while it pays, refunds and charges at one provider's stand-in, lets a last one settle
 * what is open, and compares the books.
 * @param place `{ client, databaseUrl, file, kills, lifeMs, say }`: `file` is the bundled process, `lifeMs` its longest life
 * @returns `{ figures, wrong }`: `wrong` holds a line for each difference
 */
export async function runAcquirer(name, place) {
  const provider = await PROVIDERS[name]()
  const line = await startLine(provider.standIn.url, { ...LOST, isSafe: provider.isSafe })
  const run = { ...place, name, provider, line, secretBox: await readSecretBox() }
  const target = provider.standIn.account ?? provider.standIn
  target.url = line.url
  try {
    await prepare(run)
    await rounds(run)
    const late = await settle(run)
    return await verdict(run, late)
  } finally {
    await line.close()
    await provider.standIn.close()
  }
}

function start({ file, databaseUrl, name, line }, env = {}) {
  return startBundle(file, databaseUrl, { ACQUIRER: name, [`${name.toUpperCase()}_BASE_URL`]: line.url, ...env })
}

async function prepare(run) {
  const { client, name, provider, secretBox } = run
  const seal = (account) =>
    secretBox.seal(JSON.stringify(provider.secrets), secretBox.SEALED.acquirerCredentials, account)
  const { service } = provider
  await client.query(sql.MERCHANTS, [name, seal("gaa_chaos"), seal("gaa_renewals"), service, METHODS[service]])
  await addSubscriptions(run, 0, SUBSCRIPTIONS)
  const first = await start(run, { SETTLE_ONLY: "1" })
  await first.kill("SIGTERM")
}

async function addSubscriptions({ client, provider, secretBox: { seal, SEALED } }, before, count) {
  const cards = provider.keptCards?.(count) ?? []
  const sealed = cards.map((card, at) => seal(card, SEALED.instrumentToken, `gin_chaos${before + 1 + at}`))
  await client.query(sql.CUSTOMERS, [before + 1, sealed])
  await client.query(sql.SUBSCRIPTIONS, [before + 1, sealed])
}

async function rounds(run) {
  const { client, kills, lifeMs, say, provider, line } = run
  for (let kill = 1; kill <= kills; kill++) {
    await client.query(sql.CHECKOUTS, [(kill - 1) * CHECKOUTS_EACH_TIME + 1, kill * CHECKOUTS_EACH_TIME])
    await addSubscriptions(run, SUBSCRIPTIONS + kill - 1, 1)
    provider.mischief()
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
    await line.quiet()
    for (const statement of [...sql.AFTER_A_KILL, ...sql.ASK_AGAIN, sql.A_MONTH_LATER]) {
      await client.query(statement)
    }
    if (kill % 10 === 0 || kill === kills) {
      const { attempts, paid, refunds, periods } = await counted(client)
      say(
        `${run.name}: ${kill} kills, ${attempts} attempts, ${paid} paid, ${periods} of them periods, ${refunds} refunds so far`
      )
    }
  }
}

/**
 * Hours later: pages are over, some shoppers still pay, and the last process settles without beginning anything. Nothing
 * gets lost any more: that would only have to wait until its calls are over.
 */
async function settle(run) {
  const { client, provider, line } = run
  line.losesNothing()
  provider.standIn.faults.clear()
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
  const late = await provider.lateShoppers(new Set(rows.map(({ page }) => page)))
  await untilNothingIsOpen({
    look: () => look(run, () => true),
    nudge: () => nudge(run, [...sql.ASK_AGAIN, sql.MINUTES_LATER, sql.WATCHED, sql.A_DAY_LATER]),
    show: () => openOf(run),
    worker: last,
  })
  await last.kill("SIGTERM")
  return late
}

async function nudge({ client, provider }, statements) {
  const { rows } = await client.query("SELECT return_key FROM gateway_payment_attempt WHERE return_key IS NOT NULL")
  await provider.later?.(new Set(rows.map(({ return_key }) => return_key)))
  for (const statement of statements) {
    await client.query(statement)
  }
}

/** What is open and will end. */
async function openOf({ client, provider }) {
  return (await client.query(sql.OPEN)).rows.filter((open) => !provider.isUnknowable(open))
}

async function look(run, counts) {
  const open = (await openOf(run)).filter(counts).length
  return { open, ...(await counted(run.client)) }
}

async function verdict({ client, name, provider, line, say, kills }, late) {
  const figures = { kills, late, lost: line.lost.before + line.lost.after, ...(await counted(client)) }
  const movements = provider.movements()
  const open = (await client.query(sql.OPEN)).rows
  const unknowable = open.filter((one) => provider.isUnknowable(one))
  const wrong = [
    ...(await differences(client, movements, {
      named: provider.named,
      unknown: unknowable.filter(({ kind }) => kind === "refund").map(({ key }) => key),
    })),
    ...open.filter((one) => !unknowable.includes(one)).map((one) => `open: ${JSON.stringify(one)}`),
  ]
  const { attempts, paid, surplus, periods, refunds, refunded, lost } = figures
  say(`${name}: ${kills} kills, ${lost} requests or answers lost, ${late} late shoppers`)
  say(`${name}: ${attempts} attempts, ${paid} paid, ${periods} of them periods; ${surplus} payments given back`)
  say(`${name}: ${refunds} refunds, ${refunded} completed; ${movements.length} movements in the provider's book`)
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
