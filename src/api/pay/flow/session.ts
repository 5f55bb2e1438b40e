import { loadOrNull } from "./show-page"
import { GatewayError } from "../../../modules/gateway/kernel/errors"
import { accountCookie } from "../http/csrf"
import type { LoadPage, Visitor } from "../http/request"
import { sessionPath } from "../view/parts"
import {
  type Reply,
  finalReply,
  isCode,
  mayNotCharge,
  processingReply,
  returnUrlOf,
  stateOf,
  unknownReply,
  waitingPath,
} from "./states"
import { type Paid, type Submission, notPayable } from "./submit-payment"

/** Exchanges a proof for this browser's key; null: it is not valid. */
type Claim = (sessionId: string, proof: string) => Promise<string | null>

/**
 * Leads to the payment page in any case. Without a valid proof it is the page that everybody with its address sees:
 * nothing saved is offered or can be paid with.
 */
export async function admitAccount(
  { sessionId, path, visitor, proof }: { sessionId: string; path: string; visitor: Visitor; proof: string },
  claim: Claim
): Promise<Reply> {
  const key = proof === "" ? null : await claim(sessionId, proof)
  return { status: 303, location: path, cookie: key === null ? null : accountCookie(visitor, path, key) }
}

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
  return outcome.status === "PENDING" && !outcome.authorized ? waiting : { status: 303, location: outcome.redirect_url }
}
