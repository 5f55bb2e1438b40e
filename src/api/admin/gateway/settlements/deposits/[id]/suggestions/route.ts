import { tenantEndpoint } from "../../../../../../admin-kit/endpoint"
import { presentBatch } from "../../../batches/resource"

/** Settlements that a bank's line may bring: those that it names (`is_named`) first, then those of exactly its amount. */
export const GET = tenantEndpoint(async ({ gateway, tenant, params }) => ({
  suggestions: (await gateway.settlementDeposits.suggestions(tenant, params.id)).map((one) => ({
    ...presentBatch(one, tenant.time_zone),
    is_named: one.is_named,
  })),
}))
