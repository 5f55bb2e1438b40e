import { countries } from "medusa-core-utils/dist/countries"

/**
 * Maps Medusa's country code (`bd`, `BD` or `BGD`) to the country name that the contract's customer carries; an unknown
 * code stays as it is. The subpath import keeps the rest of medusa-core-utils (float helpers) out of the process.
 */
export function countryName(code: string | null | undefined): string {
  const wanted = (code ?? "").trim().toUpperCase()
  const match = countries.find(({ alpha2, alpha3 }) => alpha2 === wanted || alpha3 === wanted)
  return match?.name ?? wanted
}
