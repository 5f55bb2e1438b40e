import { MedusaError } from "@medusajs/framework/utils"
import { GatewayError } from "../../modules/gateway/kernel/errors"

/**
 * Medusa answers 500 "An unknown error occurred" for errors whose type it does not know, and replaces the
 * message of a `conflict`: a refusal of the gateway becomes the Medusa error whose sentence reaches the storefront.
 */
export function asMedusaError(error: unknown): unknown {
  if (!GatewayError.is(error)) {
    return error
  }
  return new MedusaError(typeOf(error), error.message, error.code)
}

/** Runs `work`; its refusals reach Medusa in its own words. */
export async function speakingMedusa<Answer>(work: () => Promise<Answer>): Promise<Answer> {
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
