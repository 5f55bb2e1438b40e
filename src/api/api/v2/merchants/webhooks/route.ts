import { endpoint } from "../../../../v2-kit/endpoint"
import { created, list } from "../../../../v2-kit/envelopes"
import { repeatable } from "../../../../v2-kit/idempotency"
import { readPage } from "../../../../v2-kit/pagination"
import { presentEndpoint } from "./present"
import { readEndpoint } from "./schemas"

/** Registers a webhook endpoint (contract 4.7); only this response shows its secret. */
export const POST = endpoint(async (context) => {
  const { gateway, body } = context
  const input = readEndpoint(body, gateway.options.allowPrivateUrls)
  const row = await gateway.webhookEndpoints.create(repeatable(context), input)
  return created("Webhook endpoint registered", { ...presentEndpoint(row), secret: row.secret })
})

export const GET = endpoint(async ({ gateway, caller, query }) => {
  const page = readPage(query)
  const { rows, total } = await gateway.webhookEndpoints.list(caller, page)
  return list("Webhook endpoints", rows.map(presentEndpoint), total, page)
})
