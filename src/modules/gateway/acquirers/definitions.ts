import { bkash } from "./bkash"
import { nagad } from "./nagad"
import type { AcquirerDefinition } from "./port"
import { shurjopay } from "./shurjopay"
import { sslcommerz } from "./sslcommerz"
import { stripe } from "./stripe"

/** The acquirers that the gateway includes; accounts from the environment are asked in this order. */
export const ACQUIRERS: readonly AcquirerDefinition[] = [bkash, nagad, sslcommerz, shurjopay, stripe]

/** The variable that replaces an acquirer's address with a stand-in's, in tests and in the demo. */
export function baseUrlVariable({ id }: Pick<AcquirerDefinition, "id">): string {
  return `${id.toUpperCase()}_BASE_URL`
}
