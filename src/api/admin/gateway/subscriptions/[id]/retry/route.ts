import { tenantEndpoint } from "../../../../../admin-kit/endpoint"
import { presentSubscription } from "../../present"
import { readAttempts } from "../../schemas"

/**
 * Charges a payment that is past due once more, now; `attempts`, the charges that the admin has seen of it, keeps a
 * second click from charging again. Answers the outcome: paid, declined, or unknown yet.
 */
export const POST = tenantEndpoint(async ({ gateway, tenant, params, body }) => {
  const { uuid } = await gateway.subscriptions.retrieve(tenant, params.id)
  const retried = await gateway.paymentRetries.retry(tenant, uuid, readAttempts(body))
  return { ...retried, subscription: presentSubscription(await gateway.subscriptions.retrieve(tenant, uuid)) }
})
