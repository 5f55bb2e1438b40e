import { endpoint } from "../../../../../../v2-kit/endpoint"
import { list } from "../../../../../../v2-kit/envelopes"
import { readPage } from "../../../../../../v2-kit/pagination"
import { presentBillingRecord } from "../../present"

export const GET = endpoint(async ({ gateway, caller, params, query }) => {
  const page = readPage(query)
  const { row, records, total } = await gateway.subscriptions.billingHistory(caller, params.subscription_id, page)
  return list(
    "Billing history",
    records.map((record) => presentBillingRecord(record, row)),
    total,
    page
  )
})
