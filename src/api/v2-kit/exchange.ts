import { randomUUID } from "node:crypto"
import type { MedusaNextFunction, MedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import { messageOf } from "../../i18n/message"
import type { Environment } from "../../modules/gateway/kernel/clock"
import { decodablePath } from "../../modules/gateway/kernel/request-target"
import { GatewayError } from "../../modules/gateway/kernel/errors"
import { GATEWAY_MODULE } from "../../modules/gateway"
import type GatewayModuleService from "../../modules/gateway/service"
import type { Caller } from "../../modules/gateway/kernel/types"
import { addressOf } from "./address"
import { send } from "./envelopes"
import { errorBody, visibleError } from "./errors"
import { isTooLong } from "./target"
import { limitAddress } from "./rate-limit"
import { errorShapeOf, routesAt, type ContractRoute, type ErrorShape } from "./routes"

/** What is known of a request to `/api/v2` before its operation runs. */
export type Exchange = {
  requestId: string
  environment: Environment
  /** Below the base URL, as sent. */
  path: string
  route: ContractRoute
  shape: ErrorShape
  /** The client's address; read at once, because a broken connection no longer has one. */
  address: string
  /** Set once the key has been looked up, even when the request is refused afterwards. */
  caller?: Caller
}

declare module "express-serve-static-core" {
  interface Request {
    gatewayExchange: Exchange
    gatewayEnvironment?: Environment
  }
}

const SAFE_REQUEST_ID = /^[A-Za-z0-9._-]{8,64}$/
const SANDBOX_PATH = /^\/sandbox\/api\/v2(\/|$)/i
const SANDBOX_BASE = /^\/sandbox\/api\/v2/i
/** At the head of the path; the request's target may be a path or, as for proxies, a whole URL. */
const SANDBOX_PREFIX = /^(https?:\/\/[^/]*)?\/sandbox/i

/**
 * Runs first under `/api/v2`: sets the request id, and answers 404 and 405 as JSON for what the route table does not
 * have. It is mounted by prefix, so that a path that does not decode reaches it instead of Express's own error.
 */
export async function openExchange(request: MedusaRequest, response: MedusaResponse, next: MedusaNextFunction) {
  const gateway = request.scope.resolve<GatewayModuleService>(GATEWAY_MODULE)
  const requestId = openResponse(request, response)
  const path = request.path
  const shape = errorShapeOf(path)
  const routes = routesAt(path)
  const method = request.method === "HEAD" ? "GET" : request.method
  const route = routes?.find((candidate) => candidate.method === method)
  if (isTooLong(request.originalUrl)) {
    return refuse(gateway, request, response, { error: new GatewayError("URI_TOO_LONG"), shape, requestId })
  }
  if (route === undefined) {
    const error = routes === null ? new GatewayError("NOT_FOUND") : methodNotAllowed(routes)
    return refuse(gateway, request, response, { error, shape, requestId })
  }
  request.gatewayExchange = {
    requestId,
    environment: request.gatewayEnvironment ?? gateway.options.environment,
    path,
    route,
    shape,
    address: addressOf(gateway, request),
  }
  // A function, because a path may contain `$&`; not by length, because the target may be a whole URL.
  request.url = request.url.replace(path, () => decodablePath(path))
  next()
}

/**
 * A production deployment serves its merchants' sandbox at `/sandbox/api/v2` (decisions: Environments): such a request
 * goes on as one to `/api/v2`. Mounted at the root, because Express puts the prefix of any other mount back afterwards;
 * and ahead of `/api/v2`, so that a request runs through the application, and into its access log, once.
 */
export function enterSandbox(request: MedusaRequest, response: MedusaResponse, next: MedusaNextFunction) {
  if (!SANDBOX_PATH.test(request.path)) {
    return next()
  }
  const gateway = request.scope.resolve<GatewayModuleService>(GATEWAY_MODULE)
  if (gateway.options.environment !== "production") {
    const requestId = openResponse(request, response)
    const error = new GatewayError("NOT_FOUND", messageOf("refusal.sandbox_deployment"))
    const shape = errorShapeOf(request.path.replace(SANDBOX_BASE, ""))
    return refuse(gateway, request, response, { error, shape, requestId })
  }
  request.gatewayEnvironment = "sandbox"
  request.url = request.url.replace(SANDBOX_PREFIX, "$1")
  return next()
}

/** Sets the headers of every response, and returns the request's id. */
function openResponse(request: MedusaRequest, response: MedusaResponse): string {
  const requestId = requestIdOf(request)
  response.removeHeader("X-Powered-By")
  response.setHeader("X-Request-Id", requestId)
  response.setHeader("Cache-Control", "no-store")
  return requestId
}

async function refuse(
  gateway: GatewayModuleService,
  request: MedusaRequest,
  response: MedusaResponse,
  refusal: { error: GatewayError; shape: ErrorShape; requestId: string }
): Promise<void> {
  let { error } = refusal
  try {
    await limitAddress(gateway, response, addressOf(gateway, request))
  } catch (limited) {
    error = visibleError(limited)
  }
  for (const [name, value] of Object.entries(error.headers ?? {})) {
    response.setHeader(name, value)
  }
  send(response, {
    status: error.status,
    body: JSON.stringify(errorBody(error, refusal.shape, refusal.requestId)),
  })
}

function methodNotAllowed(routes: readonly ContractRoute[]): GatewayError {
  const allowed = routes.map(({ method }) => method)
  const allow = [...allowed, ...(allowed.includes("GET") ? ["HEAD"] : [])].join(", ")
  return new GatewayError("METHOD_NOT_ALLOWED", messageOf("refusal.methods_of_path", { methods: allow }), {
    headers: { Allow: allow },
  })
}

/**
 * The id that Medusa gave the request or took from its header, so that its access log has the same; a new one when that
 * is unsafe.
 */
function requestIdOf(request: MedusaRequest): string {
  const known = safeRequestId(request)
  request.requestId = known ?? randomUUID()
  return request.requestId
}

/** Medusa uses any X-Request-Id as the request's id; null when it is not safe to keep. */
export function safeRequestId({ requestId }: MedusaRequest): string | null {
  return typeof requestId === "string" && SAFE_REQUEST_ID.test(requestId) ? requestId : null
}
