import { readNumber, tenantEndpoint } from "../../../../admin-kit/endpoint"
import { presentPaymentService, readPaymentServiceChange } from "../resource"

export const POST = tenantEndpoint(async ({ gateway, tenant, params, body }) => {
  const change = readPaymentServiceChange(body)
  const { service_id, code } = await gateway.paymentSettings.retrieve(tenant, readNumber(params.id))
  gateway.acquirerAccounts.refuseOrder(code, change.acquirers ?? [])
  const changed = await gateway.paymentSettings.update(tenant, service_id, change)
  gateway.acquirerAccounts.orderChanged(tenant)
  return { payment_service: presentPaymentService(changed, gateway.acquirerAccounts.serving(code)) }
})
