import type {
  AuthenticatedMedusaRequest,
  MedusaNextFunction,
  MedusaRequest,
  MedusaResponse,
} from "@medusajs/framework/http"
import { z } from "@medusajs/framework/zod"
import type { Language } from "../../i18n/languages"
import { translate } from "../../i18n/translate"
import { gatewayIn } from "../../modules/gateway"
import type { Actor } from "../../modules/gateway/kernel/database/audit"
import { CURRENCIES, HOME_CURRENCY } from "../../modules/gateway/kernel/money/currencies"
import { GatewayError } from "../../modules/gateway/kernel/errors"
import type { ZonedScope } from "../../modules/gateway/kernel/types"
import type GatewayModuleService from "../../modules/gateway/service"
import { type JsonObject, parsedBody } from "../v2-kit/body"
import { omittedDetails } from "../v2-kit/errors"
import { safeRequestId } from "../v2-kit/exchange"
import { addressOf } from "../v2-kit/target"
import { parse, required, rule, withoutAbsent } from "../v2-kit/validate"
import { one } from "./list"
import { rolesOf } from "./permissions"

const tenantSchema = z.object({
  merchant_id: z.string(required(rule("merchant_id_listed"))).refine((id) => id.length <= 64, rule("merchant_id")),
  environment: z.enum(["sandbox", "production"], required(rule("either", { values: "sandbox", last: "production" }))),
})

/** The merchant and environment are always given, never guessed; throws MERCHANT_NOT_FOUND. */
async function readTenant(
  gateway: GatewayModuleService,
  query: JsonObject
): Promise<ZonedScope & { merchant_number: number }> {
  const { merchant_id, environment } = parse(tenantSchema, withoutAbsent(query, []))
  return gateway.merchants.scope(merchant_id, environment)
}

const currencySchema = z.object({ currency: one(CURRENCIES).default(HOME_CURRENCY) })

/** The currency of which a page shows the figures; absent: BDT. Errors: VALIDATION_ERROR. */
export function readCurrency(query: JsonObject): string {
  return parse(currencySchema, withoutAbsent(query, [])).currency
}

/** The admin sends its language with every request; English when it sends none, or another one. */
export function languageOf(request: MedusaRequest): Language {
  return request.acceptsLanguages("en", "bn") === "bn" ? "bn" : "en"
}

const INTEGER = /^[0-9]{1,9}$/

/** An integer id in a path; anything else becomes an id that never exists. */
export function readNumber(text: string): number {
  return INTEGER.test(text) ? Number(text) : -1
}

/** What an operation of the admin receives. */
export type AdminContext = {
  request: AuthenticatedMedusaRequest
  gateway: GatewayModuleService
  actor: Actor
  /** Of the admin's token, never of the request; none where RBAC is off, and for a key of Medusa's Admin API. */
  roles: readonly string[]
  body: JsonObject
  query: JsonObject
  params: Record<string, string>
  language: Language
}

/** One merchant's environment at the moment of its clock, and who acts: services write both down. */
export type AdminTenant = ZonedScope & { merchant_number: number; actor: Actor }
export type AdminFile = { content: string | Buffer; type: string; file: string }
export type TenantContext = AdminContext & { tenant: AdminTenant }

export type Handler = (
  request: AuthenticatedMedusaRequest,
  response: MedusaResponse,
  next: MedusaNextFunction
) => Promise<void>

/**
 * Makes a Medusa route handler of an operation on one merchant and environment, which the query names
 * (`merchant_id`, `environment`). Medusa has signed the admin in before; what the gateway refuses is answered here.
 */
export function tenantEndpoint(operation: (context: TenantContext) => Promise<object>): Handler {
  return answering(async (request) => operation(await tenantContext(request)))
}

/** Whose rows the request is about, and who makes it. Errors: VALIDATION_ERROR, MERCHANT_NOT_FOUND. */
export async function tenantContext(request: AuthenticatedMedusaRequest): Promise<TenantContext> {
  const context = contextOf(request)
  const scope = await readTenant(context.gateway, context.query)
  return { ...context, tenant: { ...scope, actor: context.actor } }
}

/** Like `tenantEndpoint`, for what is downloaded; a refusal is JSON all the same. */
export function tenantFileEndpoint(operation: (context: TenantContext) => Promise<AdminFile>): Handler {
  return guarded(async (request, response) => {
    const { content, type, file } = await operation(await tenantContext(request))
    // Some files are what a customer has sent: no browser may guess that they are a page.
    response.set({ "X-Content-Type-Options": "nosniff", "Content-Disposition": `attachment; filename="${file}"` })
    response.set("Content-Type", type).send(content)
  })
}

/** Like `tenantEndpoint`, for what concerns the store as a whole: its merchants, an order. */
export function storeEndpoint(operation: (context: AdminContext) => Promise<object>): Handler {
  return answering((request) => operation(contextOf(request)))
}

/** Answers what the work answers, and in Medusa's shape what the gateway refuses. */
export function answering(work: (request: AuthenticatedMedusaRequest) => Promise<object>): Handler {
  return guarded(async (request, response) => {
    response.json(await work(request))
  })
}

/** For handlers that write their own answer; refusals of the gateway have Medusa's shape. */
export function guarded(
  answer: (request: AuthenticatedMedusaRequest, response: MedusaResponse) => Promise<void>
): Handler {
  return async function adminEndpoint(request, response, next) {
    // A page of another origin reads a download's name, and how long to wait, from these headers.
    response.set({ "Cache-Control": "no-store", "Access-Control-Expose-Headers": "Content-Disposition, Retry-After" })
    try {
      await answer(request, response)
    } catch (error) {
      if (!GatewayError.is(error)) {
        return next(error)
      }
      refuse(request, response, error)
    }
  }
}

/** Answers what the gateway refuses, in Medusa's shape and the admin's language. */
export function refuse(request: MedusaRequest, response: MedusaResponse, error: GatewayError): void {
  response
    .status(error.status)
    .set(error.headers ?? {})
    .json(adminError(error, languageOf(request)))
}

function contextOf(request: AuthenticatedMedusaRequest): AdminContext {
  const gateway = gatewayIn(request.scope)
  return {
    request,
    gateway,
    actor: actorOf(gateway, request),
    roles: rolesOf(request) ?? [],
    body: parsedBody(request.body),
    query: request.query as JsonObject,
    params: request.params,
    language: languageOf(request),
  }
}

function actorOf(gateway: GatewayModuleService, request: AuthenticatedMedusaRequest): Actor {
  const { actor_id, actor_type } = request.auth_context
  const origin = { address: addressOf(gateway, request), request_id: safeRequestId(request.requestId) }
  return { type: actor_type === "api-key" ? "admin_key" : "user", id: actor_id, origin }
}

const TYPES: Readonly<Record<number, string>> = {
  403: "not_allowed",
  404: "not_found",
  409: "conflict",
  429: "not_allowed",
}

/**
 * Medusa's own shape (`type`, `message`), and what the forms need besides: the code and every failing field. `reason` is
 * the message as data: the pages say it with the labels of their fields, where `message` has the API's names.
 */
function adminError(error: GatewayError, language: Language): Record<string, unknown> {
  const { status, code, field } = error
  const message = translate(error.reason, language)
  const details = error.details?.map(({ field: name, reason }) => ({
    field: name,
    message: translate(reason, language),
    reason,
  }))
  const type = TYPES[status] ?? (status < 500 ? "invalid_data" : "unexpected_state")
  return { type, code, message, reason: error.reason, field, details, ...omittedDetails(error) }
}
