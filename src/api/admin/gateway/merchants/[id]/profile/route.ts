import { storeEndpoint } from "../../../../../admin-kit/endpoint"
import { presentProfile, readProfileChange } from "../../resource"

/** How the merchant presents itself to shoppers. Only what is given changes; null or an empty text clears a member. */
export const POST = storeEndpoint(async ({ gateway, actor, params, body }) => ({
  profile: presentProfile(await gateway.merchantProfiles.change(params.id, readProfileChange(body), { actor })),
}))
