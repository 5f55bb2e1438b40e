import { readFileSync } from "node:fs"
import { join } from "node:path"
import { parseEnv } from "node:util"
import { Failure } from "./failure"

export type Environment = Readonly<Record<string, string | undefined>>

/** Those for which Medusa's `loadEnv` reads a file of their own. */
const NAMED = ["staging", "production", "test"]

/**
 * The process's variables, and behind them those of the folder's files, in the precedence of Medusa's commands: the
 * process, `.env`, `.env.<NODE_ENV>`. A missing file is no error.
 */
export function withEnvFiles(env: Environment, directory: string): Environment {
  const { NODE_ENV = "" } = env
  const named = NAMED.includes(NODE_ENV) ? readVariables(join(directory, `.env.${NODE_ENV}`)) : {}
  return { ...named, ...readVariables(join(directory, ".env")), ...definedOnly(env) }
}

function readVariables(path: string): Environment {
  try {
    return parseEnv(readFileSync(path, "utf8")) as Environment
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") {
      return {}
    }
    throw new Failure("FILE_UNREADABLE", { path, reason: (error as Error).message })
  }
}

function definedOnly(env: Environment): Environment {
  return Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined))
}
