import { existsSync, readdirSync } from "node:fs"
import { join } from "node:path"
import type { Sql } from "../../modules/gateway/kernel/database/database"
import { developmentKey, parseEncryptionKeys } from "../../modules/gateway/kernel/database/encryption-keys"
import { replacedKeys } from "../../modules/gateway/kernel/database/replaced-keys"
import { SecretBox } from "../../modules/gateway/kernel/database/secret-box"
import { ACQUIRERS, baseUrlVariable } from "../../modules/gateway/acquirers/definitions"
import { readSetUp } from "../../modules/gateway/reporting/set-up"
import { type Access, withDatabase } from "../store/database"
import {
  type DatabaseFacts,
  type Facts,
  type RegionFacts,
  type Finding,
  type ReadDatabase,
  type StoreConfig,
  failed,
  warned,
} from "./facts"

const MIGRATIONS = join(__dirname, "../../modules/gateway/migrations")

type Known = { providers: readonly string[]; cash_provider: string | null; encryption_keys: unknown }

/** Facts about the database, and whether a merchant has accounts at acquirers. Never throws: a failure is a fact. */
export async function readDatabase(access: Access & Known): Promise<{ facts: DatabaseFacts; has_accounts: boolean }> {
  const read = await withDatabase(access, (sql) => readAll(sql, access))
  return "problem" in read ? { facts: { state: "unreachable", ...read.problem }, has_accounts: false } : read.result
}

async function readAll(
  sql: Sql,
  { providers, cash_provider, encryption_keys }: Known
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
    regions: tables.region ? await regions(sql, providers, cash_provider) : [],
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

async function regions(sql: Sql, providers: readonly string[], cash_provider: string | null): Promise<RegionFacts[]> {
  return sql.query<RegionFacts>(
    `SELECT r.name, EXISTS (SELECT FROM region_payment_provider l
                            WHERE l.region_id = r.id AND l.payment_provider_id = ANY($1) AND l.deleted_at IS NULL) AS enabled,
            EXISTS (SELECT FROM region_payment_provider l
                    WHERE l.region_id = r.id AND l.payment_provider_id = $2 AND l.deleted_at IS NULL) AS cash
     FROM region r WHERE lower(r.currency_code) = 'bdt' AND r.deleted_at IS NULL ORDER BY r.name`,
    [providers, cash_provider]
  )
}

const SHORTEST_SECRET = 32
/** The id of the key that a store without keys uses (kernel/database/encryption-keys.ts). */
const DEVELOPMENT_KEY = "development"

const isLive = ({ options }: StoreConfig) => options.environment === "production"

export function checkEnvironment({ env }: Facts, config: StoreConfig): Finding[] {
  if (isLive(config)) {
    return [
      ...(config.options.allowPrivateUrls === true ? [failed("PRIVATE_URLS_IN_PRODUCTION")] : []),
      ...ACQUIRERS.map(baseUrlVariable)
        .filter((name) => env[name])
        .map((name) => failed("ACQUIRER_ADDRESS_REPLACED", { name })),
    ]
  }
  return env.NODE_ENV === "production" ? [warned("SANDBOX_IN_PRODUCTION")] : []
}

/** Also without a configuration: the variable alone says enough. */
export function checkEncryption({ config, env, database }: Facts): Finding[] {
  const options = config.state === "read" ? config.options : {}
  const text = options.encryptionKeys ?? env.GATEWAY_ENCRYPTION_KEYS
  const isRequired = options.environment === "production" || env.NODE_ENV === "production"
  const stored = database?.state === "read" ? database.secret_keys : []
  if (typeof text !== "string" || text === "") {
    const lost = stored.filter((id) => id !== DEVELOPMENT_KEY)
    return [
      isRequired ? failed("ENCRYPTION_KEYS_UNSET") : warned("ENCRYPTION_KEYS_UNSET"),
      ...(lost.length === 0 ? [] : [failed("ENCRYPTION_KEY_LOST", { ids: lost.join(", ") })]),
    ]
  }
  try {
    const ids = parseEncryptionKeys(text).map(({ id }) => id)
    const replaced = database?.state === "read" ? database.replaced_keys : []
    return [
      ...(replaced.length === 0 ? [] : [failed("ENCRYPTION_KEY_REPLACED", { ids: replaced.join(", ") })]),
      ...storedFindings(stored, isRequired ? ids : [...ids, DEVELOPMENT_KEY]),
    ]
  } catch (error) {
    return [failed("ENCRYPTION_KEYS_WRONG", { reason: (error as Error).message })]
  }
}

function storedFindings(stored: readonly string[], [first, ...others]: readonly string[]): Finding[] {
  const lost = stored.filter((id) => id !== first && !others.includes(id))
  const older = stored.filter((id) => others.includes(id))
  return [
    ...(lost.length === 0 ? [] : [failed("ENCRYPTION_KEY_LOST", { ids: lost.join(", ") })]),
    ...(older.length === 0 ? [] : [warned("ENCRYPTION_NOT_ROTATED", { ids: older.join(", ") })]),
  ]
}

/** Medusa's own secrets; a store that takes real money does not start with weak ones. */
export function checkSecrets({ env }: Facts, config: StoreConfig): Finding[] {
  const isWeak = (length: number | null) => length === null || length < SHORTEST_SECRET
  const found = isLive(config) ? failed : warned
  const length = SHORTEST_SECRET
  const isPlain = String(config.options.publicUrl ?? "").startsWith("http://")
  return [
    ...(isWeak(config.jwt_secret_length) ? [found("JWT_SECRET_WEAK", { length })] : []),
    ...(isWeak(config.cookie_secret_length) ? [found("COOKIE_SECRET_WEAK", { length })] : []),
    ...(env.NODE_ENV === "production" && isPlain && config.has_secure_cookie ? [warned("ADMIN_COOKIE_DROPPED")] : []),
  ]
}

export function checkAcquirers({ acquirers }: Facts, config: StoreConfig): Finding[] | "not_checked" {
  if (config.acquirer_variables !== null) {
    return [failed("ACQUIRER_VARIABLES_MISSING", { reason: config.acquirer_variables })]
  }
  if (acquirers.tested === null) {
    const { problem } = acquirers
    return problem === null ? "not_checked" : [warned("ACQUIRERS_NOT_ASKED", { reason: problem })]
  }
  const isBare = acquirers.tested.length === 0 && config.own_acquirers === 0 && config.variable_accounts === 0
  if (isBare && isLive(config)) {
    return [failed("ACQUIRER_NONE")]
  }
  return acquirers.tested.flatMap(({ merchant, acquirer, problem, message }) => {
    switch (problem) {
      case null:
        return []
      case "unreadable":
        return [failed("ACQUIRER_UNREADABLE", { merchant, acquirer })]
      // The credentials were not tested: nothing says that they are wrong.
      case "no_answer":
      case "network":
      case "maintenance":
      case "rate_limited":
        return [warned("ACQUIRER_SILENT", { merchant, acquirer })]
      case "not_tested":
        return [warned("ACQUIRERS_NOT_ASKED", { reason: message })]
      default:
        return [failed("ACQUIRER_REFUSED", { merchant, acquirer, reason: message })]
    }
  })
}
