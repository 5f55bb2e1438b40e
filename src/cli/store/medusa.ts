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
  await finished(startMedusa(context, ["db:migrate", "--execute-safe-links"]), "medusa db:migrate")
}

type Report = { result: unknown } | { failure: Pick<Failure, "code" | "params"> }

/**
 * Runs a file of this folder in the whole store with `medusa exec`, and returns what it reports. Throws the failure that it
 * reports, and STORE_COMMAND_FAILED.
 */
export async function runInStore<Result>(
  context: Context,
  file: "add-region" | "add-sample",
  ...args: readonly string[]
): Promise<Result> {
  const child = startMedusa(context, ["exec", join(__dirname, `${file}.js`), ...args])
  let reported: Report | null = null
  child.on("message", (message) => (reported = message as Report))
  const output = await finished(child, "medusa exec")
  const { failure, result } = (reported ?? {}) as { failure?: Failure; result?: Result }
  if (failure !== undefined) {
    throw new Failure(failure.code, failure.params)
  }
  if (result === undefined) {
    throw new Failure("STORE_COMMAND_FAILED", { what: "medusa exec", output })
  }
  return result
}

/** Sends the result of such a file, or its failure, to `runInStore`. Throws any other error, which ends `medusa exec`. */
export async function report(work: () => Promise<unknown>): Promise<void> {
  const send = (message: Report) => new Promise<void>((sent) => void process.send?.(message, () => sent()))
  try {
    await send({ result: await work() })
  } catch (error) {
    if (!(error instanceof Failure)) {
      throw error
    }
    await send({ failure: { code: error.code, params: error.params } })
  }
}

/** The output of Medusa's program is kept for errors; what it finds out comes over a channel. */
function startMedusa({ directory, env, stop }: Context, args: readonly string[]): ChildProcess {
  const cli = resolveFrom(directory, "@medusajs/cli/package.json")
  if (cli === null) {
    throw new Failure("MEDUSA_CLI_MISSING", { directory })
  }
  return spawn(process.execPath, [join(dirname(cli), "cli.js"), ...args], {
    cwd: directory,
    env,
    stdio: ["ignore", "pipe", "pipe", "ipc"],
    signal: stop,
  })
}
