import { dirname, join, relative } from "node:path"
import { getConfigFile } from "@medusajs/framework/utils"
import { optionsFromEnvironment } from "../../modules/gateway/kernel/options"
import { gatewayProviderId } from "../../modules/gateway/kernel/text/provider-id"
import { ACQUIRERS } from "../../modules/gateway/acquirers/definitions"
import { accountsFromEnvironment } from "../../modules/gateway/acquirers/accounts"
import { PACKAGE, resolveFrom } from "../package"
import { filesWithCartHook, gatewayEntry, registerTypeScript } from "./config-entry"
import type { StoreConfig } from "../doctor/facts"

/*
 * Started by `doctor` in a process of its own, in the store's folder: a configuration is a program, which may print, fail
 * or end the process. It reports over the channel to its parent.
 */

export type ConfigReport = { config: StoreConfig; env: Record<string, string | undefined> } | { message: string }

type Entry = {
  resolve?: unknown
  id?: unknown
  options?: Entry & { providers?: Entry[] }
  dependencies?: string[]
  key?: string
}
type Loaded = {
  projectConfig?: {
    databaseUrl?: string
    databaseDriverOptions?: { connection?: { ssl?: unknown }; ssl?: unknown }
    redisUrl?: string
    workerMode?: string
    http?: { jwtSecret?: unknown; cookieSecret?: unknown }
    cookieOptions?: { secure?: unknown }
  }
  plugins?: (string | Entry)[]
  modules?: Record<string, Entry | boolean> | Entry[]
}

type Read = Omit<StoreConfig, "cart_hooks">

function summaryOf({ projectConfig = {}, plugins = [], modules = {} }: Loaded, env: NodeJS.ProcessEnv): Read {
  const entries = (Array.isArray(modules) ? modules : Object.values(modules)).filter(
    (entry): entry is Entry => typeof entry === "object"
  )
  const module = gatewayEntry({ plugins, modules })
  const payment = entries.find((entry) => (entry.options?.providers ?? []).some(isProvider))
  const options = (module?.options ?? {}) as Record<string, unknown> & { acquirers?: { environment?: string }[] }
  const { acquirers = [], ...own } = options
  const merged = { ...definedOnly(optionsFromEnvironment(env)), ...definedOnly(own) }
  const { http = {}, databaseDriverOptions: driver } = projectConfig
  return {
    has_gateway: module !== undefined,
    options: merged,
    own_acquirers: acquirers.filter(({ environment }) => environment === "production").length,
    ...accountsOf(merged.environment, env),
    providers: idsOf(payment, isProvider),
    cash_provider: idsOf(payment, isCashProvider)[0] ?? null,
    has_payment_dependency: payment?.dependencies?.includes("gateway") ?? false,
    database_url: projectConfig.databaseUrl ?? null,
    database_ssl: driver?.connection?.ssl ?? driver?.ssl ?? null,
    redis_url: (merged.redisUrl as string | undefined) ?? projectConfig.redisUrl ?? null,
    worker_mode: projectConfig.workerMode ?? env.MEDUSA_WORKER_MODE ?? "shared",
    jwt_secret_length: lengthOf(http.jwtSecret),
    cookie_secret_length: lengthOf(http.cookieSecret),
    has_secure_cookie: projectConfig.cookieOptions?.secure !== false,
  }
}

/** In the store and its other plugins: the gateway's own store has its workflows as its own. */
function cartHooks(directory: string, config: Loaded): string[] {
  if (gatewayEntry(config)?.resolve !== PACKAGE) {
    return []
  }
  const names = (config.plugins ?? []).map((plugin) => (typeof plugin === "string" ? plugin : String(plugin.resolve)))
  const manifests = names
    .filter((name) => name !== PACKAGE)
    .flatMap((name) => resolveFrom(directory, `${name}/package.json`) ?? [])
  const plugins = manifests.map((path) => join(dirname(path), ".medusa/server/src/workflows"))
  return [join(directory, "src/workflows"), ...plugins]
    .flatMap(filesWithCartHook)
    .map((path) => relative(directory, path))
}

function idsOf(payment: Entry | undefined, isWanted: (provider: Entry) => boolean): string[] {
  return (payment?.options?.providers ?? []).filter(isWanted).map(({ id }) => gatewayProviderId(String(id)))
}

function isCashProvider({ resolve }: Entry): boolean {
  return typeof resolve === "string" && /(^|[\\/])providers[\\/]gateway-cod$/.test(resolve)
}

function isProvider({ resolve }: Entry): boolean {
  return typeof resolve === "string" && /(^|[\\/])providers[\\/]gateway-payment$/.test(resolve)
}

function accountsOf(
  environment: unknown,
  env: NodeJS.ProcessEnv
): Pick<StoreConfig, "variable_accounts" | "acquirer_variables"> {
  try {
    const of = environment === "production" ? "production" : "sandbox"
    const { accounts } = accountsFromEnvironment(ACQUIRERS, of, env)
    return { variable_accounts: accounts.size, acquirer_variables: null }
  } catch (error) {
    return { variable_accounts: 0, acquirer_variables: (error as Error).message }
  }
}

function lengthOf(secret: unknown): number | null {
  return typeof secret === "string" ? secret.length : null
}

function definedOnly(values: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined))
}

async function main(): Promise<ConfigReport> {
  const directory = process.cwd()
  registerTypeScript(directory)
  const { configModule, error } = await getConfigFile<Loaded>(directory, "medusa-config")
  if (error !== null) {
    return { message: error.message }
  }
  const config = { ...summaryOf(configModule, process.env), cart_hooks: cartHooks(directory, configModule) }
  return { config, env: { ...process.env } }
}

if (process.send !== undefined) {
  void main().then(
    (found) => process.send?.(found, () => process.exit(0)),
    (error: Error) => process.send?.({ message: error.message }, () => process.exit(0))
  )
}
