import { existsSync, readdirSync } from "node:fs"
import { join } from "node:path"
import { Client } from "@medusajs/framework/pg"
import type { Sql } from "../../modules/gateway/kernel/database"
import { readSetUp } from "../../modules/gateway/reporting/set-up"
import type { DatabaseFacts, ReadDatabase } from "./facts"

const CONNECT_MS = 10_000
const STATEMENT_MS = 30_000
const MIGRATIONS = join(__dirname, "../../modules/gateway/migrations")

export type Access = { url: string; ssl: unknown; providers: readonly string[] }

/** Facts about the database, and whether a merchant has accounts at acquirers. Never throws: a failure is a fact. */
export async function readDatabase(access: Access): Promise<{ facts: DatabaseFacts; has_accounts: boolean }> {
  const client = new Client({
    connectionString: access.url,
    connectionTimeoutMillis: CONNECT_MS,
    query_timeout: STATEMENT_MS,
    ...(access.ssl === undefined || access.ssl === null ? {} : { ssl: access.ssl as object }),
  })
  // A connection that breaks between two statements must not end the process.
  client.on("error", () => undefined)
  try {
    await client.connect()
    return await readAll(sqlOf(client), access.providers)
  } catch (error) {
    return { facts: unreachable(access.url, error as Error & { code?: string }), has_accounts: false }
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

async function readAll(
  sql: Sql,
  providers: readonly string[]
): Promise<{ facts: DatabaseFacts; has_accounts: boolean }> {
  const before = Date.now()
  const [server] = await sql.query<{ version_num: number; now_ms: number }>(
    "SELECT current_setting('server_version_num')::int AS version_num, (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS now_ms"
  )
  const between = (before + Date.now()) / 2
  const [tables] = await sql.query<Record<"migrations" | "region" | "gateway" | "crontabs", boolean>>(
    `SELECT to_regclass('mikro_orm_migrations') IS NOT NULL AS migrations, to_regclass('region_payment_provider') IS NOT NULL AS region,
       to_regclass('gateway_merchant') IS NOT NULL AS gateway,
       to_regclass('graphile_worker._private_known_crontabs') IS NOT NULL AS crontabs`
  )
  const missing_migrations = await missingMigrations(sql, tables.migrations)
  const isMigrated = tables.gateway && missing_migrations.length === 0
  // Tables of another version may lack columns: what they say is read only when the migrations have run.
  const setUp = isMigrated ? await readSetUp(sql) : null
  const facts: ReadDatabase = {
    version_num: server.version_num,
    skew_seconds: Math.round((server.now_ms - between) / 1_000),
    has_medusa: tables.region,
    missing_migrations,
    has_gateway: tables.gateway,
    worker_idle_seconds: tables.crontabs ? await idleSeconds(sql) : null,
    secret_keys: setUp?.secret_keys ?? [],
    api_keys: setUp?.api_keys ?? { sandbox: 0, production: 0 },
    regions: tables.region ? await regions(sql, providers) : [],
  }
  const has_accounts = setUp !== null && (setUp.accounts.sandbox || setUp.accounts.production)
  return { facts: { state: "read", ...facts }, has_accounts }
}

async function missingMigrations(sql: Sql, hasTable: boolean): Promise<string[]> {
  const names = existsSync(MIGRATIONS)
    ? readdirSync(MIGRATIONS).flatMap((file) => /^(Migration[0-9]+)\.(js|ts)$/.exec(file)?.[1] ?? [])
    : []
  const done = hasTable ? await sql.query<{ name: string }>("SELECT name FROM mikro_orm_migrations") : []
  const known = new Set(done.map(({ name }) => name.replace(/\.(js|ts)$/, "")))
  return [...new Set(names)].filter((name) => !known.has(name)).sort()
}

/**
 * The queue notes when it first learned of each scheduled task, and when it last began it; several are due every minute
 * (worker/crontab.ts).
 */
async function idleSeconds(sql: Sql): Promise<number | null> {
  const [row] = await sql.query<{ idle_seconds: number | null }>(
    "SELECT extract(epoch FROM now() - max(greatest(last_execution, known_since)))::float8 AS idle_seconds FROM graphile_worker._private_known_crontabs"
  )
  return row.idle_seconds === null ? null : Math.max(0, Math.round(row.idle_seconds))
}

async function regions(sql: Sql, providers: readonly string[]): Promise<{ name: string; enabled: boolean }[]> {
  return sql.query<{ name: string; enabled: boolean }>(
    `SELECT r.name, EXISTS (SELECT FROM region_payment_provider l
                            WHERE l.region_id = r.id AND l.payment_provider_id = ANY($1) AND l.deleted_at IS NULL) AS enabled
     FROM region r WHERE lower(r.currency_code) = 'bdt' AND r.deleted_at IS NULL ORDER BY r.name`,
    [providers]
  )
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
function unreachable(url: string, error: Error & { code?: string; errors?: { code?: string }[] }): DatabaseFacts {
  const code = error.code ?? error.errors?.[0]?.code ?? ""
  const reason = code in REASONS ? REASONS[code as keyof typeof REASONS] : "other"
  const message = (error.message || code).replaceAll(url, "the address")
  return { state: "unreachable", reason, message, place: placeOf(url) }
}

function placeOf(url: string): string {
  if (!URL.canParse(url)) {
    return "the address in DATABASE_URL"
  }
  const { host, pathname } = new URL(url)
  return `${host === "" ? "localhost" : host}${pathname}`
}
