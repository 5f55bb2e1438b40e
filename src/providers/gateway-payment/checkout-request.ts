import { parseCorsOrigins } from "@medusajs/framework/utils"
import { type Message, messageOf } from "../../i18n/message"
import { refusalOfUrl } from "../../modules/gateway/kernel/http/callback-url"
import { type GatewayError, fault, validationError } from "../../modules/gateway/kernel/errors"
import { LIMITS } from "../../modules/gateway/kernel/limits"
import { PAYMENT_METHODS, type PaymentMethod } from "../../modules/gateway/merchants/payment-services"

/** What a storefront may specify about a payment; everything else it sends is ignored. */
export type CheckoutRequest = {
  payment_method: PaymentMethod | null
  payment_service: string | null
  emi_configuration_id: string | null
  return_url: string | null
}

/** The names of these fields in the storefront's data. */
export const CHECKOUT_REQUEST_FIELDS: readonly (keyof CheckoutRequest)[] = [
  "payment_method",
  "payment_service",
  "emi_configuration_id",
  "return_url",
]

const IDENTIFIER_MAX_CHARS = 64

/** Where shoppers may be sent back to: exact origins, and the patterns of STORE_CORS. */
export type ReturnOrigins = readonly (string | RegExp)[]

/**
 * The origins of STORE_CORS, of the store itself and of the option `returnOrigins`. A `*` in STORE_CORS opens the API
 * to every page, but must not make this store redirect shoppers to any page.
 */
export function returnOrigins(settings: {
  storeCors?: string
  publicUrl?: string
  extra: readonly string[]
}): ReturnOrigins {
  const own = settings.publicUrl === undefined ? [] : [new URL(settings.publicUrl).origin]
  const cors = parseCorsOrigins(settings.storeCors ?? "").filter((origin) => origin !== "*")
  return [...cors, ...own, ...settings.extra].map((origin) =>
    typeof origin === "string" ? origin.trim().replace(/\/$/, "") : origin
  )
}

/** Parses the untrusted data that a client sends with a payment session. Throws VALIDATION_ERROR with the field. */
export function readCheckoutRequest(data: Record<string, unknown>, origins: ReturnOrigins): CheckoutRequest {
  return {
    payment_method: readMethod(data.payment_method),
    payment_service: readText("payment_service", data.payment_service),
    emi_configuration_id: readText("emi_configuration_id", data.emi_configuration_id),
    return_url: readReturnUrl(data.return_url, origins),
  }
}

function readMethod(value: unknown): PaymentMethod | null {
  const text = readText("payment_method", value)
  const method = PAYMENT_METHODS.find((known) => known === text)
  if (text !== null && method === undefined) {
    throw refusal("payment_method", messageOf("rule.one_of", { values: PAYMENT_METHODS.join(", ") }))
  }
  return method ?? null
}

function readText(field: string, value: unknown): string | null {
  if (value === undefined || value === null || value === "") {
    return null
  }
  if (typeof value !== "string" || value.length > IDENTIFIER_MAX_CHARS) {
    throw refusal(field, messageOf("rule.text_max", { max: IDENTIFIER_MAX_CHARS }))
  }
  return value
}

/** Without this check anybody who can create a payment session could make this store send shoppers anywhere. */
function readReturnUrl(value: unknown, origins: ReturnOrigins): string | null {
  if (value === undefined || value === null || value === "") {
    return null
  }
  // The host may be private: it must be one that the store's owner has configured.
  const reason =
    typeof value === "string"
      ? refusalOfUrl(value, { allowPrivate: true, maxChars: LIMITS.callbackUrlMaxChars })
      : messageOf("rule.text")
  if (reason !== null) {
    throw refusal("return_url", reason)
  }
  const { origin } = new URL(value as string)
  if (!origins.some((allowed) => (typeof allowed === "string" ? allowed === origin : allowed.test(origin)))) {
    throw refusal("return_url", messageOf("rule.return_origin", { origin }))
  }
  return value as string
}

function refusal(field: string, rule: Message): GatewayError {
  return validationError([fault(field, rule)])
}
