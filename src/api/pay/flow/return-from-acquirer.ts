import type { Visitor } from "../http/visitor"
import type { LoadPage } from "../http/page-loader"
import { sessionPath } from "../view/form-view"
import { loadOrNull } from "./show-page"
import { isCode, mayNotCharge, processingReply, stateOf, unknownReply, waitingPath, type Reply } from "./states"
import type { Paid } from "./submit-payment"

/**
 * The status of the payment; or, when the acquirer was asked only just now, the seconds until it may be asked again.
 */
type Confirm = (input: { session_id: string }) => Promise<Paid | { seconds: number }>

/**
 * Handles the return from the acquirer's page. Nothing that the browser sends is believed: the acquirer is asked, and
 * an unknown outcome waits on the payment page (`isPaid`: as in waitingPath). Only an acquirer with a page of its own is
 * asked: an inline attempt may still be on its way to the acquirer and would look as if it had never been made.
 */
export async function returnFromAcquirer(
  input: {
    sessionId: string
    visitor: Visitor
    isPaid?: boolean
    load: LoadPage
  },
  confirm: Confirm
): Promise<Reply> {
  const page = await loadOrNull(input.load, input.sessionId)
  if (page === null) {
    return unknownReply(input.visitor)
  }
  const isPaid = input.isPaid === true
  const waiting = { status: 303, location: waitingPath(page.session_id, { isPaid }) } as const
  if (stateOf(page) !== "processing" || !page.paid_elsewhere) {
    return waiting
  }
  const outcome = await confirm({ session_id: page.session_id }).catch((error: unknown) => {
    if (mayNotCharge(error) || isCode(error, "SERVICE_UNAVAILABLE")) {
      return null
    }
    throw error
  })
  if (outcome === null) {
    return waiting
  }
  if ("seconds" in outcome) {
    // The shopper may have paid since: the browser loads this address once more, or only the reconciler would find out.
    const again = { seconds: outcome.seconds, url: `${sessionPath(page)}/return` }
    return { ...processingReply({ page, visitor: input.visitor }, 0, { isPaid }), refresh: again }
  }
  return outcome.status === "PENDING" ? waiting : { status: 303, location: outcome.redirect_url }
}
