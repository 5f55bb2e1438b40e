import { envelopeOf, listOf } from "../../../../v2-kit/openapi/fields"
import type { Documented } from "../../../../v2-kit/openapi/operation"
import { customer } from "./answers"
import { filterSchema } from "./schemas"

const tag = "Customers"

const EXAMPLE = {
  id: 1001,
  uuid: "5a1f0c33-8a2e-4a5b-9f10-7c6d5e4f3a2b",
  name: "Rahima Khatun",
  email: "rahima@example.com",
  phone: "+8801712345678",
  created_at: "2027-03-01T10:00:00.000Z",
}

export const operations: readonly Documented[] = [
  {
    method: "GET",
    path: "/payments/customers",
    id: "listCustomers",
    tag,
    summary: "List customers",
    description: "The customers of subscriptions, newest first.",
    query: {
      schema: filterSchema,
      notes: { email: "Only the customer with this e-mail address, in whatever case." },
      paging: "per_page",
    },
    answer: {
      description: "A page of customers.",
      schema: () => listOf(customer()),
      example: { success: true, message: "Customers", data: [EXAMPLE], meta: { total: 1, page: 1, per_page: 20 } },
    },
  },
  {
    method: "GET",
    path: "/payments/customers/{customer_id}",
    id: "getCustomer",
    tag,
    summary: "Get a customer",
    answer: {
      description: "The customer.",
      schema: () => envelopeOf(customer()),
      example: { success: true, message: "Customer", data: EXAMPLE, meta: {} },
    },
    codes: ["CUSTOMER_NOT_FOUND"],
  },
]
