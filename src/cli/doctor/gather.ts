import { fork } from "node:child_process"
import { existsSync } from "node:fs"
import { join } from "node:path"
import { Redis } from "ioredis"
import { reasonOf } from "../api"
import type { Context } from "../context"
import type { Environment } from "../environment"
import { Failure } from "../failure"
import { execScript, versionOf } from "../store/medusa"
import type { ConfigReport } from "../store/read-config"
import { readDatabase } from "./database"
import type { AcquirerFacts, ConfigFacts, Facts, PublicUrlFacts, StoreConfig } from "./facts"

const CONFIG_MS = 120_000
const REQUEST_MS = 10_000
const REDIS_MS = 5_000
/** What Medusa connects to when no database is named. */
const NO_DATABASE = "postgres://localhost/medusa-starter-default"

/** Finds out everything that the checks need. Never throws for a fault of the set-up: it is one of the facts. */
export async function gather(context: Context): Promise<Facts> {
  const { config, env } = await readConfig(context)
  const read = config.state === "read" ? config : null
  const [{ facts: database, has_accounts }, publicUrl, redis] = await Promise.all([
    databaseFacts(read, env),
    publicUrlFacts(read, env),
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

/** Loads the configuration in a process of its own; `env` is what it sees after it has read its .env. */
async function readConfig(context: Context): Promise<{ config: ConfigFacts; env: Environment }> {
  const { directory, env } = context
  if (!["ts", "js", "mjs"].some((end) => existsSync(join(directory, `medusa-config.${end}`)))) {
    return { config: { state: "missing" }, env }
  }
  const child = fork(join(__dirname, "../store/read-config.js"), [], {
    cwd: directory,
    env: { ...env, NODE_OPTIONS: "" },
    stdio: ["ignore", "ignore", "pipe", "ipc"],
    execArgv: [],
    // JSON has no NaN, which is what a variable becomes that is no number.
    serialization: "advanced",
    signal: AbortSignal.any([context.stop, AbortSignal.timeout(CONFIG_MS)]),
  })
  let printed = ""
  child.stderr?.on("data", (chunk: Buffer) => (printed = (printed + chunk.toString("utf8")).slice(-2_000)))
  let report: ConfigReport | null = null
  child.on("message", (message) => (report = message as ConfigReport))
  const code = await new Promise<number | string | null>((ended) => {
    child.once("error", (error) => ended(error.message))
    child.once("close", (exit, signal) => ended(exit ?? signal))
  })
  return configOf(report, `its process ended with ${code}: ${printed.trim()}`, env)
}

function configOf(
  report: ConfigReport | null,
  end: string,
  env: Environment
): { config: ConfigFacts; env: Environment } {
  if (report === null) {
    return { config: { state: "broken", message: end }, env }
  }
  return "message" in report
    ? { config: { state: "broken", message: report.message }, env }
    : { config: { state: "read", ...report.config }, env: report.env }
}

async function databaseFacts(config: StoreConfig | null, env: Environment) {
  const url = config?.database_url ?? env.DATABASE_URL ?? ""
  if (url === "" || (url === NO_DATABASE && !env.DATABASE_URL)) {
    return { facts: null, has_accounts: false }
  }
  return readDatabase({ url, ssl: config?.database_ssl, providers: config?.providers ?? [] })
}

/** Any path of the API answers a request without a key in the contract's shape (7.1). */
async function publicUrlFacts(config: StoreConfig | null, env: Environment): Promise<PublicUrlFacts | null> {
  const url = config?.options.publicUrl ?? env.GATEWAY_PUBLIC_URL
  if (typeof url !== "string" || !URL.canParse(url)) {
    return null
  }
  try {
    const response = await fetch(`${url.replace(/\/$/, "")}/api/v2/events`, {
      redirect: "manual",
      signal: AbortSignal.timeout(REQUEST_MS),
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

/** Boots the store to ask the providers, and only when there is an account to ask about. */
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
    return { tested: await execScript(context, "test-acquirers", { environment }), problem: null }
  } catch (error) {
    return { tested: null, problem: error instanceof Failure ? error.message : String(error) }
  }
}
