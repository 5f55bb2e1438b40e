import type { ProjectConfigOptions } from "@medusajs/framework/types"
import { z } from "@medusajs/framework/zod"
import { AUTH_LIMITS, PAGE_LIMITS } from "./http/abuse-limits"
import { developmentKey, parseEncryptionKeys, type EncryptionKey } from "./database/encryption-keys"
import type { Environment } from "./money/clock"
import { canonicalNetwork } from "./http/ip"
import { LIMITS } from "./limits"
import { LANGUAGES } from "../../../i18n/languages"
import { SecretBox } from "./database/secret-box"
import { serverSettings, serverSettingsFrom } from "./http/server-settings"

const network = z
  .string()
  .refine((text) => canonicalNetwork(text) !== null, "must be an IP address or a network in CIDR form")

const origin = z.string().refine(isOrigin, "must be an origin such as https://shop.example, without a path")

/** A slash at the end is allowed: people copy origins from the address bar. */
function isOrigin(text: string): boolean {
  const { protocol, origin: parsed } = URL.canParse(text) ? new URL(text) : { protocol: "", origin: "" }
  return /^https?:$/.test(protocol) && parsed === text.replace(/\/$/, "")
}

/** Overrides some limits by name; the others keep their defaults. 0: off. */
function limits<Name extends string>(defaults: Readonly<Record<Name, number>>) {
  const names = Object.entries<number>(defaults).map(([name, value]) => [name, z.int().min(0).default(value)] as const)
  return z.strictObject(Object.fromEntries(names) as Record<Name, z.ZodDefault<z.ZodInt>>).prefault({} as never)
}

const encryptionKeys = z.string().superRefine((text, context) => {
  try {
    parseEncryptionKeys(text)
  } catch (error) {
    context.addIssue({ code: "custom", message: (error as Error).message })
  }
})

/** `create` returns an acquirer as in acquirers/port.ts. */
type AcquirerOption = { environment: Environment; services?: string[]; create: () => unknown }

const optionsSchema = z.object({
  environment: z.enum(["sandbox", "production"]).default("sandbox"),
  publicUrl: z.url({ protocol: /^https?$/ }).optional(),
  allowPrivateUrls: z.boolean().default(false),
  /** Keys for secrets in the database: `id:base64,id:base64`, 32 bytes each; the first encrypts, all decrypt. */
  encryptionKeys: encryptionKeys.optional(),
  rateLimitRequests: z.int().min(0).default(LIMITS.rateLimitRequests),
  /** Limits for anonymous visitors of the payment pages. */
  pageLimits: limits(PAGE_LIMITS),
  /** Limits for failed sign-ins under /auth. */
  authLimits: limits(AUTH_LIMITS),
  trustedProxies: z.array(network).default([]),
  redisUrl: z.string().optional(),
  /** PostgreSQL itself, when DATABASE_URL is a pooler in transaction mode: for work that needs a session of its own. */
  directDatabaseUrl: z
    .url({ protocol: /^postgres(ql)?$/, error: "must be an address such as postgres://user@host/name" })
    .optional(),
  worker: z.boolean().default(true),
  /** Where a process of Medusa's mode `worker` answers metrics and health checks; absent: nowhere. */
  workerPort: z.int().min(1).max(65_535).optional(),
  /** The bearer token that grants `GET /gateway/metrics`; absent: no access at all. */
  metricsToken: z.string().min(24).optional(),
  /** How long the request log is kept; 0: no log. */
  requestLogDays: z.int().min(0).max(90).default(7),
  /** The share of successful requests that is logged, 1: all. Refused and failed requests are always logged. */
  requestLogSample: z.number().min(0).max(1).default(1),
  /** The merchant name and environment of the store's own payments; the merchant is created at first use. */
  storeMerchantName: z.string().min(1).max(200).default("My store"),
  /** Origins that shoppers may be sent back to, in addition to STORE_CORS and publicUrl. */
  returnOrigins: z.array(origin).default([]),
  /** Days after a subscription's first failed charge on which it is retried; a merchant may have its own. */
  retryDays: z
    .array(z.int().min(1).max(365))
    .refine((days) => days.every((day, index) => index === 0 || day > days[index - 1]), "must ascend")
    .default([1, 3, 5, 7]),
  /** What happens to a subscription whose last retry failed. */
  afterLastRetry: z.enum(["cancel", "past_due"]).default("cancel"),
  /** The language of e-mails to customers and of the PDFs attached to them. */
  mailLanguage: z.enum(LANGUAGES).default("en"),
  /** Whether the API reference is served, at /api/v2/docs. */
  reference: z.boolean().default(true),
  /** How long the http server waits for slow clients. */
  server: serverSettings.prefault({}),
  acquirers: z.array(z.custom<AcquirerOption>()).default([]),
})

