import type { INotificationModuleService, MedusaContainer } from "@medusajs/framework/types"
import { ContainerRegistrationKeys, Modules, NotificationStatus } from "@medusajs/framework/utils"
import { GATEWAY_MODULE } from "../modules/gateway"
import { formatAmount } from "../modules/gateway/kernel/money"
import type GatewayModuleService from "../modules/gateway/service"
import type { RefundNotice } from "../modules/gateway/refunds/notifications"

const BATCH = 50
const TEMPLATE = "gateway-refund-completed"

/**
 * Tells customers by e-mail, through Medusa's notification module, that their money has gone back, when the refund
 * asked for it (contract 4.8: notify_customer). One that cannot be told is tried again for a day.
 */
export async function notifyRefundedCustomers(scope: MedusaContainer): Promise<void> {
  const gateway = scope.resolve<GatewayModuleService>(GATEWAY_MODULE)
  const logger = scope.resolve(ContainerRegistrationKeys.LOGGER)
  const notifications = scope.resolve(Modules.NOTIFICATION)
  for (const notice of await gateway.refundNotices.unnotified(BATCH)) {
    try {
      await notify(notifications, notice)
      await gateway.refundNotices.markNotified(notice.id)
    } catch (error) {
      logger.warn(`gateway: the customer of refund ${notice.id} could not be told: ${(error as Error).message}`)
    }
  }
}

/**
 * Once, even when an earlier run died before it wrote down that it had told. A key of Medusa's that failed cannot be
 * used again, so each try has its own.
 */
async function notify(notifications: INotificationModuleService, notice: RefundNotice): Promise<void> {
  const earlier = await notifications.listNotifications({ resource_id: notice.id, trigger_type: TEMPLATE })
  if (earlier.some(({ status }) => status === NotificationStatus.SUCCESS)) {
    return
  }
  await notifications.createNotifications({
    to: notice.email,
    channel: "email",
    template: TEMPLATE,
    resource_id: notice.id,
    resource_type: "gateway_refund",
    trigger_type: TEMPLATE,
    idempotency_key: `${TEMPLATE}:${notice.id}:${earlier.length}`,
    data: {
      refund_id: notice.id,
      order_id: notice.order_id,
      amount: formatAmount(notice.amount_minor),
      currency: notice.currency,
      reason: notice.reason,
      customer_name: notice.customer_name,
      merchant_name: notice.merchant_name,
      completed_at: notice.completed_at.toISOString(),
    },
  })
}
