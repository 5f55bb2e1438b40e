import { tenantEndpoint } from "../../../../../admin-kit/endpoint"
import { presentSubscription, readAttempts } from "../../resource"

/**
 * Charges a payment that is past due again, now. `attempts` is the number of charges that the admin has seen: it keeps
 * a second click from charging again. Responds with the outcome: paid, declined, or still unknown.
 */
export const POST = tenantEndpoint(async ({ gateway, tenant, params, body }) => {
  const { uuid } = await gateway.subscriptions.retrieve(tenant, params.id)
  const retried = await gateway.paymentRetries.retry(tenant, uuid, readAttempts(body))
  return { ...retried, subscription: presentSubscription(await gateway.subscriptions.retrieve(tenant, uuid)) }
})
