import type { ServerResponse } from "node:http"
import type { PageRequest } from "../../../page-kit/request"
import { submitCancel } from "../../flow/session"
import { pageLoader } from "../../http/request"
import { answer, trustedForm } from "../../http/respond"

/** A reload: the payment page shows the current state. */
export async function GET(req: PageRequest, res: ServerResponse): Promise<void> {
  await answer(req, res, async ({ sessionId }) => ({ status: 303, location: `/pay/${sessionId}` }))
}

/** Leaves the acquirer's page behind, to pay in another way. */
export async function POST(req: PageRequest, res: ServerResponse): Promise<void> {
  await answer(req, res, async (request) => {
    const { sessionId, visitor } = request
    await trustedForm(request)
    return submitCancel({ sessionId, visitor, load: pageLoader(req) }, (input) =>
      req.gatewayPage.services.store.leave({ ...input, public_url: visitor.publicUrl })
    )
  })
}
