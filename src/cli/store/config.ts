import { fork } from "node:child_process"
import { existsSync } from "node:fs"
import { createRequire } from "node:module"
import { join } from "node:path"
import { configLoader } from "@medusajs/framework/config"
import type { ConfigModule } from "@medusajs/framework/types"
import { getConfigFile } from "@medusajs/framework/utils"
import { optionsFromEnvironment } from "../../modules/gateway/kernel/options"
import { gatewayProviderId } from "../../modules/gateway/kernel/text/provider-id"
import { accountsFromEnvironment } from "../../modules/gateway/acquirers/accounts"
import { ACQUIRERS } from "../../modules/gateway/acquirers/definitions"
import type { Context } from "../context"
import type { ConfigFacts, StoreConfig } from "../doctor/facts"
import type { Environment } from "../environment"

const PACKAGE = "medusa-payment-gateway"

/** An entry of `plugins` or `modules` in a store's configuration. */
type ConfigEntry = { resolve?: unknown; options?: Record<string, unknown> }

type Configured = {
  plugins?: readonly (string | ConfigEntry)[]
  modules?: Readonly<Record<string, unknown>> | readonly unknown[]
}

/**
 * As Medusa's own program does it: a store in development has its configuration in TypeScript. Not in a built store: the
 * compiler takes memory and a moment of the start, and ts-node loads Node's `domain`, which slows down every event.
 */
export function registerTypeScript(directory: string): void {
  if (process.env.NODE_ENV === "production" && !existsSync(join(directory, "medusa-config.ts"))) {
    return
  }
  const load = createRequire(join(directory, "package.json"))
  for (const name of ["ts-node", "tsconfig-paths"]) {
    try {
      const { register } = load(name) as { register(options: object): void }
      register({})
    } catch {
      // A store in production has neither. One that needs them fails at its configuration, which is reported.
      return
    }
  }
}

/** The gateway in a configuration: the plugin, or the module of this repository's own store; undefined: neither. */
export function gatewayEntry({ plugins = [], modules = {} }: Configured): ConfigEntry | undefined {
  const entries: unknown[] = [
    ...plugins.map((entry) => (typeof entry === "string" ? { resolve: entry } : entry)),
    ...(Array.isArray(modules) ? (modules as unknown[]) : Object.values(modules)),
  ]
  return entries.find(isGateway)
}

function isGateway(entry: unknown): entry is ConfigEntry {
  const { resolve } = Object(entry) as ConfigEntry
  return typeof resolve === "string" && (resolve === PACKAGE || /(^|[\\/])modules[\\/]gateway$/.test(resolve))
}

const CONFIG_MS = 120_000

/** Loads the configuration in a process of its own; `env` is what it sees after it has read its .env. */
export async function loadConfig(context: Context): Promise<{ config: ConfigFacts; env: Environment }> {
  const { directory, env } = context
  if (!["ts", "js", "mjs"].some((end) => existsSync(join(directory, `medusa-config.${end}`)))) {
    return { config: { state: "missing" }, env }
  }
  const child = fork(join(__dirname, "read-config.js"), [], {
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

function summaryOf({ projectConfig = {}, plugins = [], modules = {} }: Loaded, env: NodeJS.ProcessEnv): StoreConfig {
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
    providers: (payment?.options?.providers ?? []).filter(isProvider).map(({ id }) => gatewayProviderId(String(id))),
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
  return error === null
    ? { config: summaryOf(configModule, process.env), env: { ...process.env } }
    : { message: error.message }
}

if (process.send !== undefined) {
  void main().then(
    (found) => process.send?.(found, () => process.exit(0)),
    (error: Error) => process.send?.({ message: error.message }, () => process.exit(0))
  )
}

/**
 * The store's configuration as Medusa loads it, and the options that it gives the gateway. A configuration that cannot
 * be loaded ends the process, as it ends a store's. Throws when it has no gateway.
 */
export async function loadStoreConfig(
  directory: string
): Promise<{ config: ConfigModule; options: Record<string, unknown> }> {
  registerTypeScript(directory)
  const config = await configLoader(directory, "medusa-config")
  const entry = gatewayEntry(config)
  if (entry === undefined) {
    throw new Error(
      `The configuration in ${directory} has no payment gateway: run \`npx medusa-payment-gateway init\` there.`
    )
  }
  return { config, options: entry.options ?? {} }
}
