import type { MedusaNextFunction, MedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import { GATEWAY_MODULE } from "../../modules/gateway"
import type { Environment } from "../../modules/gateway/kernel/clock"
import { decodablePath } from "../../modules/gateway/kernel/request-target"
import type GatewayModuleService from "../../modules/gateway/service"
import { siteOf } from "../medusa-site"
import { openExchange, refuseSandbox, requestIdOf, type Arrival, type Exchange } from "./exchange"
import { placeInContract } from "./target"

/* The kit of `/api/v2` in Medusa's router: the only file of it that knows Medusa's requests. */

declare module "express-serve-static-core" {
  interface Request {
    gatewayExchange: Exchange
    gatewayEnvironment?: Environment
  }
}

/** At the head of the path; the request's target may be a path or, as for proxies, a whole URL. */
const SANDBOX_PREFIX = /^(https?:\/\/[^/]*)?\/sandbox/i

/**
 * Runs first under `/api/v2`. It is mounted by prefix, so that a path that does not decode reaches it instead of
 * Express's own error.
 */
export async function enterContract(request: MedusaRequest, response: MedusaResponse, next: MedusaNextFunction) {
  const arrival = arrivalOf(request, response)
  const environment = request.gatewayEnvironment ?? arrival.site.gateway.options.environment
  const exchange = await openExchange(arrival, environment)
  if (exchange === null) {
    return
  }
  request.gatewayExchange = exchange
  // A function, because a path may contain `$&`; not by length, because the target may be a whole URL.
  request.url = request.url.replace(exchange.path, () => decodablePath(exchange.path))
  next()
}

/**
 * A production deployment serves its merchants' sandbox at `/sandbox/api/v2` (decisions: Environments): such a request
 * goes on as one to `/api/v2`. Mounted at the root, because Express puts the prefix of any other mount back afterwards;
 * and ahead of `/api/v2`, so that a request runs through the application, and into its access log, once.
 */
export function enterSandbox(request: MedusaRequest, response: MedusaResponse, next: MedusaNextFunction) {
  if (placeInContract(request.originalUrl)?.isSandbox !== true) {
    return next()
  }
  const { options } = request.scope.resolve<GatewayModuleService>(GATEWAY_MODULE)
  if (options.environment !== "production") {
    return refuseSandbox(arrivalOf(request, response))
  }
  request.gatewayEnvironment = "sandbox"
  request.url = request.url.replace(SANDBOX_PREFIX, "$1")
  return next()
}

/** Medusa takes the request's id from its header or makes one; its access log is to have the one that is answered. */
function arrivalOf(request: MedusaRequest, response: MedusaResponse): Arrival {
  const requestId = requestIdOf(request.requestId)
  request.requestId = requestId
  const target = request.originalUrl
  // Not Express's `path`: a mount swallows the first of two slashes, and its router then finds no such route.
  const path = placeInContract(target)?.path ?? request.path
  return { site: siteOf(request.scope), request, response, target, path, requestId }
}
