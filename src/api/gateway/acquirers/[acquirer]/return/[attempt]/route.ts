import { ATTEMPT_ID } from "../../../../../../modules/gateway/kernel/text/ids"
import { gatewayOf, page, pathOf, type PageRequest } from "../../../../../page-kit/request"
import {
  confirmingPath,
  isCode,
  mayNotCharge,
  unknownReply,
  waitingPath,
  waitReply,
  type Reply,
} from "../../../../../pay/flow/states"
import { atMostOncePerInterval, secondsToWait } from "../../../../../pay/http/limits"
import { answer } from "../../../../../pay/http/respond"
import type { Visitor } from "../../../../../pay/http/request"
import { NAME, incomingOf } from "../../../incoming"

/**
 * Any text, because an unknown attempt gets a page of ours; but no escape, because Express throws on one that does not
 * decode.
 */
const ATTEMPT = /^[^/%]+$/

/**
 * Where an acquirer's own page sends the shopper back to. What the browser brings is a hint: the acquirer is asked. Some
 * acquirers send a form from their own site, so no cookie of ours comes along and none is needed.
 */
export const GET = page({ acquirer: NAME, attempt: ATTEMPT }, async (req, res) => {
  const { attempt: id } = req.gatewayPage.params
  const path = pathOf(req)
  await answer(req, res, ({ visitor }) => back(req, visitor), { id, exists: ATTEMPT_ID.test(id), path })
})

export const POST = GET

async function back(req: PageRequest, visitor: Visitor): Promise<Reply> {
  const gateway = gatewayOf(req)
  const { attempt: attempt_id, acquirer: acquirer_id } = req.gatewayPage.params
  const wait = await secondsToWait(gateway, { address: visitor.address, about: attempt_id })
  if (wait !== null) {
    return waitReply("tooMany", visitor, wait, null)
  }
  const record = await gateway.transactions.ofAttempt(attempt_id)
  if (record === null || record.paid_with.acquirer !== acquirer_id) {
    return unknownReply(visitor)
  }
  const acquirer = await gateway.acquirers.byId(record, acquirer_id)
  const hint = acquirer.readReturn?.(await incomingOf(req)) ?? null
  const path = waitingPath(record.session_id, { isPaid: hint?.claims === "paid" })
  const waiting = { status: 303, location: path } as const
  const followed = await atMostOncePerInterval(gateway, attempt_id, () =>
    req.gatewayPage.services.store
      .followHint({ attempt_id, hint, back: true, public_url: visitor.publicUrl })
      .catch(toleratedOnly)
  )
  if ("refused" in followed) {
    return { status: 303, location: `/pay/${record.session_id}` }
  }
  if ("seconds" in followed) {
    await gateway.inquiries.askSoon(attempt_id)
    // What was asked just now may have been asked too early: for a shopper who has paid it is asked once more.
    return hint?.claims === "paid" ? { status: 303, location: confirmingPath(record.session_id) } : waiting
  }
  const { state, outcome } = followed
  const isOpen = outcome.status === "PENDING" && state === "PROCESSING"
  return isOpen ? waiting : { status: 303, location: outcome.redirect_url }
}

/** The acquirer cannot be asked now (503): the shopper waits, as when it may not be asked yet. */
function toleratedOnly(error: unknown): { refused: true } | { seconds: number } {
  if (mayNotCharge(error)) {
    return { refused: true }
  }
  if (isCode(error, "SERVICE_UNAVAILABLE")) {
    return { seconds: 0 }
  }
  throw error
}
