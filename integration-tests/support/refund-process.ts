import { setTimeout as sleep } from "node:timers/promises"
import type { Acquirer, RefundRequest } from "../../src/modules/gateway/acquirers/port"
import { SandboxAcquirer } from "../../src/modules/gateway/acquirers/sandbox"
import { GatewayError } from "../../src/modules/gateway/kernel/errors"
import { processServices } from "./services"

/*
 * Makes refunds as fast as it can, of all kinds at once, until it is killed: npm run chaos -- refunds. Database and
 * services are the store's. With SETTLE_ONLY it makes none, and only works off and reconciles what is there. It says
 * "ready" over IPC.
 */

const AT_ONCE = 24
const SLOWEST_CALL_MS = 30

/** The sandbox's acquirer over a slow line, so that kills hit calls in flight in both directions. */
class SlowAcquirer extends SandboxAcquirer implements Acquirer {
  override async refund(request: RefundRequest) {
    await sleep(Math.random() * SLOWEST_CALL_MS)
    const answer = await super.refund(request)
    await sleep(Math.random() * SLOWEST_CALL_MS)
    return answer
  }
}

type Services = ReturnType<typeof processServices>

const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(Math.random() * items.length)]

/** A refusal is an expected outcome here; anything else is not. */
async function refusable(work: Promise<unknown>): Promise<void> {
  await work.catch((error: unknown) => {
    if (!GatewayError.is(error)) {
      throw error
    }
  })
}

async function forEver(work: () => Promise<unknown>): Promise<never> {
  for (;;) {
    await work()
  }
}

/**
 * The youngest transactions, of which the first get most refunds; some requests are repeated with their key, as after a
 * lost answer.
 */
async function makeRefunds({ database, refunds }: Services): Promise<void> {
  const rows = await database.query<{ id: string }>(
    "SELECT id FROM gateway_transaction WHERE state = 'SUCCESS' ORDER BY created_at DESC, id LIMIT 12"
  )
  const ids = rows.map(({ id }) => id)
  const transaction_id = Math.random() < 0.6 ? pick(ids.slice(0, 3)) : pick(ids)
  const amount = BigInt(1 + Math.floor(Math.random() * 400))
  const request_key = Math.random() < 0.5 ? null : `chaos-${Math.floor(Math.random() * 200)}`
  await refusable(refunds.create({ transaction_id, amount, reason: "chaos", requested_by: "chaos", request_key }))
}

async function makeBatch({ database, refundBatches }: Services): Promise<void> {
  const rows = await database.query<{ id: string }>(
    "SELECT id FROM gateway_transaction WHERE state = 'SUCCESS' ORDER BY random() LIMIT 5"
  )
  const items = rows.map(({ id }) => ({
    transaction_id: id,
    amount: BigInt(1 + Math.floor(Math.random() * 400)),
    reason: "chaos",
  }))
  const scope = { merchant_id: "mer_chaos", environment: "sandbox" as const, now: new Date() }
  await refusable(refundBatches.create(scope, { items, requested_by: "chaos", idempotency_id: null }))
  await sleep(20)
}

async function main(): Promise<void> {
  const own = processServices(process.env.DATABASE_URL as string, (database) => new SlowAcquirer(database))
  const settling = [
    forEver(async () => {
      await own.refundBatches.workOff(16)
      await sleep(10)
    }),
    forEver(async () => {
      await own.refundReconciliation.run(50)
      await sleep(10)
    }),
  ]
  const making = process.env.SETTLE_ONLY
    ? []
    : [...Array.from({ length: AT_ONCE }, () => forEver(() => makeRefunds(own))), forEver(() => makeBatch(own))]
  process.once("SIGTERM", () => process.exit(0))
  process.send?.("ready")
  await Promise.all([...settling, ...making])
}

void main()
