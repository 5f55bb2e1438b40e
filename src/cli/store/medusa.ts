import { spawn } from "node:child_process"
import { existsSync } from "node:fs"
import { dirname, join } from "node:path"
import type { Context } from "../context"
import { Failure } from "../failure"
import { manifestIn, resolveFrom } from "../package"

const KEPT_LINES = 15
/** Where a script of `medusa exec` reads its input: no secret belongs there. */
export const INPUT_VARIABLE = "GATEWAY_COMMAND_INPUT"

/** What a script reports to the command that started it. A channel of its own, because a store prints what it likes. */
export type Report = { result: unknown } | { refusal: string }

/** Throws NOT_A_STORE for a folder without a Medusa configuration, or whose package does not depend on Medusa. */
export function requireStore(directory: string): void {
  const hasConfiguration = ["ts", "js", "mjs"].some((end) => existsSync(join(directory, `medusa-config.${end}`)))
  if (!hasConfiguration || resolveFrom(directory, "@medusajs/medusa/package.json") === null) {
    throw new Failure("NOT_A_STORE", { directory })
  }
}

/** The installed version of a package as the store resolves it; null when it is not installed. */
export function versionOf(directory: string, name: string): string | null {
  const path = resolveFrom(directory, `${name}/package.json`)
  return path === null ? null : (manifestIn(dirname(path))?.version ?? null)
}

type Run = { what: string; input?: Record<string, unknown> }

/**
 * Runs a command of Medusa's own program in the store's folder, and returns what its script reports. Throws STORE_REFUSED
 * with the script's refusal, and STORE_COMMAND_FAILED with the end of its output, which is printed nowhere else.
 */
async function runMedusa(context: Context, typed: readonly string[], { what, input = {} }: Run): Promise<unknown> {
  const { directory } = context
  const cli = resolveFrom(directory, "@medusajs/cli/package.json")
  if (cli === null) {
    throw new Failure("MEDUSA_CLI_MISSING", { directory })
  }
  const child = spawn(process.execPath, [join(dirname(cli), "cli.js"), ...typed], {
    cwd: directory,
    env: { ...context.env, [INPUT_VARIABLE]: JSON.stringify(input) },
    stdio: ["ignore", "pipe", "pipe", "ipc"],
    signal: context.stop,
  })
  const lines = keptLines()
  child.stdout?.on("data", lines.take)
  child.stderr?.on("data", lines.take)
  let report: Report | null = null
  child.on("message", (message) => (report = message as Report))
  const code = await new Promise<number | null>((ended, failed) => {
    child.once("error", failed)
    child.once("close", ended)
  })
  const { refusal, result } = (report ?? {}) as { refusal?: string; result?: unknown }
  if (refusal !== undefined) {
    throw new Failure("STORE_REFUSED", { message: refusal })
  }
  if (code !== 0) {
    throw new Failure("STORE_COMMAND_FAILED", { what, output: lines.last() })
  }
  return result
}

/** `medusa exec` of one of the scripts beside this file. */
export async function execScript<Result>(
  context: Context,
  script: "create-key" | "rotate-secrets" | "test-acquirers",
  input: Record<string, unknown> = {}
): Promise<Result> {
  requireStore(context.directory)
  return (await runMedusa(context, ["exec", join(__dirname, `${script}.js`)], { what: "medusa exec", input })) as Result
}

/** Runs the migrations of the store, its plugins and their links. */
export async function migrate(context: Context): Promise<void> {
  await runMedusa(context, ["db:migrate", "--execute-safe-links"], { what: "medusa db:migrate" })
}

/** Keeps the last lines of an output. */
function keptLines(): { take: (chunk: Buffer) => void; last: () => string } {
  const kept: string[] = []
  let rest = ""
  const keep = (line: string) => {
    kept.push(line)
    kept.splice(0, Math.max(0, kept.length - KEPT_LINES))
  }
  return {
    take: (chunk) => {
      const parts = (rest + chunk.toString("utf8")).split("\n")
      rest = parts.pop() ?? ""
      parts.forEach(keep)
    },
    last: () => [...kept, ...(rest === "" ? [] : [rest])].slice(-KEPT_LINES).join("\n"),
  }
}
