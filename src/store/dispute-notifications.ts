import type { MedusaContainer } from "@medusajs/framework/types"
import { ContainerRegistrationKeys } from "@medusajs/framework/utils"
import { gatewayIn } from "../modules/gateway"
import type { DueDisputeNotification } from "../modules/gateway/disputes/notifications"
import { DUE_WORK, DueWork } from "../modules/gateway/kernel/due-work"
import { formatAmount } from "../modules/gateway/kernel/money"
import { notifyOnce } from "./notifications"

/** The templates: a new dispute, one whose deadline is near, one whose deadline has passed, and one that is over. */
const TEMPLATES: Readonly<Record<DueDisputeNotification["notice"], string>> = {
  opened: "gateway-dispute-opened",
  reminder: "gateway-dispute-reminder",
  missed: "gateway-dispute-deadline-missed",
  closed: "gateway-dispute-closed",
}

/** Notifies merchants of disputes; the admin's pages and the events say it in any case. */
export async function notifyDisputedMerchants(scope: MedusaContainer, stop?: AbortSignal): Promise<void> {
  const { disputeNotifications } = gatewayIn(scope)
  const logger = scope.resolve(ContainerRegistrationKeys.LOGGER)
  const due = new DueWork<DueDisputeNotification>(logger, DUE_WORK.disputeMail, {
    id: ({ id }) => id,
    claim: (limit, lease) => disputeNotifications.claim(limit, lease),
    work: async (notice) => {
      const { id, email } = notice
      if (email === null) {
        logger.warn(`gateway: the dispute ${id} is due for its merchant (${notice.notice}), who has no e-mail address`)
      } else {
        await notifyOf(scope, { ...notice, email })
      }
      await disputeNotifications.markNotified(notice)
    },
  })
  await due.run({ stop })
}

async function notifyOf(scope: MedusaContainer, notice: DueDisputeNotification & { email: string }): Promise<void> {
  const template = TEMPLATES[notice.notice]
  // A deadline that the bank has extended is another occasion, and so is another outcome.
  const occasion = [template, notice.id, notice.state, notice.due_by?.toISOString()].filter(Boolean).join(":")
  await notifyOnce(scope, {
    occasion,
    to: notice.email,
    template,
    resource_id: notice.id,
    resource_type: "gateway_dispute",
    data: {
      dispute_id: notice.id,
      status: notice.state,
      reason: notice.reason,
      amount: formatAmount(notice.amount_minor),
      currency: notice.currency,
      evidence_due_by: notice.due_by?.toISOString() ?? null,
      transaction_id: notice.transaction_id,
      order_number: notice.order_number,
      environment: notice.environment,
      merchant_name: notice.merchant_name,
    },
  })
}
