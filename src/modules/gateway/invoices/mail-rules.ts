import { addDays } from "../kernel/money/calendar"
import { addSeconds } from "../kernel/money/clock"
import type { InvoiceState } from "./states"
import type { SubscriptionState } from "../subscriptions/states"

export const INVOICE_MAIL_KINDS = ["invoice", "reminder", "past_due"] as const
export type InvoiceMailKind = (typeof INVOICE_MAIL_KINDS)[number]

type PlannedMail = { kind: InvoiceMailKind; step: number; due_at: Date }

const HOUR = 3_600
const REMINDER_DAYS_BEFORE = 3
/** A reminder this soon after the invoice would say nothing new. */
const QUIET_SECONDS = 24 * HOUR
/** The automatic retry of the same day comes first: customers are not reminded of money that is about to be charged. */
const AFTER_RETRY_SECONDS = HOUR

/**
 * Plans the e-mails of an open invoice: the invoice at once, a reminder three days before it is due, and one after each
 * day on which a failed charge is retried, in days of the invoice's time zone. Leaves out e-mails that would follow the
 * invoice within a day.
 */
export function planMails(
  { due_date, time_zone }: { due_date: Date; time_zone: string },
  now: Date,
  retryDays: readonly number[]
): PlannedMail[] {
  const reminders: PlannedMail[] = [
    { kind: "reminder", step: 0, due_at: addDays(due_date, -REMINDER_DAYS_BEFORE, time_zone) },
    ...retryDays.map((days, index): PlannedMail => ({
      kind: "past_due",
      step: index + 1,
      due_at: addSeconds(addDays(due_date, days, time_zone), AFTER_RETRY_SECONDS),
    })),
  ]
  const quietUntil = addSeconds(now, QUIET_SECONDS)
  return [{ kind: "invoice", step: 0, due_at: now }, ...reminders.filter(({ due_at }) => due_at >= quietUntil)]
}

/**
 * Whether an e-mail is still needed when it is due. No payment request for a paid or void invoice, no reminder for a
 * paused or ended subscription, no overdue notice before a payment has failed.
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

/** What the e-mail says: an invoice that a failed charge has left open is overdue already. */
export function saidBy(kind: InvoiceMailKind, subscription: SubscriptionState): InvoiceMailKind {
  return kind === "invoice" && subscription === "PAST_DUE" ? "past_due" : kind
}

/**
 * A reminder is put off while the outcome of a payment is not known: the customer may have paid already. The invoice
 * itself says that a payment is being confirmed. `mail`: the alias of gateway_invoice_mail. A scalar subquery always is
 * two look-ups by primary key; of NOT EXISTS the planner may make a hash of all subscriptions.
 */
export const isNotPostponed = (mail: string) => `(${mail}.kind = 'invoice' OR (
  SELECT s.awaiting_transaction_id FROM gateway_invoice i JOIN gateway_subscription s ON s.id = i.subscription_id
  WHERE i.id = ${mail}.invoice_id) IS NULL)`
