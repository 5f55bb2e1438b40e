import { csvColumns } from "../../../../admin-kit/csv"
import { listEndpoint } from "../../../../admin-kit/list-endpoint"
import { CURRENCIES } from "../../../../../modules/gateway/kernel/money/currencies"
import { ACCOUNTS } from "../../../../../modules/gateway/ledger/rules"
import { presentEntry } from "../../../../api/v2/payments/balance/resource"
import { listSchema, one, readList } from "../../../../admin-kit/list"

const query = listSchema(
  {
    account: one(ACCOUNTS).default("merchant_balance"),
    currency: one(CURRENCIES).optional(),
    without: one(["payouts"]).optional(),
  },
  ["created_at"]
)

/**
 * The entries of an account, newest first, if asked without those of payouts; `q` is the id of a transaction, refund,
 * payout or dispute.
 */
export const GET = listEndpoint({
  name: "entries",
  read: (sent) => readList(query, sent),
  page: ({ gateway, tenant }, { order, ...filter }, window) =>
    gateway.ledger.window(tenant, { ...filter, descending: order.descending }, window),
  present: ({ payout_reference, ...entry }) => ({ id: entry.id, ...presentEntry(entry), payout_reference }),
  columns: csvColumns(
    "id",
    "type",
    "account",
    "amount",
    "currency",
    "transaction_id",
    "refund_id",
    "payout_id",
    "payout_reference",
    "dispute_id",
    "created_at"
  ),
})
