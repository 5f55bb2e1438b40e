import type {
  AuthenticatedMedusaRequest,
  MedusaNextFunction,
  MedusaResponse,
  MiddlewareRoute,
} from "@medusajs/framework/http"
import type { BigNumberInput } from "@medusajs/framework/types"
import { ContainerRegistrationKeys, MathBN } from "@medusajs/framework/utils"
import { messageOf } from "../../i18n/message"
import { gatewayIn } from "../../modules/gateway"
import { GatewayError } from "../../modules/gateway/kernel/errors"
import { formatAmount } from "../../modules/gateway/kernel/money/money"
import { toMinor } from "../../providers/gateway-payment/session"
import { refuse } from "./endpoint"
import { rolesOf } from "./permissions"

type Sum = { amount: BigNumberInput }
type MedusaPayment = {
  payment_session_id: string | null
  amount: BigNumberInput
  captures: Sum[] | null
  refunds: Sum[] | null
}
const FIELDS = ["payment_session_id", "amount", "captures.amount", "refunds.amount"]

/** A payment of which a request gives back this amount. */
type Wanted = { payment_session_id: string | null; amount: BigNumberInput }
type Route = {
  wanted: (request: AuthenticatedMedusaRequest) => Promise<Wanted[]>
  refusal: "refusal.refund_above_role_limit" | "refusal.cancel_above_role_limit"
}

/** Medusa's refund of one payment; without an amount it gives all of it back. */
const refundOfPayment: Route = {
  wanted: async (request) => {
    const query = request.scope.resolve(ContainerRegistrationKeys.QUERY)
    const { data } = await query.graph({ entity: "payment", fields: FIELDS, filters: { id: request.params.id } })
    const { amount } = (request.body ?? {}) as { amount?: BigNumberInput }
    return (data as unknown as MedusaPayment[]).map((payment) => ({
      payment_session_id: payment.payment_session_id,
      amount: amount ?? payment.amount,
    }))
  },
  refusal: "refusal.refund_above_role_limit",
}

/** To cancel an order gives back all that was captured. Medusa cancels it even when a refund of it is refused. */
const cancelledOrder: Route = {
  wanted: async (request) => {
    const query = request.scope.resolve(ContainerRegistrationKeys.QUERY)
    const fields = FIELDS.map((field) => `payment_collections.payments.${field}`)
    const { data } = await query.graph({ entity: "order", fields, filters: { id: request.params.id } })
    const [order] = data as unknown as { payment_collections?: ({ payments?: MedusaPayment[] } | null)[] | null }[]
    const payments = order?.payment_collections?.flatMap((collection) => collection?.payments ?? []) ?? []
    return payments.map(({ payment_session_id, captures, refunds }) => ({
      payment_session_id,
      amount: MathBN.sub(sumOf(captures), sumOf(refunds)),
    }))
  },
  refusal: "refusal.cancel_above_role_limit",
}

function sumOf(rows: Sum[] | null): BigNumberInput {
  return MathBN.sum(0, ...(rows ?? []).map(({ amount }) => amount))
}

/**
 * Refunds of Medusa's own routes cannot wait for approval: above the limit of the admin's roles they are refused before
 * anything is done (docs/decisions/05). What is refunded is compared once more under the payment's lock, with the roles
 * that this passes on: two requests at once would each be within the limit here.
 */
function withinRoleLimit({ wanted, refusal }: Route) {
  return async (request: AuthenticatedMedusaRequest, response: MedusaResponse, next: MedusaNextFunction) => {
    const gateway = gatewayIn(request.scope)
    const roles = rolesOf(request) ?? []
    try {
      for (const { payment_session_id, amount } of roles.length === 0 ? [] : await wanted(request)) {
        const payment = payment_session_id && (await gateway.transactions.ofPaymentSession(payment_session_id))
        const limit = payment && (await gateway.refundPreviews.exceededRoleLimit(refundOf(payment, amount), roles))
        if (typeof limit === "bigint") {
          throw new GatewayError("INSUFFICIENT_SCOPE", messageOf(refusal, { amount: formatAmount(limit) }))
        }
      }
    } catch (error) {
      return GatewayError.is(error) ? refuse(request, response, error) : next(error)
    }
    gateway.refunds.withRoles(roles, next)
  }
}

/** The gateway's workflows that move money: for a host's code, which says in their input who acts. */
const WORKFLOWS_OF_CODE = [
  "refund-gateway-payment",
  "confirm-gateway-refund-proposal",
  "retry-gateway-subscription-payment",
]

/**
 * Medusa's route runs any workflow with any input for whoever may read workflows, so for an admin with a limit it runs
 * none: which of Medusa's, a host's or a plugin's workflows refund something is not known here.
 */
async function workflowsWithinLimits(
  request: AuthenticatedMedusaRequest,
  response: MedusaResponse,
  next: MedusaNextFunction
): Promise<void> {
  const roles = rolesOf(request)
  const isOfCode = WORKFLOWS_OF_CODE.includes(request.params.workflow_id)
  if (roles !== null && (isOfCode || (await gatewayIn(request.scope).refundPreviews.isLimited(roles)))) {
    const refusal = messageOf(isOfCode ? "refusal.workflow_of_code" : "refusal.workflow_with_role_limit")
    return refuse(request, response, new GatewayError("INSUFFICIENT_SCOPE", refusal))
  }
  next()
}

const refundOf = ({ transaction_id }: { transaction_id: string }, amount: BigNumberInput) => ({
  transaction_id,
  amount: toMinor(amount),
})

export const refundLimitRoutes: MiddlewareRoute[] = [
  { matcher: "/admin/payments/:id/refund", methods: ["POST"], middlewares: [withinRoleLimit(refundOfPayment)] },
  { matcher: "/admin/orders/:id/cancel", methods: ["POST"], middlewares: [withinRoleLimit(cancelledOrder)] },
  {
    matcher: "/admin/workflows-executions/:workflow_id/run",
    methods: ["POST"],
    middlewares: [workflowsWithinLimits],
  },
]
