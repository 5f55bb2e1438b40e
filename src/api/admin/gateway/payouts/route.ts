import { csvColumns } from "../../../admin-kit/csv"
import { listEndpoint } from "../../../admin-kit/list-endpoint"
import { PAYOUT_STATES } from "../../../../modules/gateway/ledger/payout-states"
import { tenantEndpoint } from "../../../admin-kit/endpoint"
import { listSchema, one, readList } from "../../../admin-kit/list"
import { namesOf } from "../../../admin-kit/present"
import { presentPayout, readPayout } from "./resource"

const query = listSchema({ status: one(PAYOUT_STATES).optional() }, ["recorded_at"])

/** Payouts, newest first; `q` is the id of one or the beginning of a reference. */
export const GET = listEndpoint({
  name: "payouts",
  read: (sent) => readList(query, sent),
  page: ({ gateway, tenant }, { status: state, order, ...filter }, window) =>
    gateway.payouts.window(tenant, { ...filter, state, descending: order.descending }, window),
  extra: ({ request }, rows) =>
    namesOf(
      request.scope,
      rows.map(({ recorded_by }) => recorded_by)
    ),
  present: (payout, _, names) => presentPayout(payout, names),
  columns: csvColumns(
    "id",
    "status",
    "amount",
    "currency",
    "reference",
    "note",
    "transferred_on",
    "period_from",
    "period_to",
    "recorded_by",
    "recorded_at",
    "reversed_by",
    "reversed_at"
  ),
})

/** Records a transfer to the merchant: `amount`, `currency` (absent: BDT), `reference` (the bank's), `note`, days (`transferred_on`, `period_from`, `period_to`). */
export const POST = tenantEndpoint(async ({ gateway, tenant, body }) => ({
  payout: presentPayout(await gateway.payouts.record(tenant, readPayout(body))),
}))
