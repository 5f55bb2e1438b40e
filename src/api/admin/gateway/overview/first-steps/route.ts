import { tenantEndpoint } from "../../../../admin-kit/endpoint"
import { isDismissed } from "./dismissed"

/** What a merchant has done of what comes before taking real money, in order; `dismissed`: the list is not wanted. */
export const GET = tenantEndpoint(async ({ gateway, tenant }) => {
  const dismissed = isDismissed(await gateway.merchants.retrieve(tenant.merchant_id))
  return { first_steps: { dismissed, steps: await gateway.firstSteps.read(tenant.merchant_id) } }
})
