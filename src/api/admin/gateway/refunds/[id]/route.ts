import { tenantEndpoint } from "../../../../admin-kit/endpoint"
import {
  namesOf,
  paymentSummaries,
  presentLookUp,
  presentMessageOrNull,
  presentReceipt,
} from "../../../../admin-kit/present"
import type { Refund } from "../../../../../modules/gateway/refunds/service"
import type GatewayModuleService from "../../../../../modules/gateway/service"
import { actorsOf, presentActors, presentRefund } from "../resource"

export const GET = tenantEndpoint(async ({ gateway, tenant, actor, roles, params, request }) => {
  const refund = await gateway.refunds.retrieve(params.id, tenant)
  const { unresolved, ...presented } = presentRefund(refund)
  const receipts = await gateway.receipts.sentFor(refund.id)
  const obstacle = await gateway.refunds.approvalObstacle(refund, actor, roles)
  const names = await namesOf(request.scope, actorsOf(refund))
  const payment = await paymentSummaries(gateway, [refund])
  return {
    refund: {
      ...presented,
      unresolved: unresolved && { ...unresolved, ...(await lookUp(gateway, refund)) },
      ...presentActors(refund, names),
      customer: payment(refund.transaction_id)?.customer ?? null,
      /** Why the admin who asks may not approve it; null: they may, or it does not wait for approval. */
      approval_obstacle: presentMessageOrNull(obstacle),
      receipts: receipts.map(presentReceipt),
    },
  }
})

async function lookUp({ transactions }: GatewayModuleService, { transaction_id, acquirer_ids }: Refund) {
  const { acquirer, acquirer_reference } = await transactions.byId(transaction_id)
  return presentLookUp(acquirer, acquirer_ids, acquirer_reference)
}
