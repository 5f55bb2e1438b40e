import { bkash } from "./bkash"
import { nagad } from "./nagad"
import type { AcquirerDefinition, References } from "./port"
import { shurjopay } from "./shurjopay"
import { sslcommerz } from "./sslcommerz"
import { stripe } from "./stripe"

/** The acquirers that the gateway includes; accounts from the environment are asked in this order. */
export const ACQUIRERS: readonly AcquirerDefinition[] = [bkash, nagad, sslcommerz, shurjopay, stripe]

/** The variable that replaces an acquirer's address with a stand-in's, in tests and in the demo. */
export function baseUrlVariable({ id }: Pick<AcquirerDefinition, "id">): string {
  return `${id.toUpperCase()}_BASE_URL`
}

/**
 * What somebody looks up in an acquirer's dashboard, under the names that stand there. Of an acquirer that a host has
 * added nobody knows which references its dashboard has: it shows all of them.
 */
export function dashboardNumbers(acquirer: string | null, references: References): { name: string; value: string }[] {
  const names = ACQUIRERS.find(({ id }) => id === acquirer)?.dashboard
  if (names === undefined) {
    return Object.entries(references).map(([name, value]) => ({ name: name.replaceAll("_", " "), value }))
  }
  return Object.entries(names).flatMap(([key, name]) =>
    Object.hasOwn(references, key) ? { name, value: references[key] } : []
  )
}
