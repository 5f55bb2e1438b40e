import { SESSION_ID } from "../../../../modules/gateway/kernel/text/ids"
import { page } from "../../../page-kit/request"
import { submitCancel } from "../../flow/session"
import { pageLoader } from "../../http/request"
import { answer, trustedForm } from "../../http/respond"

const PARAMS = { session_id: SESSION_ID }

/** A reload of a refused cancellation: the payment page shows the current state. */
export const GET = page(PARAMS, async (req, res) => {
  await answer(req, res, async ({ sessionId }) => ({ status: 303, location: `/pay/${sessionId}` }))
})

/** Cancels the checkout and leads back to the shop. */
export const POST = page(PARAMS, async (req, res) => {
  await answer(req, res, async (request) => {
    const { sessionId, visitor } = request
    await trustedForm(request)
    const load = pageLoader(req)
    return submitCancel({ sessionId, visitor, load }, (input) =>
      req.gatewayPage.services.store.cancel({ ...input, public_url: visitor.publicUrl })
    )
  })
})
