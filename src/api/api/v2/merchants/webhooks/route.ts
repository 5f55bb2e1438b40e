import { endpoint } from "../../../../v2-kit/endpoint"
import { created, list } from "../../../../v2-kit/envelopes"
import { readPage } from "../../../../v2-kit/pagination"
import { presentEndpoint } from "./present"
import { readEndpoint } from "./schemas"

/** Registers a webhook endpoint (contract 4.7); only this response shows its secret. */
export const POST = endpoint(async ({ gateway, caller, body }) => {
  const row = await gateway.webhookEndpoints.create(caller, readEndpoint(body, gateway.options.allowPrivateUrls))
  return created("Webhook endpoint registered", { ...presentEndpoint(row), secret: row.secret })
})

export const GET = endpoint(async ({ gateway, caller, query }) => {
  const page = readPage(query)
  const { rows, total } = await gateway.webhookEndpoints.list(caller, page)
  return list("Webhook endpoints", rows.map(presentEndpoint), total, page)
})
