import type { BigNumberInput, Query } from "@medusajs/framework/types"
import { messageOf } from "../../i18n/message"
import { GatewayError } from "../../modules/gateway/kernel/errors"
import { MEDUSA_KEY } from "../../modules/gateway/refunds/orders/rules"
import type GatewayModuleService from "../../modules/gateway/service"
import { toMinor } from "./session"

type Scope = { gateway: GatewayModuleService; query: Query }
type MedusaCapture = { raw_amount: BigNumberInput; created_by: string | null }

/** Who "captures" when Medusa is only to show a capture of the gateway: its id. It never moves money. */
const CAPTURE_PREFIX = "cap_"

/**
 * Captures once per capture of Medusa, whose id is the key. Medusa writes its row before it calls, passes no amount, and
 * deletes the row when the call throws. A capture of the gateway that no row of Medusa shows is the one that this row is
 * to show: it was made on our pages or by the API, or the process that made it for Medusa died.
 */
export async function captureOnce(
  { gateway, query }: Scope,
  transaction_id: string,
  capture_id: string
): Promise<void> {
  const fields = ["raw_amount", "created_by"]
  const { data } = await query.graph({ entity: "capture", fields, filters: { id: capture_id } })
  const row = data[0] as unknown as MedusaCapture | undefined
  if (row === undefined) {
    throw new GatewayError("INVALID_REQUEST", messageOf("refusal.session_unnamed"))
  }
  const amount = toMinor(row.raw_amount)
  const gone = await goneCaptures(query, await gateway.orderCaptures.medusaIds(transaction_id))
  const only = row.created_by?.startsWith(CAPTURE_PREFIX) === true ? row.created_by : null
  const adopted = await gateway.orderCaptures.adopt({
    transaction_id,
    amount,
    medusa_capture_id: capture_id,
    gone,
    only,
  })
  const capture =
    adopted ??
    (
      await gateway.captures.capture({
        tenant: null,
        transaction_id,
        amount,
        by: { actor: { type: "user", id: row.created_by ?? "store" } },
        request_key: `${MEDUSA_KEY}${capture_id}`,
        medusa_capture_id: capture_id,
      })
    ).capture
  if (capture.state !== "completed") {
    throw new GatewayError("INVALID_STATE_TRANSITION", messageOf("refusal.capture_under_way"))
  }
}

/** Throws while the cart of an authorised payment may still become an order. */
export async function requireOrdered({ gateway }: Pick<Scope, "gateway">, transaction_id: string): Promise<void> {
  const completion = await gateway.cartCompletions.find(transaction_id)
  if (completion !== null && (completion.state === "waiting" || completion.locked)) {
    throw new GatewayError("INVALID_STATE_TRANSITION", messageOf("refusal.order_on_its_way"))
  }
}

/** Which of these captures Medusa no longer has. */
async function goneCaptures(query: Query, ids: readonly string[]): Promise<string[]> {
  const { data } =
    ids.length === 0
      ? { data: [] }
      : await query.graph({ entity: "capture", fields: ["id"], filters: { id: [...ids] } })
  const kept = new Set(data.map(({ id }) => id as string))
  return ids.filter((id) => !kept.has(id))
}
