import { operation } from "../../../../../../v2-kit/operation"
import { repeatable } from "../../../../../../v2-kit/idempotency"
import { EXAMPLE, REFUSED, presentSubscription, subscription } from "../../resource"
import { cancelSchema, readCancellation } from "./resource"
import { bare } from "../../../../../../v2-kit/answers"

/** Cancels now, or at the end of the paid period (contract 4.6). */
export const POST = operation({
  id: "cancelSubscription",
  tag: "Subscriptions",
  summary: "Cancel a subscription",
  description:
    "At once, or when the paid period ends; until then it can be undone. A charge in progress is waited for: afterwards nothing is charged.",
  scope: "subscriptions:write",
  service: "subscriptions",
  body: {
    name: "Cancellation",
    schema: cancelSchema,
    notes: {
      cancellation_reason: "Why; it is kept and shown.",
      cancellation_note: "What the customer adds in their own words.",
      cancel_at_period_end: "`true`: it may be used until the paid period ends. Otherwise it ends at once.",
    },
    example: { cancel_at_period_end: true, cancellation_reason: "Moves abroad" },
    optional: true,
  },
  answer: bare({
    data: subscription,
    description: "The cancelled subscription.",
    example: {
      ...EXAMPLE,
      status: "CANCELLED",
      next_billing_date: null,
      cancel_at_period_end: true,
      cancelled_at: "2027-03-10T09:00:00.000Z",
      cancellation_reason: "Moves abroad",
    },
  }),
  codes: REFUSED,
  run: async (context) => {
    const { gateway, caller, params, body } = context
    const row = await gateway.subscriptions.cancel(repeatable(context), params.subscription_id, readCancellation(body))
    return presentSubscription(row, caller)
  },
})
