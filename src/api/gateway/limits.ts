import type { MedusaNextFunction, MedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import { addressOf } from "../v2-kit/address"
import { waitReply } from "../pay/flow/states"
import { gatewayOf } from "../pay/http/gateway"
import { secondsToWait } from "../pay/http/limits"
import { sendReply } from "../pay/http/respond"
import { visitorOf } from "../pay/http/visitor"

/** Limits `GET /gateway/return` by address and payment, in the same buckets as the pages under /pay. */
export async function limitReturns(req: MedusaRequest, res: MedusaResponse, next: MedusaNextFunction): Promise<void> {
  const gateway = gatewayOf(req.scope)
  const { transaction_id } = req.query
  const about = typeof transaction_id === "string" ? transaction_id : null
  const seconds = await secondsToWait(gateway, { address: addressOf(gateway, req), about })
  if (seconds === null) {
    next()
    return
  }
  if (req.headers.accept?.includes("text/html")) {
    const visitor = visitorOf(req)
    sendReply(res, { ...visitor, isNew: false }, waitReply("tooMany", visitor, seconds, null))
    return
  }
  res.set({ "Cache-Control": "no-store", "Retry-After": String(seconds) })
  res.status(429).json({ type: "too_many_requests", message: `Too many requests: try again in ${seconds} seconds` })
}
