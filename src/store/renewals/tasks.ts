import type { MedusaContainer } from "@medusajs/framework/types"
import { ContainerRegistrationKeys } from "@medusajs/framework/utils"
import { GATEWAY_MODULE } from "../../modules/gateway"
import { DUE_WORK, DueWork } from "../../modules/gateway/kernel/due-work"
import { formatAmount } from "../../modules/gateway/kernel/money"
import type GatewayModuleService from "../../modules/gateway/service"
import type { SkipNotice } from "../../modules/gateway/subscriptions/store/renewals"
import { notifyOnce } from "../notify-once"

const TEMPLATE = "gateway-subscription-period-skipped"

/** Notifies shoppers by e-mail that a period of theirs was skipped, and why; one that fails is tried again for a day. */
export async function notifySkippedCustomers(scope: MedusaContainer, stop?: AbortSignal): Promise<void> {
  const { renewals } = scope.resolve<GatewayModuleService>(GATEWAY_MODULE).billing
  const due = new DueWork<SkipNotice>(scope.resolve(ContainerRegistrationKeys.LOGGER), DUE_WORK.skippedPeriodMail, {
    id: ({ id }) => id,
    claim: (limit, lease) => renewals.claimNotices(limit, lease),
    work: async (notice) => {
      await notify(scope, notice)
      await renewals.markNotified(notice.id)
    },
  })
  await due.run({ stop })
}

async function notify(scope: MedusaContainer, notice: SkipNotice): Promise<void> {
  await notifyOnce(scope, {
    occasion: `${TEMPLATE}:${notice.id}`,
    to: notice.email,
    template: TEMPLATE,
    resource_id: notice.id,
    resource_type: "gateway_skipped_period",
    data: {
      subscription_id: notice.subscription_uuid,
      plan_name: notice.plan_name,
      reason: notice.reason,
      amount: formatAmount(notice.amount_minor),
      currency: notice.currency,
      period_start: notice.period_start.toISOString(),
      next_billing_date: notice.next_billing_date?.toISOString() ?? null,
      customer_name: notice.customer_name,
      merchant_name: notice.merchant_name,
    },
  })
}
