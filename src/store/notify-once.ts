import type { CreateNotificationDTO, MedusaContainer } from "@medusajs/framework/types"
import { Modules, NotificationStatus } from "@medusajs/framework/utils"

export type Notice = Omit<CreateNotificationDTO, "idempotency_key" | "trigger_type" | "channel" | "resource_id"> & {
  resource_id: string
  /** Identifies the e-mail; the same for every try. */
  occasion: string
}

/**
 * Sends an e-mail through Medusa's notification module; once, even when an earlier run crashed before it recorded that.
 * Medusa does not accept a failed idempotency key again (it sends, and then throws because it looks for a row that it
 * never created), so each try has its own.
 */
export async function notifyOnce(scope: MedusaContainer, { occasion, ...notice }: Notice): Promise<void> {
  const notifications = scope.resolve(Modules.NOTIFICATION)
  const earlier = await notifications.listNotifications({ resource_id: notice.resource_id, trigger_type: occasion })
  if (earlier.some(({ status }) => status === NotificationStatus.SUCCESS)) {
    return
  }
  await notifications.createNotifications({
    ...notice,
    channel: "email",
    trigger_type: occasion,
    idempotency_key: `${occasion}:${earlier.length}`,
  })
}
