import * as storage from "../lib/storage"
import { openStore } from "./sdk"

const CHOSEN = "shop.emi"

/** One EMI offer. Amounts are taka as text, computed by the store; a shop only shows them. */
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
  /** Everything that is paid: price, interest and fee. */
  total_with_fee: string
  /** The merchant pays interest and fee. */
  merchant_bleeding: boolean
  lowest_cost: boolean
}

export type EmiOffers = { from: Omit<EmiOption, "lowest_cost">; banks: { bank_name: string; options: EmiOption[] }[] }

/**
 * The EMI offers for a variant (one piece, at its price here) or for a cart (its whole total); null when there are
 * none. They are optional: when they cannot be loaded, the page works without them.
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

/** The shopper's choice in the cart. It counts as long as the cart's current offers include it. */
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

/** The instalments of an order. Amounts are taka as text; the first payment includes the fee. */
export type OrderPlan = {
  bank: string
  tenure: string
  first_payment: string
  monthly_installment: string
  fee: string
  total_with_fee: string
}

/** How an order is paid in instalments; null when it is not. Optional: the order's page works without it. */
export async function planOfOrder(orderId: string): Promise<OrderPlan | null> {
  try {
    const { sdk } = await openStore()
    const path = `/store/gateway/orders/${encodeURIComponent(orderId)}/emi`
    return (await sdk.client.fetch<{ emi: OrderPlan | null }>(path)).emi
  } catch {
    return null
  }
}
