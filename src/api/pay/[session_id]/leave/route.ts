import type { MedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import { leaveAttempt } from "../../../../store/checkout"
import { submitCancel } from "../../flow/submit-cancel"
import { pageLoader } from "../../http/gateway"
import { answer, trustedForm } from "../../http/respond"

/** A reload: the payment page shows the current state. */
export async function GET(req: MedusaRequest, res: MedusaResponse): Promise<void> {
  await answer(req, res, async ({ sessionId }) => ({ status: 303, location: `/pay/${sessionId}` }))
}

/** Leaves the acquirer's page behind, to pay in another way. */
export async function POST(req: MedusaRequest, res: MedusaResponse): Promise<void> {
  await answer(req, res, async (request) => {
    const { sessionId, visitor } = request
    await trustedForm(request)
    return submitCancel({ sessionId, visitor, load: pageLoader(req.scope) }, (input) =>
      leaveAttempt(req.scope, { ...input, public_url: visitor.publicUrl })
    )
  })
}
