import { spawn, type ChildProcess } from "node:child_process"
import { resolve } from "node:path"
import { freePort } from "./ports"
import { storeEnvironment } from "./store"

const ROOT = resolve(__dirname, "../..")
const MEDUSA = resolve(ROOT, "node_modules/@medusajs/cli/cli.js")
const END_WITH_PARENT = resolve(ROOT, "scripts/lib/end-with-parent.cjs")
const START_TIMEOUT_MS = 120_000

export interface ServerProcessOptions {
  /** Environment variables on top of a test store's. The worker mode is "shared" unless it is named here. */
  env?: Record<string, string>
  /** A port to listen on, for a server that takes the place of a killed one. Default: a free one. */
  port?: number
}

export interface ServerProcess {
  url: string
  port: number
  pid: number
  /** Everything the process has printed. */
  output(): string
  /** Sends the signal and waits for the end of the process. */
  kill(signal?: NodeJS.Signals): Promise<void>
}

/** Starts `medusa start` from the sources in a process of its own and waits until it answers. */
export async function startServer(databaseUrl: string, options: ServerProcessOptions): Promise<ServerProcess> {
  const port = options.port ?? (await freePort())
  const url = `http://localhost:${port}`
  const env = { ...process.env, ...storeEnvironment(databaseUrl, port), MEDUSA_WORKER_MODE: "shared", ...options.env }
  // Medusa reads the configuration through ts-node; jest's own module loading must not reach the child.
  const child = spawn(
    process.execPath,
    ["--require", END_WITH_PARENT, MEDUSA, "start", "--port", String(port), "--host", "localhost"],
    { cwd: ROOT, env: { ...env, NODE_OPTIONS: "" }, stdio: ["ignore", "pipe", "pipe", "ipc"] }
  )
  const chunks: Buffer[] = []
  child.stdout?.on("data", (chunk: Buffer) => chunks.push(chunk))
  child.stderr?.on("data", (chunk: Buffer) => chunks.push(chunk))
  const output = () => Buffer.concat(chunks).toString("utf8")
  const ended = new Promise<void>((done) => child.once("exit", () => done()))
  const kill = async (signal: NodeJS.Signals = "SIGTERM") => {
    child.kill(signal)
    await ended
  }
  await untilHealthy(url, child, output)
  return { url, port, pid: child.pid as number, output, kill }
}

async function untilHealthy(url: string, child: ChildProcess, output: () => string): Promise<void> {
  const deadline = Date.now() + START_TIMEOUT_MS
  while (Date.now() < deadline) {
    if (child.exitCode !== null || child.signalCode !== null) {
      throw new Error(`the server process ended before it answered:\n${output()}`)
    }
    const healthy = await fetch(`${url}/health`).then(
      (response) => response.ok,
      () => false
    )
    if (healthy) {
      return
    }
    await new Promise((done) => setTimeout(done, 100))
  }
  child.kill("SIGKILL")
  throw new Error(`the server process did not answer within ${START_TIMEOUT_MS / 1000} s:\n${output()}`)
}
