import { messageOf, said } from "../../../i18n/message"
import { ERROR_TABLE, GatewayError, type ErrorCode } from "../../../modules/gateway/kernel/errors"
import type { Called } from "./client"

/** Refusals of this store's key or account: a shopper cannot do anything about them and learns no details. */
const STORE_SETTINGS = [401, 403]

const UNKNOWN = {
  payment: "refusal.remote_payment_unsettled",
  refund: "refusal.remote_refund_unsettled",
  checkout: "refusal.remote_checkout_unsettled",
} as const

/**
 * Returns the data of a successful call. A refusal is thrown under its own code. An unknown outcome throws
 * SERVICE_UNAVAILABLE, which Medusa takes neither for a failed payment nor for a paid one.
 */
export function demand<Data>(called: Called<Data>, what: keyof typeof UNKNOWN): Data {
  if (called.result === "done") {
    return called.data
  }
  if (called.result === "unknown") {
    throw new GatewayError("SERVICE_UNAVAILABLE", messageOf(UNKNOWN[what], { why: called.reason }))
  }
  if (STORE_SETTINGS.includes(called.status)) {
    throw new GatewayError("SERVICE_UNAVAILABLE", messageOf("refusal.remote_settings", { code: called.code }))
  }
  const code = Object.hasOwn(ERROR_TABLE, called.code) ? (called.code as ErrorCode) : "INVALID_REQUEST"
  throw new GatewayError(code, said(called.message))
}
