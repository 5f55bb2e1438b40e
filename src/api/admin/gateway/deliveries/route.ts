import { tenantEndpoint } from "../../../admin-kit/endpoint"
import { listSchema, one, presentList, readList } from "../../../admin-kit/list"
import { text } from "../../../v2-kit/validate"
import { presentDelivery } from "./present"

const query = listSchema(
  {
    status: one(["pending", "delivered", "failed"]).optional(),
    kind: one(["webhook", "ipn"]).optional(),
    webhook_id: text(64).optional(),
  },
  ["created_at"]
)

export const GET = tenantEndpoint(async ({ gateway, tenant, query: sent }) => {
  const { webhook_id, ...filter } = readList(query, sent)
  const page = await gateway.webhookLog.deliveries(tenant, { ...filter, endpoint_id: webhook_id }, filter)
  return presentList("deliveries", page, filter, presentDelivery)
})
