import { formatAmount } from "../../../../../modules/gateway/kernel/money/money"
import { tenantEndpoint } from "../../../../admin-kit/endpoint"
import { namesOf, orderNumbers, presentMessage, presentReceipt } from "../../../../admin-kit/present"
import { captorsOf } from "./captures"
import { disputesFor, presentAdminDispute } from "../../disputes/resource"
import { presentEmiPlanInFull, presentNote, presentTimeline } from "./resource"

/**
 * One payment with everything that happened to it, in order, and the amount that can be refunded now or why none can.
 */
export const GET = tenantEndpoint(async (context) => {
  const { gateway, tenant, params, language, request } = context
  const timeline = await gateway.paymentTimelines.retrieve(tenant, params.id)
  const { amount, obstacle } = await gateway.refundPreviews.refundable(timeline.record.transaction_id)
  const plan = await gateway.emi.planOf(timeline.record.transaction_id)
  const number = await orderNumbers(request.scope, [timeline.completion?.order_id ?? null])
  const notes = await gateway.paymentTimelines.notes(tenant, timeline.record.transaction_id)
  const names = await namesOf(request.scope, [
    ...timeline.attempts.flatMap(({ reviewed_by }) => reviewed_by ?? []),
    ...notes.map(({ actor_id }) => actor_id),
    ...captorsOf(timeline),
  ])
  const disputes = await disputesFor(context, tenant, params.id)
  const owed = timeline.reserved && (await gateway.captures.owed(timeline.record.transaction_id))
  const receipts = await gateway.receipts.sentFor(timeline.record.transaction_id)
  const payment = {
    ...presentTimeline(timeline, tenant.now, names, disputes ?? [], owed),
    medusa_order_number: number(timeline.completion?.order_id ?? null),
  }
  return {
    payment: {
      ...payment,
      receipts: receipts.map(presentReceipt),
      disputes: disputes && disputes.map(presentAdminDispute),
      notes: notes.map((note) => presentNote(note, names)),
      emi: plan && presentEmiPlanInFull(plan),
      refundable_amount: formatAmount(amount),
      refund_obstacle: obstacle && { code: obstacle.code, ...presentMessage(obstacle.reason, language) },
    },
  }
})
