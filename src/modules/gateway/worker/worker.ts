import type { Pool } from "@medusajs/framework/pg"
import type { ConfigModule, Logger } from "@medusajs/framework/types"
import type { JobHelpers, Runner, RunnerOptions, TaskList } from "graphile-worker"
import type { Facade } from "../container"
import { SYNC_TASK } from "../refunds/orders/rules"
import { openPool, poolSql } from "./connections"
import { CRONTAB, type TaskName } from "./crontab"
import { Dispatcher, POLL_MS } from "./dispatcher"
import { TaskRuns } from "./task-runs"
import type { Tasks } from "./tasks"
import { DELIVERY_CHANNEL, WakeUp } from "./wake-up"

const PARTITION_TASK: TaskName = "make-partitions"
/** Jobs at once. A long task keeps no place (task-runs.ts), so that few are enough; each place polls for itself. */
const CONCURRENCY = 4
const POOL_SIZE = 6
/** One connection listens, the others claim and record in batches. */
const DISPATCH_POOL_SIZE = 4
const RESTART_MS = 1_000
/** People wait for these e-mails: they do not wait for the next minute, when the schedule would send them. */
const MAIL_TASKS = ["send-receipts", "send-invoice-mails"] as const satisfies readonly TaskName[]
/** How long after it is woken: a paid cart has its order by then, whose number the receipt shows. */
const MAIL_AFTER_MS = 2_000

type WorkerSettings = {
  /** PostgreSQL itself, when the store's address leads to a pooler. */
  directDatabaseUrl?: string
  /** For tests: with a long interval they prove that wake-ups work. */
  pollMs?: number
}

/** The queue: graphile-worker on the store's own database (design: Background work). */
export class GatewayWorker {
  private runner: Runner | null = null
  private dispatcher: Dispatcher | null = null
  private wakeUp: WakeUp | null = null
  private pool: Pool | null = null
  private dispatchPool: Pool | null = null
  private readonly runs: TaskRuns
  private stopping = false
  private restart: NodeJS.Timeout | null = null
  private mail: NodeJS.Timeout | null = null

  constructor(
    private readonly gateway: Pick<Facade, "webhookDispatch">,
    /** Throws while the store is not connected: the worker then does not start. */
    private readonly tasks: () => Tasks,
    private readonly config: ConfigModule,
    private readonly logger: Logger,
    private readonly settings: WorkerSettings = {}
  ) {
    this.runs = new TaskRuns(logger)
  }

  /** Throws only while the store is not connected: nobody starts a worker a second time (launch). */
  async start(): Promise<void> {
    const tasks = this.taskList()
    const { directDatabaseUrl: direct, pollMs } = this.settings
    this.pool = openPool(this.config, this.logger, { max: POOL_SIZE, direct })
    this.dispatchPool = openPool(this.config, this.logger, { max: DISPATCH_POOL_SIZE, dispatch: true, direct })
    this.gateway.webhookDispatch.useConnections(poolSql(this.dispatchPool))
    const dispatcher = new Dispatcher(this.gateway.webhookDispatch, this.logger, pollMs)
    this.dispatcher = dispatcher
    this.wakeUp = new WakeUp(this.dispatchPool, { [DELIVERY_CHANNEL]: () => this.woken(dispatcher) })
    this.stopping = false
    await this.launch(this.pool, tasks)
    if (this.stopping) {
      return
    }
    // Also without the queue, while its database does not answer: it tries again automatically.
    dispatcher.start()
    await this.wakeUp.start()
  }

  /**
   * Takes no further work, waits for running tasks and deliveries, then closes the database connections. Both stop at
   * the same time: a task may take minutes, in which deliveries would go on being taken.
   */
  async stop(): Promise<void> {
    const { runner, dispatcher, wakeUp, pool, dispatchPool } = this
    this.stopping = true
    ;[this.restart, this.mail].forEach((timer) => timer !== null && clearTimeout(timer))
    this.runner = null
    this.dispatcher = null
    this.wakeUp = null
    this.pool = null
    this.dispatchPool = null
    wakeUp?.stop()
    await Promise.all([dispatcher?.stop(), this.stopTasks(runner)])
    await pool?.end()
    this.gateway.webhookDispatch.useConnections(null)
    await dispatchPool?.end()
  }

