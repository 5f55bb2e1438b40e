import { isDeclined } from "../../../modules/gateway/payments/card-testing-rules"
import type { Visitor } from "../http/visitor"
import type { LoadPage } from "../view/checkout-page"
import { sessionPath } from "../view/form-view"
import { loadOrNull } from "./show-page"
import { processingReply, stateOf, unknownReply, type Reply } from "./states"
import type { CardWatch, Paid } from "./submit-payment"

/** What became of the payment; or nobody was asked because that was done just now, and in how many seconds it may be. */
export type Confirm = (input: { session_id: string }) => Promise<Paid | { seconds: number }>

/**
 * The shopper is back from the acquirer's page. Nothing the browser brings along is believed: the acquirer is asked,
 * and what cannot be told yet waits on the payment page. Only where the acquirer has a page of its own is it asked:
 * an inline attempt may still be on its way there, and would be taken for one that never was.
 */
export async function returnFromAcquirer(
  input: { sessionId: string; visitor: Visitor; load: LoadPage; cards: Pick<CardWatch, "failed"> },
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
  if ("seconds" in outcome) {
    // The shopper may have paid since: this address is asked for once more, or only the reconciler would find out.
    const again = { seconds: outcome.seconds, url: `${sessionPath(page)}/return` }
    return { ...processingReply({ page, visitor: input.visitor }, 0), refresh: again }
  }
  if (isDeclined(outcome)) {
    await input.cards.failed(page, null)
  }
  return outcome.status === "PENDING" ? waiting : { status: 303, location: outcome.redirect_url }
}
