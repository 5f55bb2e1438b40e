import { defineStateMachine } from "../kernel/database/state-machine"

/**
 * The states of a transaction. The outside sees OPEN, PROCESSING, HELD and AUTHORIZED as PENDING (contract 3.3): OPEN
 * waits for the shopper, PROCESSING has a payment attempt whose outcome is not known yet, HELD has been paid and waits
 * for an admin because the acquirer flags it as risky (docs/decisions/03), AUTHORIZED has its money reserved by the
 * shopper's bank until the merchant captures it (docs/decisions/01). A session only expires while OPEN: while PROCESSING
 * money may be moving, and unknown is not failed (design: six rules, 2).
 */
export const TRANSACTION_STATES = [
  "OPEN",
  "PROCESSING",
  "HELD",
  "AUTHORIZED",
  "SUCCESS",
  "FAILED",
  "CANCELLED",
  "EXPIRED",
  "REFUNDED",
] as const
export type TransactionState = (typeof TRANSACTION_STATES)[number]

/** A verification whose money could not be given back: an admin has to do it. */
export const IS_UNRETURNED = "state = 'SUCCESS' AND return_count > 0 AND return_due_at IS NULL"

const TRANSACTION_TRIGGERS = [
  "attempt",
  "retry",
  "pass_on",
  "hold",
  "authorize",
  "capture",
  "void",
  "lose",
  "succeed",
  "decline",
  "cancel",
  "leave",
  "expire",
  "abandon",
  "lapse",
  "refund_in_full",
  "refund_bounced",
] as const
export type TransactionTrigger = (typeof TRANSACTION_TRIGGERS)[number]

export const transactionMachine = defineStateMachine({
  name: "transaction",
  initial: "OPEN",
  states: TRANSACTION_STATES,
  triggers: TRANSACTION_TRIGGERS,
  transitions: [
    { from: "OPEN", on: "attempt", to: "PROCESSING", emits: [], source: "decisions: Checkout" },
    { from: "OPEN", on: "cancel", to: "CANCELLED", emits: ["payment.cancelled"], source: "3.3" },
    // The shopper leaves after a decline: that decline is how the payment ended.
    { from: "OPEN", on: "leave", to: "FAILED", emits: ["payment.failed"], source: "decisions: Checkout" },
    // Money of an attempt that the shopper had left, while the checkout can still be paid.
    { from: "OPEN", on: "succeed", to: "SUCCESS", emits: ["payment.succeeded"], source: "decisions: Checkout" },
    { from: "OPEN", on: "hold", to: "HELD", emits: [], source: "decisions: Checkout" },
    { from: "OPEN", on: "authorize", to: "AUTHORIZED", emits: ["payment.authorized"], source: "decisions: Captures" },
    { from: "OPEN", on: "expire", to: "EXPIRED", emits: ["payment.expired"], source: "3.3" },
    { from: "PROCESSING", on: "retry", to: "OPEN", emits: [], source: "decisions: Checkout" },
    // Its acquirer opened no page, and the next one is asked.
    { from: "PROCESSING", on: "pass_on", to: "PROCESSING", emits: [], source: "decisions: Checkout" },
    { from: "PROCESSING", on: "hold", to: "HELD", emits: [], source: "decisions: Checkout" },
    {
      from: "PROCESSING",
      on: "authorize",
      to: "AUTHORIZED",
      emits: ["payment.authorized"],
      source: "decisions: Captures",
    },
    { from: "PROCESSING", on: "succeed", to: "SUCCESS", emits: ["payment.succeeded"], source: "3.3" },
    { from: "PROCESSING", on: "decline", to: "FAILED", emits: ["payment.failed"], source: "3.3" },
    { from: "PROCESSING", on: "abandon", to: "CANCELLED", emits: ["payment.cancelled"], source: "decisions: Sandbox" },
    { from: "PROCESSING", on: "lapse", to: "EXPIRED", emits: ["payment.expired"], source: "decisions: Checkout" },
    // An admin accepts a held payment, or gives its money back.
    { from: "HELD", on: "succeed", to: "SUCCESS", emits: ["payment.succeeded"], source: "decisions: Checkout" },
    { from: "HELD", on: "decline", to: "FAILED", emits: ["payment.failed"], source: "decisions: Checkout" },
    { from: "AUTHORIZED", on: "capture", to: "SUCCESS", emits: ["payment.succeeded"], source: "decisions: Captures" },
    // A further capture of the same authorisation.
    { from: "SUCCESS", on: "capture", to: "SUCCESS", emits: [], source: "decisions: Captures" },
    { from: "AUTHORIZED", on: "void", to: "CANCELLED", emits: ["payment.voided"], source: "decisions: Captures" },
    // The bank has released the money, or will have: nothing was captured in time.
    {
      from: "AUTHORIZED",
      on: "lose",
      to: "EXPIRED",
      emits: ["payment.authorization_expired"],
      source: "decisions: Captures",
    },
    { from: "SUCCESS", on: "refund_in_full", to: "REFUNDED", emits: [], source: "decisions: Checkout" },
    // A refund came back from the shopper's bank: the money is with the acquirer again.
    // What was captured before is refunded, and a further part is captured.
    { from: "REFUNDED", on: "capture", to: "SUCCESS", emits: [], source: "decisions: Captures" },
    { from: "REFUNDED", on: "refund_bounced", to: "SUCCESS", emits: [], source: "decisions: Refunds" },
  ],
})

/**
 * SQL: a refund `r` that failed, with no other of the payment since, and that no admin has dealt with: the money has not
 * gone back. The gateway repeats its own, of verifications.
 */
export const FAILED_REFUND = `r.state = 'failed' AND r.requested_by <> 'gateway' AND r.dealt_with_at IS NULL AND NOT EXISTS (
  SELECT 1 FROM gateway_refund later WHERE later.transaction_id = r.transaction_id
    AND (later.requested_at, later.id) > (r.requested_at, r.id) AND later.state <> 'cancelled')`

export type TransactionStatus = "SUCCESS" | "FAILED" | "PENDING" | "CANCELLED" | "EXPIRED" | "REFUNDED"

/** The contract's status. An OPEN transaction whose time is up reads as EXPIRED, even before the job has run. */
export function publicStatus(state: TransactionState, expiresAt: Date, now: Date): TransactionStatus {
  if (state === "OPEN") {
    return now.getTime() >= expiresAt.getTime() ? "EXPIRED" : "PENDING"
  }
  return state === "PROCESSING" || state === "HELD" || state === "AUTHORIZED" ? "PENDING" : state
}
