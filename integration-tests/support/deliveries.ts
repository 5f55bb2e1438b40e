import { randomUUID } from "node:crypto"
import { rmSync } from "node:fs"
import { dirname, resolve } from "node:path"
import type { Knex } from "@medusajs/framework/mikro-orm/knex"
import { Database, type Sql } from "../../src/modules/gateway/kernel/database/database"
import { secretBoxOf } from "../../src/modules/gateway/kernel/options"
import { emit } from "../../src/modules/gateway/kernel/database/outbox"
import { MerchantService } from "../../src/modules/gateway/merchants/service"
import { SettlementMonthService } from "../../src/modules/gateway/settlements/months"
import { WebhookEndpointService } from "../../src/modules/gateway/webhooks/endpoints"
import type { Cradle } from "../../src/modules/gateway/kernel/types"
import { importModule } from "./import-module.cjs"

/** A delivery worker in a process of its own, started by scripts/lib/dispatchers.mjs. */
export interface DispatcherProcess {
  pid: number
  /** The application_name of its connections. */
  name: string
  output(): string
  isRunning(): boolean
  kill(signal?: NodeJS.Signals): Promise<void>
}

interface Dispatchers {
  buildDispatcher(): string
  startDispatcher(file: string, databaseUrl: string, pollMs?: number): Promise<DispatcherProcess>
}

/** Starts delivery workers for the tests of a file, and ends what a test leaves running. */
export function useDispatchers(): { start(databaseUrl: string, pollMs?: number): Promise<DispatcherProcess> } {
  const running: DispatcherProcess[] = []
  let module: Dispatchers
  let file: string
  beforeAll(async () => {
    module = await importModule<Dispatchers>(resolve(__dirname, "../../scripts/lib/dispatchers.mjs"))
    file = module.buildDispatcher()
  })
  afterAll(() => rmSync(dirname(file), { recursive: true, force: true }))
  afterEach(() => Promise.all(running.splice(0).map((process) => process.kill("SIGKILL"))))
  return {
    async start(databaseUrl, pollMs) {
      const process = await module.startDispatcher(file, databaseUrl, pollMs)
      running.push(process)
      return process
    },
  }
}

/** A merchant whose events the test writes itself, as the gateway's services write theirs. */
export class Emitter {
  constructor(
    private readonly database: Database,
    readonly merchant_id: string
  ) {}

  /** `db` is a connection pool to a migrated database; it needs no store. */
  static async of(db: Knex, urls: string[]): Promise<Emitter> {
    const database = new Database(db)
    const secretBox = secretBoxOf({ environment: "sandbox", encryptionKeys: process.env.GATEWAY_ENCRYPTION_KEYS })
    const cradle = { database, secretBox } as Cradle
    const settlementMonthService = new SettlementMonthService(cradle)
    const { id } = await new MerchantService({ ...cradle, settlementMonthService }).create({
      name: "A merchant of the tests",
    })
    const endpoints = new WebhookEndpointService(cradle)
    for (const endpoint_url of urls) {
      await endpoints.create({ merchant_id: id, environment: "sandbox" }, { endpoint_url, event_types: ["*"] })
    }
    return new Emitter(database, id)
  }

  /** Each event goes to every endpoint; `number` is in its data. */
  async emit(count: number, sql?: Sql): Promise<void> {
    const events = Array.from({ length: count }, (_, index) => ({
      merchant_id: this.merchant_id,
      environment: "sandbox" as const,
      event_type: "payment.succeeded",
      resource_id: `txn${randomUUID()}`,
      data: { number: index },
      occurred_at: new Date(),
    }))
    for (let from = 0; from < count; from += 1_000) {
      const batch = events.slice(from, from + 1_000)
      await (sql === undefined ? this.database.transaction((own) => emit(own, batch)) : emit(sql, batch))
    }
  }

  /** Emits in a transaction that the test ends. */
  transaction<Result>(work: (sql: Sql) => Promise<Result>): Promise<Result> {
    return this.database.transaction(work)
  }

  async states(): Promise<Record<string, number>> {
    const rows = await this.database.query<{ state: string; count: number }>(
      "SELECT state, count(*)::int AS count FROM gateway_webhook_delivery WHERE merchant_id = $1 GROUP BY state",
      [this.merchant_id]
    )
    return Object.fromEntries(rows.map(({ state, count }) => [state, count]))
  }

  async eventIds(): Promise<string[]> {
    const rows = await this.database.query<{ event_id: string }>(
      "SELECT event_id FROM gateway_event WHERE merchant_id = $1",
      [this.merchant_id]
    )
    return rows.map(({ event_id }) => event_id)
  }

  /** Expires the leases of dead processes. Call it only when no running process may hold one. */
  async endLeases(): Promise<void> {
    await this.database.query(
      "UPDATE gateway_webhook_delivery SET locked_until = now() WHERE merchant_id = $1 AND locked_until > now()",
      [this.merchant_id]
    )
  }

  /** Whether a process listens for wake-ups. */
  async isListening(applicationName: string): Promise<boolean> {
    const rows = await this.database.query(
      "SELECT 1 FROM pg_stat_activity WHERE application_name = $1 AND query LIKE '%LISTEN gateway_deliveries%'",
      [applicationName]
    )
    return rows.length > 0
  }

  /** Ends the database connections of a process, as a restart of the server would; returns their number. */
  async endConnections(applicationName: string): Promise<number> {
    const rows = await this.database.query(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = $1 AND pid <> pg_backend_pid()",
      [applicationName]
    )
    return rows.length
  }
}
