import type { Customer } from "../../../../../modules/gateway/subscriptions/customers"

export function presentCustomer(customer: Customer): Record<string, unknown> {
  return {
    id: customer.number,
    uuid: customer.uuid,
    name: customer.name,
    email: customer.email,
    phone: customer.phone ?? "",
    created_at: customer.opened_at.toISOString(),
  }
}
