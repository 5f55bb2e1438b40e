import { randomBytes } from "node:crypto"
import { knex } from "@medusajs/framework/mikro-orm/knex"
import { Worker } from "bullmq"
import { translate } from "../../../src/i18n/translate"
import { Database, json } from "../../../src/modules/gateway/kernel/database/database"
import { guardedAgent } from "../../../src/modules/gateway/webhooks/delivery/guarded-agent"
import { send } from "../../../src/modules/gateway/webhooks/delivery/send"
import { signatureHeaders } from "../../../src/modules/gateway/webhooks/signature"
import { QUEUE, type DeliveryJob } from "./job"

/*
 * The peer's worker in a process of its own: the gateway's signature and the gateway's way of sending, and one INSERT
 * with the attempt. The rest of the gateway's dispatch (the delivery's state, the endpoint's health) is up to BullMQ in
 * Redis, or left out. It sends "ready" over IPC.
 */

const ATTEMPT = `
  INSERT INTO bench_attempt (id, delivery_id, attempt, attempted_at, duration_ms, status_code, response, error)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`

// Like the gateway's own records, the peer's do not wait for the disk.
const connection = { connectionString: process.env.DATABASE_URL, options: "-c synchronous_commit=off" }
const store = knex({ client: "pg", connection, pool: { min: 2, max: 10 } })
const database = new Database(store)
const agent = guardedAgent({ allowPrivate: true })

const worker = new Worker<DeliveryJob>(
  QUEUE,
  async ({ id, data, attemptsMade }) => {
    const timestamp = Math.floor(Date.now() / 1000)
    const headers = signatureHeaders({
      secrets: [data.secret],
      format: "hex",
      id: data.event_id,
      timestamp,
      body: data.body,
    })
    const at = new Date()
    const result = await send(agent, { url: data.url, headers, body: data.body })
    await database.query(
      ATTEMPT,
      [
        `gwa_${randomBytes(13).toString("hex")}`,
        `${data.event_id}-${id}`,
        attemptsMade + 1,
        at,
        result.duration_ms,
        result.status_code,
        result.response,
        json(result.error),
      ],
      "bench_attempt"
    )
    if (result.status_code !== 200) {
      throw new Error(result.error === null ? "not acknowledged" : translate(result.error))
    }
  },
  {
    connection: { host: process.env.REDIS_HOST, port: Number(process.env.REDIS_PORT) },
    concurrency: Number(process.env.CONCURRENCY),
  }
)

worker.on("error", (error) => process.stderr.write(`${error.message}\n`))
void worker.waitUntilReady().then(() => process.send?.("ready"))
