import type { INotificationModuleService, MedusaContainer } from "@medusajs/framework/types"
import { ContainerRegistrationKeys, Modules, NotificationStatus } from "@medusajs/framework/utils"
import { GATEWAY_MODULE } from "../modules/gateway"
import { DUE_WORK, DueWork } from "../modules/gateway/kernel/due-work"
import { formatAmount } from "../modules/gateway/kernel/money"
import type GatewayModuleService from "../modules/gateway/service"
import type { RefundNotice } from "../modules/gateway/refunds/notifications"

const TEMPLATE = "gateway-refund-completed"

/**
 * Notifies customers by e-mail, through Medusa's notification module, that their refund is complete, when the refund
 * requests it (contract 4.8: notify_customer). One that fails is tried again for a day.
 */
export async function notifyRefundedCustomers(scope: MedusaContainer, stop?: AbortSignal): Promise<void> {
  const { refundNotices } = scope.resolve<GatewayModuleService>(GATEWAY_MODULE)
  const notifications = scope.resolve(Modules.NOTIFICATION)
  const due = new DueWork<RefundNotice>(scope.resolve(ContainerRegistrationKeys.LOGGER), DUE_WORK.refundMail, {
    id: ({ id }) => id,
    claim: (limit, lease) => refundNotices.claim(limit, lease),
    work: async (notice) => {
      await notify(notifications, notice)
      await refundNotices.markNotified(notice.id)
    },
  })
  await due.run({ stop })
}

/**
 * Once, even when an earlier run crashed before it recorded the notification. Medusa does not accept an idempotency key
 * again after a failure, so each try has its own.
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
      order_number: notice.order_number,
      amount: formatAmount(notice.amount_minor),
      currency: notice.currency,
      reason: notice.reason,
      customer_name: notice.customer_name,
      merchant_name: notice.merchant_name,
      completed_at: notice.completed_at.toISOString(),
    },
  })
}
