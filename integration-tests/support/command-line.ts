import { spawn } from "node:child_process"
import { resolve } from "node:path"
import { importModule } from "./import-module.cjs"
import { ROOT } from "./store"
import { storeEnvironment } from "./store-options"

interface CommandRun {
  code: number | null
  out: string
  err: string
}

export interface RunningCommand {
  /** Everything that it has printed so far. */
  printed(): { out: string; err: string }
  signal(name: NodeJS.Signals): void
  ended: Promise<CommandRun>
}

/** The folder of the compiled store, in which the command line lies as in the built package. */
export async function storeFolder(): Promise<string> {
  const module = await importModule<{ compiledStore(): string }>(resolve(ROOT, "scripts/lib/compiled-store.mjs"))
  return module.compiledStore()
}

/** Starts the program in the store's folder, as a deployment does. Nothing of this process's own environment but PATH. */
export async function startCommand(
  typed: readonly string[],
  env: Record<string, string | undefined> = {}
): Promise<RunningCommand> {
  const folder = await storeFolder()
  const child = spawn(process.execPath, [resolve(folder, "src/cli/index.js"), ...typed], {
    cwd: folder,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...env } as NodeJS.ProcessEnv,
    stdio: ["ignore", "pipe", "pipe"],
  })
  const printed = { out: "", err: "" }
  child.stdout.on("data", (chunk: Buffer) => (printed.out += chunk.toString("utf8")))
  child.stderr.on("data", (chunk: Buffer) => (printed.err += chunk.toString("utf8")))
  const ended = new Promise<CommandRun>((done, failed) => {
    child.once("error", failed)
    child.once("close", (code) => done({ code, ...printed }))
  })
  return { printed: () => ({ ...printed }), signal: (name) => void child.kill(name), ended }
}

/** Runs a command line to its end. */
export async function runCommand(
  typed: readonly string[],
  env: Record<string, string | undefined> = {}
): Promise<CommandRun> {
  return (await startCommand(typed, env)).ended
}

/** The variables of the store's own deployment, for commands that run in its folder. */
export function deploymentOf(store: { databaseUrl: string; url: string }): Record<string, string | undefined> {
  return {
    ...storeEnvironment(store.databaseUrl, Number(new URL(store.url).port)),
    NODE_ENV: "production",
    MEDUSA_WORKER_MODE: "shared",
  }
}
