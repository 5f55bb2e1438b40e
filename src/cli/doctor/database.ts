import { existsSync, readdirSync } from "node:fs"
import { join } from "node:path"
import type { Sql } from "../../modules/gateway/kernel/database"
import { developmentKey, parseEncryptionKeys } from "../../modules/gateway/kernel/encryption-keys"
import { replacedKeys } from "../../modules/gateway/kernel/replaced-keys"
import { SecretBox } from "../../modules/gateway/kernel/secret-box"
import { readSetUp } from "../../modules/gateway/reporting/set-up"
import { withDatabase, type Access } from "../store/database"
import type { DatabaseFacts, ReadDatabase } from "./facts"

const MIGRATIONS = join(__dirname, "../../modules/gateway/migrations")

type Known = { providers: readonly string[]; encryption_keys: unknown }

/** Facts about the database, and whether a merchant has accounts at acquirers. Never throws: a failure is a fact. */
export async function readDatabase(access: Access & Known): Promise<{ facts: DatabaseFacts; has_accounts: boolean }> {
  const read = await withDatabase(access, (sql) => readAll(sql, access))
  return "problem" in read ? { facts: { state: "unreachable", ...read.problem }, has_accounts: false } : read.result
}

async function readAll(
  sql: Sql,
  { providers, encryption_keys }: Known
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
    replaced_keys: isMigrated ? await replacedAmong(sql, encryption_keys) : [],
    api_keys: setUp?.api_keys ?? { sandbox: 0, production: 0 },
    regions: tables.region ? await regions(sql, providers) : [],
  }
  const has_accounts = setUp !== null && (setUp.accounts.sandbox || setUp.accounts.production)
  return { facts: { state: "read", ...facts }, has_accounts }
}

/** Keys that cannot be parsed are another check's matter. */
async function replacedAmong(sql: Sql, text: unknown): Promise<string[]> {
  try {
    const [first = developmentKey(), ...others] =
      typeof text === "string" && text !== "" ? parseEncryptionKeys(text) : []
    return await replacedKeys(sql, new SecretBox([first, ...others]))
  } catch {
    return []
  }
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
