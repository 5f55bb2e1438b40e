import { endpoint } from "../../../../v2-kit/endpoint"
import { bareEnvelope } from "../../../../v2-kit/envelopes"
import { presentListed } from "../refund/present"
import { readRefundList } from "./schemas"

/** The merchant's refunds, newest first (contract 4.8). */
export const GET = endpoint(async ({ gateway, caller, query }) => {
  const { filter, page } = readRefundList(query)
  const { rows, total } = await gateway.refundLists.page(caller, filter, page)
  return bareEnvelope({
    refunds: rows.map(presentListed),
    pagination: { page: page.page, limit: page.per_page, total, pages: Math.ceil(total / page.per_page) },
  })
})
