import { parseOptions } from "../../modules/gateway/kernel/options"
import { checkAcquirers, checkEncryption, checkEnvironment, checkSecrets } from "./production-checks"
import { type Facts, type Finding, type StoreConfig, failed, noted, warned } from "./facts"
import { SUPPORTED } from "../package"
import { DATABASE_ERRORS } from "../words/faults"

const OLDEST_POSTGRES = 130_000
const SKEW_WARNED = 2
const SKEW_FAILED = 30
/** Tasks are due every minute: a worker that is silent for longer has stopped. */
const IDLE_SECONDS = 5 * 60

/** A check of `doctor`: its name, and what it finds. Nothing found: it is in order. `not_checked`: a fact is missing. */
type Check = { name: string; find: (facts: Facts) => Finding[] | "not_checked" }

/** In the order of the report: what comes first explains what follows. */
export const CHECKS: readonly Check[] = [
  { name: "Node", find: checkNode },
  { name: "Medusa", find: checkMedusa },
  { name: "configuration", find: checkConfiguration },
  { name: "workflow hooks", find: ofConfig(checkHooks) },
  { name: "settings", find: ofConfig(checkSettings) },
  { name: "environment", find: ofConfig(checkEnvironment) },
  { name: "database", find: checkDatabase },
  { name: "clock", find: checkClock },
  { name: "migrations", find: checkMigrations },
  { name: "worker", find: checkWorker },
  { name: "metrics", find: ofConfig(checkMetrics) },
  { name: "public URL", find: checkPublicUrl },
  { name: "encryption keys", find: checkEncryption },
  { name: "sign-in secrets", find: ofConfig(checkSecrets) },
  { name: "acquirers", find: ofConfig(checkAcquirers) },
  { name: "Redis", find: checkRedis },
  { name: "regions", find: checkRegions },
  { name: "API keys", find: checkKeys },
]

function ofConfig(find: (facts: Facts, config: StoreConfig) => Finding[] | "not_checked"): Check["find"] {
  return (facts) => (facts.config.state === "read" ? find(facts, facts.config) : "not_checked")
}

function checkNode({ node }: Facts): Finding[] {
  return SUPPORTED.node.accepts(node) ? [] : [failed("NODE_TOO_OLD", { found: node, wanted: SUPPORTED.node.wanted })]
}

function checkMedusa({ medusa }: Facts): Finding[] {
  if (medusa === null) {
    return [failed("MEDUSA_MISSING")]
  }
  const { accepts, wanted } = SUPPORTED.medusa
  return accepts(medusa) ? [] : [failed("MEDUSA_UNSUPPORTED", { found: medusa, wanted })]
}

function checkConfiguration({ config }: Facts): Finding[] {
  switch (config.state) {
    case "missing":
      return [failed("CONFIG_MISSING", { directory: config.directory })]
    case "broken":
      return [failed("CONFIG_BROKEN", { reason: config.message })]
    case "read":
      if (!config.has_gateway) {
        return [failed("PLUGIN_MISSING")]
      }
      if (config.providers.length === 0) {
        return [failed("PROVIDER_MISSING")]
      }
      return config.has_payment_dependency ? [] : [failed("PAYMENT_DEPENDENCY_MISSING")]
  }
}

function checkHooks(_facts: Facts, { cart_hooks }: StoreConfig): Finding[] {
  return cart_hooks.map((file) => failed("CART_HOOK_TAKEN", { file }))
}

