import type { CreateNotificationDTO, MedusaContainer } from "@medusajs/framework/types"
import { Modules, NotificationStatus } from "@medusajs/framework/utils"

export type Notice = Omit<CreateNotificationDTO, "idempotency_key" | "trigger_type" | "channel" | "resource_id"> & {
  resource_id: string
  /** What it is about; the same for every try. */
  occasion: string
}

/**
 * An e-mail through Medusa's notification module; once, even when an earlier run died before it wrote down that it had
 * told. A key of Medusa's that failed cannot be used again (it sends, and then throws because it looks for a row that
 * it never made), so each try has its own.
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
