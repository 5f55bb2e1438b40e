import { randomUUID } from "node:crypto"
import type { ServerResponse } from "node:http"
import { messageOf } from "../../i18n/message"
import type { Environment } from "../../modules/gateway/kernel/money/clock"
import { decodablePath } from "../../modules/gateway/kernel/http/request-target"
import { GatewayError } from "../../modules/gateway/kernel/errors"
import type { Arrival } from "../process-services"
import { addressOf, isTooLong } from "./target"
import { send } from "./envelopes"
import { errorBody, errorHeaders, visibleError } from "./errors"
import { limitAddress } from "./rate-limit"
import { errorShapeOf, paramsOf, routesAt } from "./routes"
import type { ContractRoute, Exchange } from "./types"

/** A request to `/api/v2`. `path` is the part of its path below the base URL, as sent; it begins with a slash. */
type IncomingContractRequest = Arrival & { path: string }

const SAFE_REQUEST_ID = /^[A-Za-z0-9._-]{8,64}$/

/**
 * Runs first: sets the headers of every answer, and answers 404, 405 and 414 for what the route table does not have.
 * Null: the request is answered.
 */
export async function openExchange(
  arrival: IncomingContractRequest,
  environment: Environment
): Promise<Exchange | null> {
  const { services, request, response, target, path, requestId } = arrival
  openResponse(response, requestId)
  const shape = errorShapeOf(path)
  const routes = routesAt(path)
  const method = request.method === "HEAD" ? "GET" : request.method
  const route = routes?.find((candidate) => candidate.method === method)
  if (isTooLong(target)) {
    await refuse(arrival, new GatewayError("URI_TOO_LONG"))
    return null
  }
  if (route === undefined) {
    await refuse(arrival, routes === null ? new GatewayError("NOT_FOUND") : methodNotAllowed(routes))
    return null
  }
  const params = paramsOf(route, decodablePath(path))
  const address = addressOf(services.gateway, request)
  return { services, requestId, environment, target, path, route, params, shape, address }
}

/** Answers a request to `/sandbox/api/v2` where the whole deployment is a sandbox: 404 that says so. */
export function refuseSandbox(arrival: IncomingContractRequest): Promise<void> {
  openResponse(arrival.response, arrival.requestId)
  return refuse(arrival, new GatewayError("NOT_FOUND", messageOf("refusal.sandbox_deployment")))
}

/** Sets the headers of every response. */
function openResponse(response: ServerResponse, requestId: string): void {
  response.removeHeader("X-Powered-By")
  response.setHeader("X-Request-Id", requestId)
  response.setHeader("Cache-Control", "no-store")
}

async function refuse(arrival: IncomingContractRequest, refusal: GatewayError): Promise<void> {
  const { services, request, response, requestId, path } = arrival
  let error = refusal
  try {
    await limitAddress(services.gateway, response, addressOf(services.gateway, request))
  } catch (limited) {
    error = visibleError(limited)
  }
  for (const [name, value] of errorHeaders(error)) {
    response.setHeader(name, value)
  }
  send(response, { status: error.status, body: JSON.stringify(errorBody(error, errorShapeOf(path), requestId)) })
}

function methodNotAllowed(routes: readonly ContractRoute[]): GatewayError {
  const allowed = routes.map(({ method }) => method)
  const allow = [...allowed, ...(allowed.includes("GET") ? ["HEAD"] : [])].join(", ")
  return new GatewayError("METHOD_NOT_ALLOWED", messageOf("refusal.methods_of_path", { methods: allow }), {
    headers: { Allow: allow },
  })
}

/** The id of a request: the one it came with, or a new one when that is absent or unsafe. */
export function requestIdOf(given: unknown): string {
  return safeRequestId(given) ?? randomUUID()
}

/** An id that a client has sent; null when it is not safe to keep. */
export function safeRequestId(given: unknown): string | null {
  return typeof given === "string" && SAFE_REQUEST_ID.test(given) ? given : null
}
