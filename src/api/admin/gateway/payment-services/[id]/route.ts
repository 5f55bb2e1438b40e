import { tenantEndpoint } from "../../../../admin-kit/endpoint"
import { readNumber } from "../../../../admin-kit/request"
import { presentPaymentService } from "../present"
import { readPaymentServiceChange } from "../schemas"

export const POST = tenantEndpoint(async ({ gateway, tenant, params, body }) => {
  const change = readPaymentServiceChange(body)
  return {
    payment_service: presentPaymentService(await gateway.paymentSettings.update(tenant, readNumber(params.id), change)),
  }
})
