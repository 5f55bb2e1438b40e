import { defineStateMachine } from "../kernel/state-machine"

/** The life of a refund (contract 3.4: lowercase values). */
export const REFUND_STATES = ["pending", "processing", "completed", "failed", "cancelled"] as const
export type RefundState = (typeof REFUND_STATES)[number]

export const REFUND_TRIGGERS = ["cancel", "reject", "process", "complete", "fail"] as const
export type RefundTrigger = (typeof REFUND_TRIGGERS)[number]

/**
 * A refund that nobody has to wait for is created and processed in one step. `reject` is an admin's no to a refund
 * above the merchant's threshold: nothing was asked of the acquirer, so it is cancelled and has not failed.
 */
export const refundMachine = defineStateMachine({
  name: "refund",
  initial: "pending",
  creation: { emits: ["refund.initiated"], source: "6.2" },
  states: REFUND_STATES,
  triggers: REFUND_TRIGGERS,
  transitions: [
    { from: "pending", on: "cancel", to: "cancelled", emits: ["refund.cancelled"], source: "3.4" },
    { from: "pending", on: "reject", to: "cancelled", emits: ["refund.cancelled"], source: "decisions: Refunds" },
    { from: "pending", on: "process", to: "processing", emits: ["refund.processing"], source: "decisions: Refunds" },
    { from: "processing", on: "complete", to: "completed", emits: ["refund.completed"], source: "6.2" },
    { from: "processing", on: "fail", to: "failed", emits: ["refund.failed"], source: "6.2" },
  ],
})
