import type { Logger } from "@medusajs/framework/types"
import { CRONTAB, type TaskName } from "./crontab"
import { runTask, type Tasks } from "./tasks"

/** How long a job of a task of every few minutes keeps its place in the queue while the task runs. */
const PLACE_MS = 10_000
/** A run that takes longer is reported, again and again: nothing else shows that its task has come to a standstill. */
const LONG_MS = 10 * 60_000

/**
 * The schedule soon begins these again, even if their job fails. The jobs of the others, daily ones for example, keep
 * their place to the end: after a failure, or the end of the process, the queue repeats the job, and nothing else would
 * before tomorrow.
 */
const SOON_AGAIN: ReadonlySet<string> = new Set(
  CRONTAB.filter(({ cron }) => /^\*(\/\d+)? \* \* \* \*$/.test(cron)).map(({ task }) => task)
)

/** `reportedAt`: when the run began, or was last reported as long. */
type Run = { begunAt: number; reportedAt: number; done: Promise<void> }

/**
 * The tasks that run in this process. The queue adds a job for most of them every minute, and has few places. A task that
 * takes long, such as one that asks an acquirer that hangs, must not take one place after the other until no other task
 * has one. So a task runs once at a time, and a job that soon comes again does not wait for the end of a long run.
 */
export class TaskRuns {
  private readonly running = new Map<string, Run>()
  private readonly again = new Set<string>()

  constructor(
    private readonly logger: Pick<Logger, "error">,
    private readonly placeMs = PLACE_MS
  ) {}

  /**
   * What a job does. When the task runs already, the run repeats once, for what it may have missed. A run that fails
   * fails its job, which the queue repeats; a run that has outlived its job is only logged when it fails.
   */
  async start(name: string, task: Tasks[TaskName], stop?: AbortSignal): Promise<void> {
    const current = this.running.get(name)
    if (current !== undefined) {
      this.again.add(name)
      this.reportLong(name, current)
      return
    }
    const run = { begunAt: 0, reportedAt: 0, done: Promise.resolve() }
    this.running.set(name, run)
    run.done = this.repeat(name, run, task, stop).finally(() => this.running.delete(name))
    if (!SOON_AGAIN.has(name)) {
      await run.done
    } else if (!(await this.endsInTime(run.done))) {
      run.done.catch((error: Error) =>
        this.logger.error(`gateway: task ${name} failed: ${error.stack ?? error.message}`)
      )
    }
  }

  /** Waits for what runs. */
  async ended(): Promise<void> {
    await Promise.allSettled([...this.running.values()].map(({ done }) => done))
  }

  private reportLong(name: string, run: Run): void {
    const now = Date.now()
    if (now - run.reportedAt > LONG_MS) {
      run.reportedAt = now
      const minutes = Math.floor((now - run.begunAt) / 60_000)
      this.logger.error(
        `gateway: task ${name} has run for ${minutes} minutes in this process and cannot begin again before it ends. ` +
          "If it has nothing to do for so long, something that it waits for never answers, such as a handler of the " +
          "host's: fix that and start this process again."
      )
    }
  }

  private async repeat(name: string, run: Run, task: Tasks[TaskName], stop?: AbortSignal): Promise<void> {
    do {
      run.begunAt = run.reportedAt = Date.now()
      this.again.delete(name)
      await runTask(name, task, stop)
    } while (this.again.has(name) && stop?.aborted !== true)
  }

  private async endsInTime(run: Promise<void>): Promise<boolean> {
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<boolean>((done) => {
      timer = setTimeout(() => done(false), this.placeMs)
    })
    try {
      return await Promise.race([run.then(() => true), late])
    } finally {
      clearTimeout(timer)
    }
  }
}
