import type { Query } from "@medusajs/framework/types"
import { messageOf, said } from "../../../i18n/message"
import { GatewayError } from "../../../modules/gateway/kernel/errors"
import { formatAmount, type Minor } from "../../../modules/gateway/kernel/money"
import type GatewayModuleService from "../../../modules/gateway/service"
import type { RemoteRefund, RemoteRefundOutcome } from "../../../modules/gateway/refunds/remote"
import { isRepeatable } from "../../../modules/gateway/refunds/rules"
import type { RemoteGateway, RemoteRefundAnswer } from "./client"
import { demand } from "./demand"

type Wanted = { transaction_id: string; amount: Minor; whole: boolean; idempotency_key: string }
type Stores = { gateway: GatewayModuleService; query: Pick<Query, "graph">; remote: RemoteGateway }

/**
 * Refunds once per refund request of Medusa: stores a row, requests the refund with the row's id as Idempotency-Key,
 * settles. Medusa deletes its refund row when a provider throws and retries with a new key. So a refund of the same
 * amount whose Medusa row is gone belongs to the same request, and is requested again under the existing row. Throws for
 * money of a cart that has no order only because the other deployment did not answer: the worker tries the cart again,
 * and money that no order can take goes back then.
 */
export async function refundRemotely({ gateway, query, remote }: Stores, request: Wanted): Promise<void> {
  const { transaction_id, amount, idempotency_key } = request
  const lost = await lostRefund(gateway, query, request)
  if (lost === null && (await gateway.remotePayments.isUndecided(transaction_id))) {
    throw new GatewayError("SERVICE_UNAVAILABLE", messageOf("refusal.remote_order_undecided"))
  }
  const refund =
    lost === null
      ? await gateway.remoteRefunds.reserve({ transaction_id, amount, request_key: idempotency_key })
      : await gateway.remoteRefunds.rename(lost, idempotency_key)
  if (refund.state === "accepted" || refund.state === "completed") {
    return
  }
  // Its key would only repeat the refusal; a new refund has a new key.
  if (refund.state === "refused") {
    throw new GatewayError("REFUND_NOT_ALLOWED", refund.last_error ?? messageOf("refusal.remote_refund_failed"))
  }
  await askForRefund({ gateway, remote }, request, refund)
}

/**
 * Requests an `asked` refund, for the first time or again: the row's id is the Idempotency-Key. Throws when it is refused,
 * and when its outcome stays unknown.
 */
export async function askForRefund(
  { gateway, remote }: Omit<Stores, "query">,
  { transaction_id, whole }: Pick<Wanted, "transaction_id" | "whole">,
  refund: RemoteRefund
): Promise<void> {
  const { id } = refund
  const refund_amount = formatAmount(refund.amount_minor)
  if (!isRepeatable(refund, new Date())) {
    throw new GatewayError(
      "INVALID_STATE_TRANSITION",
      messageOf("refusal.remote_refund_unknown", { amount: refund_amount, transaction_id })
    )
  }
  const refund_type = whole ? "full" : "partial"
  const requested = { transaction_id, refund_amount, refund_reason: "Refunded in the store", refund_type }
  const called = await remote.refund(requested, id)
  if (called.result === "refused") {
    await gateway.remoteRefunds.settle(id, { state: "refused", error: said(called.message) })
  }
  const { refund_id } = demand(called, "refund")
  // The first answer is always that it is on its way; one that has failed already moves no money.
  const status = await remote.refundStatus(refund_id)
  const outcome = status.result === "done" ? outcomeOf(status.data) : ({ state: "accepted" } as const)
  await gateway.remoteRefunds.settle(id, { ...outcome, refund_id })
  if (outcome.state === "refused") {
    throw new GatewayError("REFUND_NOT_ALLOWED", outcome.error)
  }
}

/** What the other deployment's status of a refund means here. */
export function outcomeOf({ refund_status }: RemoteRefundAnswer): RemoteRefundOutcome {
  switch (refund_status) {
    case "completed":
      return { state: "completed" }
    case "failed":
      return { state: "refused", error: messageOf("refusal.remote_refund_failed") }
    case "cancelled":
      return { state: "refused", error: messageOf("refusal.remote_refund_rejected") }
    default:
      return { state: "accepted" }
  }
}

/** A requested or accepted refund of this amount whose Medusa row no longer exists. */
async function lostRefund(
  gateway: GatewayModuleService,
  query: Pick<Query, "graph">,
  request: Wanted
): Promise<RemoteRefund | null> {
  const refunds = await gateway.remoteRefunds.list(request.transaction_id)
  const alike = refunds.filter(
    ({ state, amount_minor }) => state !== "refused" && BigInt(amount_minor) === request.amount
  )
  if (alike.length === 0) {
    return null
  }
  const ids = alike.map(({ request_key }) => request_key)
  const { data } = await query.graph({ entity: "refund", fields: ["id"], filters: { id: ids } })
  const known = new Set(data.map(({ id }) => id))
  return alike.find(({ request_key }) => !known.has(request_key)) ?? null
}
