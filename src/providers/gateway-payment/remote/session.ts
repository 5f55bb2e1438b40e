import { messageOf } from "../../../i18n/message"
import { GatewayError } from "../../../modules/gateway/kernel/errors"
import { formatAmount, type Minor } from "../../../modules/gateway/kernel/money"
import type { TransactionStatus } from "../../../modules/gateway/payments/states"
import type { RemotePayment } from "../../../modules/gateway/payments/remote-payments"
import type GatewayModuleService from "../../../modules/gateway/service"
import { toMinor } from "../amount"
import type { RemoteGateway, RemoteVerification } from "./client"
import { demand } from "./demand"

/** Nothing was paid, and nothing can be paid any more. */
export const ENDED: readonly TransactionStatus[] = ["FAILED", "CANCELLED", "EXPIRED"]

/** What a Medusa payment session shows of a checkout in another deployment. It is written here and never read back. */
export type RemoteSessionData = {
  session_id: string
  transaction_id: string
  order_id: string
  /** What the shopper is to pay, two decimals. */
  amount: string
  currency: string
  checkout_url: string
  expires_at: string
  status: TransactionStatus
  /** Where the storefront wants its shopper to return. */
  return_url: string | null
}

export function sessionData(payment: RemotePayment, status = payment.status): RemoteSessionData {
  const { session_id, transaction_id, order_id, currency, checkout_url, return_url } = payment
  const [amount, expires_at] = [formatAmount(payment.amount_minor), payment.expires_at.toISOString()]
  return { session_id, transaction_id, order_id, amount, currency, checkout_url, expires_at, status, return_url }
}

type Asking = { gateway: GatewayModuleService; remote: RemoteGateway }

/** Asks the other deployment for the current status of a checkout. Throws when it stays unknown. */
export async function askStatus({ gateway, remote }: Asking, payment: RemotePayment): Promise<TransactionStatus> {
  const status = statusOf(payment, demand(await remote.verify(payment.transaction_id), "payment"))
  await gateway.remotePayments.answered(payment.id, status)
  return status
}

/**
 * The status of a verification, after a check that it belongs to this very checkout: the same order, amount and
 * currency. Throws INVALID_STATE_TRANSITION otherwise.
 */
export function statusOf(
  payment: Pick<RemotePayment, "transaction_id" | "order_id" | "currency" | "amount_minor">,
  verified: RemoteVerification
): TransactionStatus {
  const same =
    verified.transaction_id === payment.transaction_id &&
    verified.order_id === payment.order_id &&
    verified.currency === payment.currency &&
    amountOf(verified) === BigInt(payment.amount_minor)
  if (!same) {
    throw new GatewayError("INVALID_STATE_TRANSITION", messageOf("refusal.session_not_verified"))
  }
  return verified.status === "SUCCESS" && !verified.verified ? "PENDING" : verified.status
}

/** Verification has four decimals; an amount with more than two significant ones is invalid in this currency. */
function amountOf({ amount }: RemoteVerification): Minor | null {
  const found = /^([0-9]+\.[0-9]{2})0*$/.exec(amount)
  return found === null ? null : toMinor(found[1])
}
