import type { AcquirerDefinition } from "./port"
import { sslcommerz } from "./sslcommerz"

/** The acquirers that the gateway brings along. */
export const ACQUIRERS: readonly AcquirerDefinition[] = [sslcommerz]
