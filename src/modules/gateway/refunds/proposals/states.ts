import { defineStateMachine } from "../../kernel/database/state-machine"

/**
 * A refund that is proposed; once confirmed, its refund's own state says the rest. `again` is a second refund after
 * the first has failed. Source: docs/decisions/06.
 */
export const PROPOSAL_STATES = ["open", "confirmed", "dismissed"] as const
export type ProposalState = (typeof PROPOSAL_STATES)[number]

const PROPOSAL_TRIGGERS = ["confirm", "again", "dismiss"] as const
export type ProposalTrigger = (typeof PROPOSAL_TRIGGERS)[number]

export const refundProposalMachine = defineStateMachine({
  name: "refund proposal",
  initial: "open",
  states: PROPOSAL_STATES,
  triggers: PROPOSAL_TRIGGERS,
  transitions: [
    { from: "open", on: "confirm", to: "confirmed", emits: [], source: "decisions" },
    { from: "open", on: "dismiss", to: "dismissed", emits: [], source: "decisions" },
    { from: "confirmed", on: "again", to: "confirmed", emits: [], source: "decisions" },
    { from: "confirmed", on: "dismiss", to: "dismissed", emits: [], source: "decisions" },
  ],
})
