import type { ServerResponse } from "node:http"
import type { Acquirer, Hint } from "../../../../../../modules/gateway/acquirers/port"
import type { Tenant } from "../../../../../../modules/gateway/kernel/types"
import { gatewayOf, page, type PageRequest } from "../../../../../page-kit/request"
import { atMostOncePerInterval, secondsToWait } from "../../../../../pay/http/limits"
import { sendNothing, sendText } from "../../../../../compress"
import { addressOf, publicUrlOf } from "../../../../../v2-kit/target"
import { BodyError } from "../../../../../v2-kit/body"
import { NAME, incomingOf } from "../../../incoming"

/**
 * Where an acquirer sends its notifications. Each is a hint: the acquirer is asked, whatever it says. 200 for what was
 * understood or is about nothing of ours, 400 for a wrong signature, 404 for an account that does not exist, 503 when it
 * should be sent again.
 */
export const POST = page({ acquirer: NAME, account: NAME }, async (req, res) => {
  const { acquirer: id } = req.gatewayPage.params
  const { logger } = req.gatewayPage.services
  try {
    await receive(req, res)
  } catch (error) {
    if (error instanceof BodyError) {
      res.setHeader("Connection", "close")
      sendNothing(res, { too_large: 413, too_slow: 408, cut_short: 400 }[error.problem])
      return
    }
    // The acquirer sends it again; the reconciler asks in any case.
    logger.error(`gateway: a notification of ${id} could not be processed: ${(error as Error).message}`)
    sendNothing(res, 503)
  }
})

/** shurjoPay is not known to send them by POST alone. */
export const GET = POST

async function receive(req: PageRequest, res: ServerResponse): Promise<void> {
  const gateway = gatewayOf(req)
  const { acquirer: id, account } = req.gatewayPage.params
  const wait = await secondsToWait(gateway, { address: addressOf(gateway, req), about: null })
  if (wait !== null) {
    res.setHeader("Retry-After", wait)
    sendNothing(res, 429)
    return
  }
  const known = await gateway.acquirers.byAccount(id, account)
  if (known?.acquirer.readNotification === undefined) {
    sendNothing(res, 404)
    return
  }
  const notification = await known.acquirer.readNotification(await incomingOf(req))
  if (notification.result === "forged") {
    const { logger } = req.gatewayPage.services
    logger.warn(`gateway: a notification in the name of ${id} was refused: ${notification.why}`)
    sendNothing(res, 400)
    return
  }
  if (notification.result === "hint") {
    await follow(req, known, notification.hint)
  }
  sendText(res, 200, "OK")
}

type Known = { acquirer: Acquirer; owner: Tenant | null }

async function follow(req: PageRequest, { acquirer, owner }: Known, hint: Hint): Promise<void> {
  const gateway = gatewayOf(req)
  if (hint.about === "refund") {
    await gateway.refunds.hinted(acquirer.id, owner, hint)
    if (hint.key !== undefined) {
      await gateway.surplus.hinted(acquirer.id, owner, hint.key)
    }
    return
  }
  if (hint.about === "dispute") {
    await gateway.disputeReports.hinted(acquirer, owner, hint.key ?? "")
    return
  }
  const attempt_id = await gateway.inquiries.attemptOf(acquirer.id, owner, hint)
  if (attempt_id === null) {
    return
  }
  const public_url = publicUrlOf(gateway, req)
  const followed = await atMostOncePerInterval(gateway, attempt_id, () =>
    req.gatewayPage.services.store.followHint({ attempt_id, hint, public_url })
  )
  if ("seconds" in followed) {
    await gateway.inquiries.askSoon(attempt_id)
  }
}
