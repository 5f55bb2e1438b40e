import { tenantEndpoint } from "../../../../admin-kit/endpoint"
import { isDismissed } from "../resource"

/**
 * The steps before a merchant takes real money, in order, and which are done; `dismissed`: an admin has hidden the
 * list.
 */
export const GET = tenantEndpoint(async ({ gateway, tenant }) => {
  const dismissed = isDismissed(await gateway.merchants.retrieve(tenant.merchant_id))
  return { first_steps: { dismissed, steps: await gateway.firstSteps.read(tenant.merchant_id) } }
})