/** What the store itself checks when it starts, without what has a check of its own here. */
function checkSettings(_facts: Facts, { options }: StoreConfig): Finding[] {
  const { environment } = options
  const isKnown = environment === undefined || environment === "sandbox" || environment === "production"
  const others = {
    ...options,
    environment: isKnown ? "sandbox" : environment,
    publicUrl: undefined,
    encryptionKeys: undefined,
  }
  try {
    parseOptions(others)
    return []
  } catch (error) {
    return [
      failed("OPTIONS_WRONG", {
        reason: (error as Error).message.replace(/^The gateway module's options are wrong: /, ""),
      }),
    ]
  }
}

function checkDatabase({ database }: Facts): Finding[] {
  if (database === null) {
    return [failed("DATABASE_UNSET")]
  }
  if (database.state === "unreachable") {
    return [failed(DATABASE_ERRORS[database.reason], { place: database.place, reason: database.message })]
  }
  const major = (version: number) => Math.floor(version / 10_000)
  const { version_num } = database
  return version_num >= OLDEST_POSTGRES
    ? []
    : [failed("DATABASE_TOO_OLD", { found: major(version_num), wanted: major(OLDEST_POSTGRES) })]
}

function checkClock({ database }: Facts): Finding[] | "not_checked" {
  if (database?.state !== "read") {
    return "not_checked"
  }
  const seconds = Math.abs(database.skew_seconds)
  if (seconds <= SKEW_WARNED) {
    return []
  }
  return [seconds > SKEW_FAILED ? failed("CLOCK_SKEWED", { seconds }) : warned("CLOCK_SKEWED", { seconds })]
}

function checkMigrations({ database }: Facts): Finding[] | "not_checked" {
  if (database?.state !== "read") {
    return "not_checked"
  }
  if (!database.has_gateway) {
    return [failed("MIGRATIONS_NEVER_RUN")]
  }
  const names = database.missing_migrations
  return names.length === 0 ? [] : [failed("MIGRATIONS_PENDING", { names: names.join(", ") })]
}

function checkWorker({ database, config, env }: Facts): Finding[] | "not_checked" {
  if (database?.state !== "read" || !database.has_gateway) {
    return "not_checked"
  }
  const { worker_idle_seconds: idle_seconds } = database
  if (idle_seconds !== null && idle_seconds <= IDLE_SECONDS) {
    return []
  }
  const setting = settingWithoutWorker(config, env.GATEWAY_WORKER)
  if (setting !== null) {
    return [failed("WORKER_OFF", { setting })]
  }
  return idle_seconds === null
    ? [failed("WORKER_NEVER_RAN")]
    : [failed("WORKER_STOPPED", { minutes: Math.round(idle_seconds / 60) })]
}

function settingWithoutWorker(config: Facts["config"], variable: string | undefined): string | null {
  if (config.state === "read" && config.worker_mode === "server") {
    return "MEDUSA_WORKER_MODE=server"
  }
  const isOff = config.state === "read" ? config.options.worker === false : variable === "0"
  return isOff ? "GATEWAY_WORKER=0" : null
}

/** Medusa loads no routes in a process that is only a worker, and workers count the alerts about the money. */
function checkMetrics(_facts: Facts, { options, worker_mode }: StoreConfig): Finding[] {
  const isHidden = worker_mode === "worker" && options.metricsToken !== undefined && options.workerPort === undefined
  return isHidden ? [warned("WORKER_METRICS_HIDDEN")] : []
}

const LOCAL = /^(localhost|127\.[0-9.]+|\[::1\]|0\.0\.0\.0)$/

function checkPublicUrl({ config, env, publicUrl }: Facts): Finding[] | "not_checked" {
  const options = config.state === "read" ? config.options : {}
  const text = options.publicUrl ?? env.GATEWAY_PUBLIC_URL
  const isLive = options.environment === "production"
  if (typeof text !== "string" || text === "") {
    return [isLive ? failed("PUBLIC_URL_UNSET") : warned("PUBLIC_URL_UNSET")]
  }
  const url = URL.canParse(text) ? new URL(text) : null
  if (url === null || !["http:", "https:"].includes(url.protocol)) {
    return [failed("PUBLIC_URL_WRONG")]
  }
  const findings: Finding[] = []
  if (isLive && url.protocol !== "https:") {
    findings.push(failed("PUBLIC_URL_NOT_HTTPS"))
  } else if (env.NODE_ENV === "production" && LOCAL.test(url.hostname)) {
    findings.push(warned("PUBLIC_URL_LOCAL", { host: url.hostname }))
  }
  return [...findings, ...answerFindings(publicUrl)]
}

function answerFindings(answer: Facts["publicUrl"]): Finding[] {
  if (answer === null || answer.is_gateway) {
    return []
  }
  return answer.status === null
    ? [failed("PUBLIC_URL_SILENT", { reason: answer.problem ?? "no answer" })]
    : [failed("PUBLIC_URL_ELSEWHERE", { status: answer.status })]
}

function checkRedis({ redis }: Facts): Finding[] | "not_checked" {
  if (redis === null) {
    return "not_checked"
  }
  return redis.problem === null ? [] : [failed("REDIS_SILENT", { reason: redis.problem })]
}

function checkRegions({ database, config }: Facts): Finding[] | "not_checked" {
  if (database?.state !== "read" || !database.has_medusa || config.state !== "read") {
    return "not_checked"
  }
  const { regions } = database
  if (regions.length === 0) {
    return [warned("REGION_MISSING")]
  }
  const [provider = "pp_gateway_default"] = config.providers
  const { cash_provider } = config
  return regions.flatMap(({ name, enabled, cash }) => [
    ...(enabled ? [] : [warned("PROVIDER_NOT_ENABLED", { region: name, provider })]),
    ...(cash_provider === null
      ? []
      : [noted(cash ? "CASH_OFFERED" : "CASH_NOT_OFFERED", { region: name, provider: cash_provider })]),
  ])
}

function checkKeys({ database, config }: Facts): Finding[] | "not_checked" {
  if (database?.state !== "read" || !database.has_gateway || database.missing_migrations.length > 0) {
    return "not_checked"
  }
  const isLive = config.state === "read" && config.options.environment === "production"
  const environment = isLive ? "production" : "sandbox"
  return database.api_keys[environment] > 0 ? [] : [warned("API_KEY_NONE", { environment })]
}
