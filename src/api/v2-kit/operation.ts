import type { ServerResponse } from "node:http"
import { inspect } from "node:util"
import type { Gateway } from "../../modules/gateway/container"
import type { Environment } from "../../modules/gateway/kernel/money/clock"
import { requestSeconds } from "../../modules/gateway/kernel/http/metrics"
import type { Caller } from "../../modules/gateway/kernel/types"
import type { IdempotencyClaim } from "../../modules/gateway/merchants/idempotency"
import { EncodedText, sendEncoded } from "../compress"
import type { StoreWork } from "../process-services"
import type { Answering } from "./answers"
import { type LookUp, authenticate, authorize } from "./authenticate"
import { type JsonObject, readBody } from "./body"
import { type Answer, type WireAnswer, send } from "./envelopes"
import { errorBody, errorCodeOf, errorHeaders, visibleError } from "./errors"
import { runIdempotently } from "./idempotency"
import { limitAddress, limitCaller, limitedLookUp } from "./rate-limit"
import { bodyRuleOf } from "./routes"
import { publicUrlOf, readQuery } from "./target"
import { traced } from "./trace"
import type { ContractRequest, Described, Exchange, Handler, Operation } from "./types"

type Declared<Result, As extends Caller> = Omit<Described, "answer" | "open"> & {
  answer: Answering<Result>
  /** Another statement than the usual one may find the caller, together with what it asks for. */
  lookUp?: LookUpFor<As>
  run: (context: OperationContext<As>) => Promise<NoInfer<Result>>
}

/**
 * An operation of `/api/v2`, whole: `export const POST = operation({ ... })` in the route file at its path. `run` returns
 * what `answer` describes.
 */
export function operation<Result, As extends Caller = Caller>(declared: Declared<Result, As>): Operation {
  const { run, lookUp, answer } = declared
  const handler = endpoint<As>(async (context) => answer.of(await run(context)), lookUp)
  return Object.assign(handler, { described: declared as unknown as Described })
}

type DeclaredOpen = Omit<Described, "answer" | "open" | "scope"> & { answer: Answering<never>; page: OpenPage }

/** An operation that needs no key, and answers a JSON text that clients may keep. */
export function openOperation(declared: DeclaredOpen): Operation {
  const described: Described = { ...declared, scope: null, open: true }
  return Object.assign(openEndpoint(declared.page), { described })
}

/** What an operation of `/api/v2` receives. */
type OperationContext<As extends Caller = Caller> = {
  gateway: Gateway
  store: StoreWork
  caller: As
  body: JsonObject
  query: JsonObject
  params: Record<string, string>
  /** The public address: GATEWAY_PUBLIC_URL, else the request's own origin. */
  publicUrl: string
  claim: IdempotencyClaim | null
}

type Run<As extends Caller = Caller> = (context: OperationContext<As>) => Promise<Answer>

/** How an operation finds its caller, when one statement reads something else too. */
type LookUpFor<As extends Caller> = (gateway: Gateway, params: Record<string, string>) => LookUp<As>

const byKeyAlone: LookUpFor<Caller> = (gateway) => (keyHash, real) => gateway.apiKeys.authenticate(keyHash, real)

/**
 * Makes a handler of what an operation does. All errors are answered here in the contract's shape; nothing reaches the
 * store's own error handler.
 */
export function endpoint<As extends Caller>(operation: Run<As>, lookUpFor?: LookUpFor<As>): Handler
export function endpoint(operation: Run, lookUpFor: LookUpFor<Caller> = byKeyAlone): Handler {
  return traced(async function contractEndpoint(request, response): Promise<void> {
    const startedAt = performance.now()
    const exchange = request.gatewayExchange
    const { services, params, route, path, target } = exchange
    const { gateway, store } = services
    let answer: WireAnswer
    try {
      const caller = await admit(lookUpFor(gateway, params), request, response)
      const { raw, value: body } = await readBody(request, bodyRuleOf(route), gateway.options.server.bodySeconds)
      const publicUrl = publicUrlOf(gateway, request)
      const context = { gateway, store, caller, body, query: readQuery(target), params, publicUrl }
      const key = request.headers["idempotency-key"]
      const once = await runIdempotently(gateway, caller, { method: request.method ?? "", path, key, raw }, (claim) =>
        run(operation, { ...context, claim }, response, exchange)
      )
      if (once.replayed) {
        response.setHeader("Idempotent-Replayed", "true")
      }
      answer = once.answer
    } catch (error) {
      answer = failure(error, response, exchange)
    }
    send(response, answer)
    logRequest(request, answer, startedAt)
  })
}

