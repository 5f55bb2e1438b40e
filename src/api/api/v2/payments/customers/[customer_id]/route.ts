import { operation } from "../../../../../v2-kit/operation"
import { EXAMPLE, customer, presentCustomer } from "../resource"
import { enveloped } from "../../../../../v2-kit/answers"

export const GET = operation({
  id: "getCustomer",
  tag: "Customers",
  summary: "Get a customer",
  scope: "subscriptions:read",
  service: "subscriptions",
  answer: enveloped({ message: "Customer", data: customer, description: "The customer.", example: EXAMPLE }),
  codes: ["CUSTOMER_NOT_FOUND"],
  run: async ({ gateway, caller, params }) =>
    presentCustomer(await gateway.customers.retrieve(caller, params.customer_id)),
})
