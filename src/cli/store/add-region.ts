import type { ExecArgs, MedusaContainer } from "@medusajs/framework/types"
import { ContainerRegistrationKeys } from "@medusajs/framework/utils"
import {
  createRegionsWorkflow,
  createTaxRegionsWorkflow,
  updateRegionsWorkflow,
  updateStoresWorkflow,
} from "@medusajs/medusa/core-flows"
import { Failure } from "../failure"
import { report } from "./medusa"

const CURRENCY = "bdt"
const COUNTRY = "bd"

type Region = {
  id: string
  name: string
  currency_code: string
  payment_providers?: ({ id: string } | null)[] | null
  countries?: ({ iso_2?: string | null } | null)[] | null
}

/** What was changed: `none` when the region was there and had the providers. `cash_provider_id`: null where not asked for. */
export type AddedRegion = {
  region: {
    id: string
    name: string
    currency_code: string
    provider_id: string
    cash_provider_id: string | null
  }
  change: "made" | "provider_added" | "none"
}

/** For `medusa exec` with the ids of the gateway's payment provider and, if the region is to take cash, of that one. */
export default ({ container, args: [provider, cash] }: ExecArgs): Promise<void> =>
  report(() => addRegion(container, provider, cash ?? null))

/**
 * The region Bangladesh in taka, paid through the gateway, and taka among the store's currencies. What is there stays as it
 * is, so it may run again. Throws REGION_TAKEN when Bangladesh belongs to a region in another currency, because its prices
 * and carts are in that currency.
 */
export async function addRegion(
  container: MedusaContainer,
  provider_id: string,
  cash_provider_id: string | null = null
): Promise<AddedRegion> {
  const wanted = cash_provider_id === null ? [provider_id] : [provider_id, cash_provider_id]
  const { region, change } = await ensureRegion(container, wanted)
  await addCurrency(container)
  await addTaxRegion(container)
  const { id, name } = region
  return { region: { id, name, currency_code: CURRENCY, provider_id, cash_provider_id }, change }
}

export async function read<Row = { id: string }>(
  container: MedusaContainer,
  entity: string,
  fields = ["id"],
  filters = {}
): Promise<Row[]> {
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

async function ensureRegion(
  container: MedusaContainer,
  wanted: readonly string[]
): Promise<Pick<AddedRegion, "change"> & { region: Region }> {
  const fields = ["id", "name", "currency_code", "payment_providers.id", "countries.iso_2"]
  const regions = await read<Region>(container, "region", fields)
  const existing = regions.find(({ countries }) => countries?.some((country) => country?.iso_2 === COUNTRY))
  if (existing === undefined) {
    const input = {
      regions: [{ name: "Bangladesh", currency_code: CURRENCY, countries: [COUNTRY], payment_providers: [...wanted] }],
    }
    const { result } = await createRegionsWorkflow(container).run({ input })
    return { region: result[0] as Region, change: "made" }
  }
  if (existing.currency_code !== CURRENCY) {
    throw new Failure("REGION_TAKEN", { region: existing.name, currency: existing.currency_code.toUpperCase() })
  }
  const providers = (existing.payment_providers ?? []).flatMap((provider) => (provider ? [provider.id] : []))
  const missing = wanted.filter((id) => !providers.includes(id))
  if (missing.length === 0) {
    return { region: existing, change: "none" }
  }
  await updateRegionsWorkflow(container).run({
    input: { selector: { id: existing.id }, update: { payment_providers: [...providers, ...missing] } },
  })
  return { region: existing, change: "provider_added" }
}

/** Where the admin enters the country's tax rates; without one, carts have no tax. */
async function addTaxRegion(container: MedusaContainer): Promise<void> {
  const present = await read(container, "tax_region", ["id"], { country_code: COUNTRY })
  if (present.length === 0) {
    await createTaxRegionsWorkflow(container).run({ input: [{ country_code: COUNTRY, provider_id: "tp_system" }] })
  }
}
