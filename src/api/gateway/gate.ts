import type { ServerResponse } from "node:http"
import { sendFault, sendJson, sendTooLong } from "../compress"
import { type PageGate, type PageRequest, gatewayOf, pathOf, queryValue } from "../page-kit/request"
import { type PageRoute, findPage, methodsIn } from "../page-kit/routes"
import { waitReply } from "../pay/flow/states"
import { secondsToWait } from "../pay/http/limits"
import { visitorOf } from "../pay/http/request"
import { sendReply } from "../pay/http/respond"
import { addressOf, isTooLong } from "../v2-kit/target"

const NAME = /^[a-z0-9_-]{1,40}$/
/**
 * Any text, because an unknown attempt gets a page of ours; but no escape, because Express throws on one that does not
 * decode.
 */
const ATTEMPT = /^[^/%]+$/

/** What acquirers and the browsers that come from them ask for. */
export const ACQUIRER_ROUTES: readonly PageRoute[] = [
  {
    path: "/gateway/acquirers/{acquirer}/notify/{account}",
    methods: ["POST"],
    params: { acquirer: NAME, account: NAME },
  },
  {
    path: "/gateway/acquirers/{acquirer}/return/{attempt}",
    methods: ["GET", "POST"],
    params: { acquirer: NAME, attempt: ATTEMPT },
  },
]

/** What Prometheus reads: the counters of the process that answers. */
export const METRICS_ROUTES: readonly PageRoute[] = [{ path: "/gateway/metrics", methods: ["GET"] }]

/** Where browsers report what the content rules of the pages blocked. */
export const REPORT_ROUTES: readonly PageRoute[] = [{ path: "/gateway/csp-reports", methods: ["POST"] }]

/** Where the payment page sends the shopper of a cart. */
export const RETURN_ROUTES: readonly PageRoute[] = [{ path: "/gateway/return", methods: ["GET"] }]

/** The files of the reference pages. */
export const REFERENCE_ROUTES: readonly PageRoute[] = [
  { path: "/gateway/reference/{file}", methods: ["GET"], params: { file: /^[^/]+$/ } },
]

/** What load balancers and process managers ask, every few seconds. */
export const HEALTH_ROUTES: readonly PageRoute[] = [
  { path: "/health/live", methods: ["GET"] },
  { path: "/health/ready", methods: ["GET"] },
]

const everybody: PageGate = async (_request, _response, next) => void (await next())

/** Answers 404, 405 and 414 as JSON: programs ask here. */
function gateOf(routes: readonly PageRoute[], admit = everybody, pathIn = pathOf): PageGate {
  return async function gate(request, response, next) {
    const { target } = request.gatewayPage
    if (isTooLong(target)) {
      return sendTooLong(response)
    }
    const found = findPage(routes, pathIn(request).replace(/(.)\/$/, "$1"))
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

export const acquirerGate = gateOf(ACQUIRER_ROUTES)
/** In any case of letters, as Medusa answers its own health check. */
export const healthGate = gateOf(HEALTH_ROUTES, everybody, (request) => pathOf(request).toLowerCase())
export const metricsGate = gateOf(METRICS_ROUTES)
export const referenceGate = gateOf(REFERENCE_ROUTES)
export const reportGate = gateOf(REPORT_ROUTES)
export const returnGate = gateOf(RETURN_ROUTES, limitReturns)

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
