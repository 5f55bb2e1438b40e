import { GatewayError } from "../../../modules/gateway/kernel/errors"
import { loadOrNull } from "./show-page"
import { notPayable, type Submission } from "./submit-payment"
import { finalReply, returnUrlOf, stateOf, unknownReply, type Reply } from "./states"

type Cancel = (input: { session_id: string }) => Promise<{ redirect_url: string }>

/** POST of the cancel form: cancels the checkout and leads back to the shop. */
export async function submitCancel(submission: Omit<Submission, "fields" | "cards">, cancel: Cancel): Promise<Reply> {
  const { sessionId, visitor } = submission
  try {
    const { redirect_url } = await cancel({ session_id: sessionId })
    return { status: 303, location: redirect_url }
  } catch (error) {
    switch (GatewayError.from(error)?.code) {
      case "SESSION_NOT_FOUND":
        return unknownReply(visitor)
      case "PAYMENT_TIMEOUT":
      case "INVALID_STATE_TRANSITION":
        return ended(submission)
      default:
        throw error
    }
  }
}

/** The checkout was cancelled before, has ended, or is being paid: the first and the last need no explanation. */
async function ended({ sessionId, visitor, load }: Omit<Submission, "fields" | "cards">): Promise<Reply> {
  const page = await loadOrNull(load, sessionId)
  if (page === null) {
    return unknownReply(visitor)
  }
  const state = stateOf(page)
  if (state === "cancelled") {
    return { status: 303, location: returnUrlOf(page) }
  }
  return state === "paid" ? finalReply(state, { page, visitor }, 409) : notPayable(page, visitor)
}
