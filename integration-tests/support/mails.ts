import type { INotificationModuleService } from "@medusajs/framework/types"
import { Modules } from "@medusajs/framework/utils"
import type { Store } from "./store"

type Provider = { send(provider: unknown, mail: Record<string, unknown>): Promise<unknown> }

/** What Medusa's notification module of a store in this process has received. */
export const notificationsOf = (store: Store) => store.container.resolve(Modules.NOTIFICATION)

/** Its mail provider, for a test's spy. */
export const mailProviderOf = (store: Store) =>
  (notificationsOf(store) as INotificationModuleService & { notificationProviderService_: Provider })
    .notificationProviderService_
