import { tenantEndpoint } from "../../../../admin-kit/endpoint"
import { namesOf, presentLookUp, presentReceipt } from "../../../../admin-kit/present"
import type { Refund } from "../../../../../modules/gateway/refunds/service"
import type GatewayModuleService from "../../../../../modules/gateway/service"
import { presentRefund } from "../resource"

export const GET = tenantEndpoint(async ({ gateway, tenant, params, request }) => {
  const refund = await gateway.refunds.retrieve(params.id, tenant)
  const { requested_by, reviewed_by, dealt_with_by } = refund
  const { unresolved, ...presented } = presentRefund(refund)
  const receipts = await gateway.receipts.sentFor(refund.id)
  const names = await namesOf(request.scope, [requested_by, reviewed_by ?? "", dealt_with_by ?? ""])
  const name = (id: string | null) => (id === null ? null : (names.get(id) ?? null))
  return {
    refund: {
      ...presented,
      unresolved: unresolved && { ...unresolved, ...(await lookUp(gateway, refund)) },
      requested_by_name: name(requested_by),
      reviewed_by_name: name(reviewed_by),
      dealt_with_by_name: name(dealt_with_by),
      receipts: receipts.map(presentReceipt),
    },
  }
})

async function lookUp({ transactions }: GatewayModuleService, { transaction_id, acquirer_ids }: Refund) {
  const { acquirer, acquirer_reference } = await transactions.byId(transaction_id)
  return presentLookUp(acquirer, acquirer_ids, acquirer_reference)
}
