import type { ProjectConfigOptions } from "@medusajs/framework/types"
import { z } from "@medusajs/framework/zod"
import { AUTH_LIMITS, PAGE_LIMITS } from "./abuse-limits"
import { developmentKey, parseEncryptionKeys, type EncryptionKey } from "./encryption-keys"
import type { Environment } from "./clock"
import { canonicalNetwork } from "./ip"
import { LIMITS } from "./limits"
import { LANGUAGES } from "./locale"
import { SecretBox } from "./secret-box"
import { serverSettings, serverSettingsFrom } from "./server-settings"

const network = z
  .string()
  .refine((text) => canonicalNetwork(text) !== null, "must be an IP address or a network in CIDR form")

/** Some limits by name, the others as they are by default; 0: off. */
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

/** Of what it makes, payments/acquirers/port.ts knows the shape. */
type AcquirerOption = { environment: Environment; services?: string[]; create: () => unknown }

const optionsSchema = z.object({
  environment: z.enum(["sandbox", "production"]).default("sandbox"),
  publicUrl: z.url({ protocol: /^https?$/ }).optional(),
  allowPrivateUrls: z.boolean().default(false),
  /** What secrets are encrypted with in the database: `id:base64,id:base64`, 32 bytes each; the first encrypts, all decrypt. */
  encryptionKeys: encryptionKeys.optional(),
  rateLimitRequests: z.int().min(0).default(LIMITS.rateLimitRequests),
  /** What anonymous visitors of the payment pages may do. */
  pageLimits: limits(PAGE_LIMITS),
  /** Who fails to sign in under /auth. */
  authLimits: limits(AUTH_LIMITS),
  trustedProxies: z.array(network).default([]),
  redisUrl: z.string().optional(),
  worker: z.boolean().default(true),
  /** Whoever sends it as a bearer token may read `GET /gateway/metrics`; absent: nobody. */
  metricsToken: z.string().min(24).optional(),
  /** How long the log of requests is kept; 0: none is written. */
  requestLogDays: z.int().min(0).max(90).default(7),
  /** Which part of the requests that succeeded is logged, 1: all. Refused and failed ones always are. */
  requestLogSample: z.number().min(0).max(1).default(1),
  /** Name and environment the store's own payments run under; the merchant is made at first use. */
  storeMerchantName: z.string().min(1).max(200).default("My store"),
  /** Origins a storefront may be sent back to, besides those of STORE_CORS and publicUrl. */
  returnOrigins: z.array(z.string()).default([]),
  /** Days after a subscription's first failed charge on which it is tried again; a merchant may have its own. */
  retryDays: z
    .array(z.int().min(1).max(365))
    .refine((days) => days.every((day, index) => index === 0 || day > days[index - 1]), "must ascend")
    .default([1, 3, 5, 7]),
  /** What becomes of a subscription whose last retry failed. */
  afterLastRetry: z.enum(["cancel", "past_due"]).default("cancel"),
  /** The language of e-mails to customers, and of the PDF in them. */
  mailLanguage: z.enum(LANGUAGES).default("en"),
  /** How long the http server waits for slow clients. */
  server: serverSettings.prefault({}),
  acquirers: z.array(z.custom<AcquirerOption>()).default([]),
})

export type GatewayOptions = z.infer<typeof optionsSchema>

/** Reads the module's options; a wrong one stops the process at boot with a sentence that names it. */
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

/**
 * What encrypts the secrets in the database. A store that takes real money, or runs with NODE_ENV=production, needs keys
 * of its own and throws without; any other falls back to a key that protects nothing. A store that is given keys later
 * still reads what that one has encrypted, unless it is in production: there `rotate-secrets` encrypts it anew.
 */
export function secretBoxOf(
  { environment, encryptionKeys: text }: Pick<GatewayOptions, "environment" | "encryptionKeys">,
  { nodeEnv = process.env.NODE_ENV, withDevelopmentKey = false } = {}
): SecretBox {
  const isProduction = environment === "production" || nodeEnv === "production"
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
 * Medusa signs tokens and cookies with a secret that everybody knows when none is set and NODE_ENV is not production. Who
 * knows it is an admin of a store that takes real money: such a store does not start. Throws a sentence that names the variable.
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

/** The options as the environment variables of README give them; a host's own options win over them. */
export function optionsFromEnvironment(env: NodeJS.ProcessEnv = process.env): Record<string, unknown> {
  return {
    environment: env.GATEWAY_ENVIRONMENT || undefined,
    publicUrl: env.GATEWAY_PUBLIC_URL || undefined,
    allowPrivateUrls: env.GATEWAY_ALLOW_PRIVATE_URLS === "1" || undefined,
    encryptionKeys: env.GATEWAY_ENCRYPTION_KEYS || undefined,
    rateLimitRequests: env.GATEWAY_RATE_LIMIT ? Number(env.GATEWAY_RATE_LIMIT) : undefined,
    pageLimits: limitsIn(env.GATEWAY_PAGE_LIMITS, PAGE_LIMITS),
    authLimits: limitsIn(env.GATEWAY_AUTH_LIMITS, AUTH_LIMITS),
    trustedProxies: env.TRUSTED_PROXIES ? env.TRUSTED_PROXIES.split(",").map((part) => part.trim()) : undefined,
    retryDays: env.GATEWAY_RETRY_DAYS ? env.GATEWAY_RETRY_DAYS.split(",").map(Number) : undefined,
    afterLastRetry: env.GATEWAY_AFTER_LAST_RETRY || undefined,
    mailLanguage: env.GATEWAY_MAIL_LANGUAGE || undefined,
    redisUrl: env.REDIS_URL || undefined,
    worker: env.GATEWAY_WORKER === "0" ? false : undefined,
    metricsToken: env.GATEWAY_METRICS_TOKEN || undefined,
    requestLogDays: env.GATEWAY_REQUEST_LOG_DAYS ? Number(env.GATEWAY_REQUEST_LOG_DAYS) : undefined,
    server: serverSettingsFrom(env),
    requestLogSample: env.GATEWAY_REQUEST_LOG_SAMPLE ? Number(env.GATEWAY_REQUEST_LOG_SAMPLE) : undefined,
  }
}

/** `name=number, ...` in place of some defaults, or `0` for none at all. What is no number is refused with the options. */
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
