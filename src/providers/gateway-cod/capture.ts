import type { BigNumberInput, Query } from "@medusajs/framework/types"
import { messageOf } from "../../i18n/message"
import type { CashOrder } from "../../modules/gateway/cash/records"
import { GatewayError } from "../../modules/gateway/kernel/errors"
import { minorOf } from "../gateway-payment/session"
import type { ProviderCradle } from "../gateway-payment/store"

type Capture = { raw_amount: BigNumberInput; created_by: string | null }

/**
 * Ties a capture of Medusa to the money that it shows. The gateway names that money as whoever captures: the cash
 * order's id for the advance, a collection's id for cash. An admin who presses Medusa's own button says that cash came,
 * which is recorded here. Medusa deletes its row when this throws, and a retry has a new id: so money is tied again when
 * its former capture is gone, and a second capture of the same money is refused.
 */
export async function adoptCapture(cradle: ProviderCradle, order: CashOrder, capture_id: string): Promise<void> {
  const { gateway, query } = cradle
  const capture = await captureOf(query, capture_id)
  if (capture === null) {
    throw new GatewayError("INVALID_REQUEST", messageOf("refusal.session_unnamed"))
  }
  const by = capture.created_by ?? "store"
  const amount = minorOf(capture.raw_amount)
  if (by === order.id) {
    requireSame(amount, order.advance_minor)
    const former = await goneOf(query, order.advance_capture_id)
    requireTied(await gateway.cash.linkAdvance(order.id, capture_id, former))
    return
  }
  const collection = (await gateway.cash.collections(order.id)).find(({ id }) => id === by)
  if (collection !== undefined) {
    requireSame(amount, collection.amount_minor)
    const former = await goneOf(query, collection.capture_id)
    requireTied(await gateway.cash.linkCapture(collection.id, capture_id, former))
    return
  }
  const actor = by === "store" ? undefined : ({ type: "user", id: by } as const)
  const request_key = `medusa:${capture_id}`
  const input = { amount, charge: 0n, source: "medusa" as const, courier: null, note: null, request_key, capture_id }
  await gateway.cash.collect(order.id, input, { actor })
}

async function captureOf(query: Query, id: string): Promise<Capture | null> {
  const fields = ["id", "raw_amount", "created_by"]
  const { data } = await query.graph({ entity: "capture", fields, filters: { id } })
  return (data[0] as unknown as Capture | undefined) ?? null
}

/** The id of a capture that no longer exists; null when there was none. A capture that exists is not replaced. */
async function goneOf(query: Query, id: string | null): Promise<string | null> {
  if (id !== null && (await captureOf(query, id)) !== null) {
    throw alreadyCaptured()
  }
  return id
}

function requireTied(isTied: boolean): void {
  if (!isTied) {
    throw alreadyCaptured()
  }
}

function requireSame(amount: bigint, expected: number): void {
  if (amount !== BigInt(expected)) {
    throw new GatewayError("INVALID_REQUEST", messageOf("refusal.cash_capture_amount"))
  }
}

function alreadyCaptured(): GatewayError {
  return new GatewayError("INVALID_STATE_TRANSITION", messageOf("refusal.cash_captured"))
}
