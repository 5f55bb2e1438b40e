import { defineStateMachine } from "../kernel/state-machine"

/** What is stored of a payment link. That it is paid is its payment's to say, and that it has expired the clock's. */
export const LINK_STATES = ["open", "disabled"] as const
export type LinkState = (typeof LINK_STATES)[number]

export const LINK_TRIGGERS = ["disable"] as const

export const linkMachine = defineStateMachine({
  name: "payment link",
  initial: "open",
  states: LINK_STATES,
  triggers: LINK_TRIGGERS,
  transitions: [{ from: "open", on: "disable", to: "disabled", emits: [], source: "decisions" }],
})
