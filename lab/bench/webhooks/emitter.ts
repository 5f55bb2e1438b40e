import { randomBytes, randomUUID } from "node:crypto"
import { knex, type Knex } from "@medusajs/framework/mikro-orm/knex"
import { Queue } from "bullmq"
import { Database } from "../../../src/modules/gateway/kernel/database/database"
import { eventBody } from "../../../src/modules/gateway/kernel/database/events"
import { secretBoxOf } from "../../../src/modules/gateway/kernel/options"
import { emit } from "../../../src/modules/gateway/kernel/database/outbox"
import { MerchantService } from "../../../src/modules/gateway/merchants/service"
import { SettlementMonthService } from "../../../src/modules/gateway/settlements/months"
import { WebhookEndpointService } from "../../../src/modules/gateway/webhooks/endpoints"
import type { Cradle } from "../../../src/modules/gateway/kernel/types"
import { QUEUE, type DeliveryJob } from "./job"

/** The receiver of events: a merchant with one endpoint. */
export type Target = { merchant_id: string; merchant_number: number; url: string; secret: string }

const EVENT_TYPE = "payment.succeeded"

const EVENT = `
  INSERT INTO gateway_event (id, event_id, merchant_id, environment, event_type, resource_id, data, occurred_at)
  SELECT id, event_id, merchant_id, environment, event_type, resource_id, data, occurred_at
  FROM jsonb_to_recordset($1::jsonb) AS event (id text, event_id text, merchant_id text, environment text,
    event_type text, resource_id text, data jsonb, occurred_at timestamptz)`

const now = () => Number(process.hrtime.bigint()) / 1e6

/** The data of a payment's event, with the number by which the receiver identifies it. */
const dataOf = (number: number) => ({
  number,
  transaction_id: `txn${"0".repeat(32)}`,
  order_id: `order-${number}`,
  session_id: `ses_${"0".repeat(32)}`,
  status: "SUCCESS",
  amount: "1250.50",
  currency: "BDT",
  charge_amount: "31.26",
  payment_method: "CARD",
  error_code: null,
})

/**
 * Writes events in transactions of their own, for the gateway's dispatch and for the peer. Both return, in
 * milliseconds, when the COMMIT was acknowledged.
 */
export class BenchEmitter {
  private readonly store: Knex
  private readonly database: Database
  private readonly queue: Queue<DeliveryJob>

  constructor(databaseUrl: string, redis: { host: string; port: number }) {
    this.store = knex({ client: "pg", connection: databaseUrl, pool: { min: 2, max: 8 } })
    this.database = new Database(this.store)
    this.queue = new Queue(QUEUE, { connection: redis })
  }

  async prepare(): Promise<void> {
    await this.store.raw(
      `CREATE TABLE bench_attempt (LIKE gateway_webhook_attempt INCLUDING ALL);
       ALTER TABLE bench_attempt ALTER COLUMN delivery_created_at SET DEFAULT now(), ALTER COLUMN url SET DEFAULT ''`
    )
  }

  /** The gateway's targets have endpoints in the database; the peer's are in each job. */
  async targets(urls: string[], registered: boolean): Promise<Target[]> {
    const secretBox = secretBoxOf({ environment: "sandbox", encryptionKeys: process.env.GATEWAY_ENCRYPTION_KEYS })
    const cradle = { database: this.database, secretBox } as Cradle
    const settlementMonthService = new SettlementMonthService(cradle)
    const targets: Target[] = []
    for (const url of urls) {
      const { id, number } = await new MerchantService({ ...cradle, settlementMonthService }).create({ name: "Bench" })
      const input = { endpoint_url: url, event_types: [registered ? ("*" as const) : ("invoice.created" as const)] }
      const { secret } = await new WebhookEndpointService(cradle).create(
        { merchant_id: id, environment: "sandbox" },
        input
      )
      targets.push({ merchant_id: id, merchant_number: number, url, secret })
    }
    return targets
  }

  /** One transaction with an event for each of `numbers`, alternating between the targets. */
  async gateway(targets: Target[], numbers: number[]): Promise<number> {
    const events = numbers.map((number) => ({
      merchant_id: targets[number % targets.length].merchant_id,
      environment: "sandbox" as const,
      event_type: EVENT_TYPE,
      resource_id: `txn${"0".repeat(32)}`,
      data: dataOf(number),
      occurred_at: new Date(),
    }))
    await this.database.transaction((sql) => emit(sql, events))
    return now()
  }

  /** The same rows in one transaction, then the jobs: Redis cannot take part in a transaction of PostgreSQL. */
  async bullmq(targets: Target[], numbers: number[]): Promise<number> {
    const events = numbers.map((number) => {
      const { merchant_id, merchant_number, url, secret } = targets[number % targets.length]
      const row = {
        id: `gev_${randomBytes(13).toString("hex")}`,
        event_id: randomUUID(),
        merchant_id,
        environment: "sandbox",
        event_type: EVENT_TYPE,
        resource_id: `txn${"0".repeat(32)}`,
        data: dataOf(number),
        occurred_at: new Date(),
      }
      const body = JSON.stringify(eventBody({ ...row, merchant_number }))
      return { row, job: { url, secret, event_id: row.event_id, body } }
    })
    await this.database.transaction((sql) =>
      sql.query(EVENT, [JSON.stringify(events.map(({ row }) => row))], "bench_event")
    )
    const committed = now()
    const opts = { attempts: 10, backoff: { type: "exponential", delay: 60_000 }, removeOnComplete: true }
    if (events.length === 1) {
      await this.queue.add("deliver", events[0].job, opts)
    } else {
      await this.queue.addBulk(events.map(({ job }) => ({ name: "deliver", data: job, opts })))
    }
    return committed
  }

  /** Waits until every attempt is recorded: only then is the round's work done. */
  async allRecorded(kind: "gateway" | "bullmq"): Promise<void> {
    const left = async () => {
      if (kind === "bullmq") {
        const counts = await this.queue.getJobCounts("waiting", "active")
        return counts.waiting + counts.active
      }
      return (
        await this.database.query(
          "SELECT 1 FROM gateway_webhook_delivery WHERE state = 'pending' AND failures = 0 LIMIT 1"
        )
      ).length
    }
    while ((await left()) > 0) {
      await new Promise((done) => setTimeout(done, 20))
    }
  }

  async close(): Promise<void> {
    await this.queue.close()
    await this.store.destroy()
  }
}
