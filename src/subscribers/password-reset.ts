import type { SubscriberArgs, SubscriberConfig } from "@medusajs/framework"
import { type PasswordRequest, sendPasswordLink } from "../store/notifications"

/**
 * With STOREFRONT_PASSWORD_URL, the address of the storefront's page for a new password, customers who have forgotten
 * theirs get its link by e-mail. Without it nothing is sent: a host may have a subscriber of its own.
 */
export default async function passwordReset({ event, container }: SubscriberArgs<PasswordRequest>): Promise<void> {
  const page = process.env.STOREFRONT_PASSWORD_URL
  if (page && event.data.actor_type === "customer") {
    await sendPasswordLink(container, page, event.data)
  }
}

export const config: SubscriberConfig = { event: "auth.password_reset" }
