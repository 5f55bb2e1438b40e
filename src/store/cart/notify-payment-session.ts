import type { MedusaContainer } from "@medusajs/framework/types"
import { ContainerRegistrationKeys, Modules } from "@medusajs/framework/utils"
import { gatewayIn } from "../../modules/gateway"
import { DUE_WORK, DueWork } from "../../modules/gateway/kernel/database/due-work"

/**
 * Writes on Medusa's payment session that a checkout failed, was cancelled or expired: Medusa's own webhook
 * subscriber ignores these outcomes. The provider's answer, not the caller, decides the status.
 */
async function notifyPaymentSession(container: MedusaContainer, session_id: string): Promise<void> {
  const gateway = gatewayIn(container)
  const payments = container.resolve(Modules.PAYMENT)
  const { payment_session_id } = await gateway.transactions.bySession(session_id)
  const [session] = payment_session_id === null ? [] : await payments.listPaymentSessions({ id: [payment_session_id] })
  const current = session === undefined ? null : await gateway.transactions.ofPaymentSession(session.id)
  // Deleted, or already used for another checkout: there is nothing to update.
  if (session !== undefined && current?.session_id === session_id) {
    const { id, amount, currency_code, data } = session
    await payments.updatePaymentSession({ id, amount, currency_code, data, context: { idempotency_key: id } })
  }
  await gateway.checkouts.outcomeNotified(session_id)
}

/** Updates the payment session at once; when that fails, the task `notify-payment-sessions` does it later. */
export async function notifyPaymentSessionSoon(container: MedusaContainer, session_id: string): Promise<void> {
  try {
    await notifyPaymentSession(container, session_id)
  } catch (error) {
    const logger = container.resolve(ContainerRegistrationKeys.LOGGER)
    logger.warn(
      `gateway: the payment session of ${session_id} could not be updated with its outcome yet: ${(error as Error).message}`
    )
  }
}

/** Sessions that expired, and those whose notification failed or whose process died. */
export async function notifyDuePaymentSessions(container: MedusaContainer, stop?: AbortSignal): Promise<void> {
  const { checkouts } = gatewayIn(container)
  const due = new DueWork<string>(container.resolve(ContainerRegistrationKeys.LOGGER), DUE_WORK.paymentSession, {
    id: (session_id) => session_id,
    claim: (limit, lease) => checkouts.claimOutcomesToNotify(limit, lease),
    work: (session_id) => notifyPaymentSession(container, session_id),
  })
  await due.run({ stop })
}
