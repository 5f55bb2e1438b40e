import { inspect } from "node:util"
import type { MedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import { ContainerRegistrationKeys } from "@medusajs/framework/utils"
import { GATEWAY_MODULE } from "../../modules/gateway"
import type GatewayModuleService from "../../modules/gateway/service"
import type { IdempotencyClaim } from "../../modules/gateway/merchants/idempotency"
import type { Caller } from "../../modules/gateway/kernel/types"
import { authenticate, authorize, type LookUp } from "./authenticate"
import { readBody, type JsonObject } from "./body"
import { send, type Answer, type WireAnswer } from "./envelopes"
import { errorBody, visibleError } from "./errors"
import type { Exchange } from "./exchange"
import { onceOnly } from "./idempotency"
import { sparingLookUp } from "./known-keys"
import { limitAddress, limitCaller } from "./rate-limit"

/** What an operation of `/api/v2` receives. */
export type OperationContext<As extends Caller = Caller> = {
  request: MedusaRequest
  gateway: GatewayModuleService
  caller: As
  body: JsonObject
  params: Record<string, string>
  /** The public address: GATEWAY_PUBLIC_URL, else the request's own origin. */
  publicUrl: string
  claim: IdempotencyClaim | null
}

export type Operation<As extends Caller = Caller> = (context: OperationContext<As>) => Promise<Answer>

/** How an operation finds its caller, when one statement reads something else too. */
export type LookUpFor<As extends Caller> = (gateway: GatewayModuleService, params: Record<string, string>) => LookUp<As>

const byKeyAlone: LookUpFor<Caller> = (gateway) => (key, real) => gateway.apiKeys.authenticate(key, real)

type Handler = (request: MedusaRequest, response: MedusaResponse) => Promise<void>

/**
 * Makes a Medusa route handler from an operation. All errors are answered here in the contract's shape; nothing reaches
 * the store's own error handler.
 */
export function endpoint(operation: Operation): Handler
export function endpoint<As extends Caller>(operation: Operation<As>, lookUpFor: LookUpFor<As>): Handler
export function endpoint(operation: Operation, lookUpFor: LookUpFor<Caller> = byKeyAlone): Handler {
  return async function contractEndpoint(request: MedusaRequest, response: MedusaResponse): Promise<void> {
    const startedAt = performance.now()
    const exchange = request.gatewayExchange
    const gateway = request.scope.resolve<GatewayModuleService>(GATEWAY_MODULE)
    let answer: WireAnswer
    try {
      const caller = await admit(lookUpFor(gateway, request.params), gateway, request, response)
      const { raw, value: body } = await readBody(request, exchange.route.body, gateway.options.server.bodySeconds)
      const context = {
        request,
        gateway,
        caller,
        body,
        params: request.params,
        publicUrl: publicUrlOf(gateway, request),
      }
      const key = request.headers["idempotency-key"]
      const once = await onceOnly(gateway, caller, { method: request.method, path: exchange.path, key, raw }, (claim) =>
        run(operation, { ...context, claim }, exchange)
      )
      if (once.replayed) {
        response.setHeader("Idempotent-Replayed", "true")
      }
      answer = once.answer
    } catch (error) {
      answer = failure(error, request, response, exchange)
    }
    send(response, answer)
    logRequest(gateway, request, answer, startedAt)
  }
}

const ERROR_CODE = /"code":"([A-Z_]+)"/

/** Logs the request; merchants/refused-requests.ts records requests without a valid key. */
function logRequest(
  gateway: GatewayModuleService,
  request: MedusaRequest,
  answer: WireAnswer,
  startedAt: number
): void {
  const { caller, route, requestId, address } = request.gatewayExchange
  const duration_ms = performance.now() - startedAt
  const entry = {
    method: request.method,
    path: route.path,
    status: answer.status,
    error_code: answer.status < 400 ? null : (ERROR_CODE.exec(answer.body)?.[1] ?? null),
    duration_ms: Math.round(duration_ms),
    request_id: requestId,
    address,
    requested_at: new Date(Date.now() - duration_ms),
  }
  if (caller !== undefined) {
    const { merchant_id, environment, key_id } = caller
    gateway.requestLog.record({ merchant_id, environment, key_id, ...entry })
  } else if (answer.status < 500) {
    gateway.refusedRequests.record(request.headers["x-merchant-api-key"], entry)
  }
}

async function admit(
  lookUp: LookUp<Caller>,
  gateway: GatewayModuleService,
  request: MedusaRequest,
  response: MedusaResponse
): Promise<Caller> {
  const exchange = request.gatewayExchange
  const { address } = exchange
  let caller: Caller
  try {
    const sparing = sparingLookUp(gateway, address, lookUp)
    caller = await authenticate(sparing, request.headers["x-merchant-api-key"], exchange.environment, exchange.path)
  } catch (error) {
    await limitAddress(gateway, response, address)
    throw error
  }
  caller.origin = { address, request_id: exchange.requestId }
  exchange.caller = caller
  await limitCaller(gateway, response, caller)
  await authorize(gateway, caller, address, exchange.route)
  return caller
}

/** Within an idempotent run an error is an answer too, and stored like any other. */
async function run(operation: Operation, context: OperationContext, exchange: Exchange): Promise<WireAnswer> {
  try {
    const { status, body, file } = await operation(context)
    return { status, body: JSON.stringify(body), file }
  } catch (error) {
    return failure(error, context.request, null, exchange)
  }
}

/** The response to an error, in the shape of the path; a fault of ours is logged. */
export function failure(
  error: unknown,
  request: MedusaRequest,
  response: MedusaResponse | null,
  exchange: Exchange
): WireAnswer {
  const visible = visibleError(error)
  if (visible.status >= 500) {
    const logger = request.scope.resolve(ContainerRegistrationKeys.LOGGER)
    logger.error(`gateway: request ${exchange.requestId} failed: ${(error as Error)?.stack ?? inspect(error)}`)
  }
  for (const [name, value] of Object.entries(visible.headers ?? {})) {
    response?.setHeader(name, value)
  }
  return { status: visible.status, body: JSON.stringify(errorBody(visible, exchange.shape, exchange.requestId)) }
}

export function publicUrlOf(gateway: GatewayModuleService, request: MedusaRequest): string {
  const configured = gateway.options.publicUrl
  return configured?.replace(/\/$/, "") ?? `${request.protocol}://${request.get("host") ?? "localhost"}`
}
