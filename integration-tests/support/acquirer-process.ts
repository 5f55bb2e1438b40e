import { setTimeout as sleep } from "node:timers/promises"
import { GatewayError } from "../../src/modules/gateway/kernel/errors"
import type { Acquirer, Hint, Incoming, Instrument } from "../../src/modules/gateway/acquirers/port"
import { SHOPPERS, type Act } from "./acquirer-shoppers"
import { accountServices } from "./services"

/*
 * Pays checkouts at the stand-ins of ACQUIRERS, refunds them and charges kept cards, as fast as it can, until it is
 * killed: npm run chaos -- acquirers. Database, services and adapters are the store's. With SETTLE_ONLY it begins
 * nothing, and only works off and reconciles what is there. It says "ready" over IPC, after it has used each account
 * once: two access tokens an hour is all that bKash issues, and none may be lost with a killed process.
 */

const SHOPPERS_AT_ONCE = 10
const REFUNDERS = 3
const TENANT = { merchant_id: "mer_chaos", environment: "sandbox" as const }
const INSTRUMENTS: Readonly<Record<string, Instrument>> = {
  sslcommerz: { method: "card" },
  bkash: { method: "mobile_banking", payment_service: "BKASH" },
  nagad: { method: "mobile_banking", payment_service: "NAGAD" },
  shurjopay: { method: "card" },
  stripe: { method: "card" },
}

type Services = ReturnType<typeof accountServices>
/** `used`: in the order in which a payment asks them. */
type Place = Services & { used: Acquirer[] }

const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(Math.random() * items.length)]
const chance = (share: number) => Math.random() < share

/** A refusal is an expected outcome here; anything else is not. */
async function refusable<Result>(work: Promise<Result>): Promise<Result | null> {
  return work.catch((error: unknown) => {
    if (!GatewayError.is(error)) {
      throw error
    }
    return null
  })
}

/** Ignores that a request got no answer; throws any other error. */
function unlessLost(error: unknown): null {
  if (!(error instanceof TypeError && error.cause !== undefined)) {
    throw error
  }
  return null
}

async function forEver(work: () => Promise<unknown>, pauseMs = 0): Promise<never> {
  for (;;) {
    await work()
    await sleep(pauseMs)
  }
}

/** One shopper: chooses, is sent to the acquirer's page, acts there, and comes back once, twice, elsewhere or never. */
async function shop(own: Place): Promise<void> {
  const rows = await own.database.query<{ session_id: string }>(
    "SELECT session_id FROM gateway_transaction WHERE state = 'OPEN' AND merchant_id = $1 ORDER BY random() LIMIT 1",
    [TENANT.merchant_id]
  )
  if (rows.length === 0) {
    await sleep(20)
    return
  }
  const [{ session_id }] = rows
  const page_url = `https://shop.example/pay/${session_id}`
  const final = chance(0.1)
  const paying = own.payments.pay({ session_id, page_url, instrument: INSTRUMENTS[own.used[0].id], final })
  const page = (await refusable(paying))?.redirect_url
  if (!page || page.startsWith("https://shop.example/") || chance(0.08)) {
    return
  }
  if (chance(0.08)) {
    await refusable(own.inquiries.leave({ session_id, page_url }))
  }
  const dice = Math.random()
  const act: Act = dice < 0.8 ? "pay" : dice < 0.9 ? "decline" : "cancel"
  const acquirer = own.used.find(({ id }) => page.startsWith(process.env[`${id.toUpperCase()}_BASE_URL`] ?? page))
  // A kept connection may close just when it is used again: the shopper gives up, whether or not the page acted.
  const incoming = acquirer && (await SHOPPERS[acquirer.id](page, act).catch(unlessLost))
  if (acquirer && incoming && chance(0.85)) {
    await comeBack(own, acquirer, incoming, { session_id, page_url })
  }
}

async function comeBack(
  { inquiries }: Place,
  acquirer: Acquirer,
  incoming: Incoming,
  checkout: { session_id: string; page_url: string }
): Promise<void> {
  const attempt_id = /\/return\/([a-z0-9]+)/.exec(incoming.target)?.[1] ?? ""
  const read = acquirer.readReturn?.(incoming) ?? null
  const forged: Hint = { about: "payment", claims: pick(["paid", "cancelled", "not_paid"] as const) }
  const back = (hint: Hint | null) => refusable(inquiries.hinted(attempt_id, hint, { back: true }))
  const dice = Math.random()
  const others =
    dice < 0.2 ? [back(read)] : dice < 0.3 ? [back(forged)] : dice < 0.4 ? [refusable(inquiries.leave(checkout))] : []
  await Promise.all([back(read), ...others])
}

/** Of the youngest payments a few get most refunds; some requests are repeated with their key, as after a lost answer. */
async function refund({ database, refunds, used }: Place): Promise<void> {
  const rows = await database.query<{ id: string }>(
    `SELECT id FROM gateway_transaction WHERE state = 'SUCCESS' AND acquirer = ANY($1) ORDER BY created_at DESC, id LIMIT 40`,
    [used.map(({ id }) => id)]
  )
  if (rows.length > 0) {
    const { id: transaction_id } = chance(0.5) ? pick(rows.slice(0, 8)) : pick(rows)
    const amount = chance(0.15) ? undefined : BigInt(100 + Math.floor(Math.random() * 30_000))
    const request_key = chance(0.5) ? null : `chaos-${Math.floor(Math.random() * 40)}`
    await refusable(refunds.create({ transaction_id, amount, reason: "chaos", requested_by: "chaos", request_key }))
  }
  await sleep(Math.random() * 40)
}

async function main(): Promise<void> {
  const ids = (process.env.ACQUIRERS ?? "").split(",")
  const services = accountServices(process.env.DATABASE_URL as string)
  const used = await Promise.all(ids.map((id) => services.acquirers.byId(TENANT, id)))
  const own: Place = { ...services, used }
  for (const acquirer of used) {
    const test = await acquirer.test?.()
    if (test?.works === false) {
      process.stderr.write(`The account at ${acquirer.id} does not work: ${test.message}\n`)
    }
  }
  const settling = [
    forEver(() => own.reconciliation.run(50), 20),
    forEver(() => own.refundReconciliation.run(50), 20),
    forEver(() => own.surplus.due.run(), 50),
    forEver(() => own.sessionExpiry.run(50), 50),
    forEver(() => own.billing.run(20), 10),
    forEver(() => own.billing.run(20), 10),
    forEver(() => own.abandonedCharges.leaveToReconciler(50), 50),
  ]
  const making = process.env.SETTLE_ONLY
    ? []
    : [
        ...Array.from({ length: SHOPPERS_AT_ONCE }, () => forEver(() => shop(own))),
        ...Array.from({ length: REFUNDERS }, () => forEver(() => refund(own))),
      ]
  process.once("SIGTERM", () => process.exit(0))
  process.send?.("ready")
  await Promise.all([...settling, ...making])
}

void main()
