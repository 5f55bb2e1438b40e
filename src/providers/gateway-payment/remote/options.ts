import { z } from "@medusajs/framework/zod"
import { translate } from "../../../i18n/translate"
import { refusalOfUrl } from "../../../modules/gateway/kernel/callback-url"

const secret = z.string().regex(/^whsec_[A-Za-z0-9+/]{32,}={0,2}$/, "must be the whole secret, beginning with whsec_")

const remoteSchema = z
  .object({
    /** The other deployment's base URL, ending in `/api/v2`. */
    baseUrl: z.string().regex(/\/api\/v2\/?$/, "must end in /api/v2"),
    /** A key of this store's merchant there: `sk_...`, or an `rk_live_...` with the scopes of docs/remote-store.md. */
    apiKey: z.string().regex(/^(sk|rk)_(test|live)_/, "must be a secret or restricted API key"),
    /** The secret of the endpoint registered in the other deployment for this store's `/hooks/payment/gateway_<id>`. */
    webhookSecret: secret.optional(),
    /** The merchant's IPN secret: with it every order has this store as its `ipn_url`, and no endpoint is needed. */
    ipnSecret: secret.optional(),
    /** The provider's id in Medusa's configuration: the provider is then `pp_gateway_<id>`. */
    id: z
      .string()
      .regex(/^[a-z0-9-]+$/)
      .default("remote"),
    /** Allows http and private hosts, for tests and local development. */
    allowPrivateUrls: z.boolean().default(false),
    timeoutMs: z.int().min(100).max(60_000).default(15_000),
  })
  .refine(({ webhookSecret, ipnSecret }) => (webhookSecret ?? ipnSecret) !== undefined, {
    path: ["webhookSecret"],
    error: "is required, or ipnSecret: without either this store cannot be notified of a payment",
  })

/** The provider's options in Medusa's configuration: how to reach a gateway in another deployment. */
export type RemoteOptions = z.input<typeof remoteSchema>
export type ParsedRemoteOptions = z.output<typeof remoteSchema>

/** Whether the options configure a gateway in another deployment. */
export function isRemote(options: unknown): options is RemoteOptions {
  return typeof options === "object" && options !== null && "baseUrl" in options && options.baseUrl !== undefined
}

/** Stops the process at boot with a message that names the option; never its value, which may be a secret. */
export function parseRemoteOptions(input: unknown): ParsedRemoteOptions {
  const result = remoteSchema.safeParse(input)
  if (!result.success) {
    const reasons = result.error.issues.map(({ path, message }) => `${path.join(".")}: ${message}`).join("; ")
    throw new Error(`The options of the payment provider's gateway are wrong: ${reasons}`)
  }
  const reason = refusalOfUrl(result.data.baseUrl, { allowPrivate: result.data.allowPrivateUrls })
  if (reason !== null) {
    throw new Error(`The options of the payment provider's gateway are wrong: baseUrl: ${translate(reason)}`)
  }
  return { ...result.data, baseUrl: result.data.baseUrl.replace(/\/$/, "") }
}
