import cluster, { type Worker } from "node:cluster"
import { join } from "node:path"
import { KILL_MS } from "./ending"
import type { ServeOptions } from "./serve"

const FIRST_WAIT_MS = 500
const LONGEST_WAIT_MS = 30_000
/** A process that has lived this long was no failed start. */
const SOUND_MS = 60_000
/** So many times each process is started before the first of them has served; then the cause is not a passing one. */
const FIRST_STARTS = 3

/** Where a process of the cluster finds its options. */
export const OPTIONS_VARIABLE = "GATEWAY_SERVE_OPTIONS"

/** What a process reports: its address when it serves. */
export type Report = { ready: string }

/** How long to wait before a process is replaced: longer with each one in a row that dies young. */
export class Backoff {
  private young = 0

  after(livedMs: number): number {
    this.young = livedMs >= SOUND_MS ? 0 : this.young + 1
    return this.young === 0 ? 0 : Math.min(FIRST_WAIT_MS * 2 ** (this.young - 1), LONGEST_WAIT_MS)
  }
}

export type ClusterOptions = ServeOptions & { workers: number; env: Readonly<Record<string, string | undefined>> }

/**
 * Serves from several processes that share the port, until it is asked to stop; then each finishes what it has. One that
 * ends unasked is replaced. Returns when all have ended. Throws an Error when none of them could ever serve.
 */
export async function serveInCluster(
  { workers, env, ...options }: ClusterOptions,
  asked: AbortSignal,
  say: { ready(address: string): void; ended(text: string): void }
): Promise<void> {
  cluster.setupPrimary({ exec: join(__dirname, "worker.js"), args: [], cwd: options.directory })
  const backoff = new Backoff()
  const running = new Set<Promise<void>>()
  const giveUp = new AbortController()
  const stop = AbortSignal.any([asked, giveUp.signal])
  let isReady = false
  let failedStarts = 0
  const onReport = (report: Report) => {
    if (!isReady) {
      isReady = true
      say.ready(report.ready)
    }
  }
  const begin = () => {
    if (stop.aborted) {
      return
    }
    const startedAt = Date.now()
    const life = lifeOf({ ...env, [OPTIONS_VARIABLE]: JSON.stringify(options) }, stop, onReport).then((how) => {
      running.delete(life)
      failedStarts += isReady ? 0 : 1
      if (failedStarts >= FIRST_STARTS * workers) {
        giveUp.abort()
      }
      if (!stop.aborted) {
        const wait = backoff.after(Date.now() - startedAt)
        say.ended(`gateway: ${how} and is replaced in ${wait} ms`)
        const replaced = pause(wait, stop).then(() => {
          running.delete(replaced)
          begin()
        })
        running.add(replaced)
      }
    })
    running.add(life)
  }
  for (let index = 0; index < workers; index += 1) {
    begin()
  }
  while (running.size > 0) {
    await Promise.race(running)
  }
  if (giveUp.signal.aborted && !asked.aborted) {
    throw new Error(`none of ${failedStarts} API processes could serve; the lines above say why`)
  }
}

/**
 * Starts a process and resolves when it has ended, with a clause that says how. Once `stop` is aborted the process is
 * asked to end, and later made to.
 */
async function lifeOf(env: object, stop: AbortSignal, onReport: (report: Report) => void): Promise<string> {
  const notStarted = ({ message }: Error) => `an API process could not be started (${message})`
  let worker: Worker
  try {
    worker = cluster.fork(env)
  } catch (error) {
    return notStarted(error as Error)
  }
  worker.on("message", onReport)
  return new Promise((done) => {
    let late: NodeJS.Timeout | undefined
    const end = () => {
      worker.process.kill("SIGTERM")
      late = setTimeout(() => worker.process.kill("SIGKILL"), KILL_MS)
    }
    const ended = (how: string) => {
      clearTimeout(late)
      stop.removeEventListener("abort", end)
      done(how)
    }
    stop.addEventListener("abort", end, { once: true })
    worker.once("exit", (code, signal) => ended(`API process ${worker.process.pid} has ended (${signal || code})`))
    // A process that has started may have errors too, such as a message that does not reach it. Then it goes on, or exits.
    worker.on("error", (error) => {
      if (worker.process.pid === undefined) {
        ended(notStarted(error))
      }
    })
  })
}

function pause(ms: number, stop: AbortSignal): Promise<void> {
  return new Promise((done) => {
    const timer = setTimeout(done, ms)
    stop.addEventListener(
      "abort",
      () => {
        clearTimeout(timer)
        done()
      },
      { once: true }
    )
  })
}
