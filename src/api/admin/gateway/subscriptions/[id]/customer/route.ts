import { readCustomerChange } from "../../../../../api/v2/payments/customers/resource"
import { tenantEndpoint } from "../../../../../admin-kit/endpoint"
import { presentSubscription } from "../../resource"

/** Changes who is billed, on all subscriptions of this customer, as PATCH of `/api/v2/payments/customers` does. */
export const POST = tenantEndpoint(async ({ gateway, tenant, params, body }) => {
  const { customer_number } = await gateway.subscriptions.retrieve(tenant, params.id)
  await gateway.customers.update(tenant, String(customer_number), readCustomerChange(body))
  return { subscription: presentSubscription(await gateway.subscriptions.retrieve(tenant, params.id)) }
})
