import { csvColumns } from "../../../admin-kit/csv"
import { listEndpoint } from "../../../admin-kit/list-endpoint"
import { readSubscription } from "../../../api/v2/payments/subscriptions/resource"
import { tenantEndpoint } from "../../../admin-kit/endpoint"
import { presentSubscription, readFilter } from "./resource"

/**
 * Subscriptions, newest first; `q` is an id, or the beginning of the customer's e-mail address; `status`, `plan_id`.
 */
export const GET = listEndpoint({
  name: "subscriptions",
  read: readFilter,
  page: ({ gateway, tenant }, filter, window) => gateway.subscriptionList.list(tenant, filter, window),
  present: presentSubscription,
  columns: csvColumns(
    "id",
    "number",
    "status",
    "amount",
    "quantity",
    "unit_amount",
    "currency",
    "interval_count",
    "interval_unit",
    ["plan_name", "plan.plan_name"],
    ["customer_name", "customer.name"],
    ["customer_email", "customer.email"],
    ["customer_phone", "customer.phone"],
    "source",
    "next_billing_date",
    ["billing_cycles", "end.cycles"],
    ["billing_cycles_paid", "end.paid"],
    ["ends_at", "end.at"],
    ["last_period_end", "end.last_period_end"],
    "cancel_at_period_end",
    "failed_payment_count",
    "created_at"
  ),
})

/** Takes the body of POST /payments/subscriptions of `/api/v2`, as of a merchant without shop modules. */
export const POST = tenantEndpoint(async ({ gateway, tenant, body }) => ({
  subscription: presentSubscription(await gateway.subscriptions.create(tenant, readSubscription(body, false))),
}))
