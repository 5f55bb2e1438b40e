import { container } from "@medusajs/framework"
import type { INotificationModuleService, MedusaContainer } from "@medusajs/framework/types"
import { ContainerRegistrationKeys, Modules, NotificationStatus } from "@medusajs/framework/utils"
import { GATEWAY_MODULE } from "../modules/gateway"
import type GatewayModuleService from "../modules/gateway/service"
import type { DisabledEndpoint } from "../modules/gateway/services/webhook-endpoint"
import { registerTask } from "../modules/gateway/worker/tasks"

const BATCH = 50
const TEMPLATE = "gateway-webhook-endpoint-disabled"

/**
 * Tells merchants by e-mail, through Medusa's notification module, of endpoints that were disabled. One that
 * cannot be told (no mail provider, no address) is tried again for a day; the endpoint's row says it in any case.
 */
export async function tellDisabledEndpoints(scope: MedusaContainer): Promise<void> {
  const gateway = scope.resolve<GatewayModuleService>(GATEWAY_MODULE)
  const logger = scope.resolve(ContainerRegistrationKeys.LOGGER)
  const notifications = scope.resolve(Modules.NOTIFICATION)
  for (const endpoint of await gateway.webhookEndpoints.untold(BATCH)) {
    const { id, email, disabled_reason } = endpoint
    if (email === null) {
      logger.warn(`gateway: webhook endpoint ${id} is disabled (${disabled_reason}); its merchant has no e-mail address`)
      await gateway.webhookEndpoints.told(id)
      continue
    }
    try {
      await tell(notifications, { ...endpoint, email })
      await gateway.webhookEndpoints.told(id)
    } catch (error) {
      logger.warn(`gateway: the merchant of webhook endpoint ${id} could not be told: ${(error as Error).message}`)
    }
  }
}

/**
 * Once, even when an earlier run died before it wrote down that it had told. A key of Medusa's that failed cannot be
 * used again (it sends, and then throws because it looks for a row that it never made), so each try has its own.
 */
async function tell(notifications: INotificationModuleService, endpoint: DisabledEndpoint & { email: string }): Promise<void> {
  const { id, email, endpoint_url, disabled_reason, environment, merchant_name } = endpoint
  const occasion = `${TEMPLATE}:${id}:${endpoint.disabled_at.toISOString()}`
  const earlier = await notifications.listNotifications({ resource_id: id, trigger_type: occasion })
  if (earlier.some(({ status }) => status === NotificationStatus.SUCCESS)) {
    return
  }
  await notifications.createNotifications({
    to: email,
    channel: "email",
    template: TEMPLATE,
    resource_id: id,
    resource_type: "gateway_webhook_endpoint",
    trigger_type: occasion,
    idempotency_key: `${occasion}:${earlier.length}`,
    data: { endpoint_url, reason: disabled_reason, environment, merchant_name },
  })
}

registerTask("tell-disabled-endpoints", () => tellDisabledEndpoints(container as MedusaContainer))
