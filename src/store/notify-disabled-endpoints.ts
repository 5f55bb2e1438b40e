import type { MedusaContainer } from "@medusajs/framework/types"
import { ContainerRegistrationKeys } from "@medusajs/framework/utils"
import { translate } from "../i18n/translate"
import { GATEWAY_MODULE } from "../modules/gateway"
import { DUE_WORK, DueWork } from "../modules/gateway/kernel/due-work"
import type GatewayModuleService from "../modules/gateway/service"
import type { DisabledEndpoint } from "../modules/gateway/webhooks/disabled-endpoints"
import { notifyOnce } from "./notify-once"

const TEMPLATE = "gateway-webhook-endpoint-disabled"

/**
 * Notifies merchants by e-mail, through Medusa's notification module, of endpoints that were disabled. One that fails
 * (no mail provider) is tried again for a day; the endpoint's row says it in any case.
 */
export async function notifyDisabledEndpoints(scope: MedusaContainer, stop?: AbortSignal): Promise<void> {
  const { disabledEndpoints } = scope.resolve<GatewayModuleService>(GATEWAY_MODULE)
  const logger = scope.resolve(ContainerRegistrationKeys.LOGGER)
  const due = new DueWork<DisabledEndpoint>(logger, DUE_WORK.disabledEndpointMail, {
    id: ({ id }) => id,
    claim: (limit, lease) => disabledEndpoints.claim(limit, lease),
    work: async (endpoint) => {
      const { id, email, disabled_reason } = endpoint
      if (email === null) {
        logger.warn(
          `gateway: webhook endpoint ${id} is disabled (${translate(disabled_reason)}); its merchant has no e-mail address`
        )
      } else {
        await notify(scope, { ...endpoint, email })
      }
      await disabledEndpoints.markNotified(id)
    },
  })
  await due.run({ stop })
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
