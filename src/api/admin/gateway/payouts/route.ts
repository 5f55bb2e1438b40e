import { PAYOUT_STATES } from "../../../../modules/gateway/ledger/payout-states"
import { tenantEndpoint } from "../../../admin-kit/endpoint"
import { listSchema, one, presentList, readList } from "../../../admin-kit/list"
import { presentPayout } from "./present"
import { readPayout } from "./schemas"

const query = listSchema({ status: one(PAYOUT_STATES).optional() }, ["recorded_at"])

/** Payouts, newest first; `q` is the beginning of a reference. */
export const GET = tenantEndpoint(async ({ gateway, tenant, query: sent }) => {
  const { status: state, order, ...filter } = readList(query, sent)
  const page = await gateway.payouts.window(tenant, { ...filter, state, descending: order.descending }, filter)
  return presentList("payouts", page, filter, presentPayout)
})

/** Records a transfer to the merchant: `amount`, `currency` (absent: BDT), `reference` (the bank's), `note`. */
export const POST = tenantEndpoint(async ({ gateway, tenant, body }) => ({
  payout: presentPayout(await gateway.payouts.record(tenant, readPayout(body))),
}))
