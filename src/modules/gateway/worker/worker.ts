import { Pool } from "@medusajs/framework/pg"
import type { ConfigModule, Logger } from "@medusajs/framework/types"
import { Logger as WorkerLogger, parseCronItems, run, type JobHelpers, type Runner, type RunnerOptions, type TaskList } from "graphile-worker"
import type GatewayModuleService from "../service"
import { SHOW_TASK } from "../domain/order-refunds"
import { CRONTAB } from "./crontab"
import { Dispatcher, POLL_MS } from "./dispatcher"
import { registeredTasks } from "./tasks"

const CONCURRENCY = 4
const POOL_SIZE = 6
const RESTART_MS = 1_000
/** The task that gateway_wake_worker(), a function in the database, adds with every event. */
const WAKE_UP = "deliver-webhooks"

/** The queue: graphile-worker on the store's own database (design: Background work). */
export class GatewayWorker {
  private runner: Runner | null = null
  private dispatcher: Dispatcher | null = null
  private pool: Pool | null = null
  private stopping = false
  private restart: NodeJS.Timeout | null = null

  constructor(
    private readonly gateway: GatewayModuleService,
    private readonly config: ConfigModule,
    private readonly logger: Logger,
    /** For the tests' sake: one that hardly ever looks by itself shows that it is woken. */
    private readonly pollMs = POLL_MS
  ) {}

  async start(): Promise<void> {
    const { databaseUrl, databaseDriverOptions } = this.config.projectConfig
    const driver = databaseDriverOptions as { connection?: { ssl?: object | boolean }; ssl?: object | boolean } | undefined
    const ssl = driver?.connection?.ssl ?? driver?.ssl
    this.pool = new Pool({ connectionString: databaseUrl, max: POOL_SIZE, ...(ssl === undefined ? {} : { ssl }) })
    this.pool.on("error", (error: Error) => this.logger.warn(`gateway worker: a connection was lost: ${error.message}`))
    this.dispatcher = new Dispatcher(this.gateway.webhookDispatch, this.logger, this.pollMs)
    this.stopping = false
    this.runner = await this.launch(this.pool, this.dispatcher)
    // The queue writes a task's name down with its first job, and everybody else who writes it waits for that
    // transaction: it must not be one of a payment.
    await Promise.all([WAKE_UP, SHOW_TASK].map((task) => this.runner?.addJob(task, {}, { maxAttempts: 1 })))
    this.dispatcher.start()
  }

  /** Lets running jobs and deliveries finish, then lets go of the database. */
  async stop(): Promise<void> {
    const { runner, dispatcher, pool } = this
    this.stopping = true
    if (this.restart !== null) {
      clearTimeout(this.restart)
    }
    this.runner = null
    this.dispatcher = null
    this.pool = null
    await dispatcher?.stop()
    // It may have ended by itself just now, and refuses to be stopped twice.
    await runner?.stop().catch((error: Error) => this.log("warning", error.message))
    await pool?.end()
  }

  /**
   * The queue ends by itself when the database goes away in the wrong moment: while it marks a job as done. The
   * store lives on, so the queue is started again. Without the batch settings that very moment would be a rejection
   * that nobody handles, and the end of the whole process. When several jobs fail so at once, it does not even end,
   * but waits for itself: so its word that it is lost counts, not its end.
   */
  private async launch(pool: Pool, dispatcher: Dispatcher): Promise<Runner> {
    const tasks = this.taskList(dispatcher)
    const known = CRONTAB.filter(({ task }) => task in tasks)
    const runner = await run({
      // The same class; the two packages bring typings of different versions.
      pgPool: pool as unknown as RunnerOptions["pgPool"],
      preset: { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } },
      concurrency: CONCURRENCY,
      pollInterval: this.pollMs,
      noHandleSignals: true,
      logger: new WorkerLogger(() => (level, message) => this.log(level, message)),
      taskList: tasks,
      parsedCronItems: parseCronItems(
        known.map(({ task, cron }) => ({ task, match: cron, options: { backfillPeriod: 0, maxAttempts: 3 } }))
      ),
    })
    let over = false
    const ended = () => {
      if (!over) {
        over = true
        this.startAgain(pool, dispatcher)
      }
    }
    runner.events.on("pool:fatalError", () => {
      void runner.kill().catch((error: Error) => this.log("warning", error.message))
      ended()
    })
    void runner.promise.then(ended, ended)
    return runner
  }

  private startAgain(pool: Pool, dispatcher: Dispatcher): void {
    if (this.stopping) {
      return
    }
    this.log("warning", "the queue has ended and is started again")
    this.restart = setTimeout(() => void this.relaunch(pool, dispatcher), RESTART_MS)
  }

  private async relaunch(pool: Pool, dispatcher: Dispatcher): Promise<void> {
    try {
      const runner = await this.launch(pool, dispatcher)
      if (this.stopping) {
        await runner.stop()
      } else {
        this.runner = runner
      }
    } catch {
      this.startAgain(pool, dispatcher)
    }
  }

  private taskList(dispatcher: Dispatcher): TaskList {
    const tasks = [...registeredTasks()].map(
      ([name, task]) => [name, (_payload: unknown, helpers: JobHelpers) => task(this.gateway, helpers.abortSignal)] as const
    )
    return { ...Object.fromEntries(tasks), [WAKE_UP]: async () => dispatcher.wake() }
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
