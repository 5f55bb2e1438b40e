import type { Logger } from "@medusajs/framework/types"
import type { TaskName } from "./crontab"
import { runTask, type Tasks } from "./tasks"

/** How long a job keeps its place in the queue while its task runs. */
const PLACE_MS = 10_000

/**
 * The tasks that run in this process. The queue adds a job for each of them every minute, and has few places. A task that
 * takes long, such as one that asks an acquirer that hangs, must not take one place after the other until no other task
 * has one. So a task runs once at a time, and its job does not wait for the end of a long one.
 */
export class TaskRuns {
  private readonly running = new Map<string, Promise<void>>()
  private readonly again = new Set<string>()

  constructor(
    private readonly logger: Pick<Logger, "error">,
    private readonly placeMs = PLACE_MS
  ) {}

  /**
   * What a job does. When the task runs already, the run repeats once, for what it may have missed. A run that fails
   * fails its job, which the queue repeats; a long run that fails is only logged, because the schedule begins it again.
   */
  async start(name: string, task: Tasks[TaskName], stop?: AbortSignal): Promise<void> {
    if (this.running.has(name)) {
      this.again.add(name)
      return
    }
    const run = this.repeat(name, task, stop).finally(() => this.running.delete(name))
    this.running.set(name, run)
    if (!(await this.endsInTime(run))) {
      run.catch((error: Error) => this.logger.error(`gateway: task ${name} failed: ${error.stack ?? error.message}`))
    }
  }

  /** Waits for what runs. */
  async ended(): Promise<void> {
    await Promise.allSettled(this.running.values())
  }

  private async repeat(name: string, task: Tasks[TaskName], stop?: AbortSignal): Promise<void> {
    do {
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
