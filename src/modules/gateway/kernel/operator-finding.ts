import type { Minor } from "./money"

/**
 * What somebody has found in the acquirer's own portal about a payment or refund of unknown outcome
 * (docs/decisions/0049). `reference` is the acquirer's, `amount` what the portal shows, in minor units.
 */
export type OperatorFinding = { note: string } & ({ moved: true; reference: string; amount: Minor } | { moved: false })
