import type { Query } from "@medusajs/framework/types"
import { GatewayError } from "../../../modules/gateway/kernel/errors"
import { formatAmount, type Minor } from "../../../modules/gateway/kernel/money"
import type GatewayModuleService from "../../../modules/gateway/service"
import type { RemoteRefund } from "../../../modules/gateway/refunds/remote"
import type { RemoteGateway } from "./client"
import { demand } from "./demand"

/** The other deployment keeps an Idempotency-Key for 24 hours; asked again later, it would give the money back twice. */
const REPEATABLE_MS = 23 * 3_600_000

type Wanted = { transaction_id: string; amount: Minor; whole: boolean; idempotency_key: string }
type Stores = { gateway: GatewayModuleService; query: Pick<Query, "graph">; remote: RemoteGateway }

/**
 * Gives money back once for one request of Medusa's: noted, asked for with the note's id as Idempotency-Key, settled.
 * Medusa deletes its refund row when a provider throws and tries again with a new key, so a refund of the same amount
 * whose row is gone is the same request, and is asked for again under the note that exists.
 */
export async function refundRemotely({ gateway, query, remote }: Stores, request: Wanted): Promise<void> {
  const { transaction_id, amount, idempotency_key } = request
  const lost = await lostRefund(gateway, query, request)
  const refund =
    lost === null
      ? await gateway.remoteRefunds.reserve({ transaction_id, amount, request_key: idempotency_key })
      : await gateway.remoteRefunds.rename(lost, idempotency_key)
  if (refund.state === "accepted") {
    return
  }
  if (Date.now() - refund.created_at.getTime() > REPEATABLE_MS) {
    throw new GatewayError(
      "INVALID_STATE_TRANSITION",
      `What became of an earlier refund of ${formatAmount(refund.amount_minor)} is unknown: look for it among the gateway's refunds of ${transaction_id}`
    )
  }
  await ask(gateway, remote, request, refund)
}

async function ask(
  gateway: GatewayModuleService,
  remote: RemoteGateway,
  request: Wanted,
  { id }: RemoteRefund
): Promise<void> {
  const called = await remote.refund(
    {
      transaction_id: request.transaction_id,
      refund_amount: formatAmount(request.amount),
      refund_reason: "Refunded in the store",
      refund_type: request.whole ? "full" : "partial",
    },
    id
  )
  if (called.result === "refused") {
    await gateway.remoteRefunds.settle(id, { state: "refused", error_message: called.message })
  }
  const { refund_id } = demand(called, "The refund")
  // The first answer is always that it is on its way; one that has failed already moves no money.
  const status = await remote.refundStatus(refund_id)
  if (status.result === "done" && status.data.refund_status === "failed") {
    await gateway.remoteRefunds.settle(id, { state: "refused", refund_id, error_message: "the refund failed" })
    throw new GatewayError("REFUND_NOT_ALLOWED", "The gateway took the refund on, and it failed")
  }
  await gateway.remoteRefunds.settle(id, { state: "accepted", refund_id })
}

/** A refund asked for or accepted, of this amount, that Medusa has no row of any more. */
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
