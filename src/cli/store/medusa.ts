import { spawn, type ChildProcess } from "node:child_process"
import { existsSync } from "node:fs"
import { dirname, join } from "node:path"
import type { Context } from "../context"
import { Failure } from "../failure"
import { manifestIn, resolveFrom } from "../package"
import { finished } from "./child"

/** Throws NOT_A_STORE for a folder without a Medusa configuration, MEDUSA_MISSING where Medusa is not installed. */
export function requireStore(directory: string): void {
  const hasConfiguration = ["ts", "js", "mjs"].some((end) => existsSync(join(directory, `medusa-config.${end}`)))
  if (!hasConfiguration) {
    throw new Failure("NOT_A_STORE", { directory })
  }
  if (resolveFrom(directory, "@medusajs/medusa/package.json") === null) {
    throw new Failure("MEDUSA_MISSING", { directory })
  }
}

/** The installed version of a package as the store resolves it; null when it is not installed. */
export function versionOf(directory: string, name: string): string | null {
  const path = resolveFrom(directory, `${name}/package.json`)
  return path === null ? null : (manifestIn(dirname(path))?.version ?? null)
}

/** Runs the migrations of the store, its plugins and their links, with Medusa's own program. */
export async function migrate(context: Context): Promise<void> {
  const child = startMedusa(context, ["db:migrate", "--execute-safe-links"])
  await finished(child, "medusa db:migrate")
}

/**
 * Runs a script of this package (src/scripts) with `medusa exec`, and returns what the script sends: a store's
 * configuration and Medusa print what they like. Throws NOT_A_STORE, MEDUSA_CLI_MISSING and STORE_COMMAND_FAILED.
 */
export async function execScript<Result>(context: Context, name: string): Promise<Result> {
  requireStore(context.directory)
  const child = startMedusa(context, ["exec", join(__dirname, "../../scripts", `${name}.js`)])
  let sent: unknown
  child.on("message", (message) => (sent = message))
  const output = await finished(child, name)
  if (sent === undefined) {
    throw new Failure("STORE_COMMAND_FAILED", { what: name, output })
  }
  return sent as Result
}

function startMedusa({ directory, env, stop }: Context, typed: readonly string[]): ChildProcess {
  const cli = resolveFrom(directory, "@medusajs/cli/package.json")
  if (cli === null) {
    throw new Failure("MEDUSA_CLI_MISSING", { directory })
  }
  return spawn(process.execPath, [join(dirname(cli), "cli.js"), ...typed], {
    cwd: directory,
    env,
    stdio: ["ignore", "pipe", "pipe", "ipc"],
    signal: stop,
  })
}