/** Logs and measures the request; merchants/refused-requests.ts records requests without a valid key. */
function logRequest(request: ContractRequest, answer: WireAnswer, startedAt: number): void {
  const { services, caller, route, requestId, address } = request.gatewayExchange
  const duration_ms = performance.now() - startedAt
  const entry = {
    method: request.method ?? "",
    path: route.path,
    status: answer.status,
    error_code: answer.status < 400 ? null : errorCodeOf(answer.body),
    duration_ms: Math.round(duration_ms),
    request_id: requestId,
    address,
    requested_at: new Date(Date.now() - duration_ms),
  }
  requestSeconds.observe({ method: entry.method, path: entry.path, status: entry.status }, duration_ms / 1_000)
  if (caller !== undefined) {
    const { merchant_id, environment, key_id } = caller
    services.gateway.requestLog.record({ merchant_id, environment, key_id, ...entry })
  } else if (answer.status < 500) {
    services.gateway.refusedRequests.record(request.headers["x-merchant-api-key"], entry)
  }
}

async function admit(lookUp: LookUp<Caller>, request: ContractRequest, response: ServerResponse): Promise<Caller> {
  const exchange = request.gatewayExchange
  const { services, address } = exchange
  const { gateway } = services
  let caller: Caller
  try {
    const sparing = limitedLookUp(gateway, address, lookUp)
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

/** Within an idempotent run an error is an answer too, and stored like any other, without its headers. */
async function run(
  operation: Run,
  context: OperationContext,
  response: ServerResponse,
  exchange: Exchange
): Promise<WireAnswer> {
  try {
    const { status, body, file } = await operation(context)
    return { status, body: JSON.stringify(body), file }
  } catch (error) {
    return failure(error, response, exchange)
  }
}

/** The response to an error, in the shape of the path; a fault of ours is logged. */
export function failure(error: unknown, response: ServerResponse, exchange: Exchange): WireAnswer {
  const { services, shape, requestId } = exchange
  const visible = visibleError(error)
  if (visible.status >= 500) {
    services.logger.error(`gateway: request ${requestId} failed: ${(error as Error)?.stack ?? inspect(error)}`)
  }
  for (const [name, value] of errorHeaders(visible)) {
    response.setHeader(name, value)
  }
  return { status: visible.status, body: JSON.stringify(errorBody(visible, shape, requestId)) }
}

type Context = { gateway: Gateway; publicUrl: string; environment: Environment }

/** A JSON text that anybody may read, made when it is needed, and what changes when it does. */
type Page = { etag: string; body: () => string }

type OpenPage = (context: Context) => Promise<Page>

/**
 * Makes a handler of `/api/v2` that needs no key. Requests count by address. Clients may keep the answer, and ask with
 * If-None-Match whether it still holds (304).
 */
function openEndpoint(page: OpenPage): Handler {
  const text = new EncodedText()
  return traced(async function openContractEndpoint(request, response): Promise<void> {
    const { services, address, environment } = request.gatewayExchange
    const { gateway } = services
    try {
      await limitAddress(gateway, response, address)
      const { etag, body } = await page({ gateway, environment, publicUrl: publicUrlOf(gateway, request) })
      response.setHeader("Cache-Control", "no-cache")
      response.setHeader("ETag", etag)
      if (isKept(request.headers["if-none-match"], etag)) {
        response.writeHead(304).end()
        return
      }
      sendEncoded(response, "application/json; charset=utf-8", await text.of(etag, body))
    } catch (error) {
      send(response, failure(error, response, request.gatewayExchange))
    }
  })
}

/**
 * Whether the client has this version. Not Express's `fresh`: a program that sets If-None-Match itself with fetch sends
 * Cache-Control: no-cache besides, which asks caches and not us.
 */
function isKept(header: string | undefined, etag: string): boolean {
  return (header ?? "").split(",").some((one) => one.trim() === etag)
}
