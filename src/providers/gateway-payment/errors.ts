import { MedusaError } from "@medusajs/framework/utils"
import { GatewayError } from "../../modules/gateway/kernel/errors"

/**
 * Turns the gateway's refusals into Medusa errors whose message reaches the storefront. For error types that it does
 * not know Medusa answers 500 "An unknown error occurred", and it replaces the message of a `conflict`.
 */
function asMedusaError(error: unknown): unknown {
  if (!GatewayError.is(error)) {
    return error
  }
  return new MedusaError(typeOf(error), error.message, error.code)
}

/** Runs `work` and rethrows its refusals as Medusa errors. */
export async function withMedusaErrors<Answer>(work: () => Promise<Answer>): Promise<Answer> {
  try {
    return await work()
  } catch (error) {
    throw asMedusaError(error)
  }
}

function typeOf({ status }: GatewayError): string {
  const { INVALID_DATA, NOT_ALLOWED, NOT_FOUND, UNEXPECTED_STATE } = MedusaError.Types
  if (status >= 500) {
    return UNEXPECTED_STATE
  }
  if (status === 404) {
    return NOT_FOUND
  }
  return status === 400 || status === 422 ? INVALID_DATA : NOT_ALLOWED
}
