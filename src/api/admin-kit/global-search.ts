import type {
  AuthenticatedMedusaRequest,
  MedusaNextFunction,
  MedusaResponse,
  MiddlewareRoute,
} from "@medusajs/framework/http"
import { z } from "@medusajs/framework/zod"
import { gatewayIn } from "../../modules/gateway"
import { clockNow } from "../../modules/gateway/kernel/money/clock"
import { formatAmount } from "../../modules/gateway/kernel/money/money"
import { publicStatus } from "../../modules/gateway/payments/states"
import type { FoundPayment } from "../../modules/gateway/payments/list"
import { text } from "../v2-kit/validate"
import { AREAS } from "./areas"
import { mayDo } from "./permissions"

/** The name under which the admin's search asks for payments (src/admin/search-entities.tsx). */
const ENTITY = "gateway_payment"
const POLICY = { resource: AREAS.payments, operation: "read" }

/** As Medusa reads its own query. What is no search finds nothing; Medusa's route refuses it. */
const schema = z.object({
  q: text(254),
  limit: z.coerce.number().int().positive().max(100).default(20),
  offset: z.coerce.number().int().nonnegative().max(10_000).default(0),
})

type Group = { entity: string; data: object[]; count: number; offset: number; limit: number }
type Search = { entity?: unknown }

/**
 * Adds payments to Medusa's search of the whole admin. Its route refuses entities that it does not know, and knows only
 * Medusa's own: so ours is taken from what it reads, and the payments are added to its answer. It works whether
 * Medusa's own reading of the query comes before or after.
 */
async function searchPayments(
  request: AuthenticatedMedusaRequest,
  response: MedusaResponse,
  next: MedusaNextFunction
): Promise<void> {
  const asked = entitiesOf(request.query)
  if (!asked.includes(ENTITY)) {
    next()
    return
  }
  const group = await paymentsFound(request)
  const others = asked.filter((entity) => entity !== ENTITY)
  if (others.length === 0) {
    response.json({ results: [group] })
    return
  }
  request.query.entity = others
  const read = request.validatedQuery as Search | undefined
  if (read !== undefined) {
    read.entity = others
  }
  const answer = response.json.bind(response)
  response.json = (body: unknown) => answer(withGroup(body, group))
  next()
}

/** Refusals of Medusa's route have no results, and stay as they are. */
function withGroup(body: unknown, group: Group): unknown {
  const { results } = Object(body) as { results?: unknown }
  return Array.isArray(results) ? { ...Object(body), results: [...(results as unknown[]), group] } : body
}

/** `?entity=order,customer` and `?entity[]=order` alike. */
function entitiesOf({ entity }: Search): string[] {
  const given: unknown[] = Array.isArray(entity) ? entity : typeof entity === "string" ? entity.split(",") : []
  return given.flatMap((name) => (typeof name === "string" && name.trim() !== "" ? [name.trim()] : []))
}

async function paymentsFound(request: AuthenticatedMedusaRequest): Promise<Group> {
  const read = schema.safeParse(request.query)
  if (!read.success || !(await mayDo(request, POLICY))) {
    return { entity: ENTITY, data: [], count: 0, offset: 0, limit: 0 }
  }
  const { q, limit, offset } = read.data
  const gateway = gatewayIn(request.scope)
  const found = await gateway.paymentList.everywhere(q, { limit, offset })
  const now = new Date()
  // A row more than asked for says that there are further ones; how many would have to be counted.
  const data = found.slice(0, limit).map((payment) => presentFound(payment, now))
  return { entity: ENTITY, data, count: offset + found.length, offset, limit }
}

function presentFound(payment: FoundPayment, now: Date): object {
  const { state, expires_at, clock_offset_seconds } = payment
  return {
    id: payment.transaction_id,
    merchant_id: payment.merchant_id,
    merchant_name: payment.merchant_name,
    environment: payment.environment,
    order_number: payment.order_number,
    status: publicStatus(state, expires_at, clockNow(now, clock_offset_seconds)),
    currency: payment.currency,
    amount: formatAmount(payment.amount_minor),
    customer: { name: payment.customer_name },
  }
}

export const globalSearchRoutes: MiddlewareRoute[] = [
  { matcher: "/admin/search", methods: ["GET"], middlewares: [searchPayments] },
]
