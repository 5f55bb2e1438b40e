import { openStore } from "./sdk"

/** The response of `/store/gateway/payment-methods`; `id` is the uuid. */
export type PaymentMethod = {
  id: string
  method: string
  service: string
  brand: string | null
  last_four: string | null
  account: string | null
  expiry_month: number | null
  expiry_year: number | null
  /** A subscription is charged with it, so it cannot be removed. */
  used_by_subscription: boolean
}

const PATH = "/store/gateway/payment-methods"

/** What the signed-in shopper has saved, newest first. */
export async function listPaymentMethods(): Promise<PaymentMethod[]> {
  const { sdk } = await openStore()
  return (await sdk.client.fetch<{ payment_methods: PaymentMethod[] }>(PATH)).payment_methods
}

/** Rejects with a 404 when it is gone already, and with a 409 while a subscription or an open payment uses it. */
export async function removePaymentMethod(id: string): Promise<void> {
  const { sdk } = await openStore()
  await sdk.client.fetch(`${PATH}/${encodeURIComponent(id)}`, { method: "DELETE" })
}
