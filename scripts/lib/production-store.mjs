import { spawn } from "node:child_process"
import { closeSync, openSync } from "node:fs"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { compiledStore } from "./compiled-store.mjs"
import { Complaint, ROOT } from "./console.mjs"
import { anyFreePort } from "./ports.mjs"

const END_WITH_PARENT = join(ROOT, "scripts/lib/end-with-parent.cjs")
const MEDUSA = join(ROOT, "node_modules/@medusajs/cli/cli.js")
const START_TIMEOUT_MS = 240_000
/** The bytes of output that are kept: a million requests print hundreds of megabytes. */
const KEPT_OUTPUT = 8_000_000

/**
 * Starts the store as a deployment does: compiled, NODE_ENV=production, JSON access log, Medusa's own `start`. Waits
 * until it answers.
 * @param options.env added to this process's environment; it contains everything that a store needs except the port
 * @param options.port default: a free one
 * @param options.log a file that gets its output, which is not kept then
 * @param options.onExit called when the process ends for any reason
 * @returns `{ url, port, pid, output(), accessLog(), isRunning(), kill(signal), leave(), ended }`; `output` is the newest
 * part of its output, `accessLog` the parsed lines of requests in it; `leave` reads its output no more, as a reader that
 * ends; `ended` resolves with its exit code or signal
 */
export async function startProductionStore({ databaseUrl, env = {}, port: wanted, log, onExit }) {
  const port = wanted ?? (await anyFreePort())
  const url = `http://localhost:${port}`
  const given = {
    LOG_LEVEL: "http",
    GATEWAY_PUBLIC_URL: url,
    DISABLE_MEDUSA_ADMIN: "true",
    MEDUSA_DISABLE_TELEMETRY: "true",
    ...env,
    NODE_ENV: "production",
    DATABASE_URL: databaseUrl,
    PORT: String(port),
  }
  const program = [MEDUSA, "start", "--port", String(port), "--host", "localhost"]
  const written = log === undefined ? "pipe" : openSync(log, "a")
  const child = spawn(process.execPath, ["--require", END_WITH_PARENT, ...program], {
    cwd: compiledStore(),
    env: { ...process.env, NODE_OPTIONS: "", ...given },
    stdio: ["ignore", written, written, "ipc"],
  })
  if (log !== undefined) {
    closeSync(written)
  }
  const output = keepOutput(child)
  const isRunning = () => child.exitCode === null && child.signalCode === null
  const ended = new Promise((resolve) => child.once("exit", (code, signal) => resolve({ code, signal })))
  ended.then((end) => onExit?.(end))
  const kill = async (signal = "SIGTERM") => {
    child.kill(signal)
    await ended
  }
  await untilHealthy(`${url}/health`, { isRunning, output, kill })
  const leave = () => [child.stdout, child.stderr].forEach((one) => one.destroy())
  return { url, port, pid: child.pid, output, accessLog: () => accessLines(output()), isRunning, kill, leave, ended }
}

/** Keeps the newest output; the returned function gives it as text. */
function keepOutput(child) {
  const chunks = []
  let size = 0
  const keep = (chunk) => {
    chunks.push(chunk)
    size += chunk.length
    while (size > KEPT_OUTPUT) {
      size -= chunks.shift().length
    }
  }
  child.stdout?.on("data", keep)
  child.stderr?.on("data", keep)
  return () => Buffer.concat(chunks).toString("utf8")
}

async function untilHealthy(address, { isRunning, output, kill }) {
  for (const deadline = Date.now() + START_TIMEOUT_MS; Date.now() < deadline; await sleep(100)) {
    if (!isRunning()) {
      throw new Complaint(`the store ended before it answered:\n${output()}`)
    }
    const healthy = await fetch(address).then(
      (response) => response.ok,
      () => false
    )
    if (healthy) {
      return
    }
  }
  await kill("SIGKILL")
  throw new Complaint(`the store did not answer within ${START_TIMEOUT_MS / 1000} s:\n${output()}`)
}

/** The last line may be incomplete: it is left out then. */
function accessLines(text) {
  return text
    .split("\n")
    .filter((line) => line.startsWith('{"level":"http"') && line.endsWith("}"))
    .map((line) => JSON.parse(line))
}
