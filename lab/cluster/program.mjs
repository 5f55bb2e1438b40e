import { spawn } from "node:child_process"
import { closeSync, existsSync, mkdirSync, openSync, readFileSync } from "node:fs"
import { dirname } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { fileURLToPath } from "node:url"
import { Complaint } from "../../scripts/lib/console.mjs"

const GUARD = fileURLToPath(new URL("./guard.mjs", import.meta.url))
const END_WITH_PARENT = fileURLToPath(new URL("../../scripts/lib/end-with-parent.cjs", import.meta.url))
const START_TIMEOUT_MS = 240_000
/** Longer than a store takes to answer what is under way and to finish work whose clients have left. */
const GRACE_MS = 75_000
const LOG_END_LINES = 25

/** Starts the guard of programs that know nothing of a parent (guard.mjs): `{ watch(pid), forget(pid), stop() }`. */
export function startGuard() {
  const guard = spawn(process.execPath, [GUARD], { detached: true, stdio: ["pipe", "ignore", "inherit"] })
  guard.unref()
  guard.stdin.unref?.()
  guard.stdin.on("error", () => {})
  const send = (line) => void guard.stdin.write(`${line}\n`)
  return { watch: (pid) => send(`+${pid}`), forget: (pid) => send(`-${pid}`), stop: () => guard.stdin.end() }
}

/**
 * A process of the deployment: started, killed and started again on the same port. It leads a process group, so that
 * Ctrl-C in the terminal does not reach it, and kill -9 takes its own children with it: nginx's would hold the port.
 */
export class Program {
  #child = null
  #stopping = null
  #isReady = false
  #ended = Promise.resolve()
  #guard
  #settings

  /**
   * @param settings.name unique, `settings.role` what it does, in a few words, `settings.port` where it listens
   * @param settings.command `[program, ...arguments]`; with `node` the arguments of Node, which then ends with its parent
   * @param settings.env its whole environment; `settings.user` `{ uid, gid }`, absent: as this process
   * @param settings.metrics for a program of ours: the address of its metrics
   * @param settings.from for a program of ours: `(folder) => ({ cwd, node })`, how it runs from another folder
   * @param settings.ready `async () => boolean`; `settings.log` the file that its output is appended to
   * @param settings.onEnd called with the exit code or signal when it ends later, without having been asked to
   * @param guard what `startGuard` returned
   */
  constructor(settings, guard) {
    this.#settings = settings
    this.#guard = guard
    this.name = settings.name
    this.role = settings.role
    this.port = settings.port
    this.log = settings.log
    this.metrics = settings.metrics
  }

  /** Null while it does not run. */
  get pid() {
    return this.#child?.pid ?? null
  }

  /** From its next start on, it runs from this folder: another version of the store. */
  deploy(folder) {
    this.#settings = { ...this.#settings, ...this.#settings.from(folder) }
  }

  /** Starts it, and returns once it does its work. */
  async start() {
    const { command, node, cwd, env, user, log } = this.#settings
    mkdirSync(dirname(log), { recursive: true })
    const output = openSync(log, "a", 0o600)
    const [file, args] = node
      ? [process.execPath, ["--require", END_WITH_PARENT, ...node]]
      : [command[0], command.slice(1)]
    const stdio = ["ignore", output, output, ...(node ? ["ipc"] : [])]
    const child = spawn(file, args, { cwd, env, ...user, detached: true, stdio })
    closeSync(output)
    this.#ended = new Promise((resolve) => {
      child.once("error", (error) => resolve(error.message))
      child.once("exit", (code, signal) => resolve(signal ?? `exit code ${code}`))
    }).then((how) => this.#over(child, how))
    this.#child = child
    this.#isReady = false
    if (child.pid !== undefined && !node) {
      this.#guard.watch(child.pid)
    }
    await this.#untilReady(child)
  }

  #over(child, how) {
    if (child.pid !== undefined) {
      this.#guard.forget(child.pid)
    }
    const wasAsked = this.#child !== child
    this.#child = wasAsked ? this.#child : null
    if (!wasAsked && this.#isReady) {
      this.#settings.onEnd?.(how)
    }
  }

  async #untilReady(child) {
    const { name, log, ready } = this.#settings
    const failed = (what) => new Complaint(`${name} ${what}. The end of ${log}:\n${endOf(log)}`)
    for (const deadline = Date.now() + START_TIMEOUT_MS; Date.now() < deadline; await sleep(50)) {
      if (this.#child !== child) {
        throw failed("ended before it was ready")
      }
      if (await ready()) {
        this.#isReady = true
        return
      }
    }
    await this.kill()
    throw failed(`was not ready within ${START_TIMEOUT_MS / 1_000} seconds`)
  }

  /** Ends it at once, as a machine that loses its power does, and waits until it is gone. */
  kill() {
    return this.#end("SIGKILL")
  }

  /** Asks it to end, and kills it when it takes too long. */
  async stop() {
    const late = setTimeout(() => this.#signal(this.#stopping, "SIGKILL"), GRACE_MS)
    await this.#end("SIGTERM")
    clearTimeout(late)
  }

  async restart() {
    await this.kill()
    await this.start()
  }

  async #end(signal) {
    const child = this.#child
    if (child === null) {
      return
    }
    this.#stopping = child
    this.#child = null
    // To the group only by force: a Node process that shares its work ends its own children in an orderly way.
    this.#signal(child, signal)
    await this.#ended
  }

  #signal(child, signal) {
    try {
      process.kill(signal === "SIGKILL" ? -child.pid : child.pid, signal)
    } catch {
      // It has ended meanwhile, and that is what was asked for.
    }
  }
}

function endOf(log) {
  return existsSync(log) ? readFileSync(log, "utf8").trimEnd().split("\n").slice(-LOG_END_LINES).join("\n") : ""
}
