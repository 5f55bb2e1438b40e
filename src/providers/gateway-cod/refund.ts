import type { Query } from "@medusajs/framework/types"
import type { CashOrder, CashRefund } from "../../modules/gateway/cash/records"
import { GatewayError } from "../../modules/gateway/kernel/errors"
import type { Minor } from "../../modules/gateway/kernel/money/money"
import type GatewayModuleService from "../../modules/gateway/service"
import { refundOnce } from "../gateway-payment/refund"

type Scope = { gateway: GatewayModuleService; query: Pick<Query, "graph"> }

/**
 * Gives money of a cash order back, once for each refund of Medusa (`key`): first what is left of the advance, through
 * the gateway's refund of its payment, then cash, which the store hands back itself. Both parts are written down before
 * anything is asked, and Medusa's repetition, which has a new key, finds them. A refund that shows one of the gateway's
 * is the advance's alone, unless that one is such a part. Errors: those of a refund; REFUND_EXCEEDED.
 */
export async function refundCashOrder(scope: Scope, order: CashOrder, amount: Minor, key: string): Promise<void> {
  const { gateway, query } = scope
  const { transaction_id } = order
  const gone = await goneOf(query, await gateway.cashRefunds.ofOrder(order.id))
  const only_earlier = await isShown(query, key)
  const refund = await gateway.cashRefunds.decide(order.id, { key, amount, gone, only_earlier })
  if (refund !== null) {
    await carryOutRefund(scope, order, refund)
  } else if (transaction_id !== null) {
    await refundOnce(scope, { transaction_id, amount, idempotency_key: key })
  }
}

/** Asks for the online part of a refund, and writes down what became of both. It may be repeated. */
export async function carryOutRefund(scope: Scope, { transaction_id }: CashOrder, refund: CashRefund): Promise<void> {
  const { id, online_minor, medusa_refund_id: idempotency_key } = refund
  const { cashRefunds } = scope.gateway
  try {
    // Also of one that the task has finished: the gateway's refund has to know the repetition's refund of Medusa.
    if (online_minor > 0 && transaction_id !== null && refund.state !== "failed") {
      await refundOnce(scope, { transaction_id, amount: BigInt(online_minor), idempotency_key })
    }
  } catch (error) {
    // The gateway refuses before it asks anybody; after any other error the outcome is unknown, and the task repeats it.
    if (GatewayError.is(error)) {
      await cashRefunds.settle(id, idempotency_key)
    }
    throw error
  }
  const { state } = await cashRefunds.settle(id)
  if (state === "failed") {
    throw new GatewayError("REFUND_NOT_ALLOWED")
  }
}

/** Those of the refunds whose Medusa refund no longer exists. */
export async function goneOf(query: Scope["query"], refunds: readonly CashRefund[]): Promise<string[]> {
  const ids = refunds.map(({ medusa_refund_id }) => medusa_refund_id)
  if (ids.length === 0) {
    return []
  }
  const { data } = await query.graph({ entity: "refund", fields: ["id"], filters: { id: ids } })
  const rows = new Set(data.map(({ id }) => id as string))
  return refunds.filter(({ medusa_refund_id }) => !rows.has(medusa_refund_id)).map(({ id }) => id)
}

async function isShown(query: Scope["query"], key: string): Promise<boolean> {
  const { data } = await query.graph({ entity: "refund", fields: ["metadata"], filters: { id: key } })
  const row = data[0] as { metadata: Record<string, unknown> | null } | undefined
  return typeof row?.metadata?.gateway_refund_id === "string"
}
