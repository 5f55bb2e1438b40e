import { z } from "@medusajs/framework/zod"
import { confirmProposal } from "../../../../../../store/returns/confirm-proposal"
import { amount, parse, withoutAbsent, rule } from "../../../../../v2-kit/validate"
import { tenantEndpoint } from "../../../../../admin-kit/endpoint"
import { presentProposal } from "../../resource"

const schema = z.object({ amount: amount.refine((minor) => minor > 0n, rule("more_than", { min: "0.00" })).optional() })

/** Refunds the proposed amount, or `amount` of it; a repeated confirmation refunds nothing more. */
export const POST = tenantEndpoint(async ({ gateway, tenant, request, params, body, actor, roles }) => {
  const { id } = await gateway.refundProposals.retrieve(params.id, tenant)
  const { amount: wanted } = parse(schema, withoutAbsent(body, []))
  const confirmation = { amount: wanted, by: { actor }, roles, name: actor.id }
  return { refund_proposal: presentProposal(await confirmProposal(request.scope, id, confirmation)) }
})
