import type { PaymentSessionStatus } from "@medusajs/framework/types"
import { clockNow } from "../../modules/gateway/kernel/clock"
import { publicStatus, type TransactionStatus } from "../../modules/gateway/payments/states"
import type { PaymentRecord } from "../../modules/gateway/payments/records"

/** All that a Medusa payment session stores of a checkout. */
type SessionData = { session_id: string; checkout_url: string; expires_at: string; status: TransactionStatus }

const MEDUSA_STATUS: Readonly<Record<TransactionStatus, PaymentSessionStatus>> = {
  PENDING: "pending",
  // The gateway captures at once: no money is authorised but not captured.
  SUCCESS: "captured",
  FAILED: "error",
  CANCELLED: "canceled",
  EXPIRED: "canceled",
  REFUNDED: "canceled",
}

/** The contract's status of a checkout at the current moment of its merchant's clock. */
export function statusOf(record: PaymentRecord): TransactionStatus {
  const status = publicStatus(record.state, record.expires_at, clockNow(new Date(), record.clock_offset_seconds))
  return status === "SUCCESS" && record.refunded_minor >= record.amount_minor ? "REFUNDED" : status
}

/** Medusa's status of a checkout's payment session at the current moment of its merchant's clock. */
export function medusaStatus(record: PaymentRecord): PaymentSessionStatus {
  return MEDUSA_STATUS[statusOf(record)]
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

/** Whether money was taken and not all of it is being refunded. */
export function isMoneyKept(record: PaymentRecord): boolean {
  return statusOf(record) === "SUCCESS"
}
