import type { Visitor } from "../http/visitor"
import { sessionPath } from "../view/payment"
import { loadOrNull, type LoadPage } from "./show-page"
import { stateOf, unknownReply, type Reply } from "./states"

export type Confirm = (input: { session_id: string }) => Promise<{ status: string; redirect_url: string }>

/**
 * The shopper is back from the acquirer's page. Nothing the browser brings along is believed: the acquirer is asked,
 * and what cannot be told yet waits on the payment page. Only where the acquirer has a page of its own is it asked:
 * an inline attempt may still be on its way there, and would be taken for one that never was.
 */
export async function returnFromAcquirer(
  input: { sessionId: string; visitor: Visitor; load: LoadPage },
  confirm: Confirm
): Promise<Reply> {
  const page = await loadOrNull(input.load, input.sessionId)
  if (page === null) {
    return unknownReply(input.visitor)
  }
  const waiting = { status: 303, location: `${sessionPath(page)}?wait=1` } as const
  if (stateOf(page) !== "processing" || page.acquirer_flow !== "redirect") {
    return waiting
  }
  const outcome = await confirm({ session_id: page.session_id })
  return outcome.status === "PENDING" ? waiting : { status: 303, location: outcome.redirect_url }
}
