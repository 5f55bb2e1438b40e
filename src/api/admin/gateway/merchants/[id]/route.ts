import { storeEndpoint } from "../../../../admin-kit/endpoint"
import { presentMerchant, readMerchantChange } from "../resource"

export const GET = storeEndpoint(async ({ gateway, params }) => ({
  merchant: presentMerchant(await gateway.merchants.retrieve(params.id)),
}))

/** Changes the profile, approves the business verification, suspends. */
export const POST = storeEndpoint(async ({ gateway, actor, params, body }) => ({
  merchant: presentMerchant(await gateway.merchants.update(params.id, readMerchantChange(body), { actor })),
}))
