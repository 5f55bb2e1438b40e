import { SESSION_ID } from "../../../modules/gateway/kernel/text/ids"
import { gatewayOf, page, queryValue } from "../../page-kit/request"
import { showPage } from "../flow/show-page"
import { submitPayment } from "../flow/submit-payment"
import { pageLoader } from "../http/request"
import { cardWatch } from "../http/cards"
import { answer, trustedForm } from "../http/respond"

const PARAMS = { session_id: SESSION_ID }

/** The payment page of a checkout, or the page of its outcome. */
export const GET = page(PARAMS, async (req, res) => {
  await answer(req, res, ({ sessionId, visitor }) => {
    const wait = queryValue(req, "wait") ?? ""
    const checks = /^[0-9]{1,4}$/.test(wait) ? Number(wait) : 0
    const isPaid = queryValue(req, "paid") === "1"
    return showPage({ sessionId, visitor, checks, isPaid, load: pageLoader(req, visitor.accountKey) })
  })
})

/** Pays. The form submits here with and without JavaScript. */
export const POST = page(PARAMS, async (req, res) => {
  await answer(req, res, async (request) => {
    const { sessionId, visitor } = request
    const fields = await trustedForm(request)
    const load = pageLoader(req, visitor.accountKey)
    const gateway = gatewayOf(req)
    const cards = cardWatch(gateway, visitor)
    return submitPayment({ sessionId, visitor, fields, load, cards }, async (input) => {
      const paid = await req.gatewayPage.services.store.pay({
        ...input,
        account_key: visitor.accountKey,
        public_url: visitor.publicUrl,
        visitor_address: visitor.address,
      })
      return { ...paid, receipt_key: paid.attempt_id && gateway.receipts.keyOf(paid.attempt_id) }
    })
  })
})
