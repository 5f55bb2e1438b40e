import { tenantEndpoint } from "../../../../../admin-kit/endpoint"
import { dismissed } from "../../resource"

/** Nobody who works for this merchant sees the checklist again. */
export const POST = tenantEndpoint(async ({ gateway, tenant, actor }) => {
  const merchant = await gateway.merchants.retrieve(tenant.merchant_id)
  await gateway.merchants.update(merchant.id, dismissed(merchant), { actor })
  return { first_steps: { dismissed: true, steps: await gateway.firstSteps.read(tenant.merchant_id) } }
})
