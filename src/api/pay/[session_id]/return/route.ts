import { SESSION_ID } from "../../../../modules/gateway/kernel/text/ids"
import { gatewayOf, page, queryValue } from "../../../page-kit/request"
import { returnFromAcquirer } from "../../flow/session"
import { pageLoader } from "../../http/request"
import { atMostOncePerInterval } from "../../http/limits"
import { answer } from "../../http/respond"

/** Where the acquirer's own page sends the shopper back to. */
export const GET = page({ session_id: SESSION_ID }, async (req, res) => {
  await answer(req, res, ({ sessionId, visitor }) => {
    const gateway = gatewayOf(req)
    const isPaid = queryValue(req, "paid") === "1"
    return returnFromAcquirer({ sessionId, visitor, isPaid, load: pageLoader(req) }, (input) =>
      atMostOncePerInterval(gateway, input.session_id, () =>
        req.gatewayPage.services.store.confirm({ ...input, public_url: visitor.publicUrl })
      )
    )
  })
})

/** Some acquirers return with a form instead of a link; its content is not needed, and not read. */
export const POST = GET
