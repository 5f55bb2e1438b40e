import { openStore } from "./sdk"

/** Money of an order that goes back, or has gone back. The amount is text, in the order's currency. */
export type OrderRefund = {
  id: string
  status: "pending" | "processing" | "completed"
  amount: string
  currency: string
  created_at: string
  completed_at: string | null
}

/** The refunds of an order. Optional: the order's page works without them. */
export async function refundsOfOrder(orderId: string): Promise<OrderRefund[]> {
  try {
    const { sdk } = await openStore()
    const path = `/store/gateway/orders/${encodeURIComponent(orderId)}/refunds`
    return (await sdk.client.fetch<{ refunds: OrderRefund[] }>(path)).refunds
  } catch {
    return []
  }
}
