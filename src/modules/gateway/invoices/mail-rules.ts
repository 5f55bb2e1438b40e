import { addSeconds } from "../kernel/clock"
import type { InvoiceState } from "./states"
import type { SubscriptionState } from "../subscriptions/states"

export const INVOICE_MAIL_KINDS = ["invoice", "reminder", "past_due"] as const
export type InvoiceMailKind = (typeof INVOICE_MAIL_KINDS)[number]

/** `dropped`: there was no reason for it any more when its time came; `failed`: it could not be sent. */
export const INVOICE_MAIL_STATES = ["pending", "sent", "dropped", "failed"] as const
export type InvoiceMailState = (typeof INVOICE_MAIL_STATES)[number]

export type PlannedMail = { kind: InvoiceMailKind; step: number; due_at: Date }

const HOUR = 3_600
const DAY = 24 * HOUR
const REMINDER_DAYS_BEFORE = 3
/** A reminder on the heels of the invoice itself would tell nothing new. */
const QUIET_SECONDS = DAY
/** The automatic retry of the same day comes first: nobody is reminded of what is about to be taken. */
const AFTER_RETRY_SECONDS = HOUR

/**
 * The e-mails of an invoice that is open: itself at once, a reminder three days before it is due, and one after each
 * day on which a failed charge is tried again. What would follow the invoice within a day is left out.
 */
export function planMails(invoice: { due_date: Date }, now: Date, retryDays: readonly number[]): PlannedMail[] {
  const reminders: PlannedMail[] = [
    { kind: "reminder", step: 0, due_at: addSeconds(invoice.due_date, -REMINDER_DAYS_BEFORE * DAY) },
    ...retryDays.map((days, index): PlannedMail => ({
      kind: "past_due",
      step: index + 1,
      due_at: addSeconds(invoice.due_date, days * DAY + AFTER_RETRY_SECONDS),
    })),
  ]
  const quietUntil = addSeconds(now, QUIET_SECONDS)
  return [{ kind: "invoice", step: 0, due_at: now }, ...reminders.filter(({ due_at }) => due_at >= quietUntil)]
}

/**
 * Whether there is still a reason for an e-mail when its time has come. Nobody is told to pay what is paid or void,
 * nor reminded of a subscription that rests or has ended, nor called late before a payment has failed.
 */
export function isMailWanted(
  kind: InvoiceMailKind,
  { invoice, subscription }: { invoice: InvoiceState; subscription: SubscriptionState }
): boolean {
  if (invoice !== "PENDING") {
    return false
  }
  switch (kind) {
    case "invoice":
      return subscription !== "CANCELLED" && subscription !== "EXPIRED"
    case "reminder":
      return subscription === "PENDING" || subscription === "TRIALING" || subscription === "ACTIVE"
    case "past_due":
      return subscription === "PAST_DUE"
  }
}
