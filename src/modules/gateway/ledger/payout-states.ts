import { defineStateMachine } from "../kernel/database/state-machine"

/** An admin records a payout, and reverses it when it was recorded wrongly or the bank returned it. */
export const PAYOUT_STATES = ["recorded", "reversed"] as const
export type PayoutState = (typeof PAYOUT_STATES)[number]

const PAYOUT_TRIGGERS = ["reverse"] as const

export const payoutMachine = defineStateMachine({
  name: "payout",
  initial: "recorded",
  states: PAYOUT_STATES,
  triggers: PAYOUT_TRIGGERS,
  transitions: [{ from: "recorded", on: "reverse", to: "reversed", emits: [], source: "decisions" }],
})
