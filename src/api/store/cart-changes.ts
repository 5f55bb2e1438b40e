import type { MedusaNextFunction, MedusaRequest, MedusaResponse, MiddlewareRoute } from "@medusajs/framework/http"
import { ContainerRegistrationKeys } from "@medusajs/framework/utils"
import { messageOf } from "../../i18n/message"
import { gatewayIn } from "../../modules/gateway"
import { GatewayError } from "../../modules/gateway/kernel/errors"

/** What Medusa answers, with 500, when a change of a cart ends its checkouts and the provider refuses that for one. */
const NOT_DELETED = "Could not delete all payment sessions"

/**
 * A change of a cart ends its checkout first. While that is being paid, or just was, the gateway refuses, Medusa undoes
 * the change, and forgets the reason: its answer would be 500. It cannot be refused before, because the payment may
 * begin while the change is under way.
 */
function explainRefusal(request: MedusaRequest, response: MedusaResponse, next: MedusaNextFunction): void {
  const send = response.json.bind(response)
  // Express has other parameters by the time an error is answered.
  const { id } = request.params
  response.json = (body: unknown) => {
    if (response.statusCode !== 500 || (body as { message?: unknown } | null)?.message !== NOT_DELETED) {
      return send(body)
    }
    void isBeingPaid(request, id).then(
      (isPaid) => (isPaid ? sendRefusal(response, send) : send(body)),
      () => send(body)
    )
    return response
  }
  next()
}

function sendRefusal(response: MedusaResponse, send: MedusaResponse["json"]): void {
  const { code, status, message } = new GatewayError("CART_CHANGED", messageOf("refusal.cart_being_paid"))
  response.status(status)
  send({ code, type: "not_allowed", message })
}

async function isBeingPaid(request: MedusaRequest, id: string): Promise<boolean> {
  const query = request.scope.resolve(ContainerRegistrationKeys.QUERY)
  const { transactions } = gatewayIn(request.scope)
  const { data } = await query.graph({
    entity: "cart",
    fields: ["payment_collection.payment_sessions.id"],
    filters: { id },
  })
  const [cart] = data as unknown as { payment_collection?: { payment_sessions?: { id: string }[] } }[]
  const sessions = cart?.payment_collection?.payment_sessions ?? []
  const records = await Promise.all(sessions.map((session) => transactions.ofPaymentSession(session.id)))
  return records.some((record) => record !== null && (record.state === "PROCESSING" || record.verified_at !== null))
}

export const cartChangeRoutes: MiddlewareRoute[] = [
  { matcher: "/store/carts/:id", methods: ["POST", "DELETE"], middlewares: [explainRefusal] },
  { matcher: "/store/carts/:id/*", methods: ["POST", "DELETE"], middlewares: [explainRefusal] },
]
