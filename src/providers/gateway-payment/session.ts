import type { BigNumberInput, PaymentProviderContext, PaymentSessionStatus, Query } from "@medusajs/framework/types"
import { MathBN, PaymentCollectionStatus } from "@medusajs/framework/utils"
import { messageOf } from "../../i18n/message"
import { clockNow } from "../../modules/gateway/kernel/money/clock"
import { GatewayError } from "../../modules/gateway/kernel/errors"
import { type Minor, parseAmount } from "../../modules/gateway/kernel/money/money"
import type { PaymentRecord } from "../../modules/gateway/payments/records"
import { type TransactionStatus, publicStatus } from "../../modules/gateway/payments/states"

/** Where Medusa's rows refer to their payment session, by the prefix of their ids. */
const ROWS = {
  pay: { entity: "payment", fields: ["payment_session.id"] },
  capt: { entity: "capture", fields: ["payment.payment_session.id"] },
  ref: { entity: "refund", fields: ["payment.payment_session.id"] },
} as const

type Row = { payment_session?: { id: string }; payment?: Row }

/**
 * The Medusa payment session for which a provider's method is called. Medusa's payment module passes the id of the row
 * it works on as idempotency key: the payment session's own when it authorises, the payment's, capture's or refund's
 * afterwards. The session's `data` proves nothing: Medusa commits what a shopper has sent before the provider sees it.
 * Throws INVALID_REQUEST when Medusa passes no id.
 */
export async function requirePaymentSession(
  query: Query,
  context: PaymentProviderContext | undefined
): Promise<string> {
  const id = context?.idempotency_key ?? ""
  const prefix = id.slice(0, id.indexOf("_"))
  if (prefix === "payses") {
    return id
  }
  const row = Object.hasOwn(ROWS, prefix) ? ROWS[prefix as keyof typeof ROWS] : null
  const { data } = row === null ? { data: [] } : await query.graph({ ...row, fields: [...row.fields], filters: { id } })
  const found = data[0] as unknown as Row | undefined
  const session = (found?.payment ?? found)?.payment_session
  if (session === undefined) {
    throw new GatewayError("INVALID_REQUEST", messageOf("refusal.session_unnamed"))
  }
  return session.id
}

const REPLACED: readonly string[] = [PaymentCollectionStatus.CANCELED, PaymentCollectionStatus.PARTIALLY_CAPTURED]

/**
 * Whether Medusa is replacing a payment collection of this status by a new one, because its order has changed: an order
 * edit, exchange or claim marks it first, and cancels its payments then. The cancellation of an order marks it afterwards.
 */
export const isReplaced = (status: string): boolean => REPLACED.includes(status)

/** Throws INVALID_STATE_TRANSITION while Medusa replaces the collection: the money of an order that goes on stays. */
export async function requireNotReplaced(query: Query, payment_session_id: string): Promise<void> {
  const fields = ["payment_collection.status", "payment_collection.order.status"]
  const { data } = await query.graph({ entity: "payment_session", fields, filters: { id: payment_session_id } })
  const { status, order } = (data[0]?.payment_collection ?? {}) as { status?: string; order?: { status: string } }
  if (status !== undefined && isReplaced(status) && order?.status !== "canceled") {
    throw new GatewayError("INVALID_STATE_TRANSITION", messageOf("refusal.order_goes_on"))
  }
}

/** All that a Medusa payment session stores of a checkout. */
type SessionData = { session_id: string; checkout_url: string; expires_at: string; status: TransactionStatus }

const MEDUSA_STATUS: Readonly<Record<TransactionStatus, PaymentSessionStatus>> = {
  PENDING: "pending",
  // Medusa captures all of a payment of this status: the rest of an authorised one is captured by hand.
  SUCCESS: "captured",
  FAILED: "error",
  CANCELLED: "canceled",
  EXPIRED: "canceled",
  REFUNDED: "canceled",
}

/** The contract's status of a checkout at the current moment of its merchant's clock. */
export function statusOf(record: PaymentRecord): TransactionStatus {
  return publicStatus(record.state, record.expires_at, clockNow(new Date(), record.clock_offset_seconds))
}

/** Medusa's status of a checkout's payment session at the current moment of its merchant's clock. */
export function medusaStatus(record: PaymentRecord): PaymentSessionStatus {
  const isPart = record.authorized_minor !== null && record.amount_minor < record.authorized_minor
  return record.state === "AUTHORIZED" || (isPart && isMoneyKept(record))
    ? "authorized"
    : MEDUSA_STATUS[statusOf(record)]
}

/** What Medusa stores of a checkout. `publicUrl` has no slash at its end. `expires_at` is on the merchant's clock. */
export function sessionData(record: PaymentRecord, publicUrl: string): SessionData {
  return {
    session_id: record.session_id,
    checkout_url: `${publicUrl}/pay/${record.session_id}`,
    expires_at: record.expires_at.toISOString(),
    status: statusOf(record),
  }
}

/**
 * Whether money was taken, or is authorised, and not all of it is being refunded. A refund that waits for approval may
 * still be refused.
 */
export function isMoneyKept(record: PaymentRecord): boolean {
  return record.state === "AUTHORIZED" || (statusOf(record) === "SUCCESS" && !isLeaving(record))
}

/** Whether money was taken and all of it is refunded, or on its way back: nothing is bought with it any more. */
export function isGivenBack(record: PaymentRecord): boolean {
  const status = statusOf(record)
  return status === "REFUNDED" || (status === "SUCCESS" && isLeaving(record))
}

function isLeaving({ refunded_minor, waiting_minor, amount_minor }: PaymentRecord): boolean {
  return refunded_minor - waiting_minor >= amount_minor
}

/** bignumber.js's value for rounding half up; Medusa does not export its constants. */
const ROUND_HALF_UP = 4

/** Medusa's exact number as text with two decimals, rounded half up: taxes and discounts may leave more decimals. */
export function amountText(value: BigNumberInput): string {
  return MathBN.convert(value).toFixed(2, ROUND_HALF_UP)
}

/** Hundredths of the currency of an amount that may be zero, rounded half up; never through a float. */
export function minorOf(value: BigNumberInput): Minor {
  return BigInt(MathBN.mult(value, 100).toFixed(0, ROUND_HALF_UP))
}

/** Hundredths of the currency, rounded; never through a float. Throws INVALID_REQUEST for an invalid amount. */
export function toMinor(value: BigNumberInput): Minor {
  const minor = parseAmount(amountText(value))
  if (minor === null) {
    throw new GatewayError("INVALID_REQUEST", messageOf("refusal.amount_to_pay"))
  }
  return minor
}
