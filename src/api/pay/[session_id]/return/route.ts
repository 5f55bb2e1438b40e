import type { MedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import { confirmCheckout } from "../../../../store/checkout"
import { returnFromAcquirer } from "../../flow/return-from-acquirer"
import { gatewayOf, pageLoader } from "../../http/gateway"
import { onceInAWhile } from "../../http/limits"
import { answer } from "../../http/respond"
import { queryValue } from "../../http/visitor"

/** Where the acquirer's own page sends the shopper back to. */
export async function GET(req: MedusaRequest, res: MedusaResponse): Promise<void> {
  await answer(req, res, ({ sessionId, visitor }) => {
    const gateway = gatewayOf(req.scope)
    const isPaid = queryValue(req, "paid") === "1"
    return returnFromAcquirer({ sessionId, visitor, isPaid, load: pageLoader(req.scope) }, (input) =>
      onceInAWhile(gateway, input.session_id, () =>
        confirmCheckout(req.scope, { ...input, public_url: visitor.publicUrl })
      )
    )
  })
}

/** Some acquirers return with a form instead of a link; its content is not needed, and not read. */
export const POST = GET
