import type { Environment } from "../environment"
import type { DATABASE_ERRORS, Params } from "../words/faults"
import type { FINDINGS } from "../words/findings"

/** What `doctor` has found out about a set-up. Checks judge it, and read nothing else: tests give any facts they like. */
export type Facts = {
  node: string
  /** Installed versions; null: not installed. */
  medusa: string | null
  config: ConfigFacts
  /** The variables as the store sees them, after it has loaded its .env. */
  env: Environment
  /** Null: the address of a database is not known. */
  database: DatabaseFacts | null
  /** Null: there is no public URL. */
  publicUrl: PublicUrlFacts | null
  /** Null: Redis is not configured. */
  redis: { problem: string | null } | null
  acquirers: AcquirerFacts
}

/** `missing`: no medusa-config; `broken`: loading it failed. */
export type ConfigFacts =
  { state: "missing"; directory: string } | { state: "broken"; message: string } | ({ state: "read" } & StoreConfig)

/** What the loaded medusa-config says about the gateway. Contains no function and no secret but those of `options`. */
export type StoreConfig = {
  /** Whether the plugin, or the module alone, is loaded. */
  has_gateway: boolean
  /** The gateway's options: the variables, and the configuration's own before them; acquirers left out. */
  options: Record<string, unknown>
  /** How many acquirers the configuration itself brings for production. */
  own_acquirers: number
  /** How many accounts at acquirers the variables give, and why they cannot be used; null: nothing is wrong. */
  variable_accounts: number
  acquirer_variables: string | null
  /** Ids of the gateway's payment providers, such as `pp_gateway_default`. */
  providers: string[]
  /** The id of its provider of cash on delivery; null: the configuration has none. */
  cash_provider: string | null
  /** Files of the store and of other plugins that handle the hook of carts that the gateway handles. */
  cart_hooks: string[]
  /** Whether the payment module may resolve the gateway. */
  has_payment_dependency: boolean
  database_url: string | null
  /** What the configuration gives for TLS to the database. */
  database_ssl: unknown
  redis_url: string | null
  worker_mode: string
  jwt_secret_length: number | null
  cookie_secret_length: number | null
  /** Whether the admin's cookie is only sent over https. */
  has_secure_cookie: boolean
}

/** Why a database cannot be read, and its place: host, port and name. */
export type DatabaseProblem = {
  reason: keyof typeof DATABASE_ERRORS
  message: string
  place: string
}

export type DatabaseFacts = ({ state: "unreachable" } & DatabaseProblem) | ({ state: "read" } & ReadDatabase)

export type ReadDatabase = {
  /** Such as 160004. */
  version_num: number
  /** How far the database's clock is ahead of this machine's, in seconds. */
  skew_seconds: number
  has_medusa: boolean
  /** The package's migrations that the database lacks. */
  missing_migrations: string[]
  has_gateway: boolean
  /** Seconds since a worker last took up the schedules or began a scheduled task; null: never. */
  worker_idle_seconds: number | null
  /** Ids of the keys that stored secrets are encrypted with. */
  secret_keys: string[]
  /** Ids of configured keys that do not decrypt what was encrypted under these ids. */
  replaced_keys: string[]
  /** Active API keys by environment. */
  api_keys: { sandbox: number; production: number }
  /** Regions with the currency BDT, and whether they take online payments and cash on delivery of the gateway. */
  regions: RegionFacts[]
}

export type RegionFacts = { name: string; enabled: boolean; cash: boolean }

/** `status` is null when nothing answered; `is_gateway`: the answer is that of `/api/v2`. */
export type PublicUrlFacts = { status: number | null; is_gateway: boolean; problem: string | null }

export type AcquirerFacts = {
  /** Active accounts in the store's environment, with the acquirer's answer; null: they were not asked. */
  tested: { merchant: string; acquirer: string; problem: string | null; message: string }[] | null
  /** Why asking failed; null: it did not, or database and configuration could not be read either. */
  problem: string | null
}

type FindingCode = keyof typeof FINDINGS
/** A note is no fault: it says how something is that may be as it is. */
export type Finding = { level: "note" | "warning" | "error"; code: FindingCode; params: Params }

export function failed(code: FindingCode, params: Params = {}): Finding {
  return { level: "error", code, params }
}

export function warned(code: FindingCode, params: Params = {}): Finding {
  return { level: "warning", code, params }
}

export function noted(code: FindingCode, params: Params = {}): Finding {
  return { level: "note", code, params }
}
