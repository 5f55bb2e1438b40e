import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import { parseEnv } from "node:util"
import { Failure } from "./failure"
import { resolveFrom } from "./package"

export type Environment = Readonly<Record<string, string | undefined>>

/** Those for which Medusa's `loadEnv` reads a file of their own. */
const NAMED = ["staging", "production", "test"]

/**
 * The process's variables, and behind them those of the folder's files, in the precedence of Medusa's commands: the
 * process, `.env`, `.env.<NODE_ENV>`. `$NAME` in a file stands for another variable, as for Medusa. A missing file is no
 * error.
 */
export function withEnvFiles(env: Environment, directory: string): Environment {
  const { NODE_ENV = "" } = env
  const named = NAMED.includes(NODE_ENV) ? readVariables(join(directory, `.env.${NODE_ENV}`)) : {}
  const parsed = { ...named, ...readVariables(join(directory, ".env")) }
  const given = definedOnly(env)
  return { ...(expandOf(directory)?.({ parsed, processEnv: { ...given } }).parsed ?? parsed), ...given }
}

type Variables = Record<string, string>
type Expand = (options: { parsed: Variables; processEnv: Variables }) => { parsed?: Variables }

/**
 * What Medusa's `loadEnv` expands variables with. It is a dependency of Medusa's, so it is looked for where Medusa is;
 * null where there is no Medusa, whose files nothing expands.
 */
function expandOf(directory: string): Expand | null {
  let found = resolveFrom(directory, "@medusajs/framework/utils")
  for (const name of ["@medusajs/utils", "dotenv-expand"]) {
    found = found === null ? null : resolveFrom(dirname(found), name)
  }
  return found === null ? null : (createRequire(found)(found) as { expand: Expand }).expand
}

function readVariables(path: string): Variables {
  try {
    return parseEnv(readFileSync(path, "utf8")) as Variables
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") {
      return {}
    }
    throw new Failure("FILE_UNREADABLE", { path, reason: (error as Error).message })
  }
}

function definedOnly(env: Environment): Variables {
  return Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]))
  )
}
