import { storeEndpoint } from "../../../../../admin-kit/endpoint"
import { presentMessage, presentReceipt } from "../../../../../admin-kit/present"
import { presentOnOrder } from "../../../cash-orders/whole"
import { disputesFor, presentAdminDispute } from "../../../disputes/resource"
import { presentEmiPlanInFull, presentTimeline } from "../../../payments/[id]/resource"

/**
 * The payments of one of the store's orders, each with its timeline, disputes, instalments and receipts, and why it cannot
 * be refunded; and its cash: for the order's page.
 */
export const GET = storeEndpoint(async (context) => {
  const { gateway, params, language } = context
  const owners = await gateway.paymentTimelines.ofOrder(params.id)
  const payments = await Promise.all(
    owners.map(async ({ merchant_id, environment, transaction_id }) => {
      const scope = await gateway.merchants.scope(merchant_id, environment)
      const timeline = await gateway.paymentTimelines.retrieve(scope, transaction_id)
      const plan = await gateway.emi.planOf(transaction_id)
      const receipts = await gateway.receipts.sentFor(transaction_id)
      const disputes = await disputesFor(context, scope, transaction_id)
      const { obstacle } = await gateway.refundPreviews.refundable(transaction_id)
      return {
        ...presentTimeline(timeline, scope.now, new Map(), disputes ?? []),
        disputes: disputes && disputes.map(presentAdminDispute),
        emi: plan && presentEmiPlanInFull(plan),
        receipts: receipts.map(presentReceipt),
        refund_obstacle: obstacle && presentMessage(obstacle.reason, language),
      }
    })
  )
  const cash = await gateway.cashOrders.ofOrder(params.id)
  return { payments, count: payments.length, cash_order: cash && (await presentOnOrder(gateway, cash)) }
})
