import { CURRENCIES } from "../../../../../modules/gateway/kernel/currencies"
import { ACCOUNTS } from "../../../../../modules/gateway/ledger/rules"
import { presentEntry } from "../../../../api/v2/payments/balance/present"
import { tenantEndpoint } from "../../../../admin-kit/endpoint"
import { listSchema, one, presentList, readList } from "../../../../admin-kit/list"

const query = listSchema({ account: one(ACCOUNTS).default("merchant_balance"), currency: one(CURRENCIES).optional() }, [
  "created_at",
])

/** The entries of an account, newest first; `q` is the id of a transaction, a refund or a payout. */
export const GET = tenantEndpoint(async ({ gateway, tenant, query: sent }) => {
  const { order, ...filter } = readList(query, sent)
  const page = await gateway.ledger.window(tenant, { ...filter, descending: order.descending }, filter)
  return presentList("entries", page, filter, (entry) => ({ id: entry.id, ...presentEntry(entry) }))
})
