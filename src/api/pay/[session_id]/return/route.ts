import type { MedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import { confirmCheckout } from "../../../../workflows/confirm-checkout"
import { returnFromAcquirer } from "../../flow/return-from-acquirer"
import { pageLoader } from "../../http/gateway"
import { answer } from "../../http/respond"

/** Where the acquirer's own page sends the shopper back to. */
export async function GET(req: MedusaRequest, res: MedusaResponse): Promise<void> {
  await answer(req, res, ({ sessionId, visitor }) =>
    returnFromAcquirer({ sessionId, visitor, load: pageLoader(req.scope) }, (input) =>
      confirmCheckout(req.scope, { ...input, public_url: visitor.publicUrl })
    )
  )
}

/** Some acquirers come back with a form instead of a link; its content is not needed, and not read. */
export const POST = GET
