import type { Query } from "@medusajs/framework/types"
import { GatewayError } from "../../modules/gateway/domain/errors"
import type { Minor } from "../../modules/gateway/domain/money"
import type GatewayModuleService from "../../modules/gateway/service"
import type { Refund } from "../../modules/gateway/services/refund"

const KEY_PREFIX = "medusa:"

/**
 * Gives money back once for one wish of Medusa's. Medusa deletes its refund row when a provider throws and tries
 * again with a new key, so a refund of the same amount whose row is gone is the same wish: it is adopted.
 */
export async function refundOnce(
  { gateway, query }: { gateway: GatewayModuleService; query: Query },
  wish: { transaction_id: string; amount: Minor; idempotency_key: string }
): Promise<Refund> {
  const request_key = `${KEY_PREFIX}${wish.idempotency_key}`
  const lost = await lostRefund({ gateway, query }, wish)
  if (lost !== null) {
    await gateway.refunds.rename(lost, request_key)
  }
  const refund = await gateway.refunds.create({
    transaction_id: wish.transaction_id,
    amount: wish.amount,
    reason: "Refunded in the store",
    requested_by: "store",
    request_key,
  })
  if (refund.state === "failed") {
    throw new GatewayError("REFUND_NOT_ALLOWED", refund.error_message ?? "The refund failed")
  }
  return refund
}

/** A refund in hand or done, of this amount, that Medusa has no row of any more. */
async function lostRefund(
  { gateway, query }: { gateway: GatewayModuleService; query: Query },
  { transaction_id, amount }: { transaction_id: string; amount: Minor }
): Promise<Refund | null> {
  const refunds = await gateway.refunds.list(transaction_id)
  const ours = refunds.filter(
    ({ state, amount_minor, request_key }) =>
      (state === "processing" || state === "completed") &&
      BigInt(amount_minor) === amount &&
      request_key?.startsWith(KEY_PREFIX)
  )
  if (ours.length === 0) {
    return null
  }
  const ids = ours.map(({ request_key }) => request_key?.slice(KEY_PREFIX.length) ?? "")
  const { data: known } = await query.graph({ entity: "refund", fields: ["id"], filters: { id: ids } })
  const rows = new Set(known.map(({ id }) => id))
  return ours.find((_, index) => !rows.has(ids[index])) ?? null
}
