import { defineStateMachine } from "../kernel/database/state-machine"

export const CASH_ORDER_STATES = ["placing", "due", "part_collected", "collected", "refused", "cancelled"] as const
export type CashOrderState = (typeof CASH_ORDER_STATES)[number]

const CASH_TRIGGERS = ["place", "collect_part", "collect", "owe_nothing", "give_up", "refuse", "cancel"] as const
type CashTrigger = (typeof CASH_TRIGGERS)[number]

/** States in which cash is still to come. */
export const CASH_OPEN: readonly CashOrderState[] = ["due", "part_collected"]

/**
 * An order that is paid in cash. `placing`: the store has not made the order yet, so nothing is due. `give_up`: what
 * was handed over is all that comes, as after a delivery in part. `refuse`: nothing was taken at the door.
 * `owe_nothing`: the store's order has become so cheap that nothing is left to collect.
 */
export const cashOrderMachine = defineStateMachine<CashOrderState, CashTrigger>({
  name: "cash_order",
  initial: "placing",
  states: CASH_ORDER_STATES,
  triggers: CASH_TRIGGERS,
  transitions: [
    { from: "placing", on: "place", to: "due", emits: ["cash_order.placed"], source: "decisions" },
    { from: "placing", on: "cancel", to: "cancelled", emits: [], source: "decisions" },
    { from: "due", on: "collect_part", to: "part_collected", emits: ["cash_order.collected"], source: "decisions" },
    { from: "due", on: "collect", to: "collected", emits: ["cash_order.collected"], source: "decisions" },
    { from: "due", on: "owe_nothing", to: "collected", emits: ["cash_order.changed"], source: "decisions" },
    { from: "due", on: "refuse", to: "refused", emits: ["cash_order.refused"], source: "decisions" },
    { from: "due", on: "cancel", to: "cancelled", emits: ["cash_order.changed"], source: "decisions" },
    {
      from: "part_collected",
      on: "collect_part",
      to: "part_collected",
      emits: ["cash_order.collected"],
      source: "decisions",
    },
    { from: "part_collected", on: "collect", to: "collected", emits: ["cash_order.collected"], source: "decisions" },
    { from: "part_collected", on: "owe_nothing", to: "collected", emits: ["cash_order.changed"], source: "decisions" },
    { from: "part_collected", on: "give_up", to: "collected", emits: ["cash_order.changed"], source: "decisions" },
    { from: "part_collected", on: "cancel", to: "cancelled", emits: ["cash_order.changed"], source: "decisions" },
  ],
})

export const CASH_REFUND_STATES = ["open", "done", "failed"] as const
export type CashRefundState = (typeof CASH_REFUND_STATES)[number]

/**
 * A refund of a cash order. `open`: its parts are decided, and count as given back. `finish`: the online part is
 * completed, so the cash is written down as handed back. `fail`: no money went online, and none goes back in cash.
 */
export const cashRefundMachine = defineStateMachine({
  name: "cash_refund",
  initial: "open",
  states: CASH_REFUND_STATES,
  triggers: ["finish", "fail"] as const,
  transitions: [
    { from: "open", on: "finish", to: "done", emits: [], source: "decisions" },
    { from: "open", on: "fail", to: "failed", emits: [], source: "decisions" },
  ],
})