export type GatewayOptions = z.infer<typeof optionsSchema>

/** Parses the module's options. An invalid one stops the process at boot with a message that names it. */
export function parseOptions(input: unknown): GatewayOptions {
  const result = optionsSchema.safeParse(input ?? {})
  if (!result.success) {
    const reasons = result.error.issues.map(({ path, message }) => `${path.join(".")}: ${message}`).join("; ")
    throw new Error(`The gateway module's options are wrong: ${reasons}`)
  }
  const options = result.data
  if (options.environment === "production") {
    requireProductionOptions(options)
  }
  return options
}

function requireProductionOptions({ allowPrivateUrls, publicUrl }: GatewayOptions): void {
  if (allowPrivateUrls) {
    throw new Error(
      "GATEWAY_ALLOW_PRIVATE_URLS must not be set when GATEWAY_ENVIRONMENT is production: " +
        "callbacks to private addresses would open the internal network to merchants. Unset one of the two."
    )
  }
  if (publicUrl === undefined || !publicUrl.startsWith("https://")) {
    throw new Error(
      "GATEWAY_PUBLIC_URL must be an https address when GATEWAY_ENVIRONMENT is production: " +
        "payment pages and links would else be sent in the clear. Set it to the address under which browsers reach this store."
    )
  }
}

/** Whether secrets are worth a key of the store's own: it takes real money, or is deployed. */
export function needsOwnKeys(environment: GatewayOptions["environment"], nodeEnv = process.env.NODE_ENV): boolean {
  return environment === "production" || nodeEnv === "production"
}

/**
 * The encryption of secrets in the database. A store that takes real money, or runs with NODE_ENV=production, needs its
 * own keys; otherwise this throws. Any other store falls back to a key that protects nothing. When such a store gets
 * keys later, it can still read what the fallback key encrypted, except in production: `rotate-secrets` encrypts it
 * again there.
 */
export function secretBoxOf(
  { environment, encryptionKeys: text }: Pick<GatewayOptions, "environment" | "encryptionKeys">,
  { nodeEnv = process.env.NODE_ENV, withDevelopmentKey = false } = {}
): SecretBox {
  const isProduction = needsOwnKeys(environment, nodeEnv)
  if (text === undefined && isProduction) {
    throw new Error(
      "GATEWAY_ENCRYPTION_KEYS must be set in production: webhook secrets and kept cards' tokens would else lie readable in the " +
        'database. Make a key with "openssl rand -base64 32", and set GATEWAY_ENCRYPTION_KEYS=k1:<that>.'
    )
  }
  const own = text === undefined ? [] : parseEncryptionKeys(text)
  const keys = isProduction && !withDevelopmentKey ? own : [...own, developmentKey()]
  return new SecretBox(keys as [EncryptionKey, ...EncryptionKey[]])
}

const SHORTEST_SECRET = 32
type Http = Partial<Pick<ProjectConfigOptions["http"], "jwtSecret" | "cookieSecret">>

/**
 * Medusa signs tokens and cookies with a publicly known secret when none is set and NODE_ENV is not production. Whoever
 * knows the secret is an admin, so a store that takes real money does not start with it. Throws an Error that names the
 * variable.
 */
