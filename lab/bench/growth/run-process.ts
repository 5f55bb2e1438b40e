import { randomUUID } from "node:crypto"
import { knex } from "@medusajs/framework/mikro-orm/knex"
import type { Logger } from "@medusajs/framework/types"
import { Database } from "../../../src/modules/gateway/kernel/database/database"
import { emit } from "../../../src/modules/gateway/kernel/database/outbox"
import { parseOptions, secretBoxOf } from "../../../src/modules/gateway/kernel/options"
import type { PartitionService } from "../../../src/modules/gateway/kernel/database/partitions"
import { CheckpointService } from "../../../src/modules/gateway/ledger/checkpoints"
import { InvariantService } from "../../../src/modules/gateway/ledger/invariant-check"
import { post } from "../../../src/modules/gateway/ledger/records"
import { LedgerService } from "../../../src/modules/gateway/ledger/service"
import { CounterService } from "../../../src/modules/gateway/reporting/counters"
import { WebhookDeliveryService } from "../../../src/modules/gateway/webhooks/deliveries"
import { acknowledgedValues, RECORD_ACKNOWLEDGED } from "../../../src/modules/gateway/webhooks/delivery/statements"
import { WebhookDispatchService } from "../../../src/modules/gateway/webhooks/dispatch"
import { EventOrderService } from "../../../src/modules/gateway/webhooks/event-order"
import { EventService } from "../../../src/modules/gateway/webhooks/events"

/*
 * What the store does with the tables that grow without end, in a process of its own: it writes events with their
 * deliveries, claims and records those, posts to the ledger, and reads pages of lists. On `{ id, with }` it measures all
 * of that and answers the figures.
 */

type Asked = { id: number; with: { merchants: string[]; seconds: number; reads: number } }

const AT_ONCE = 4
const CLAIMED = 100
const RECENT_MS = 5 * 60_000
const DAY_MS = 86_400_000

const gatewayOptions = parseOptions({ environment: "sandbox", allowPrivateUrls: true })
const store = knex({ client: "pg", connection: process.env.DATABASE_URL, pool: { min: AT_ONCE, max: AT_ONCE } })
const database = new Database(store)
const logger = { warn: console.warn, error: console.error } as unknown as Logger
const cradle = {
  database,
  logger,
  gatewayOptions,
  secretBox: secretBoxOf(gatewayOptions),
  // Nothing is dropped while it is measured.
  partitionService: undefined as unknown as PartitionService,
}
const eventOrder = new EventOrderService(cradle)
const events = new EventService({ ...cradle, eventOrderService: eventOrder })
const deliveries = new WebhookDeliveryService({ ...cradle, eventOrderService: eventOrder })
const dispatch = new WebhookDispatchService(cradle)
const ledger = new LedgerService(cradle)
const invariants = new InvariantService(cradle)
const counters = new CounterService(cradle)
const checkpoints = new CheckpointService(cradle)

/** What a worker has done to rows of the past: they have been filled in at once. */
async function keepUp(): Promise<void> {
  while ((await counters.fold()) > 0);
  while ((await eventOrder.numberBatch()) > 0);
  await checkpoints.move()
  await database.query("VACUUM (ANALYZE) gateway_counter, gateway_ledger_checkpoint")
}

