import { BATCH_STATES } from "../../../../../modules/gateway/settlements/states"
import { csvColumns } from "../../../../admin-kit/csv"
import { listSchema, one, readList } from "../../../../admin-kit/list"
import { listEndpoint } from "../../../../admin-kit/list-endpoint"
import { text } from "../../../../v2-kit/validate"
import { month } from "../resource"
import { presentBatch } from "./resource"

const query = listSchema(
  { source: text(64).optional(), status: one(BATCH_STATES).optional(), month: month.optional() },
  ["last_day"]
)

/**
 * Settlements: the lines of a source with one `batch`, and what of them has come to the bank. The one with the last line
 * first. `q` is a batch; `from` and `to` are about the last line, `month` has those of which a line counts in it.
 */
export const GET = listEndpoint({
  name: "batches",
  read: (sent) => readList(query, sent),
  page: ({ gateway, tenant }, { status: state, ...filter }, window) =>
    gateway.settlementDeposits.batches(tenant, { ...filter, state }, window),
  present: (row, { tenant }) => presentBatch(row, tenant.time_zone),
  columns: csvColumns(
    "source",
    ["settlement_batch", "batch"],
    "status",
    "first_day",
    "last_day",
    ["read_lines", "lines"],
    ["unknown_lines", "unknown"],
    ["gross_amount", "gross"],
    ["acquirer_fee", "fee"],
    ["acquirer_vat", "vat"],
    ["settled_amount", "net"],
    "deposited",
    "outstanding",
    "currency"
  ),
})
