import { LINK_STATUSES } from "../../../../modules/gateway/links/rules"
import { readLink } from "../../../api/v2/payments/links/resource"
import { csvColumns } from "../../../admin-kit/csv"
import { tenantEndpoint } from "../../../admin-kit/endpoint"
import { listSchema, readList, several } from "../../../admin-kit/list"
import { listEndpoint } from "../../../admin-kit/list-endpoint"
import { namesOf } from "../../../admin-kit/present"
import { publicUrlOf } from "../../../v2-kit/target"
import { presentAdminLink } from "./resource"

const query = listSchema({ status: several(LINK_STATUSES).optional() }, ["created_at"])

/** Payment links, newest first; `q` is a link's id, or the beginning of its customer's e-mail address. */
export const GET = listEndpoint({
  name: "payment_links",
  read: (sent) => readList(query, sent),
  page: ({ gateway, tenant }, filter, window) => gateway.paymentLinkList.list(tenant, filter, window),
  extra: ({ request }, rows) =>
    namesOf(
      request.scope,
      rows.map(({ created_by }) => created_by)
    ),
  present: (link, { gateway, tenant, request }, names) =>
    presentAdminLink(link, tenant.now, publicUrlOf(gateway, request), names),
  columns: csvColumns(
    "id",
    "status",
    "amount",
    "currency",
    ["plan_description", "description"],
    ["customer_name", "customer.name"],
    ["customer_email", "customer.email"],
    ["customer_phone", "customer.phone"],
    ["payment_url", "url"],
    "paid_count",
    "paid_amount",
    "max_payments",
    "transaction_id",
    "expires_at",
    "paid_at",
    "created_at",
    "created_by_name"
  ),
})

/** Takes the body of POST /payments/links of `/api/v2`. */
export const POST = tenantEndpoint(async ({ gateway, tenant, body, request }) => {
  const link = await gateway.paymentLinks.create(tenant, readLink(body, tenant.now))
  return { payment_link: presentAdminLink(link, tenant.now, publicUrlOf(gateway, request)) }
})
