import type { MedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import { cancelCheckout } from "../../../../store/cancel-checkout"
import { submitCancel } from "../../flow/submit-cancel"
import { pageLoader } from "../../http/gateway"
import { answer, trustedForm } from "../../http/respond"

/** The address of a refused cancellation, opened again: the payment page says how things stand. */
export async function GET(req: MedusaRequest, res: MedusaResponse): Promise<void> {
  await answer(req, res, async ({ sessionId }) => ({ status: 303, location: `/pay/${sessionId}` }))
}

/** Gives the checkout up and leads back to the shop. */
export async function POST(req: MedusaRequest, res: MedusaResponse): Promise<void> {
  await answer(req, res, async (asked) => {
    const { sessionId, visitor } = asked
    await trustedForm(asked)
    const load = pageLoader(req.scope)
    return submitCancel({ sessionId, visitor, load }, (input) =>
      cancelCheckout(req.scope, { ...input, public_url: visitor.publicUrl })
    )
  })
}
