import { defineStateMachine } from "../kernel/database/state-machine"

/**
 * The states of a dispute, as Stripe has them. In an `inquiry` the bank asks, and no money has moved; it either ends
 * (`closed`) or becomes a dispute. From `needs_response` on the acquirer has withdrawn the money.
 */
export const DISPUTE_STATES = ["inquiry", "needs_response", "under_review", "won", "lost", "closed"] as const
export type DisputeState = (typeof DISPUTE_STATES)[number]

export const DISPUTE_TRIGGERS = ["escalate", "submit", "win", "lose", "accept", "end", "reinstate"] as const
export type DisputeTrigger = (typeof DISPUTE_TRIGGERS)[number]

/** What an admin may decide about a dispute that no acquirer reports. */
export const FINDING_TRIGGERS = ["escalate", "submit", "win", "lose", "end", "reinstate"] as const

/**
 * `accept`: the merchant gives the payer the money. A payer who withdraws a dispute lets the merchant win it.
 * `reinstate`: the bank has changed a loss into a win; a win that it takes up again is a dispute of its own. A dispute
 * that begins with the money withdrawn is created and escalated in one step.
 */
export const disputeMachine = defineStateMachine({
  name: "dispute",
  initial: "inquiry",
  creation: { emits: ["dispute.created"], source: "decisions" },
  states: DISPUTE_STATES,
  triggers: DISPUTE_TRIGGERS,
  transitions: [
    { from: "inquiry", on: "escalate", to: "needs_response", emits: ["dispute.updated"], source: "decisions" },
    { from: "inquiry", on: "submit", to: "inquiry", emits: ["dispute.updated"], source: "decisions" },
    { from: "inquiry", on: "end", to: "closed", emits: ["dispute.closed"], source: "decisions" },
    { from: "needs_response", on: "submit", to: "under_review", emits: ["dispute.updated"], source: "decisions" },
    { from: "needs_response", on: "win", to: "won", emits: ["dispute.closed"], source: "decisions" },
    { from: "needs_response", on: "lose", to: "lost", emits: ["dispute.closed"], source: "decisions" },
    { from: "needs_response", on: "accept", to: "lost", emits: ["dispute.closed"], source: "decisions" },
    { from: "under_review", on: "win", to: "won", emits: ["dispute.closed"], source: "decisions" },
    { from: "under_review", on: "lose", to: "lost", emits: ["dispute.closed"], source: "decisions" },
    { from: "lost", on: "reinstate", to: "won", emits: ["dispute.closed"], source: "decisions" },
  ],
})
