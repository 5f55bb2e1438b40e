import { defineStateMachine } from "../../kernel/database/state-machine"

/**
 * Whether a refund is shown on the Medusa order of its payment. `dropped` was never shown on the order: it failed
 * first, or there is no order. Source: decisions of this project (docs/decisions/06).
 */
export const ORDER_REFUND_STATES = ["waiting", "shown", "undone", "dropped"] as const
export type OrderRefundState = (typeof ORDER_REFUND_STATES)[number]

const ORDER_REFUND_TRIGGERS = ["show", "undo", "drop"] as const
export type OrderRefundTrigger = (typeof ORDER_REFUND_TRIGGERS)[number]

export const orderRefundMachine = defineStateMachine({
  name: "order refund",
  initial: "waiting",
  states: ORDER_REFUND_STATES,
  triggers: ORDER_REFUND_TRIGGERS,
  transitions: [
    { from: "waiting", on: "show", to: "shown", emits: [], source: "decisions" },
    { from: "waiting", on: "undo", to: "undone", emits: [], source: "decisions" },
    { from: "waiting", on: "drop", to: "dropped", emits: [], source: "decisions" },
    { from: "shown", on: "show", to: "shown", emits: [], source: "decisions" },
    { from: "shown", on: "undo", to: "undone", emits: [], source: "decisions" },
    { from: "undone", on: "undo", to: "undone", emits: [], source: "decisions" },
    { from: "dropped", on: "drop", to: "dropped", emits: [], source: "decisions" },
    { from: "dropped", on: "undo", to: "undone", emits: [], source: "decisions" },
  ],
})
