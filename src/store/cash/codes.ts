import type { MedusaContainer } from "@medusajs/framework/types"
import { Modules } from "@medusajs/framework/utils"
import { messageOf } from "../../i18n/message"
import { fault, validationError } from "../../modules/gateway/kernel/errors"

const CHANNEL = "sms"

/** Medusa's notification module does not say which channels it has: its own service of providers knows. */
type Providers = {
  notificationProviderService_?: { getProviderForChannels?(channels: string[]): Promise<readonly unknown[]> }
}

/** Throws VALIDATION_ERROR for `phone_code` when the store has no notification provider for SMS. */
export async function requireSms(container: MedusaContainer): Promise<void> {
  const { notificationProviderService_: providers } = container.resolve(Modules.NOTIFICATION) as unknown as Providers
  // Another notification module than Medusa's cannot be asked; then sending says what is missing.
  const found = await providers?.getProviderForChannels?.([CHANNEL])
  if (found?.length === 0) {
    throw validationError([fault("phone_code", messageOf("rule.sms_provider"))])
  }
}
