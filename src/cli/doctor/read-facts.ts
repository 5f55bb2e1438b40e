import { Redis } from "ioredis"
import { reasonOf } from "../api"
import type { Context } from "../context"
import type { Environment } from "../environment"
import { Failure } from "../failure"
import { loadConfig } from "../store/config"
import { databaseUrlOf } from "../store/database"
import { askGateway } from "../store/gateway"
import { versionOf } from "../store/medusa"
import { readDatabase } from "./production-checks"
import { type Facts, type StoreConfig, type PublicUrlFacts, type AcquirerFacts } from "./facts"

const REQUEST_MS = 10_000

const REDIS_MS = 5_000

/** Finds out everything that the checks need. Never throws for a fault of the set-up: it is one of the facts. */
export async function readFacts(context: Context): Promise<Facts> {
  const { config, env } = await loadConfig(context)
  const read = config.state === "read" ? config : null
  const [{ facts: database, has_accounts }, publicUrl, redis] = await Promise.all([
    databaseFacts(read, env),
    publicUrlFacts(read, env, context.stop),
    redisFacts(read, env),
  ])
  const isReadable = database?.state === "read" && database.has_gateway && database.missing_migrations.length === 0
  return {
    node: process.versions.node,
    medusa: versionOf(context.directory, "@medusajs/medusa"),
    config,
    env,
    database,
    publicUrl,
    redis,
    acquirers: await acquirerFacts({ ...context, env }, read, isReadable, has_accounts),
  }
}

async function databaseFacts(config: StoreConfig | null, env: Environment) {
  const url = databaseUrlOf(config, env)
  if (url === null) {
    return { facts: null, has_accounts: false }
  }
  return readDatabase({
    url,
    ssl: config?.database_ssl,
    providers: config?.providers ?? [],
    cash_provider: config?.cash_provider ?? null,
    encryption_keys: config?.options.encryptionKeys ?? env.GATEWAY_ENCRYPTION_KEYS,
  })
}

/** Any path of the API answers a request without a key in the contract's shape (7.1). */
async function publicUrlFacts(
  config: StoreConfig | null,
  env: Environment,
  stop: AbortSignal
): Promise<PublicUrlFacts | null> {
  const url = config?.options.publicUrl ?? env.GATEWAY_PUBLIC_URL
  if (typeof url !== "string" || !URL.canParse(url)) {
    return null
  }
  const { username, password } = new URL(url)
  if (username !== "" || password !== "") {
    // fetch refuses such an address with an error that repeats it.
    return { status: null, is_gateway: false, problem: "it holds a user name or a password" }
  }
  try {
    const response = await fetch(`${url.replace(/\/$/, "")}/api/v2/events`, {
      redirect: "manual",
      signal: AbortSignal.any([stop, AbortSignal.timeout(REQUEST_MS)]),
    })
    const text = await response.text()
    return { status: response.status, is_gateway: text.includes('"API_KEY_MISSING"'), problem: null }
  } catch (error) {
    return { status: null, is_gateway: false, problem: reasonOf(error) }
  }
}

async function redisFacts(config: StoreConfig | null, env: Environment): Promise<{ problem: string | null } | null> {
  const url = config === null ? env.REDIS_URL : config.redis_url
  if (!url) {
    return null
  }
  const redis = new Redis(url, {
    lazyConnect: true,
    connectTimeout: REDIS_MS,
    commandTimeout: REDIS_MS,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
  })
  let problem: string | null = null
  redis.on("error", (error: Error) => (problem ??= reasonOf(error)))
  try {
    await redis.connect()
    await redis.ping()
    return { problem: null }
  } catch (error) {
    return { problem: problem ?? reasonOf(error) }
  } finally {
    redis.disconnect()
  }
}

/** Starts the gateway to ask the acquirers, and only when there is an account to ask about. */
async function acquirerFacts(
  context: Context,
  config: StoreConfig | null,
  isReadable: boolean,
  hasAccounts: boolean
): Promise<AcquirerFacts> {
  if (config === null || !isReadable || config.acquirer_variables !== null) {
    return { tested: null, problem: null }
  }
  if (!hasAccounts && config.variable_accounts === 0) {
    return { tested: [], problem: null }
  }
  const environment = config.options.environment === "production" ? "production" : "sandbox"
  try {
    return { tested: await askGateway(context, "test-acquirers", { environment }), problem: null }
  } catch (error) {
    return { tested: null, problem: error instanceof Failure ? error.message : String(error) }
  }
}
