import { knex } from "@medusajs/framework/mikro-orm/knex"
import type { ConfigModule, Logger } from "@medusajs/framework/types"
import { Database } from "../../src/modules/gateway/kernel/database/database"
import { parseOptions, secretBoxOf } from "../../src/modules/gateway/kernel/options"
import { WebhookDispatchService } from "../../src/modules/gateway/webhooks/dispatch"
import { CRONTAB } from "../../src/modules/gateway/worker/crontab"
import type { Tasks } from "../../src/modules/gateway/worker/tasks"
import { GatewayWorker } from "../../src/modules/gateway/worker/worker"

/*
 * The store's delivery worker in a process of its own, without the store: it starts in a second, so that a test can
 * kill it often. Database, services, queue and dispatcher are the store's. It sends "ready" over IPC, and ends
 * gracefully with SIGTERM.
 */

const databaseUrl = process.env.DATABASE_URL as string

function print(level: string) {
  return (message: unknown) => process.stderr.write(`${level}: ${String(message)}\n`)
}

async function main(): Promise<void> {
  const logger = {
    error: print("error"),
    warn: print("warn"),
    info: print("info"),
    debug: () => undefined,
  } as unknown as Logger
  // The name identifies this process's connections.
  const connection = { connectionString: databaseUrl, application_name: process.env.PGAPPNAME }
  const store = knex({ client: "pg", connection, pool: { min: 2, max: 10 }, acquireConnectionTimeout: 60_000 })
  const encryptionKeys = process.env.GATEWAY_ENCRYPTION_KEYS
  const gatewayOptions = parseOptions({ environment: "sandbox", allowPrivateUrls: true, encryptionKeys })
  const webhookDispatch = new WebhookDispatchService({
    logger,
    gatewayOptions,
    secretBox: secretBoxOf(gatewayOptions),
    database: new Database(store),
  })
  // The other schedules are the store's business.
  const tasks = Object.fromEntries(CRONTAB.map(({ task }) => [task, async () => undefined])) as unknown as Tasks
  const pollMs = process.env.POLL_MS ? Number(process.env.POLL_MS) : undefined
  const config = { projectConfig: { databaseUrl } } as ConfigModule
  const worker = new GatewayWorker({ webhookDispatch }, () => tasks, config, logger, { pollMs })
  await worker.start()
  process.once("SIGTERM", async () => {
    print("info")("stopping")
    await worker.stop()
    await webhookDispatch.close()
    await store.destroy()
    process.exit(0)
  })
  process.send?.("ready")
}

void main()
