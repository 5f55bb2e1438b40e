import type { Place } from "./cart"
import { openStore } from "./sdk"
import type { SavedAddress } from "./types"

const MOST = 50

/** What the signed-in shopper has saved, the default first. */
export async function listAddresses(): Promise<SavedAddress[]> {
  const { sdk } = await openStore()
  const { addresses } = await sdk.store.customer.listAddress({ limit: MOST, order: "-created_at" })
  return addresses.sort((one, other) => Number(other.is_default_shipping) - Number(one.is_default_shipping))
}

/** Null when the shopper has none with this id. */
export const findAddress = async (id: string): Promise<SavedAddress | null> =>
  (await listAddresses()).find((one) => one.id === id) ?? null

export type AddressDraft = Place & { is_default_shipping: boolean }

/** Saves a new address, or the changes of one. Medusa takes the mark of the default from the others. */
export async function saveToAccount(draft: AddressDraft, id: string | null): Promise<void> {
  const { sdk } = await openStore()
  const address = { ...draft, country_code: "bd" }
  await (id === null ? sdk.store.customer.createAddress(address) : sdk.store.customer.updateAddress(id, address))
}

export async function removeAddress(id: string): Promise<void> {
  const { sdk } = await openStore()
  await sdk.store.customer.deleteAddress(id)
}

/** Whether the account has this place already: a shopper who orders again saves nothing twice. */
export const isSaved = (addresses: readonly SavedAddress[], place: Place): boolean =>
  addresses.some((one) => PLACE.every((name) => (one[name] ?? "") === place[name]))

const PLACE = [
  "first_name",
  "last_name",
  "phone",
  "address_1",
  "address_2",
  "city",
  "province",
  "postal_code",
] as const satisfies readonly (keyof Place)[]
