import { Pool } from "@medusajs/framework/pg"
import type { ConfigModule, Logger } from "@medusajs/framework/types"
import { Logger as WorkerLogger, parseCronItems, run, type Runner, type RunnerOptions, type TaskList } from "graphile-worker"
import type GatewayModuleService from "../service"
import { CRONTAB } from "./crontab"
import { Dispatcher } from "./dispatcher"
import { registeredTasks } from "./tasks"

const CONCURRENCY = 4
const POLL_MS = 2_000
const POOL_SIZE = 6

/** The queue: graphile-worker on the store's own database (design: Background work). */
export class GatewayWorker {
  private runner: Runner | null = null
  private dispatcher: Dispatcher | null = null
  private pool: Pool | null = null

  constructor(
    private readonly gateway: GatewayModuleService,
    private readonly config: ConfigModule,
    private readonly logger: Logger
  ) {}

  async start(): Promise<void> {
    const { databaseUrl, databaseDriverOptions } = this.config.projectConfig
    const driver = databaseDriverOptions as { connection?: { ssl?: object | boolean }; ssl?: object | boolean } | undefined
    const ssl = driver?.connection?.ssl ?? driver?.ssl
    this.pool = new Pool({ connectionString: databaseUrl, max: POOL_SIZE, ...(ssl === undefined ? {} : { ssl }) })
    this.pool.on("error", (error: Error) => this.logger.warn(`gateway worker: a connection was lost: ${error.message}`))
    this.dispatcher = new Dispatcher(this.gateway.webhookDispatch, this.logger)
    const tasks = this.taskList(this.dispatcher)
    const known = CRONTAB.filter(({ task }) => task in tasks)
    this.runner = await run({
      // The same class; the two packages bring typings of different versions.
      pgPool: this.pool as unknown as RunnerOptions["pgPool"],
      concurrency: CONCURRENCY,
      pollInterval: POLL_MS,
      noHandleSignals: true,
      logger: new WorkerLogger(() => (level, message) => this.log(level, message)),
      taskList: tasks,
      parsedCronItems: parseCronItems(
        known.map(({ task, cron }) => ({ task, match: cron, options: { backfillPeriod: 0, maxAttempts: 3 } }))
      ),
    })
    this.dispatcher.wake()
  }

  /** Lets running jobs finish, then lets go of the database. */
  async stop(): Promise<void> {
    const { runner, dispatcher, pool } = this
    this.runner = null
    this.dispatcher = null
    this.pool = null
    await dispatcher?.stop()
    await runner?.stop()
    await pool?.end()
  }

  private taskList(dispatcher: Dispatcher): TaskList {
    const tasks = [...registeredTasks()].map(([name, task]) => [name, () => task(this.gateway)] as const)
    return { ...Object.fromEntries(tasks), "deliver-webhooks": async () => dispatcher.wake() }
  }

  private log(level: string, message: string): void {
    if (level === "error") {
      this.logger.error(`gateway worker: ${message}`)
    } else if (level === "warning") {
      this.logger.warn(`gateway worker: ${message}`)
    } else {
      this.logger.debug(`gateway worker: ${message}`)
    }
  }
}
