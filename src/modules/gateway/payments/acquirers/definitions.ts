import type { AcquirerDefinition } from "./port"

/** The acquirers that the gateway brings along. */
export const ACQUIRERS: readonly AcquirerDefinition[] = []
