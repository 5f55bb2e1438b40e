import type { MedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import { ContainerRegistrationKeys } from "@medusajs/framework/utils"
import type { Acquirer, Hint } from "../../../../../../modules/gateway/payments/acquirers/port"
import type { Tenant } from "../../../../../../modules/gateway/kernel/types"
import { followHint } from "../../../../../../store/checkout"
import { gatewayOf } from "../../../../../pay/http/gateway"
import { onceInAWhile, secondsToWait } from "../../../../../pay/http/limits"
import { addressOf, publicUrlOf } from "../../../../../v2-kit/address"
import { BodyError } from "../../../../../v2-kit/read-bytes"
import { incomingOf } from "../../../incoming"

const NAME = /^[a-z0-9_-]{1,40}$/

/**
 * Where an acquirer sends its notifications. Each is a hint: the acquirer is asked, whatever it says. 200 for what was
 * understood or is about nothing of ours, 400 for a wrong signature, 404 for an account that does not exist, 503 when it
 * should be sent again.
 */
export async function POST(req: MedusaRequest, res: MedusaResponse): Promise<void> {
  const gateway = gatewayOf(req.scope)
  res.setHeader("Cache-Control", "no-store")
  const wait = await secondsToWait(gateway, { address: addressOf(gateway, req), about: null })
  if (wait !== null) {
    res.setHeader("Retry-After", wait)
    res.status(429).end()
    return
  }
  const { acquirer: id, account } = req.params
  const known = NAME.test(id) && NAME.test(account) ? await gateway.acquirers.byAccount(id, account) : null
  if (known?.acquirer.readNotification === undefined) {
    res.status(404).end()
    return
  }
  try {
    const notification = await known.acquirer.readNotification(await incomingOf(req))
    if (notification.result === "forged") {
      const logger = req.scope.resolve(ContainerRegistrationKeys.LOGGER)
      logger.warn(`gateway: a notification in the name of ${id} was refused: ${notification.why}`)
      res.status(400).end()
      return
    }
    if (notification.result === "hint") {
      await follow(req, known, notification.hint)
    }
    res.status(200).type("text/plain").send("OK")
  } catch (error) {
    if (error instanceof BodyError) {
      res.setHeader("Connection", "close")
      res.status({ too_large: 413, too_slow: 408, cut_short: 400 }[error.problem]).end()
      return
    }
    // The provider sends it again; the reconciler asks in any case.
    const logger = req.scope.resolve(ContainerRegistrationKeys.LOGGER)
    logger.error(`gateway: a notification of ${id} could not be processed: ${(error as Error).message}`)
    res.status(503).end()
  }
}

type Known = { acquirer: Acquirer; owner: Tenant | null }

async function follow(req: MedusaRequest, { acquirer, owner }: Known, hint: Hint): Promise<void> {
  const gateway = gatewayOf(req.scope)
  if (hint.about === "refund") {
    await gateway.refunds.hinted(acquirer.id, owner, hint)
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
  const followed = await onceInAWhile(gateway, attempt_id, () =>
    followHint(req.scope, { attempt_id, hint, public_url })
  )
  if ("seconds" in followed) {
    await gateway.inquiries.askSoon(attempt_id)
  }
}
