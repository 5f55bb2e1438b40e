import { setTimeout as sleep } from "node:timers/promises"
import type { Acquirer, ChargeRequest } from "../../src/modules/gateway/acquirers/port"
import { SandboxAcquirer } from "../../src/modules/gateway/acquirers/sandbox"
import type { WantedChange } from "../../src/modules/gateway/subscriptions/asked-terms"
import { GatewayError } from "../../src/modules/gateway/kernel/errors"
import { processServices } from "./services"

/*
 * Bills what is due as fast as it can, and changes subscriptions meanwhile, until it is killed: npm run chaos -- billing.
 * Database and services are the store's. With SETTLE_ONLY it changes nothing, and only bills and reconciles what is
 * there. It says "ready" over IPC.
 */

const SLOWEST_CALL_MS = 25
/** How many of a hundred answers get lost on their way back. */
const LOST_ANSWERS = 2

/** The sandbox's acquirer over a slow line that loses answers, so that kills hit calls in flight. */
class FarAcquirer extends SandboxAcquirer implements Acquirer {
  override async charge(request: ChargeRequest) {
    await sleep(Math.random() * SLOWEST_CALL_MS)
    const answer = await super.charge(request)
    await sleep(Math.random() * SLOWEST_CALL_MS)
    if (Math.random() * 100 < LOST_ANSWERS) {
      throw new Error("the line went dead")
    }
    return answer
  }
}

type Services = ReturnType<typeof processServices>

async function forEver(work: () => Promise<unknown>): Promise<never> {
  for (;;) {
    await work()
  }
}

/** Another plan or quantity, or a price and perhaps an interval of its own; now or with the next period, with proration or without. */
function anySwitch(): WantedChange {
  const any = <One>(...of: One[]): One => of[Math.floor(Math.random() * of.length)]
  return {
    plan_id: any("1", "2", null),
    amount: null,
    unit_amount: any(null, BigInt(1_000 + Math.floor(Math.random() * 90_000))),
    quantity: any(null, 1, 2, 5),
    interval_count: null,
    interval_unit: any(null, null, null, "WEEK", "MONTH"),
    when: any("now", "now", "period_end"),
    proration: any("credit", "credit", "none"),
  }
}

/** Changes a subscription in whatever state; a refusal is an expected outcome here, anything else is not. */
async function change({ database, subscriptions, subscriptionChanges }: Services): Promise<void> {
  const [row] = await database.query<{ uuid: string; status: string; paid: number; now: Date }>(
    `SELECT s.uuid, s.status, s.billing_cycle_count - s.cycles_before AS paid, now() + e.clock_offset_seconds * interval '1 second' AS now
     FROM gateway_subscription s JOIN gateway_merchant_environment e USING (merchant_id, environment)
     WHERE s.status IN ('ACTIVE', 'PAUSED', 'PAST_DUE') ORDER BY random() LIMIT 1`
  )
  if (row === undefined) {
    return
  }
  const scope = { merchant_id: "mer_chaos", environment: "sandbox" as const, now: row.now }
  const dice = Math.random()
  const work =
    dice > 0.6
      ? subscriptionChanges.change(scope, row.uuid, anySwitch())
      : row.status === "PAUSED"
        ? subscriptions.resume(scope, row.uuid)
        : dice < 0.3
          ? subscriptions.pause(scope, row.uuid)
          : dice < 0.37
            ? subscriptions.cancel(scope, row.uuid, { atPeriodEnd: dice < 0.34, reason: "chaos" })
            : dice < 0.42
              ? subscriptions.update(scope, row.uuid, { billing_cycles: row.paid + 2 })
              : subscriptions.update(scope, row.uuid, { amount: BigInt(1_000 + Math.floor(dice * 90_000)) })
  await work.catch((error: unknown) => {
    if (!GatewayError.is(error)) {
      throw error
    }
  })
  await sleep(Math.random() * 20)
}

async function main(): Promise<void> {
  const own = processServices(process.env.DATABASE_URL as string, (database) => new FarAcquirer(database))
  const billing = () =>
    forEver(async () => {
      if ((await own.billing.run(20)) === 0) {
        await sleep(10)
      }
    })
  const settling = [billing(), billing(), billing()]
  settling.push(
    forEver(async () => {
      await own.abandonedCharges.leaveToReconciler(50)
      await own.reconciliation.run(50)
      await sleep(20)
    })
  )
  const changing = process.env.SETTLE_ONLY ? [] : [forEver(() => change(own)), forEver(() => change(own))]
  process.once("SIGTERM", () => process.exit(0))
  process.send?.("ready")
  await Promise.all([...settling, ...changing])
}

void main()
