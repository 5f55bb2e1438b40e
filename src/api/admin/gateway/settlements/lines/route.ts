import { LINE_REASONS } from "../../../../../modules/gateway/settlements/rules"
import { LINE_STATES, SETTLEMENT_KINDS } from "../../../../../modules/gateway/settlements/states"
import { CURRENCIES } from "../../../../../modules/gateway/kernel/money/currencies"
import { csvColumns } from "../../../../admin-kit/csv"
import { listSchema, one, readList, several } from "../../../../admin-kit/list"
import { listEndpoint } from "../../../../admin-kit/list-endpoint"
import { text } from "../../../../v2-kit/validate"
import { month, presentLine } from "../resource"

const query = listSchema(
  {
    status: one(LINE_STATES).optional(),
    reason: one(LINE_REASONS).optional(),
    source: text(64).optional(),
    import_id: text(64).optional(),
    month: month.optional(),
    kind: several(SETTLEMENT_KINDS).optional(),
    currency: one(CURRENCIES).optional(),
    only: one(["posted", "differing"]).optional(),
  },
  ["occurred_at"]
)

/**
 * Lines of settlements, the last movement first; `q` is a number of the line, its batch, its payment, or the id of one.
 * `month` is that in which a line counts; `only` those that are in the ledger, or whose amount differs.
 */
export const GET = listEndpoint({
  name: "lines",
  read: (sent) => readList(query, sent),
  page: ({ gateway, tenant }, { status: state, ...filter }, window) =>
    gateway.settlementLines.list(tenant, { ...filter, state }, window),
  present: (line) => presentLine(line),
  columns: csvColumns(
    "id",
    "status",
    "source",
    "kind",
    "reference",
    "order_reference",
    ["gross_amount", "gross"],
    ["acquirer_fee", "fee"],
    ["acquirer_vat", "vat"],
    ["settled_amount", "net"],
    "currency",
    ["expected_amount", "expected"],
    "difference",
    "agreed_fee",
    "agreed_vat",
    "transaction_id",
    ["settlement_batch", "batch"],
    "occurred_at",
    "month",
    "note",
    "decided_by",
    "decided_at"
  ),
})
