import { storeEndpoint } from "../../../../admin-kit/endpoint"
import { scopeForUser, setVariantPlan } from "../links"

/** Sells the variant as a one-time purchase again; idempotent. Existing subscriptions stay as they are. */
export const DELETE = storeEndpoint(async (context) => {
  const scope = await scopeForUser(context)
  const { variant_id } = context.params
  await setVariantPlan(context.request.scope, scope, variant_id, null)
  return { id: variant_id, object: "variant_plan", deleted: true }
})
