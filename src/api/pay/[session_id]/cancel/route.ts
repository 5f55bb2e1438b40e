import type { ServerResponse } from "node:http"
import type { PageRequest } from "../../../page-kit/request"
import { submitCancel } from "../../flow/session"
import { pageLoader } from "../../http/request"
import { answer, trustedForm } from "../../http/respond"

/** A reload of a refused cancellation: the payment page shows the current state. */
export async function GET(req: PageRequest, res: ServerResponse): Promise<void> {
  await answer(req, res, async ({ sessionId }) => ({ status: 303, location: `/pay/${sessionId}` }))
}

/** Cancels the checkout and leads back to the shop. */
export async function POST(req: PageRequest, res: ServerResponse): Promise<void> {
  await answer(req, res, async (request) => {
    const { sessionId, visitor } = request
    await trustedForm(request)
    const load = pageLoader(req)
    return submitCancel({ sessionId, visitor, load }, (input) =>
      req.gatewayPage.services.store.cancel({ ...input, public_url: visitor.publicUrl })
    )
  })
}
