import type { MedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import { cancelCheckout } from "../../../../store/checkout"
import { submitCancel } from "../../flow/submit-cancel"
import { pageLoader } from "../../http/gateway"
import { answer, trustedForm } from "../../http/respond"

/** A reload of a refused cancellation: the payment page shows the current state. */
export async function GET(req: MedusaRequest, res: MedusaResponse): Promise<void> {
  await answer(req, res, async ({ sessionId }) => ({ status: 303, location: `/pay/${sessionId}` }))
}

/** Cancels the checkout and leads back to the shop. */
export async function POST(req: MedusaRequest, res: MedusaResponse): Promise<void> {
  await answer(req, res, async (request) => {
    const { sessionId, visitor } = request
    await trustedForm(request)
    const load = pageLoader(req.scope)
    return submitCancel({ sessionId, visitor, load }, (input) =>
      cancelCheckout(req.scope, { ...input, public_url: visitor.publicUrl })
    )
  })
}
