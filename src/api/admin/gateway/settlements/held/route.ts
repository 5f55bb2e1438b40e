import { CURRENCIES } from "../../../../../modules/gateway/kernel/money/currencies"
import { formatAmount } from "../../../../../modules/gateway/kernel/money/money"
import { csvColumns } from "../../../../admin-kit/csv"
import { listSchema, one, readList } from "../../../../admin-kit/list"
import { listEndpoint } from "../../../../admin-kit/list-endpoint"
import { month, source } from "../resource"

const query = listSchema(
  { source, month, figure: one(["payments", "refunds", "disputes"] as const), currency: one(CURRENCIES).optional() },
  ["created_at"]
)

/** What a `source` held more or less of our money in a `month`: its payments, refunds or disputes, by `figure`. */
export const GET = listEndpoint({
  name: "held",
  read: (sent) => readList(query, sent),
  page: ({ gateway, tenant }, filter, window) => gateway.settlementJournal.held(tenant, filter, window),
  present: ({ kind: type, amount, occurred_at, ...entry }) => ({
    ...entry,
    type,
    amount: formatAmount(BigInt(amount)),
    created_at: occurred_at.toISOString(),
  }),
  columns: csvColumns("id", "type", "amount", "currency", "transaction_id", "refund_id", "dispute_id", "created_at"),
})
