import { CURRENCIES } from "../../../../../modules/gateway/kernel/money/currencies"
import { csvColumns } from "../../../../admin-kit/csv"
import { listSchema, one, readList } from "../../../../admin-kit/list"
import { listEndpoint } from "../../../../admin-kit/list-endpoint"
import { presentBrought } from "../batches/resource"
import { month, source } from "../resource"

const query = listSchema({ source, month, currency: one(CURRENCIES).optional() }, ["occurred_at"])

/**
 * What deposits of a `month` brought of a `source`, by settlement: of a deposit for several sources this one's part alone.
 * `amount` came to the bank, `charge` was kept by it.
 */
export const GET = listEndpoint({
  name: "brought",
  read: (sent) => readList(query, sent),
  page: ({ gateway, tenant }, filter, window) => gateway.settlementJournal.brought(tenant, filter, window),
  present: presentBrought,
  columns: csvColumns(
    "deposit_id",
    "reference",
    ["settlement_batch", "batch"],
    ["deposited", "amount"],
    ["kept_by_bank", "charge"],
    "currency",
    "occurred_at"
  ),
})
