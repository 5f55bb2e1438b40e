import { createHash } from "node:crypto"
import type { MedusaRequest } from "@medusajs/framework/http"
import { ContainerRegistrationKeys } from "@medusajs/framework/utils"
import { LANGUAGES } from "../../../../../../i18n/languages"
import { cashDue } from "../../../../../../modules/gateway/cash/rules"
import type { CashOrder } from "../../../../../../modules/gateway/cash/records"
import { CASH_OPEN } from "../../../../../../modules/gateway/cash/states"
import { formatAmount } from "../../../../../../modules/gateway/kernel/money/money"
import { gatewayIn } from "../../../../../../modules/gateway"
import { guarded } from "../../../../../admin-kit/endpoint"
import { limitShopperPdfs } from "../../../../../v2-kit/rate-limit"

const ORDER_ID = /^order_[A-Za-z0-9]{1,64}$/
/** The SHA-256 of a browser's secret, which its storefront writes to the cart's metadata; Medusa copies it to the order. */
const PLACED_BY = "gateway_placed_by"

/**
 * How an order was paid, and its receipt, for its owner: the signed-in customer whose order it is, or the browser that
 * placed it, which sends its secret in `x-order-key`. The order's id is no proof: it is in an address that is passed on.
 * `cash`: of an order that is paid in cash, whose `payment` is that of its advance. Others learn only `is_cash`, whether it
 * is paid so: a page says that instead of "not paid". `receipt=pdf` answers the receipt as a file, in `lang`.
 */
export const GET = guarded(async (request, response) => {
  const { id } = request.params
  const gateway = gatewayIn(request.scope)
  const is_owner = ORDER_ID.test(id) && (await isOwner(request, id))
  const language = LANGUAGES.find((known) => known === request.query.lang) ?? LANGUAGES[0]
  const payments = is_owner ? await gateway.paymentTimelines.ofOrder(id) : []
  const all = payments.map(async (tenant) => ({
    tenant,
    shown: await gateway.receipts.shown(tenant.transaction_id, language),
  }))
  const [paid] = (await Promise.all(all)).filter(({ shown }) => shown !== null).slice(-1)
  if (request.query.receipt !== "pdf" || paid === undefined) {
    const order = ORDER_ID.test(id) ? await cashOrderOf(request, id) : null
    const cash = is_owner && order !== null ? presentCash(order) : null
    response.json({ is_owner, payment: paid?.shown ?? null, is_cash: order !== null, cash })
    return
  }
  await limitShopperPdfs(gateway, { store_customer_id: id })
  const of = { transaction_id: paid.tenant.transaction_id, refund_id: null }
  const { name, bytes } = await gateway.receipts.pdf(paid.tenant, of, language)
  response.set("Content-Type", "application/pdf").set("Content-Disposition", `attachment; filename="${name}"`)
  response.send(bytes)
})

/** An order that was made a moment ago may not be written on its cash order yet: then its cart leads there. */
async function cashOrderOf({ scope }: MedusaRequest, order_id: string): Promise<CashOrder | null> {
  const { cashOrders } = gatewayIn(scope)
  const placed = await cashOrders.ofOrder(order_id)
  if (placed !== null) {
    return placed
  }
  const query = scope.resolve(ContainerRegistrationKeys.QUERY)
  const { data } = await query.graph({ entity: "order_cart", fields: ["cart_id"], filters: { order_id } })
  const authorized = await cashOrders.authorizedOfCart(data[0]?.cart_id ?? "")
  // It may have been written since.
  return authorized.find((one) => one.order_id === order_id || one.state === "placing") ?? null
}

/** Amounts as decimal text. What an order that is over does not get any more is not due. */
function presentCash(order: CashOrder) {
  const { state, total_minor, advance_minor, collected_minor, returned_minor } = order
  const isPlacing = state === "placing"
  return {
    status: isPlacing ? "due" : state,
    total: formatAmount(total_minor),
    advance: formatAmount(advance_minor),
    collected: formatAmount(collected_minor),
    returned: formatAmount(returned_minor),
    due: formatAmount(isPlacing || CASH_OPEN.includes(state) ? cashDue(order) : 0n),
  }
}

type Order = { customer_id: string | null; metadata: Record<string, unknown> | null }

async function isOwner(
  request: MedusaRequest & { auth_context?: { actor_id?: string } },
  id: string
): Promise<boolean> {
  const query = request.scope.resolve(ContainerRegistrationKeys.QUERY)
  const { data } = await query.graph({ entity: "order", fields: ["customer_id", "metadata"], filters: { id } })
  const [order] = data as unknown as Order[]
  if (order === undefined) {
    return false
  }
  const actor = request.auth_context?.actor_id
  const key = request.headers["x-order-key"]
  return (
    (Boolean(actor) && order.customer_id === actor) ||
    (typeof key === "string" && order.metadata?.[PLACED_BY] === createHash("sha256").update(key).digest("hex"))
  )
}