export function requireOwnSecrets(environment: GatewayOptions["environment"], { jwtSecret, cookieSecret }: Http): void {
  if (environment !== "production") {
    return
  }
  for (const [variable, secret] of [
    ["JWT_SECRET", jwtSecret],
    ["COOKIE_SECRET", cookieSecret],
  ] as const) {
    const isWeak = secret === undefined || (typeof secret === "string" && secret.length < SHORTEST_SECRET)
    if (isWeak) {
      throw new Error(
        `${variable} must have at least ${SHORTEST_SECRET} characters when GATEWAY_ENVIRONMENT is production: with a short secret, ` +
          'or Medusa\'s default, anybody can sign in as an admin. Make one with "openssl rand -base64 32".'
      )
    }
  }
}

/** The options as the variables of docs/operations.md, Settings, give them; a host's own options override them. */
export function optionsFromEnvironment(env: NodeJS.ProcessEnv = process.env): Record<string, unknown> {
  return {
    environment: env.GATEWAY_ENVIRONMENT || undefined,
    publicUrl: env.GATEWAY_PUBLIC_URL || undefined,
    allowPrivateUrls: env.GATEWAY_ALLOW_PRIVATE_URLS === "1" || undefined,
    encryptionKeys: env.GATEWAY_ENCRYPTION_KEYS || undefined,
    rateLimitRequests: env.GATEWAY_RATE_LIMIT ? Number(env.GATEWAY_RATE_LIMIT) : undefined,
    pageLimits: limitsIn(env.GATEWAY_PAGE_LIMITS, PAGE_LIMITS),
    authLimits: limitsIn(env.GATEWAY_AUTH_LIMITS, AUTH_LIMITS),
    trustedProxies: listIn(env.TRUSTED_PROXIES),
    returnOrigins: listIn(env.GATEWAY_RETURN_ORIGINS),
    retryDays: env.GATEWAY_RETRY_DAYS ? env.GATEWAY_RETRY_DAYS.split(",").map(Number) : undefined,
    afterLastRetry: env.GATEWAY_AFTER_LAST_RETRY || undefined,
    mailLanguage: env.GATEWAY_MAIL_LANGUAGE || undefined,
    reference: env.GATEWAY_REFERENCE === "0" ? false : undefined,
    redisUrl: env.REDIS_URL || undefined,
    directDatabaseUrl: env.GATEWAY_DIRECT_DATABASE_URL || undefined,
    worker: env.GATEWAY_WORKER === "0" ? false : undefined,
    workerPort: env.GATEWAY_WORKER_PORT ? Number(env.GATEWAY_WORKER_PORT) : undefined,
    metricsToken: env.GATEWAY_METRICS_TOKEN || undefined,
    requestLogDays: env.GATEWAY_REQUEST_LOG_DAYS ? Number(env.GATEWAY_REQUEST_LOG_DAYS) : undefined,
    server: serverSettingsFrom(env),
    requestLogSample: env.GATEWAY_REQUEST_LOG_SAMPLE ? Number(env.GATEWAY_REQUEST_LOG_SAMPLE) : undefined,
  }
}

function listIn(text: string | undefined): string[] | undefined {
  return text ? text.split(",").map((part) => part.trim()) : undefined
}

/**
 * Parses `name=number, ...`, which overrides some defaults, or `0`, which switches all off. The options' schema refuses
 * values that are not numbers.
 */
function limitsIn(text: string | undefined, defaults: object): Record<string, number> | undefined {
  if (!text) {
    return undefined
  }
  if (text.trim() === "0") {
    return Object.fromEntries(Object.keys(defaults).map((name) => [name, 0]))
  }
  const pairs = text.split(",").map((pair) => pair.split("=").map((part) => part.trim()))
  return Object.fromEntries(pairs.map(([name, value]) => [name, value ? Number(value) : Number.NaN]))
}
