import { spawn } from "node:child_process"
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
export async function migrate({ directory, env, stop }: Context): Promise<void> {
  const cli = resolveFrom(directory, "@medusajs/cli/package.json")
  if (cli === null) {
    throw new Failure("MEDUSA_CLI_MISSING", { directory })
  }
  const child = spawn(process.execPath, [join(dirname(cli), "cli.js"), "db:migrate", "--execute-safe-links"], {
    cwd: directory,
    env,
    stdio: ["ignore", "pipe", "pipe"],
    signal: stop,
  })
  await finished(child, "medusa db:migrate")
}