  /** Woken for an event's receivers or for a receipt. One run serves all of its two seconds. */
  private woken(dispatcher: Dispatcher): void {
    dispatcher.wake()
    this.mail ??= setTimeout(() => {
      this.mail = null
      const tasks = this.tasks()
      MAIL_TASKS.forEach((name) =>
        this.runs.start(name, tasks[name]).catch((error: Error) => this.log("warning", `${name}: ${error.message}`))
      )
    }, MAIL_AFTER_MS)
  }

  private async stopTasks(runner: Runner | null): Promise<void> {
    // It may just have ended, and then refuses to be stopped a second time.
    await runner?.stop().catch((error: Error) => this.log("warning", error.message))
    await this.runs.ended()
  }

  /**
   * Runs the queue, and starts it again when it could not start or has ended. It ends when the database fails while it
   * marks a job as done, but the store goes on. When several jobs fail at once, it does not end but waits for itself for
   * ever: so its event for a lost connection triggers the restart, not its end. Never throws: Medusa would swallow that,
   * and the process would do no work.
   */
  private async launch(pool: Pool, tasks: TaskList): Promise<void> {
    let runner: Runner
    try {
      runner = await this.run(pool, tasks)
    } catch (error) {
      this.startAgain(pool, tasks, `the queue could not be started: ${(error as Error).message}`)
      return
    }
    if (this.stopping) {
      await this.stopTasks(runner)
      return
    }
    this.runner = runner
    let over = false
    const ended = (why = "the queue has ended") => {
      if (!over) {
        over = true
        this.startAgain(pool, tasks, why)
      }
    }
    const broken = (why?: string) => {
      void runner.kill().catch((error: Error) => this.log("warning", error.message))
      ended(why)
    }
    runner.events.on("pool:fatalError", () => broken())
    void runner.promise.then(
      () => ended(),
      () => ended()
    )
    await addFirstJobs(runner).catch((error: Error) => broken(`the first jobs could not be added: ${error.message}`))
  }

  /** The batch settings are needed: without them a failure to mark a job as done would end the process. */
  private run(pool: Pool, tasks: TaskList): Promise<Runner> {
    const { Logger: WorkerLogger, parseCronItems, run } = require("graphile-worker") as typeof import("graphile-worker")
    return run({
      // The same class; the two packages have type declarations of different versions.
      pgPool: pool as unknown as RunnerOptions["pgPool"],
      preset: { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } },
      concurrency: CONCURRENCY,
      pollInterval: this.settings.pollMs ?? POLL_MS,
      noHandleSignals: true,
      logger: new WorkerLogger(() => (level, message) => this.log(level, message)),
      taskList: tasks,
      parsedCronItems: parseCronItems(
        CRONTAB.map(({ task, cron }) => ({ task, match: cron, options: { backfillPeriod: 0, maxAttempts: 3 } }))
      ),
    })
  }

  /** A queue that this process has had comes back after most failures of a database. One that never ran is an error. */
  private startAgain(pool: Pool, tasks: TaskList, why: string): void {
    if (this.stopping) {
      return
    }
    this.log(this.runner === null ? "error" : "warning", `${why}; it is started again`)
    this.restart = setTimeout(() => void this.launch(pool, tasks), RESTART_MS)
  }

  private taskList(): TaskList {
    const tasks = Object.entries(this.tasks()).map(
      ([name, task]) =>
        [name, (_payload: unknown, helpers: JobHelpers) => this.runs.start(name, task, helpers.abortSignal)] as const
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

async function addFirstJobs(runner: Runner): Promise<void> {
  // The queue records a task's name with its first job, and other writers of that name wait for that transaction. So the
  // first job is added here and never in a payment's transaction.
  await runner.addJob(SYNC_TASK, {}, { maxAttempts: 1 })
  // A deployment that was stopped for months has none for today.
  await runner.addJob(PARTITION_TASK, {}, { maxAttempts: 1, jobKey: PARTITION_TASK })
}
