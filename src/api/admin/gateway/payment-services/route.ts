import { tenantEndpoint } from "../../../admin-kit/endpoint"
import { presentPaymentService } from "./resource"

/** Every payment service with its fee. There are only a few: the list has one page. */
export const GET = tenantEndpoint(async ({ gateway, tenant }) => {
  const rows = await gateway.paymentSettings.list(tenant)
  const { capture } = await gateway.merchants.environment(tenant)
  const unable = await gateway.captureSettings.unable(tenant, capture)
  return {
    payment_services: rows.map((row) => presentPaymentService(row, gateway.acquirerAccounts.serving(row.code), unable)),
    count: rows.length,
  }
})
