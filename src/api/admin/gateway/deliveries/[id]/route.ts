import { presentMessageOrNull } from "../../../../admin-kit/present"
import { tenantEndpoint } from "../../../../admin-kit/endpoint"
import { presentDelivery } from "../resource"

/** One delivery with its body and every attempt. */
export const GET = tenantEndpoint(async ({ gateway, tenant, params }) => {
  const row = await gateway.webhookLog.delivery(tenant, params.id)
  const log = row.log.map((attempt) => ({ ...attempt, error: presentMessageOrNull(attempt.error) }))
  return { delivery: { ...presentDelivery(row), body: row.body, log } }
})
