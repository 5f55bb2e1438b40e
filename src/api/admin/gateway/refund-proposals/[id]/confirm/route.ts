import { z } from "@medusajs/framework/zod"
import { confirmProposal } from "../../../../../../workflows/returns/confirm-proposal"
import { amount, parse, withoutAbsent } from "../../../../../contract/validate"
import { storeEndpoint } from "../../../../../desk/endpoint"
import { presentProposal } from "../../present"

const schema = z.object({ amount: amount.refine((minor) => minor > 0n, "must be more than 0.00").optional() })

/** Refunds what is proposed, or `amount` of it; confirmed twice, it is refunded once. */
export const POST = storeEndpoint(async ({ request, params, body, actor }) => {
  const { amount: wanted } = parse(schema, withoutAbsent(body, []))
  const confirmation = { amount: wanted, by: { actor }, name: actor.id }
  return { refund_proposal: presentProposal(await confirmProposal(request.scope, params.id, confirmation)) }
})
