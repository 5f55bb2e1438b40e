import type { CheckoutPage } from "../../../modules/gateway/checkout/page"
import type { LoadPage, Visitor } from "../http/request"
import {
  type Reply,
  finalReply,
  formReply,
  isCode,
  processingReply,
  returnUrlOf,
  stateOf,
  unknownReply,
} from "./states"

/** Loads a checkout; null for an unknown id. Other errors are thrown. */
export async function loadOrNull(load: LoadPage, sessionId: string): Promise<CheckoutPage | null> {
  try {
    return await load(sessionId)
  } catch (error) {
    if (isCode(error, "SESSION_NOT_FOUND")) {
      return null
    }
    throw error
  }
}

/**
 * GET of the page. `checks` counts how often this shopper has polled for an outcome, 0 for a first visit. A shopper who
 * has polled is led back to the shop as soon as there is an outcome. `isPaid`: as in waitingPath.
 */
export async function showPage(input: {
  sessionId: string
  visitor: Visitor
  checks: number
  isPaid?: boolean
  load: LoadPage
}): Promise<Reply> {
  const { sessionId, visitor, checks, isPaid, load } = input
  const page = await loadOrNull(load, sessionId)
  if (page === null) {
    return unknownReply(visitor)
  }
  const state = stateOf(page)
  switch (state) {
    case "payable":
      return formReply({ page, visitor }, null)
    case "processing":
      return processingReply({ page, visitor }, checks, { isPaid })
    case "unavailable":
      return finalReply(state, { page, visitor }, 200)
    default:
      return checks > 0 ? { status: 303, location: returnUrlOf(page) } : finalReply(state, { page, visitor }, 200)
  }
}
