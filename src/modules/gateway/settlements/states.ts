import { defineStateMachine } from "../kernel/database/state-machine"

export const SETTLEMENT_KINDS = [
  "payment",
  "refund",
  "dispute",
  "dispute_reversal",
  "fee",
  "adjustment",
  "deposit",
] as const
/** What a line is about. A deposit is money that has come to the bank. */
export type SettlementKind = (typeof SETTLEMENT_KINDS)[number]

/** Whose files they are: an acquirer as payments name it, or one of these with a name. */
export const COURIER = "courier:"
export const BANK = "bank:"

/** A bank's lines are not of settlements: they bring what settlements say. */
export function isBank(source: string): boolean {
  return source.startsWith(BANK)
}

/** `open`: something is still to come of a settlement, or a line of it is not decided. */
export const BATCH_STATES = ["open", "deposited"] as const
export type BatchState = (typeof BATCH_STATES)[number]

export const IMPORT_STATES = ["reading", "finished", "stopped", "undone"] as const
export type ImportState = (typeof IMPORT_STATES)[number]

/**
 * A file that is imported. `reading`: its lines are being written. `stopped`: somebody has stopped it, the file could not be
 * read to its end, or the process has died; what was written stays, and the same file again writes the rest.
 */
export const importMachine = defineStateMachine({
  name: "settlement_import",
  initial: "reading",
  states: IMPORT_STATES,
  triggers: ["finish", "stop", "undo", "rematch"] as const,
  transitions: [
    { from: "reading", on: "finish", to: "finished", emits: [], source: "decisions" },
    { from: "reading", on: "stop", to: "stopped", emits: [], source: "decisions" },
    { from: "reading", on: "undo", to: "undone", emits: [], source: "decisions" },
    { from: "stopped", on: "undo", to: "undone", emits: [], source: "decisions" },
    { from: "finished", on: "undo", to: "undone", emits: [], source: "decisions" },
    { from: "stopped", on: "rematch", to: "stopped", emits: [], source: "decisions" },
    { from: "finished", on: "rematch", to: "finished", emits: [], source: "decisions" },
  ],
})

export const LINE_STATES = ["unknown", "matched", "differs", "explained"] as const
export type LineState = (typeof LINE_STATES)[number]

/**
 * A line of a settlement. `matched`: it is money of ours, as we know it. `differs`: it is ours, and something of it is not
 * as we know it. `unknown`: no money of ours is it, or several may be; nothing of it is in the ledger. `explained`: somebody
 * has said what the difference or the unknown line is; of a bank's line, that it is of no settlement. `undo` takes it out of the ledger again.
 */
export const lineMachine = defineStateMachine({
  name: "settlement_line",
  initial: "unknown",
  states: LINE_STATES,
  triggers: ["match", "differ", "explain", "undo"] as const,
  transitions: [
    { from: "unknown", on: "match", to: "matched", emits: [], source: "decisions" },
    { from: "unknown", on: "differ", to: "differs", emits: [], source: "decisions" },
    { from: "unknown", on: "explain", to: "explained", emits: [], source: "decisions" },
    { from: "differs", on: "explain", to: "explained", emits: [], source: "decisions" },
    { from: "matched", on: "undo", to: "unknown", emits: [], source: "decisions" },
    { from: "differs", on: "undo", to: "unknown", emits: [], source: "decisions" },
    { from: "explained", on: "undo", to: "unknown", emits: [], source: "decisions" },
  ],
})

export const MONTH_STATES = ["open", "closed"] as const
export type MonthState = (typeof MONTH_STATES)[number]

/** A month of a source. `closed`: its figures are as they were then, and nothing that counts in it may change. */
export const monthMachine = defineStateMachine({
  name: "settlement_month",
  initial: "open",
  states: MONTH_STATES,
  triggers: ["close", "reopen"] as const,
  transitions: [
    { from: "open", on: "close", to: "closed", emits: [], source: "decisions" },
    { from: "closed", on: "reopen", to: "open", emits: [], source: "decisions" },
  ],
})
