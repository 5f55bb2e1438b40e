import { endpoint } from "../../../v2-kit/endpoint"
import { list } from "../../../v2-kit/envelopes"
import { presentPayment } from "./present"
import { readPaymentList } from "./schemas"

/** A merchant's payments, newest first, those that nobody has paid yet included (docs/decisions/0063). */
export const GET = endpoint(async ({ gateway, caller, query }) => {
  const { filter, page } = readPaymentList(query)
  const window = { limit: page.per_page, offset: page.offset }
  const { rows, count } = await gateway.paymentList.list(caller, filter, window)
  return list(
    "Payments",
    rows.map((row) => presentPayment(row, caller.now)),
    count,
    page
  )
})
