import { HOME_CURRENCY } from "../../../../../../modules/gateway/kernel/currencies"
import { endpoint } from "../../../../../v2-kit/endpoint"
import { bareEnvelope } from "../../../../../v2-kit/envelopes"
import { presentEntry } from "../present"
import { readEntryList } from "../schemas"

/** All changes of the balance in BDT (or, with `account`, of another account), newest first. */
export const GET = endpoint(async ({ gateway, caller, query }) => {
  const { account, page } = readEntryList(query)
  const { rows, total } = await gateway.ledger.entries(caller, { account, currency: HOME_CURRENCY }, page)
  return bareEnvelope({
    entries: rows.map(presentEntry),
    pagination: { page: page.page, limit: page.per_page, total, pages: Math.ceil(total / page.per_page) },
  })
})
