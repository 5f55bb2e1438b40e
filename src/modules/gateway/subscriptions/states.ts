import { defineStateMachine } from "../kernel/database/state-machine"

/** The life of a subscription (contract 3.1). */
export const SUBSCRIPTION_STATES = [
  "PENDING",
  "TRIALING",
  "ACTIVE",
  "PAST_DUE",
  "PAUSED",
  "CANCELLED",
  "EXPIRED",
] as const
export type SubscriptionState = (typeof SUBSCRIPTION_STATES)[number]

/**
 * `pay`: a shopper's payment through a checkout. `charged` and `charge_failed`: the outcome of an automatic charge,
 * which may become known after the subscription was paused or cancelled. `end_trial`: the end of a trial whose first
 * full period is already paid. `complete`: the last period, or a trial that none follows, is over. `skip`: the period's
 * goods are unavailable, so nothing is charged. `uncancel…`: a
 * cancellation at the period's end is undone, and the subscription is again what it was.
 */
const SUBSCRIPTION_TRIGGERS = [
  "start_trial",
  "pay_trial",
  "pay",
  "charged",
  "charge_failed",
  "give_up",
  "end_trial",
  "complete",
  "skip",
  "pause",
  "resume",
  "cancel",
  "uncancel",
  "uncancel_trial",
  "uncancel_past_due",
  "expire",
] as const
export type SubscriptionTrigger = (typeof SUBSCRIPTION_TRIGGERS)[number]

const PAID = "subscription.payment_succeeded"
const FAILED = "subscription.payment_failed"
const ACTIVATED = "subscription.activated"
const TRIAL_STARTED = "subscription.trial_started"
const TRIAL_ENDED = "subscription.trial_ended"
const CANCELLED = "subscription.cancelled"
const UNCANCELLED = "subscription.uncancelled"
const EXPIRED = "subscription.expired"
const SKIPPED = "subscription.period_skipped"
const PLANS = "decisions: Plans"

export const subscriptionMachine = defineStateMachine({
  name: "subscription",
  initial: "PENDING",
  states: SUBSCRIPTION_STATES,
  triggers: SUBSCRIPTION_TRIGGERS,
  transitions: [
    { from: "PENDING", on: "start_trial", to: "TRIALING", emits: [TRIAL_STARTED], source: PLANS },
    { from: "PENDING", on: "pay_trial", to: "TRIALING", emits: [PAID, TRIAL_STARTED], source: PLANS },
    { from: "PENDING", on: "pay", to: "ACTIVE", emits: [PAID, ACTIVATED], source: PLANS },
    { from: "PENDING", on: "cancel", to: "CANCELLED", emits: [CANCELLED], source: PLANS },
    { from: "PENDING", on: "expire", to: "EXPIRED", emits: [EXPIRED], source: PLANS },

    { from: "TRIALING", on: "pay", to: "TRIALING", emits: [PAID], source: PLANS },
    { from: "TRIALING", on: "end_trial", to: "ACTIVE", emits: [TRIAL_ENDED, ACTIVATED], source: PLANS },
    { from: "TRIALING", on: "complete", to: "EXPIRED", emits: [TRIAL_ENDED, EXPIRED], source: "decisions" },
    { from: "TRIALING", on: "charged", to: "ACTIVE", emits: [TRIAL_ENDED, PAID, ACTIVATED], source: "3.1" },
    { from: "TRIALING", on: "charge_failed", to: "PAST_DUE", emits: [TRIAL_ENDED, FAILED], source: "3.1" },
    { from: "TRIALING", on: "skip", to: "ACTIVE", emits: [TRIAL_ENDED, SKIPPED, ACTIVATED], source: "decisions" },
    { from: "TRIALING", on: "cancel", to: "CANCELLED", emits: [CANCELLED], source: "3.1" },

    { from: "ACTIVE", on: "pay", to: "ACTIVE", emits: [PAID], source: PLANS },
    { from: "ACTIVE", on: "complete", to: "EXPIRED", emits: [EXPIRED], source: "decisions" },
    { from: "ACTIVE", on: "charged", to: "ACTIVE", emits: [PAID], source: "6.1" },
    { from: "ACTIVE", on: "charge_failed", to: "PAST_DUE", emits: [FAILED], source: "6.1" },
    { from: "ACTIVE", on: "skip", to: "ACTIVE", emits: [SKIPPED], source: "decisions" },
    { from: "ACTIVE", on: "pause", to: "PAUSED", emits: ["subscription.paused"], source: "3.1" },
    { from: "ACTIVE", on: "cancel", to: "CANCELLED", emits: [CANCELLED], source: "3.1" },

    { from: "PAST_DUE", on: "pay", to: "ACTIVE", emits: [PAID, ACTIVATED], source: PLANS },
    { from: "PAST_DUE", on: "charged", to: "ACTIVE", emits: [PAID, ACTIVATED], source: PLANS },
    { from: "PAST_DUE", on: "charge_failed", to: "PAST_DUE", emits: [FAILED], source: PLANS },
    { from: "PAST_DUE", on: "skip", to: "ACTIVE", emits: [SKIPPED, ACTIVATED], source: "decisions" },
    { from: "PAST_DUE", on: "give_up", to: "CANCELLED", emits: [FAILED, CANCELLED], source: PLANS },
    { from: "PAST_DUE", on: "cancel", to: "CANCELLED", emits: [CANCELLED], source: "3.1" },

    { from: "PAUSED", on: "resume", to: "ACTIVE", emits: ["subscription.resumed"], source: "3.1" },
    { from: "PAUSED", on: "pay", to: "ACTIVE", emits: [PAID, "subscription.resumed"], source: PLANS },
    { from: "PAUSED", on: "charged", to: "PAUSED", emits: [PAID], source: PLANS },
    { from: "PAUSED", on: "charge_failed", to: "PAUSED", emits: [FAILED], source: PLANS },
    { from: "PAUSED", on: "cancel", to: "CANCELLED", emits: [CANCELLED], source: "3.1" },

    { from: "CANCELLED", on: "pay", to: "CANCELLED", emits: [PAID], source: PLANS },
    { from: "CANCELLED", on: "charged", to: "CANCELLED", emits: [PAID], source: PLANS },
    { from: "CANCELLED", on: "charge_failed", to: "CANCELLED", emits: [], source: PLANS },
    { from: "CANCELLED", on: "uncancel", to: "ACTIVE", emits: [UNCANCELLED, ACTIVATED], source: "decisions" },
    { from: "CANCELLED", on: "uncancel_trial", to: "TRIALING", emits: [UNCANCELLED], source: "decisions" },
    { from: "CANCELLED", on: "uncancel_past_due", to: "PAST_DUE", emits: [UNCANCELLED], source: "decisions" },
    { from: "CANCELLED", on: "expire", to: "EXPIRED", emits: [EXPIRED], source: "3.1" },

    { from: "EXPIRED", on: "pay", to: "EXPIRED", emits: [PAID], source: PLANS },
    { from: "EXPIRED", on: "charged", to: "EXPIRED", emits: [PAID], source: PLANS },
    { from: "EXPIRED", on: "charge_failed", to: "EXPIRED", emits: [], source: PLANS },
  ],
})
