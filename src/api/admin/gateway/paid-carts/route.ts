import type { AuthenticatedMedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import { MedusaError } from "@medusajs/framework/utils"
import { GATEWAY_MODULE } from "../../../../modules/gateway"
import { CART_COMPLETION_STATES } from "../../../../modules/gateway/domain/state-machines/cart-completion"
import type GatewayModuleService from "../../../../modules/gateway/service"
import { presentPaidCart } from "./present"

const LIMIT_MAX = 100
const WHOLE = /^[0-9]{1,6}$/

/** Paid carts and what became of them, newest first: `limit`, `offset`, `state` (one of the states, or `open`). */
export const GET = async (request: AuthenticatedMedusaRequest, response: MedusaResponse) => {
  const gateway = request.scope.resolve<GatewayModuleService>(GATEWAY_MODULE)
  const take = whole(request.query.limit, "limit", 20, 1, LIMIT_MAX)
  const skip = whole(request.query.offset, "offset", 0, 0, 999_999)
  const [rows, count] = await gateway.listAndCountGatewayCartCompletions(stateFilter(request.query.state), {
    take,
    skip,
    order: { created_at: "DESC", id: "DESC" },
  })
  response.json({ paid_carts: rows.map(presentPaidCart), count, limit: take, offset: skip })
}

function stateFilter(state: unknown): { state?: string[] } {
  if (state === undefined || state === "") {
    return {}
  }
  if (state === "open") {
    return { state: ["waiting", "giving_back", "needs_attention"] }
  }
  const known: readonly string[] = CART_COMPLETION_STATES
  if (typeof state !== "string" || !known.includes(state)) {
    throw new MedusaError(MedusaError.Types.INVALID_DATA, `state must be open or one of ${known.join(", ")}`)
  }
  return { state: [state] }
}

function whole(value: unknown, field: string, byDefault: number, min: number, max: number): number {
  if (value === undefined) {
    return byDefault
  }
  const number = typeof value === "string" && WHOLE.test(value) ? Number(value) : NaN
  if (!(number >= min && number <= max)) {
    throw new MedusaError(MedusaError.Types.INVALID_DATA, `${field} must be a whole number from ${min} to ${max}`)
  }
  return number
}
