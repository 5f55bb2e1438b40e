import { defineStateMachine } from "../kernel/database/state-machine"

/** The states of an invoice (contract 3.6: PENDING; the others are decisions of this project). */
export const INVOICE_STATES = ["PENDING", "PAID", "VOID"] as const
export type InvoiceState = (typeof INVOICE_STATES)[number]

const INVOICE_TRIGGERS = ["pay", "void"] as const

/** Creation emits `invoice.created`: no transition leads to PENDING. */
export const invoiceMachine = defineStateMachine({
  name: "invoice",
  initial: "PENDING",
  states: INVOICE_STATES,
  triggers: INVOICE_TRIGGERS,
  transitions: [
    { from: "PENDING", on: "pay", to: "PAID", emits: [], source: "decisions" },
    { from: "PENDING", on: "void", to: "VOID", emits: [], source: "decisions" },
  ],
})
