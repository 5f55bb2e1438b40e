import { GatewayError } from "../../../modules/gateway/domain/errors"
import { formatAmount, type Minor } from "../../../modules/gateway/domain/money"
import type { TransactionStatus } from "../../../modules/gateway/domain/state-machines/transaction"
import { toMinor } from "../amount"
import type { RemoteVerification } from "./client"

/** All that a Medusa payment session keeps of a checkout in another deployment; only the provider writes it. */
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
  /** Where the storefront wants its shopper back. */
  return_url: string | null
}

const TEXTS = ["session_id", "transaction_id", "order_id", "amount", "currency", "checkout_url", "expires_at", "status"] as const

/** Null for a payment session whose checkout was never opened. */
export function readSessionData(data: Record<string, unknown> | null | undefined): RemoteSessionData | null {
  const whole = TEXTS.every((name) => typeof data?.[name] === "string")
  return whole ? (data as RemoteSessionData) : null
}

/**
 * A verification is believed when it is of this very checkout: the same order, amount and currency. Throws
 * INVALID_STATE_TRANSITION otherwise, and answers the status.
 */
export function statusOf(data: RemoteSessionData, verified: RemoteVerification): TransactionStatus {
  const same =
    verified.transaction_id === data.transaction_id &&
    verified.order_id === data.order_id &&
    verified.currency === data.currency &&
    amountOf(verified) === toMinor(data.amount)
  if (!same) {
    throw new GatewayError("INVALID_STATE_TRANSITION", "What the gateway has verified is not the payment of this cart")
  }
  return verified.status === "SUCCESS" && !verified.verified ? "PENDING" : verified.status
}

/** Verification has four decimals; more than two that count are no amount of this currency. */
function amountOf({ amount }: RemoteVerification): Minor | null {
  const found = /^([0-9]+\.[0-9]{2})0*$/.exec(amount)
  return found === null ? null : toMinor(found[1])
}

export function sameAmount(data: RemoteSessionData, amount: Minor): boolean {
  return data.amount === formatAmount(amount)
}
