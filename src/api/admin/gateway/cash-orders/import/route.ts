import { followOrders } from "../../../../../store/cash/follow-order"
import { tenantEndpoint } from "../../../../admin-kit/endpoint"
import { presentOutcome, readCashImport } from "../resource"

/** Records a courier's file: what became of each line; with `dry_run` what would. Medusa's captures follow by a task. */
export const POST = tenantEndpoint(async ({ gateway, tenant, body, request }) => {
  const input = readCashImport(body)
  await followOrders(request.scope, await gateway.cashImports.named(tenant, input.csv))
  const outcomes = await gateway.cashImports.run(tenant, input)
  return { dry_run: input.dry_run, outcomes: outcomes.map(presentOutcome) }
})
