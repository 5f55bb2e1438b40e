import { defineStateMachine } from "../kernel/database/state-machine"

/**
 * The states that a payment link's row stores. Whether it is paid follows from its payment, and whether it has expired
 * from `expires_at` and the merchant's clock.
 */
export const LINK_STATES = ["open", "disabled"] as const
export type LinkState = (typeof LINK_STATES)[number]

const LINK_TRIGGERS = ["disable"] as const

export const linkMachine = defineStateMachine({
  name: "payment link",
  initial: "open",
  states: LINK_STATES,
  triggers: LINK_TRIGGERS,
  transitions: [{ from: "open", on: "disable", to: "disabled", emits: [], source: "decisions" }],
})
