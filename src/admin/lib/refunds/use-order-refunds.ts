import { useQuery } from "@tanstack/react-query"
import { request, type AdminError } from "../http"
import type { ExpectedRefund, OrderRefund, Proposal } from "./types"

type Answer = { expected_refunds: ExpectedRefund[]; refund_proposals: Proposal[]; refunds: OrderRefund[] }

/** What the widgets of an order's page show of its refunds; asked for once for all of them. */
export function useOrderRefunds(order_id: string) {
  return useQuery<Answer, AdminError>({
    queryKey: ["gateway", "order-refunds", order_id],
    queryFn: ({ signal }) => request(`/orders/${order_id}/refunds`, { signal }),
    // Goods may have come back since the last fetch.
    staleTime: 0,
  })
}
