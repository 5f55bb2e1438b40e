import { defineStateMachine } from "../../kernel/database/state-machine"

/** The states of one period's payment (contract 3.2: values). */
export const BILLING_RECORD_STATES = ["PENDING", "PROCESSING", "SUCCESS", "FAILED", "REFUNDED"] as const
export type BillingRecordState = (typeof BILLING_RECORD_STATES)[number]

const BILLING_RECORD_TRIGGERS = ["reserve", "succeed", "fail", "release", "refund", "bounce"] as const

/**
 * `release`: a shopper's own payment failed, or a charge was never sent, and the period waits to be paid as before.
 * `bounce`: the shopper's bank sent a refund back, and the period is paid again.
 */
export const billingRecordMachine = defineStateMachine({
  name: "billing record",
  initial: "PENDING",
  states: BILLING_RECORD_STATES,
  triggers: BILLING_RECORD_TRIGGERS,
  transitions: [
    { from: "PENDING", on: "reserve", to: "PROCESSING", emits: [], source: "decisions: Plans" },
    { from: "FAILED", on: "reserve", to: "PROCESSING", emits: [], source: "decisions: Plans" },
    { from: "PROCESSING", on: "succeed", to: "SUCCESS", emits: [], source: "decisions: Plans" },
    { from: "PROCESSING", on: "fail", to: "FAILED", emits: [], source: "decisions: Plans" },
    { from: "PROCESSING", on: "release", to: "PENDING", emits: [], source: "decisions: Plans" },
    { from: "SUCCESS", on: "refund", to: "REFUNDED", emits: [], source: "decisions: Plans" },
    { from: "REFUNDED", on: "bounce", to: "SUCCESS", emits: [], source: "decisions: Refunds" },
  ],
})
