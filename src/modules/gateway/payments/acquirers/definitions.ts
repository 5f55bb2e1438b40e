import { bkash } from "./bkash"
import type { AcquirerDefinition } from "./port"
import { sslcommerz } from "./sslcommerz"
import { stripe } from "./stripe"

/** The acquirers that the gateway brings along. */
export const ACQUIRERS: readonly AcquirerDefinition[] = [sslcommerz, bkash, stripe]
