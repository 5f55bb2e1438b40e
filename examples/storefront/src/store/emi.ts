import * as storage from "../lib/storage"
import { openStore } from "./sdk"

const CHOSEN = "shop.emi"

/** One way to pay in instalments. Amounts are taka as text; the store has computed them, a shop only shows them. */
export type EmiOption = {
  uuid: string
  bank_name: string
  /** Months, as text. */
  tenure: string
  monthly_installment: string
  total_amount: string
  total_interest: string
  /** Paid once. */
  processing_fee: string
  /** The shop pays interest and fee. */
  merchant_bleeding: boolean
  lowest_cost: boolean
}

export type EmiOffers = { from: Omit<EmiOption, "lowest_cost">; banks: { bank_name: string; options: EmiOption[] }[] }

/**
 * The instalments for a variant (one piece, at its price here) or for a cart (all that is to be paid); null when there
 * are none. They are an ornament of the page: when they cannot be asked for, the page does without them.
 */
export async function findEmi(of: { variant_id: string } | { cart_id: string }): Promise<EmiOffers | null> {
  try {
    const { sdk, regionId } = await openStore()
    const query = "variant_id" in of ? { ...of, region_id: regionId } : of
    const { emi } = await sdk.client.fetch<{ emi: EmiOffers | { from: null } }>("/store/gateway/emi", { query })
    return emi.from === null ? null : (emi as EmiOffers)
  } catch {
    return null
  }
}

/** What the shopper has chosen in the cart. It counts as long as it is among the offers for the cart as it is. */
export const chosenEmi = (): string | null => storage.read(CHOSEN)

export function chooseEmi(uuid: string | null): void {
  if (uuid === null) {
    storage.remove(CHOSEN)
  } else {
    storage.write(CHOSEN, uuid)
  }
}

export function optionOf(offers: EmiOffers | null, uuid: string | null): EmiOption | null {
  const options = offers?.banks.flatMap((bank) => bank.options) ?? []
  return options.find((option) => option.uuid === uuid) ?? null
}
