import { Client } from "@medusajs/framework/pg"
import type { Sql } from "../../modules/gateway/kernel/database/database"
import type { Context } from "../context"
import type { DatabaseProblem, StoreConfig } from "../doctor/facts"
import type { Environment } from "../environment"
import { Failure } from "../failure"
import { DATABASE_ERRORS } from "../words/faults"
import { loadConfig } from "./config"
import { requireStore } from "./medusa"

const CONNECT_MS = 5_000
const STATEMENT_MS = 30_000
/** What Medusa connects to when no database is named. */
const NO_DATABASE = "postgres://localhost/medusa-starter-default"

export type Access = { url: string; ssl: unknown }

/** The address of the store's database; null: it is not known. */
export function databaseUrlOf(config: StoreConfig | null, env: Environment): string | null {
  const url = config?.database_url ?? env.DATABASE_URL ?? ""
  return url === "" || (url === NO_DATABASE && !env.DATABASE_URL) ? null : url
}

/**
 * Returns the store's configuration. Throws DATABASE_UNSET, or one of DATABASE_ERRORS, when the store's database does not
 * answer; before that what `requireStore` throws, and CONFIG_BROKEN. Medusa's own commands try again for more than a minute and then say less.
 */
export async function requireDatabase(context: Context): Promise<StoreConfig> {
  requireStore(context.directory)
  const { config, env } = await loadConfig(context)
  if (config.state !== "read") {
    throw new Failure("CONFIG_BROKEN", { reason: config.state === "broken" ? config.message : "it is gone" })
  }
  const url = databaseUrlOf(config, env)
  if (url === null) {
    throw new Failure("DATABASE_UNSET")
  }
  const read = await withDatabase({ url, ssl: config.database_ssl }, (sql) => sql.query("SELECT 1"))
  if ("problem" in read) {
    const { reason, place, message } = read.problem
    throw new Failure(DATABASE_ERRORS[reason], { place, reason: message })
  }
  return config
}

/** Reads the database with a connection of its own. Never throws. */
export async function withDatabase<Result>(
  { url, ssl }: Access,
  work: (sql: Sql) => Promise<Result>
): Promise<{ result: Result } | { problem: DatabaseProblem }> {
  const client = new Client({
    connectionString: url,
    connectionTimeoutMillis: CONNECT_MS,
    query_timeout: STATEMENT_MS,
    ...(ssl === undefined || ssl === null ? {} : { ssl: ssl as object }),
  })
  // A connection that breaks between two statements must not end the process.
  client.on("error", () => undefined)
  try {
    await client.connect()
    return { result: await work(sqlOf(client)) }
  } catch (error) {
    return { problem: problemOf(url, error as Error & { code?: string }) }
  } finally {
    await client.end().catch(() => undefined)
  }
}

function sqlOf(client: Client): Sql {
  return {
    query: async <Row extends object>(text: string, values: readonly unknown[] = []) =>
      (await client.query(text, values as unknown[])).rows as Row[],
  }
}

/** By SQLSTATE, or the code of the socket's error. */
const REASONS = {
  ECONNREFUSED: "refused",
  ENOTFOUND: "unknown_host",
  EAI_AGAIN: "unknown_host",
  "28P01": "password",
  "28000": "password",
  "3D000": "no_database",
} as const

/** The place is host, port and database: an error must not show the password of the address. */
function problemOf(url: string, error: Error & { code?: string; errors?: { code?: string }[] }): DatabaseProblem {
  const code = error.code ?? error.errors?.[0]?.code ?? ""
  const reason = code in REASONS ? REASONS[code as keyof typeof REASONS] : "other"
  const message = (error.message || code).replaceAll(url, "the address")
  return { reason, message, place: placeOf(url) }
}

function placeOf(url: string): string {
  if (!URL.canParse(url)) {
    return "the address in DATABASE_URL"
  }
  const { host, pathname } = new URL(url)
  return `${host === "" ? "localhost" : host}${pathname}`
}
