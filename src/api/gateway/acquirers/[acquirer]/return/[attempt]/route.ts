import type { MedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import { ATTEMPT_ID } from "../../../../../../modules/gateway/kernel/ids"
import { followHint } from "../../../../../../store/checkout"
import {
  confirmingPath,
  mayNotCharge,
  unknownReply,
  waitingPath,
  waitReply,
  type Reply,
} from "../../../../../pay/flow/states"
import { gatewayOf } from "../../../../../pay/http/gateway"
import { onceInAWhile, secondsToWait } from "../../../../../pay/http/limits"
import { answer } from "../../../../../pay/http/respond"
import type { Visitor } from "../../../../../pay/http/visitor"
import { incomingOf } from "../../../incoming"

/**
 * Where an acquirer's own page sends the shopper back to. What the browser brings is a hint: the acquirer is asked. Some
 * acquirers send a form from their own site, so no cookie of ours comes along and none is needed.
 */
export async function GET(req: MedusaRequest, res: MedusaResponse): Promise<void> {
  const { attempt: id } = req.params
  const path = req.originalUrl.split("?")[0]
  await answer(req, res, ({ visitor }) => back(req, visitor), { id, exists: ATTEMPT_ID.test(id), path })
}

export const POST = GET

async function back(req: MedusaRequest, visitor: Visitor): Promise<Reply> {
  const gateway = gatewayOf(req.scope)
  const { attempt: attempt_id, acquirer: acquirer_id } = req.params
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
  const followed = await onceInAWhile(gateway, attempt_id, () =>
    followHint(req.scope, { attempt_id, hint, back: true, public_url: visitor.publicUrl }).catch(refusedOnly)
  )
  if ("refused" in followed) {
    return { status: 303, location: `/pay/${record.session_id}` }
  }
  if ("seconds" in followed) {
    await gateway.inquiries.askSoon(attempt_id)
    // What was asked just now may have been asked too early: for a shopper who has paid it is asked once more.
    return hint?.claims === "paid" ? { status: 303, location: confirmingPath(record.session_id) } : waiting
  }
  const { outcome } = followed
  const isOpen = outcome.status === "PENDING" && followed.record.state === "PROCESSING"
  return isOpen ? waiting : { status: 303, location: outcome.redirect_url }
}

function refusedOnly(error: unknown): { refused: true } {
  if (mayNotCharge(error)) {
    return { refused: true }
  }
  throw error
}
