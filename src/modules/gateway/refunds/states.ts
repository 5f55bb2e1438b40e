import { defineStateMachine } from "../kernel/database/state-machine"

/** The states of a refund (contract 3.4: lowercase values). */
export const REFUND_STATES = ["pending", "processing", "completed", "failed", "cancelled"] as const
export type RefundState = (typeof REFUND_STATES)[number]

const REFUND_TRIGGERS = ["cancel", "reject", "process", "complete", "fail", "bounce"] as const
export type RefundTrigger = (typeof REFUND_TRIGGERS)[number]

/**
 * A refund that waits for nobody is created and processed in one step. `reject`: an admin refuses a refund above the
 * merchant's threshold. The acquirer was never asked, so the refund is cancelled and has not failed.
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
    // The shopper's bank has sent the money back: what was completed has failed after all.
    { from: "completed", on: "bounce", to: "failed", emits: ["refund.failed"], source: "decisions: Refunds" },
  ],
})
