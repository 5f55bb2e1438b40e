import type { ExecArgs, MedusaContainer } from "@medusajs/framework/types"
import { ContainerRegistrationKeys } from "@medusajs/framework/utils"
import {
  createRegionsWorkflow,
  createTaxRegionsWorkflow,
  updateRegionsWorkflow,
  updateStoresWorkflow,
} from "@medusajs/medusa/core-flows"

const PROVIDER = "pp_gateway_default"
const CURRENCY = "bdt"
const COUNTRY = "bd"

type Region = {
  id: string
  name: string
  currency_code: string
  payment_providers?: ({ id: string } | null)[] | null
  countries?: ({ iso_2?: string | null } | null)[] | null
}

/**
 * `medusa exec` with this file: the region Bangladesh in taka, paid through the gateway, and taka among the store's
 * currencies. What is there stays as it is, so it may run again. Prints the region's id. Throws when Bangladesh belongs to a region
 * in another currency, because its prices and carts are in that currency.
 */
export default async function addBdtRegion({ container }: ExecArgs): Promise<void> {
  await addCurrency(container)
  const { region, what } = await ensureRegion(container)
  await addTaxRegion(container)
  process.stdout.write(
    `${what} the region ${region.name} (${region.id}): ${CURRENCY.toUpperCase()}, paid with ${PROVIDER}\n`
  )
}

async function read<Row>(container: MedusaContainer, entity: string, fields: string[], filters = {}): Promise<Row[]> {
  const { data } = await container.resolve(ContainerRegistrationKeys.QUERY).graph({ entity, fields, filters })
  return data as Row[]
}

async function addCurrency(container: MedusaContainer): Promise<void> {
  type Store = { id: string; supported_currencies: { currency_code: string; is_default: boolean }[] }
  const fields = ["id", "supported_currencies.currency_code", "supported_currencies.is_default"]
  const [store] = await read<Store>(container, "store", fields)
  const present = store.supported_currencies.map(({ currency_code, is_default }) => ({ currency_code, is_default }))
  if (present.some(({ currency_code }) => currency_code === CURRENCY)) {
    return
  }
  const supported_currencies = [...present, { currency_code: CURRENCY, is_default: present.length === 0 }]
  await updateStoresWorkflow(container).run({
    input: { selector: { id: store.id }, update: { supported_currencies } },
  })
}

async function ensureRegion(container: MedusaContainer): Promise<{ region: Region; what: string }> {
  const fields = ["id", "name", "currency_code", "payment_providers.id", "countries.iso_2"]
  const regions = await read<Region>(container, "region", fields)
  const existing = regions.find(({ countries }) => countries?.some((country) => country?.iso_2 === COUNTRY))
  if (existing === undefined) {
    const input = {
      regions: [{ name: "Bangladesh", currency_code: CURRENCY, countries: [COUNTRY], payment_providers: [PROVIDER] }],
    }
    const { result } = await createRegionsWorkflow(container).run({ input })
    return { region: result[0] as Region, what: "made" }
  }
  if (existing.currency_code !== CURRENCY) {
    throw new Error(
      `Bangladesh belongs to the region ${existing.name}, which is in ${existing.currency_code.toUpperCase()}. ` +
        "Take the country out of that region in the admin, then run this again."
    )
  }
  const providers = (existing.payment_providers ?? []).flatMap((provider) => (provider ? [provider.id] : []))
  if (providers.includes(PROVIDER)) {
    return { region: existing, what: "found" }
  }
  await updateRegionsWorkflow(container).run({
    input: { selector: { id: existing.id }, update: { payment_providers: [...providers, PROVIDER] } },
  })
  return { region: existing, what: "added the gateway to" }
}

/** Where the admin enters the country's tax rates; without one, carts have no tax. */
async function addTaxRegion(container: MedusaContainer): Promise<void> {
  const present = await read(container, "tax_region", ["id"], { country_code: COUNTRY })
  if (present.length === 0) {
    await createTaxRegionsWorkflow(container).run({ input: [{ country_code: COUNTRY, provider_id: "tp_system" }] })
  }
}
