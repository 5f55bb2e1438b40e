import { container } from "@medusajs/framework"
import { ContainerRegistrationKeys, Modules } from "@medusajs/framework/utils"
import { registerTask } from "../modules/gateway/worker/tasks"
import type GatewayModuleService from "../modules/gateway/service"

const BATCH = 50
const TEMPLATE = "gateway-webhook-endpoint-disabled"

/**
 * Tells merchants by e-mail, through Medusa's notification module, of endpoints that were disabled. One that
 * cannot be told (no mail provider, no address) is tried again for a day; the endpoint's row says it in any case.
 */
export async function tellDisabledEndpoints(gateway: GatewayModuleService): Promise<void> {
  const logger = container.resolve(ContainerRegistrationKeys.LOGGER)
  const notifications = container.resolve(Modules.NOTIFICATION)
  for (const endpoint of await gateway.webhookEndpoints.untold(BATCH)) {
    const { id, email, endpoint_url, disabled_reason, environment, merchant_name } = endpoint
    if (email === null) {
      logger.warn(`gateway: webhook endpoint ${id} is disabled (${disabled_reason}); its merchant has no e-mail address`)
      await gateway.webhookEndpoints.told(id)
      continue
    }
    try {
      await notifications.createNotifications({
        to: email,
        channel: "email",
        template: TEMPLATE,
        idempotency_key: `${TEMPLATE}:${id}:${endpoint.disabled_at.toISOString()}`,
        data: { endpoint_url, reason: disabled_reason, environment, merchant_name },
      })
      await gateway.webhookEndpoints.told(id)
    } catch (error) {
      logger.warn(`gateway: the merchant of webhook endpoint ${id} could not be told: ${(error as Error).message}`)
    }
  }
}

registerTask("tell-disabled-endpoints", tellDisabledEndpoints)
