import { operation } from "../../../../../v2-kit/operation"
import { EXAMPLE, changeSchema, customer, presentCustomer, readCustomerChange } from "../resource"
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

/** A customer moves or has a new name (docs/decisions/11). */
export const PATCH = operation({
  id: "updateCustomer",
  tag: "Customers",
  summary: "Change a customer",
  description:
    "Invoices, receipts and links of the customer portal that are issued from now on go to the new address. Documents that were issued keep theirs.",
  scope: "subscriptions:write",
  service: "subscriptions",
  body: {
    name: "CustomerChange",
    schema: changeSchema,
    notes: {
      name: "Name.",
      email: "E-mail address, which no other customer may have.",
      phone: "Phone number.",
    },
    example: { email: "rahima.new@example.com" },
  },
  answer: enveloped({
    message: "Customer changed",
    data: customer,
    description: "The changed customer.",
    example: { ...EXAMPLE, email: "rahima.new@example.com" },
  }),
  codes: ["CUSTOMER_NOT_FOUND", "CUSTOMER_EXISTS", "INVALID_EMAIL", "INVALID_PHONE", "VALIDATION_ERROR"],
  run: async ({ gateway, caller, params, body }) =>
    presentCustomer(await gateway.customers.update(caller, params.customer_id, readCustomerChange(body))),
})
