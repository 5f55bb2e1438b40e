import { z } from "@medusajs/framework/zod"
import { INTERVAL_UNITS } from "../../../../../modules/gateway/kernel/calendar"
import { BILLING_RECORD_STATES } from "../../../../../modules/gateway/subscriptions/billing/states"
import { SUBSCRIPTION_STATES } from "../../../../../modules/gateway/subscriptions/states"
import {
  anyObject,
  currencyCode,
  moment,
  money,
  oneOf,
  truth,
  uuid,
  whole,
  words,
} from "../../../../v2-kit/openapi/fields"
import { named } from "../../../../v2-kit/openapi/named"

const lineMembers = () => ({
  id: whole("The subscription."),
  uuid: uuid("The same subscription by its uuid."),
  merchant_id: whole("Your merchant number."),
  customer_id: whole("Who subscribes."),
  status: oneOf(SUBSCRIPTION_STATES, "Its state. Deliver while it is `TRIALING` or `ACTIVE`."),
  amount: money("What a period costs."),
  currency: currencyCode(),
  next_billing_date: moment("When it is charged next; null when it is not.").nullable(),
  billing_cycle_count: whole("How many periods are paid."),
  created_at: moment("When it was made."),
})

export const subscriptionLine = named("SubscriptionSummary", () =>
  z.object(lineMembers()).describe("A subscription as lists show it.")
)

export const subscription = named("Subscription", () =>
  z.object({
    ...lineMembers(),
    subscription_plan_id: z.int().nullable().describe("Its plan; null: it has terms of its own."),
    interval_count: whole("How many units a period has."),
    interval_unit: oneOf(INTERVAL_UNITS, "The unit."),
    trial_end_date: moment("When the trial ends or ended; null: there was none.").nullable(),
    failed_payment_count: whole("How often the charge of the open period has failed."),
    current_period_start: moment("When the paid period began.").nullable(),
    current_period_end: moment("When the paid period ends.").nullable(),
    cancel_at_period_end: truth("Whether it is cancelled and may be used until the paid period ends."),
    cancelled_at: moment("When it was cancelled.").nullable(),
    cancellation_reason: z.string().nullable().describe("Why, as it was given."),
    meta_data: anyObject("Anything of yours."),
    customer: z
      .object({
        id: whole("The customer."),
        name: words("Name."),
        email: words("E-mail address; invoices go here."),
        phone: words("Phone number; empty without any."),
      })
      .describe("Who subscribes."),
  })
)

export const billingRecord = named("BillingRecord", () =>
  z.object({
    id: whole("The period's record."),
    uuid: uuid("The same record by its uuid."),
    subscription_id: whole("The subscription."),
    billing_date: moment("When the period was or is due."),
    amount: money("What it costs."),
    currency: currencyCode(),
    status: oneOf(BILLING_RECORD_STATES, "Whether it is paid."),
    payment_session_id: words("The checkout session that paid or last tried to; empty if there is none."),
    transaction_id: words("The transaction that paid or last tried to; empty if there is none."),
    created_at: moment("When it was recorded."),
  })
)
