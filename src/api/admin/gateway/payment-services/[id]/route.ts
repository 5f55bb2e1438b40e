import { readNumber, tenantEndpoint } from "../../../../admin-kit/endpoint"
import { captureAfter, presentPaymentService, readPaymentServiceChange } from "../resource"

export const POST = tenantEndpoint(async ({ gateway, tenant, params, body }) => {
  const change = readPaymentServiceChange(body)
  const before = await gateway.paymentSettings.retrieve(tenant, readNumber(params.id))
  const { service_id, code } = before
  gateway.acquirerAccounts.refuseRoutes(code, change.routes ?? [])
  const { capture: ofMerchant } = await gateway.merchants.environment(tenant)
  const mode = captureAfter(change, before, ofMerchant)
  if (mode !== undefined) {
    await gateway.captureSettings.require(tenant, mode, service_id)
  }
  const changed = await gateway.paymentSettings.update(tenant, service_id, change)
  gateway.acquirerAccounts.routesChanged(tenant)
  const unable = await gateway.captureSettings.unable(tenant, ofMerchant)
  return { payment_service: presentPaymentService(changed, gateway.acquirerAccounts.serving(code), unable) }
})
