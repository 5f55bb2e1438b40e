import { storeEndpoint } from "../../../admin-kit/endpoint"
import { presentMerchant, readNewMerchant } from "./resource"

/** Creates a further merchant, for a business that takes payments over `/api/v2` of this deployment. */
export const POST = storeEndpoint(async ({ gateway, actor, body }) => ({
  merchant: presentMerchant(await gateway.merchants.create(readNewMerchant(body), { actor })),
}))
