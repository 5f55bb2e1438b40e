import { z } from "@medusajs/framework/zod"
import type { Customer, CustomerChange } from "../../../../../modules/gateway/subscriptions/customers"
import { moment, uuid, whole, words } from "../../../../v2-kit/openapi/fields"
import { named } from "../../../../v2-kit/openapi/named"
import type { JsonObject } from "../../../../v2-kit/body"
import { parse, phone, text, withoutAbsent } from "../../../../v2-kit/validate"
import { customerSchema, phoneOf } from "../subscriptions/resource"

export const customer = named("Customer", () =>
  z.object({
    id: whole("The customer."),
    uuid: uuid("The same customer by its uuid."),
    name: words("Name."),
    email: words("E-mail address; a merchant has one customer for each."),
    phone: words("Phone number; empty without any."),
    created_at: moment("When the first subscription named them."),
  })
)

export const filterSchema = z.object({ email: text(254).optional() })

/** As at creation (contract 4.6); what is absent or empty stays. */
export const changeSchema = customerSchema(phone).partial()

export function readCustomerChange(body: JsonObject): CustomerChange {
  const { phone: sent, ...change } = parse(changeSchema, withoutAbsent(body, []))
  return { ...change, ...(sent === undefined ? {} : phoneOf(sent)) }
}

export function presentCustomer(customer: Customer) {
  return {
    id: customer.number,
    uuid: customer.uuid,
    name: customer.name,
    email: customer.email,
    phone: customer.phone ?? "",
    created_at: customer.opened_at.toISOString(),
  }
}

export const EXAMPLE = {
  id: 1001,
  uuid: "5a1f0c33-8a2e-4a5b-9f10-7c6d5e4f3a2b",
  name: "Rahima Khatun",
  email: "rahima@example.com",
  phone: "+8801712345678",
  created_at: "2027-03-01T10:00:00.000Z",
}
