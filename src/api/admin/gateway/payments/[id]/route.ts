import { formatAmount } from "../../../../../modules/gateway/domain/money"
import { tenantEndpoint } from "../../../../desk/endpoint"
import { spoken } from "../../../../desk/language"
import { presentStory } from "./present"

/** One payment and everything that happened to it, in order; and what of it can be refunded now, or why nothing can. */
export const GET = tenantEndpoint(async ({ gateway, tenant, params, language }) => {
  const story = await gateway.paymentStories.tell(tenant, params.id)
  const { amount, obstacle } = await gateway.refundPreviews.refundable(story.record.transaction_id)
  const payment = presentStory(story, tenant.now)
  return { payment: { ...payment, refundable_amount: formatAmount(amount), refund_obstacle: obstacle && spoken(language, obstacle) } }
})