/** How many a second, by a few at once. */
async function rate(seconds: number, work: () => Promise<unknown>): Promise<number> {
  await work()
  const started = performance.now()
  let done = 0
  const worker = async () => {
    while (performance.now() - started < seconds * 1_000) {
      await work()
      done += 1
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
  return (done * 1_000) / (performance.now() - started)
}

/** The median, in milliseconds. */
async function timeOf(times: number, work: () => Promise<unknown>): Promise<number> {
  const taken: number[] = []
  for (let turn = -1; turn < times; turn++) {
    const started = performance.now()
    await work()
    if (turn >= 0) {
      taken.push(performance.now() - started)
    }
  }
  return taken.sort((one, other) => one - other)[Math.floor(taken.length / 2)]
}

const eventOf = (merchant_id: string) => ({
  merchant_id,
  environment: "sandbox" as const,
  event_type: "payment.succeeded",
  resource_id: `txn${randomUUID()}`,
  data: { order_id: "ORD-1", amount: "1000.00", currency: "BDT" },
  occurred_at: new Date(),
})

const postingOf = (merchant_id: string) => ({
  id: `bench_${randomUUID()}:paid`,
  kind: "payment" as const,
  merchant_id,
  environment: "sandbox" as const,
  currency: "BDT",
  transaction_id: null,
  refund_id: null,
  payout_id: null,
  dispute_id: null,
  occurred_at: new Date(),
  lines: [
    { account: "acquirer_clearing" as const, amount: -1000n },
    { account: "merchant_balance" as const, amount: 975n },
    { account: "fees" as const, amount: 25n },
  ],
})

async function claimAndRecord(): Promise<void> {
  const claimed = await dispatch.claim(CLAIMED, { receivers: {}, others: CLAIMED })
  const attempted_at = new Date()
  const items = claimed.map(({ id, created_at, lock_token, url }) => {
    const attempt_id = `gwa_${randomUUID()}`
    return {
      id,
      created_at,
      lock_token,
      attempt_id,
      attempted_at,
      url,
      duration_ms: 1,
      status_code: 200,
      response: null,
    }
  })
  await database.query(RECORD_ACKNOWLEDGED, acknowledgedValues(items), "gateway_webhook_acknowledged")
}

/** The first and the middle page of each list. */
async function pages(merchant_id: string, reads: number): Promise<Record<string, number>> {
  const tenant = { merchant_id, environment: "sandbox" } as const
  const balance = { account: "merchant_balance", currency: "BDT" } as const
  const lists = {
    "list of events": (page: { per_page: number; offset: number }) => events.list(tenant, {}, page),
    "list of deliveries": (page: { per_page: number; offset: number }) => deliveries.list(tenant, {}, page),
    "list of entries": (page: { per_page: number; offset: number }) => ledger.entries(tenant, balance, page),
  }
  const figures: Record<string, number> = {}
  for (const [name, list] of Object.entries(lists)) {
    const { total } = await list({ per_page: 20, offset: 0 })
    figures[`${name}, first page, ms`] = await timeOf(reads, () => list({ per_page: 20, offset: 0 }))
    const offset = Math.floor(total / 2)
    figures[`${name}, middle page, ms`] = await timeOf(reads, () => list({ per_page: 20, offset }))
  }
  const day = { from: new Date(Date.now() - DAY_MS), before: new Date() }
  figures["statement of a day, ms"] = await timeOf(reads, () => ledger.statement(tenant, balance.currency, day))
  return figures
}

async function measure({ merchants, seconds, reads }: Asked["with"]): Promise<Record<string, number>> {
  await keepUp()
  let turn = 0
  const next = () => merchants[turn++ % merchants.length]
  const emitted = await rate(seconds, () => database.transaction((sql) => emit(sql, [eventOf(next())])))
  const posted = await rate(seconds, () => database.transaction((sql) => post(sql, [postingOf(next())])))
  return {
    "events with a delivery, a second": emitted,
    "postings of three entries, a second": posted,
    [`claim and record of ${CLAIMED} deliveries, ms`]: await timeOf(10, claimAndRecord),
    ...(await pages(merchants[0], reads)),
    "check of the last five minutes, ms": await timeOf(3, () => invariants.check(new Date(Date.now() - RECENT_MS))),
  }
}

process.on("message", ({ id, with: input }: Asked) => {
  measure(input).then(
    (answer) => process.send?.({ id, answer }),
    (error: Error) => process.send?.({ id, failed: error.stack })
  )
})
// Keeps the process running while it waits for a message.
process.channel?.ref()
process.send?.("ready")
