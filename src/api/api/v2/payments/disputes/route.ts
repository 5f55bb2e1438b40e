import { endpoint } from "../../../../v2-kit/endpoint"
import { list } from "../../../../v2-kit/envelopes"
import { readPage } from "../../../../v2-kit/pagination"
import { presentDispute } from "./present"
import { readDisputeFilter } from "./schemas"

/** A merchant's disputes, newest first; optionally those of one status or one transaction (docs/decisions/0059). */
export const GET = endpoint(async ({ gateway, caller, query }) => {
  const page = readPage(query)
  const { rows, total } = await gateway.disputeList.page(caller, readDisputeFilter(query), page)
  return list("Disputes", rows.map(presentDispute), total, page)
})
