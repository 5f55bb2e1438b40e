import type { EmiOffer } from "./rules"

/** The EMI part of a checkout's page. */
export type EmiChoice = {
  /** The order must be paid in instalments. */
  required: boolean
  /** The merchant has chosen: there is one offer, and the customer has no choice. */
  locked: boolean
  offers: EmiOffer[]
  /** The preselected configuration. */
  chosen: string | null
  /** The preselected configuration is no longer offered. */
  gone: boolean
}

type EmiRequest = { requires_emi?: boolean | null; emi_configuration_id?: string | null }

/**
 * With `requires_emi` a named configuration is the only one (contract 4.4, pre-calculated method). Without it a named
 * one is a preselection that the shopper may change; when it is no longer offered, the shopper chooses freely. Null
 * when instalments are neither required nor offered.
 */
export function emiChoice(offers: readonly EmiOffer[], request: EmiRequest | null): EmiChoice | null {
  const required = request?.requires_emi === true
  const named = request?.emi_configuration_id ?? null
  const found = offers.filter(({ configuration }) => configuration.uuid === named)
  const gone = named !== null && found.length === 0
  if (!required && offers.length === 0 && !gone) {
    return null
  }
  const locked = required && found.length === 1
  const only = required && offers.length === 1 ? offers[0].configuration.uuid : null
  return { required, locked, offers: locked ? found : [...offers], chosen: found.length === 1 ? named : only, gone }
}
