import type { Pool } from "@medusajs/framework/pg"
import type { ConfigModule, Logger } from "@medusajs/framework/types"
import {
  Logger as WorkerLogger,
  parseCronItems,
  run,
  type JobHelpers,
  type Runner,
  type RunnerOptions,
  type TaskList,
} from "graphile-worker"
import type { Facade } from "../container"
import { SYNC_TASK } from "../refunds/orders/rules"
import { openPool, poolSql } from "./connections"
import { CRONTAB } from "./crontab"
import { Dispatcher, POLL_MS } from "./dispatcher"
import { registeredTasks } from "./tasks"
import { WakeUp } from "./wake-up"

const CONCURRENCY = 4
const POOL_SIZE = 6
/** One listens, the others claim and record; many are recorded together. */
const DISPATCH_POOL_SIZE = 4
const RESTART_MS = 1_000

/** The queue: graphile-worker on the store's own database (design: Background work). */
export class GatewayWorker {
  private runner: Runner | null = null
  private dispatcher: Dispatcher | null = null
  private wakeUp: WakeUp | null = null
  private pool: Pool | null = null
  private dispatchPool: Pool | null = null
  private stopping = false
  private restart: NodeJS.Timeout | null = null

  constructor(
    private readonly gateway: Facade,
    private readonly config: ConfigModule,
    private readonly logger: Logger,
    /** For the tests' sake: one that hardly ever looks by itself shows that it is woken. */
    private readonly pollMs = POLL_MS
  ) {}

  async start(): Promise<void> {
    this.pool = openPool(this.config, this.logger, { max: POOL_SIZE })
    this.dispatchPool = openPool(this.config, this.logger, { max: DISPATCH_POOL_SIZE, dispatch: true })
    this.gateway.webhookDispatch.useConnections(poolSql(this.dispatchPool))
    const dispatcher = new Dispatcher(this.gateway.webhookDispatch, this.logger, this.pollMs)
    this.dispatcher = dispatcher
    this.wakeUp = new WakeUp(this.dispatchPool, () => dispatcher.wake())
    this.stopping = false
    const runner = await this.launch(this.pool)
    this.runner = runner
    // The queue writes a task's name down with its first job, and everybody else who writes it waits for that
    // transaction: it must not be one of a payment.
    await runner.addJob(SYNC_TASK, {}, { maxAttempts: 1 })
    dispatcher.start()
    await this.wakeUp.start()
  }

  /** Lets running jobs and deliveries finish, then lets go of the database. */
  async stop(): Promise<void> {
    const { runner, dispatcher, wakeUp, pool, dispatchPool } = this
    this.stopping = true
    if (this.restart !== null) {
      clearTimeout(this.restart)
    }
    this.runner = null
    this.dispatcher = null
    this.wakeUp = null
    this.pool = null
    this.dispatchPool = null
    wakeUp?.stop()
    await dispatcher?.stop()
    // It may have ended by itself just now, and refuses to be stopped twice.
    await runner?.stop().catch((error: Error) => this.log("warning", error.message))
    await pool?.end()
    this.gateway.webhookDispatch.useConnections(null)
    await dispatchPool?.end()
  }

  /**
   * The queue ends by itself when the database goes away in the wrong moment: while it marks a job as done. The
   * store lives on, so the queue is started again. Without the batch settings that very moment would be a rejection
   * that nobody handles, and the end of the whole process. When several jobs fail so at once, it does not even end,
   * but waits for itself: so its word that it is lost counts, not its end.
   */
  private async launch(pool: Pool): Promise<Runner> {
    const tasks = this.taskList()
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
        this.startAgain(pool)
      }
    }
    runner.events.on("pool:fatalError", () => {
      void runner.kill().catch((error: Error) => this.log("warning", error.message))
      ended()
    })
    void runner.promise.then(ended, ended)
    return runner
  }

  private startAgain(pool: Pool): void {
    if (this.stopping) {
      return
    }
    this.log("warning", "the queue has ended and is started again")
    this.restart = setTimeout(() => void this.relaunch(pool), RESTART_MS)
  }

  private async relaunch(pool: Pool): Promise<void> {
    try {
      const runner = await this.launch(pool)
      if (this.stopping) {
        await runner.stop()
      } else {
        this.runner = runner
      }
    } catch {
      this.startAgain(pool)
    }
  }

  private taskList(): TaskList {
    const tasks = [...registeredTasks()].map(
      ([name, task]) =>
        [name, (_payload: unknown, helpers: JobHelpers) => task(this.gateway, helpers.abortSignal)] as const
    )
    return Object.fromEntries(tasks)
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
