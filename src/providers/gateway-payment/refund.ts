import { randomUUID } from "node:crypto"
import type { Query } from "@medusajs/framework/types"
import { messageOf, said } from "../../i18n/message"
import type { CartCompletionState } from "../../modules/gateway/checkout/cart-completion-states"
import { isCart } from "../../modules/gateway/checkout/rules"
import { GatewayError } from "../../modules/gateway/kernel/errors"
import type { Minor } from "../../modules/gateway/kernel/money/money"
import { MEDUSA_KEY } from "../../modules/gateway/refunds/orders/rules"
import type GatewayModuleService from "../../modules/gateway/service"
import type { OrderRefund } from "../../modules/gateway/refunds/orders/service"
import type { Refund } from "../../modules/gateway/refunds/service"
import { orderOfCart } from "./cart"
import type { OwnReason } from "../../modules/gateway/refunds/rules"

type Scope = { gateway: GatewayModuleService; query: Pick<Query, "graph"> }
/** While a run may still make the order. */
const OPEN_COMPLETIONS: readonly CartCompletionState[] = ["waiting", "needs_attention"]

type Wanted = { transaction_id: string; amount: Minor; idempotency_key: string }

/**
 * Refunds once per refund request of Medusa (below), unless the payment's cart still becomes an order. When Medusa
 * rolls an order back after the payment was authorised, it refunds the payment, whatever the cause: perhaps the
 * database was away for a moment. The gateway makes the order again instead, as often as docs/decisions/04 says.
 * Throws INVALID_STATE_TRANSITION until the last try, and while another run makes the order; Medusa logs it and leaves
 * the payment as it is. The refund has the right to make the order meanwhile, so that no other run makes one whose
 * money goes back.
 */
export async function refundOnce(scope: Scope, request: Wanted): Promise<void> {
  const { cartCompletions } = scope.gateway
  const { transaction_id } = request
  const completion = await cartCompletions.find(transaction_id)
  if (completion === null || !isCart(completion) || !OPEN_COMPLETIONS.includes(completion.state)) {
    return refund(scope, request)
  }
  // Another run may be making the order that is there already.
  if (!completion.locked && (await orderOfCart(scope.query, completion.cart_id)) !== null) {
    return refund(scope, request)
  }
  const token = randomUUID()
  if (cartCompletions.isTriedOtherwise(completion) || !(await cartCompletions.lock(transaction_id, token))) {
    throw new GatewayError("INVALID_STATE_TRANSITION", messageOf("refusal.order_on_its_way"))
  }
  try {
    await refund(scope, request)
  } finally {
    await cartCompletions.unlock(transaction_id, token)
  }
}

/**
 * The id of Medusa's refund is the key. A Medusa refund that only shows a refund of the gateway adopts that one. Medusa
 * deletes its refund when a provider throws and retries with a new key. So a gateway refund of the same amount whose
 * Medusa row is gone belongs to the same request, and is adopted too.
 */
async function refund(scope: Scope, request: Wanted): Promise<void> {
  const { gateway } = scope
  const row = await rowOf(scope.query, request.idempotency_key)
  const shown = await shownRefund(gateway, row, request)
  if (shown !== null) {
    await adopt(scope, shown, request)
    return
  }
  const request_key = `${MEDUSA_KEY}${request.idempotency_key}`
  const lost = await lostRefund(scope, request)
  if (lost !== null) {
    await adopt(scope, lost, request)
    await gateway.refunds.rename({ id: lost.refund_id, request_key: lost.request_key }, request_key)
  }
  const made: Refund = await gateway.refunds.create({
    transaction_id: request.transaction_id,
    amount: request.amount,
    // The shopper reads the reason. The note is the shop's own.
    reason: row?.refund_reason?.label ?? ("refunded_in_store" satisfies OwnReason),
    metadata: row?.note ? { note: row.note } : null,
    requested_by: row?.created_by ?? "store",
    roles: gateway.refunds.rolesAtWork,
    request_key,
  })
  if (made.state === "failed") {
    throw new GatewayError(
      "REFUND_NOT_ALLOWED",
      made.error_message === null ? messageOf("refusal.refund_failed") : said(made.error_message)
    )
  }
}

type MedusaRefund = {
  metadata: Record<string, unknown> | null
  note: string | null
  created_by: string | null
  refund_reason: { label: string } | null
}

/** Medusa has written it before it calls; without one somebody else calls the provider. */
async function rowOf(query: Scope["query"], id: string): Promise<MedusaRefund | undefined> {
  const fields = ["metadata", "note", "created_by", "refund_reason.label"]
  const { data } = await query.graph({ entity: "refund", fields, filters: { id } })
  return data[0] as MedusaRefund | undefined
}

/** The gateway's refund that this Medusa refund shows (see sync-order-refund). */
async function shownRefund(
  gateway: GatewayModuleService,
  row: MedusaRefund | undefined,
  request: Wanted
): Promise<OrderRefund | null> {
  const mark = row?.metadata?.gateway_refund_id
  if (typeof mark !== "string") {
    return null
  }
  const refund = await gateway.orderRefunds.find(mark)
  if (
    refund === null ||
    refund.transaction_id !== request.transaction_id ||
    BigInt(refund.amount_minor) !== request.amount ||
    !isRunningOrDone(refund)
  ) {
    throw new GatewayError("REFUND_NOT_FOUND", messageOf("refusal.order_refund_unknown"))
  }
  return refund
}

/** A running or completed refund of this amount whose Medusa refund no longer exists. */
async function lostRefund({ gateway, query }: Scope, { transaction_id, amount }: Wanted): Promise<OrderRefund | null> {
  const refunds = await gateway.orderRefunds.ofTransaction(transaction_id)
  const ours = refunds.filter(
    (refund) => refund.origin === "medusa" && isRunningOrDone(refund) && BigInt(refund.amount_minor) === amount
  )
  if (ours.length === 0) {
    return null
  }
  const rows = await rowsAmong(
    query,
    ours.map(({ medusa_refund_id }) => medusa_refund_id)
  )
  return ours.find(({ medusa_refund_id }) => !rows.has(medusa_refund_id ?? "")) ?? null
}

/** Links the Medusa refund to the gateway's, unless another one is linked already. */
async function adopt({ gateway, query }: Scope, refund: OrderRefund, { idempotency_key }: Wanted): Promise<void> {
  const { refund_id, medusa_refund_id } = refund
  const rows = await rowsAmong(query, [medusa_refund_id])
  const isTaken = medusa_refund_id !== idempotency_key && rows.size > 0
  if (isTaken || !(await gateway.orderRefunds.link(refund_id, idempotency_key, medusa_refund_id))) {
    throw new GatewayError("INVALID_STATE_TRANSITION", messageOf("refusal.refund_on_order"))
  }
}

function isRunningOrDone({ refund_state }: OrderRefund): boolean {
  return refund_state === "processing" || refund_state === "completed"
}

async function rowsAmong(query: Scope["query"], ids: readonly (string | null)[]): Promise<Set<string>> {
  const known = ids.filter((id) => id !== null)
  const { data } =
    known.length === 0 ? { data: [] } : await query.graph({ entity: "refund", fields: ["id"], filters: { id: known } })
  return new Set(data.map(({ id }) => id as string))
}
