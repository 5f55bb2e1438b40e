import { ERROR_TABLE, GatewayError, type ErrorCode } from "../../../modules/gateway/kernel/errors"
import type { Called } from "./client"

/** Refusals of this store's key or account: a shopper cannot do anything about them and learns no details. */
const STORE_SETTINGS = [401, 403]

/**
 * Returns the data of a successful call. A refusal is thrown under its own code. An unknown outcome throws
 * SERVICE_UNAVAILABLE, which Medusa takes neither for a failed payment nor for a paid one.
 */
export function demand<Data>(called: Called<Data>, what: string): Data {
  if (called.result === "done") {
    return called.data
  }
  if (called.result === "unknown") {
    throw new GatewayError(
      "SERVICE_UNAVAILABLE",
      `${what} could not be settled with the payment gateway (${called.reason}); try again`
    )
  }
  if (STORE_SETTINGS.includes(called.status)) {
    throw new GatewayError(
      "SERVICE_UNAVAILABLE",
      `The payment gateway refuses this store (${called.code}): its options need a look`
    )
  }
  const code = Object.hasOwn(ERROR_TABLE, called.code) ? (called.code as ErrorCode) : "INVALID_REQUEST"
  throw new GatewayError(code, called.message)
}
