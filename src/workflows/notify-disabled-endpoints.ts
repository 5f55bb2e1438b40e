import { container } from "@medusajs/framework"
import type { MedusaContainer } from "@medusajs/framework/types"
import { ContainerRegistrationKeys } from "@medusajs/framework/utils"
import { translate } from "../i18n/translate"
import { GATEWAY_MODULE } from "../modules/gateway"
import type GatewayModuleService from "../modules/gateway/service"
import type { DisabledEndpoint } from "../modules/gateway/webhooks/endpoints"
import { registerTask } from "../modules/gateway/worker/tasks"
import { notifyOnce } from "./notify-once"

const BATCH = 50
const TEMPLATE = "gateway-webhook-endpoint-disabled"

/**
 * Tells merchants by e-mail, through Medusa's notification module, of endpoints that were disabled. One that
 * cannot be told (no mail provider, no address) is tried again for a day; the endpoint's row says it in any case.
 */
export async function notifyDisabledEndpoints(scope: MedusaContainer): Promise<void> {
  const gateway = scope.resolve<GatewayModuleService>(GATEWAY_MODULE)
  const logger = scope.resolve(ContainerRegistrationKeys.LOGGER)
  for (const endpoint of await gateway.webhookEndpoints.unnotified(BATCH)) {
    const { id, email, disabled_reason } = endpoint
    if (email === null) {
      logger.warn(
        `gateway: webhook endpoint ${id} is disabled (${translate(disabled_reason)}); its merchant has no e-mail address`
      )
      await gateway.webhookEndpoints.markNotified(id)
      continue
    }
    try {
      await notify(scope, { ...endpoint, email })
      await gateway.webhookEndpoints.markNotified(id)
    } catch (error) {
      logger.warn(`gateway: the merchant of webhook endpoint ${id} could not be told: ${(error as Error).message}`)
    }
  }
}

async function notify(scope: MedusaContainer, endpoint: DisabledEndpoint & { email: string }): Promise<void> {
  const { id, email, endpoint_url, disabled_reason, environment, merchant_name } = endpoint
  await notifyOnce(scope, {
    occasion: `${TEMPLATE}:${id}:${endpoint.disabled_at.toISOString()}`,
    to: email,
    template: TEMPLATE,
    resource_id: id,
    resource_type: "gateway_webhook_endpoint",
    data: { endpoint_url, reason: translate(disabled_reason), environment, merchant_name },
  })
}

registerTask("notify-disabled-endpoints", () => notifyDisabledEndpoints(container as MedusaContainer))
