import type { CashOrder } from "../../modules/gateway/cash/records"
import { GatewayError } from "../../modules/gateway/kernel/errors"
import type { Minor } from "../../modules/gateway/kernel/money/money"
import type { PaymentRecord } from "../../modules/gateway/payments/records"
import { refundOnce } from "../gateway-payment/refund"
import type { ProviderCradle } from "../gateway-payment/store"

/**
 * Gives money of a cash order back, once for each refund of Medusa (`key`): first what is left of the advance, through
 * the gateway's refund of its payment, then cash, which the store hands back itself. A refund that shows one of the
 * gateway's is the advance's alone. Errors: those of a refund; REFUND_EXCEEDED.
 */
export async function refundCashOrder(
  cradle: ProviderCradle,
  order: CashOrder,
  record: PaymentRecord | null,
  amount: Minor,
  key: string
): Promise<void> {
  const online = await onlinePart(cradle, record, amount, key)
  const cash = amount - online
  if (cash > BigInt(order.collected_minor - order.returned_minor)) {
    throw new GatewayError("REFUND_EXCEEDED")
  }
  if (record !== null && online > 0n) {
    const { transaction_id } = record
    await refundOnce(cradle, { transaction_id, amount: online, idempotency_key: key })
  }
  if (cash > 0n) {
    await cradle.gateway.cash.giveBack(order.id, key, cash)
  }
}

async function onlinePart(
  { query }: ProviderCradle,
  record: PaymentRecord | null,
  amount: Minor,
  key: string
): Promise<Minor> {
  if (record === null) {
    return 0n
  }
  const { data } = await query.graph({ entity: "refund", fields: ["metadata"], filters: { id: key } })
  const row = data[0] as { metadata: Record<string, unknown> | null } | undefined
  if (typeof row?.metadata?.gateway_refund_id === "string") {
    return amount
  }
  const left = BigInt(record.amount_minor - record.refunded_minor - record.disputed_minor)
  const online = left < 0n ? 0n : left
  return amount < online ? amount : online
}
