import { operation } from "../../../../v2-kit/operation"
import { EXAMPLE, dispute, filterSchema, presentDispute, readDisputeList } from "./resource"
import { listed } from "../../../../v2-kit/answers"

/** A merchant's disputes, newest first; optionally those of one status or one transaction (docs/decisions/10). */
export const GET = operation({
  id: "listDisputes",
  tag: "Disputes",
  summary: "List disputes",
  description: "Payments that a payer has asked their bank to take back, newest first. They are answered in the admin.",
  scope: "payments:read",
  query: {
    schema: filterSchema,
    notes: { status: "Only disputes of this status.", transaction_id: "Only disputes of this payment." },
    paging: "per_page",
  },
  answer: listed({ message: "Disputes", item: dispute, description: "A page of disputes.", example: EXAMPLE }),
  run: async ({ gateway, caller, query }) => {
    const { filter, page } = readDisputeList(query)
    const { rows, total } = await gateway.disputeList.page(caller, filter, page)
    return { rows: rows.map(presentDispute), total, page }
  },
})
