import { z } from "@medusajs/framework/zod"
import type { AcquirerSetting } from "./acquirers/port"
import { canonicalNetwork } from "./domain/ip"
import { LIMITS } from "./domain/limits"
import { LANGUAGES } from "./domain/local"
import { serverSettings, serverSettingsFrom } from "./http-server/settings"

const network = z.string().refine((text) => canonicalNetwork(text) !== null, "must be an IP address or a network in CIDR form")

const optionsSchema = z.object({
  environment: z.enum(["sandbox", "production"]).default("sandbox"),
  publicUrl: z.url({ protocol: /^https?$/ }).optional(),
  allowPrivateUrls: z.boolean().default(false),
  rateLimitRequests: z.int().min(0).default(LIMITS.rateLimitRequests),
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
  acquirers: z.array(z.custom<AcquirerSetting>()).default([]),
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
  if (options.environment === "production" && options.allowPrivateUrls) {
    throw new Error(
      "GATEWAY_ALLOW_PRIVATE_URLS must not be set when GATEWAY_ENVIRONMENT is production: " +
        "callbacks to private addresses would open the internal network to merchants. Unset one of the two."
    )
  }
  return options
}

/** The options as the environment variables of README give them; a host's own options win over them. */
export function optionsFromEnvironment(env: NodeJS.ProcessEnv = process.env): Record<string, unknown> {
  return {
    environment: env.GATEWAY_ENVIRONMENT || undefined,
    publicUrl: env.GATEWAY_PUBLIC_URL || undefined,
    allowPrivateUrls: env.GATEWAY_ALLOW_PRIVATE_URLS === "1" || undefined,
    rateLimitRequests: env.GATEWAY_RATE_LIMIT ? Number(env.GATEWAY_RATE_LIMIT) : undefined,
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
