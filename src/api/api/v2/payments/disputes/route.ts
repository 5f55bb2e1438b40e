import { endpoint } from "../../../../v2-kit/endpoint"
import { list } from "../../../../v2-kit/envelopes"
import { presentDispute } from "./present"
import { readDisputeList } from "./schemas"

/** A merchant's disputes, newest first; optionally those of one status or one transaction (docs/decisions/0059). */
export const GET = endpoint(async ({ gateway, caller, query }) => {
  const { filter, page } = readDisputeList(query)
  const { rows, total } = await gateway.disputeList.page(caller, filter, page)
  return list("Disputes", rows.map(presentDispute), total, page)
})
