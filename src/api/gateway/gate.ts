import type { ServerResponse } from "node:http"
import { sendFault, sendJson, sendTooLong } from "../compress"
import { type PageGate, type PageRequest, gatewayOf, pathOf, queryValue } from "../page-kit/request"
import { findPage, methodsIn } from "../page-kit/routes"
import { waitReply } from "../pay/flow/states"
import { secondsToWait } from "../pay/http/limits"
import { visitorOf } from "../pay/http/request"
import { sendReply } from "../pay/http/respond"
import { addressOf, isTooLong } from "../v2-kit/target"

const everybody: PageGate = async (_request, _response, next) => void (await next())

/** Answers 404, 405 and 414 as JSON: programs ask here. */
function gateOf(admit = everybody, pathIn = pathOf): PageGate {
  return async function gate(request, response, next) {
    const { target } = request.gatewayPage
    if (isTooLong(target)) {
      return sendTooLong(response)
    }
    const found = findPage(pathIn(request).replace(/(.)\/$/, "$1"))
    response.setHeader("Cache-Control", "no-store")
    if (found === null) {
      return sendJson(response, 404, { type: "not_found", message: "Not found" })
    }
    const methods = methodsIn(found.route)
    if (!methods.includes(request.method ?? "")) {
      response.setHeader("Allow", methods.join(", "))
      return sendJson(response, 405, { type: "not_allowed", message: `Use ${methods.join(", ")}` })
    }
    Object.assign(request.gatewayPage, found)
    try {
      await admit(request, response, next)
    } catch (error) {
      sendFault(response, request.gatewayPage.services.logger, error)
    }
  }
}

/** Runs before every route below a root: the acquirers', metrics, reports of browsers, files of the reference pages. */
export const plainGate = gateOf()
/** In any case of letters, as Medusa answers its own health check. */
export const healthGate = gateOf(everybody, (request) => pathOf(request).toLowerCase())
export const returnGate = gateOf(limitReturns)

/** Limits `GET /gateway/return` by address and payment, in the same buckets as the pages under /pay. */
async function limitReturns(request: PageRequest, response: ServerResponse, next: () => unknown): Promise<void> {
  const gateway = gatewayOf(request)
  const about = queryValue(request, "transaction_id")
  const seconds = await secondsToWait(gateway, { address: addressOf(gateway, request), about })
  if (seconds === null) {
    await next()
    return
  }
  if (request.headers.accept?.includes("text/html")) {
    const visitor = visitorOf(request)
    sendReply(response, { ...visitor, isNew: false }, waitReply("tooMany", visitor, seconds, null))
    return
  }
  response.setHeader("Retry-After", seconds)
  const message = `Too many requests: try again in ${seconds} seconds`
  sendJson(response, 429, { type: "too_many_requests", message })
}
