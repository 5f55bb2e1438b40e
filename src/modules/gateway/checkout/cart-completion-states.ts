import { defineStateMachine } from "../kernel/database/state-machine"

/**
 * What becomes of a paid Medusa cart: an order, or a refund. `needs_attention`: both have failed, so an admin must act.
 * Source: docs/decisions/04.
 */
export const CART_COMPLETION_STATES = ["waiting", "ordered", "giving_back", "given_back", "needs_attention"] as const
export type CartCompletionState = (typeof CART_COMPLETION_STATES)[number]

const CART_COMPLETION_TRIGGERS = ["order", "give_back", "refunded", "give_up"] as const

export const cartCompletionMachine = defineStateMachine({
  name: "cart completion",
  initial: "waiting",
  states: CART_COMPLETION_STATES,
  triggers: CART_COMPLETION_TRIGGERS,
  transitions: [
    { from: "waiting", on: "order", to: "ordered", emits: [], source: "decisions" },
    { from: "waiting", on: "give_back", to: "giving_back", emits: [], source: "decisions" },
    { from: "giving_back", on: "refunded", to: "given_back", emits: [], source: "decisions" },
    { from: "giving_back", on: "give_up", to: "needs_attention", emits: [], source: "decisions" },
    { from: "needs_attention", on: "order", to: "ordered", emits: [], source: "decisions" },
    { from: "needs_attention", on: "refunded", to: "given_back", emits: [], source: "decisions" },
  ],
})
