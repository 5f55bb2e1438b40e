import { z } from "@medusajs/framework/zod"
import { SUBSCRIPTION_STATES, type SubscriptionState } from "../../../../../modules/gateway/subscriptions/states"
import type { JsonObject } from "../../../../v2-kit/body"
import { described } from "../../../../v2-kit/described"
import { type Page, readList } from "../../../../v2-kit/lists"
import { rule } from "../../../../v2-kit/validate"
import { operation } from "../../../../v2-kit/operation"
import {
  AMOUNT,
  EXAMPLE,
  LINE,
  presentSubscription,
  presentSubscriptionLine,
  readSubscription,
  subscription,
  subscriptionLine,
  subscriptionSchema,
} from "./resource"
import { TERMS } from "./terms"
import { bare, listed } from "../../../../v2-kit/answers"

const filterSchema = z.object({
  customer_id: z
    .string(rule("whole_number"))
    .regex(/^[1-9][0-9]{0,9}$/, rule("whole_number"))
    .transform(described((digits: string) => Number(digits), { type: "integer", minimum: 1, maximum: 2_147_483_647 }))
    .refine((value) => value <= 2_147_483_647, rule("id"))
    .optional(),
  subscription_status: z
    .enum(SUBSCRIPTION_STATES, rule("one_of", { values: SUBSCRIPTION_STATES.join(", ") }))
    .optional(),
})

function readSubscriptionList(query: JsonObject): {
  filter: { customer_id?: number; status?: SubscriptionState }
  page: Page
} {
  const { filter, page } = readList(query, filterSchema)
  return { filter: { customer_id: filter.customer_id, status: filter.subscription_status }, page }
}

const CREATED = {
  ...EXAMPLE,
  status: "PENDING",
  next_billing_date: null,
  billing_cycle_count: 0,
  current_period_start: null,
  current_period_end: null,
}

/** Creates a subscription (contract 4.6). */
export const POST = operation({
  id: "createSubscription",
  tag: "Subscriptions",
  summary: "Create a subscription",
  description: [
    "Of a plan, or on terms of its own: then amount and interval are required. Without a trial, and with a paid one, it",
    "waits as `PENDING` for its first payment: make a checkout for it. A free trial begins at once.",
  ].join(" "),
  scope: "subscriptions:write",
  service: "subscriptions",
  body: {
    name: "NewSubscription",
    schema: subscriptionSchema,
    notes: {
      ...TERMS,
      subscription_plan_id: "The `id` of the plan. What else you send replaces the plan's own terms.",
      customer_id: "A customer that exists already. It comes before `customer`; one of the two is required.",
      customer: "Who subscribes: the customer with this e-mail address, or a new one.",
      "customer.name": "Name.",
      "customer.email": "E-mail address; invoices go here.",
      "customer.phone": "Phone number.",
      currency: "BDT, which it also is when omitted.",
      quantity: `${TERMS.quantity} A plan's amount is the price of one.`,
      trial_period_days:
        "How long it is tried before it is charged; 0: no trial, whatever the plan says. Days named here are given also to a customer who had the trial.",
    },
    example: {
      subscription_plan_id: 1001,
      customer: { name: "Rahima Khatun", email: "rahima@example.com", phone: "+8801712345678" },
    },
  },
  answer: bare({ data: subscription, status: 201, description: "The new subscription.", example: CREATED }),
  codes: [
    ...AMOUNT,
    "INVALID_CURRENCY",
    "INVALID_EMAIL",
    "INVALID_PHONE",
    "MISSING_REQUIRED_FIELD",
    "PLAN_NOT_FOUND",
    "PLAN_INACTIVE",
    "CUSTOMER_NOT_FOUND",
  ],
  run: async ({ gateway, caller, body, claim }) => {
    const row = await gateway.subscriptions.create(caller, readSubscription(body, caller.shop_modules), claim?.id)
    return presentSubscription(row, caller)
  },
})

export const GET = operation({
  id: "listSubscriptions",
  tag: "Subscriptions",
  summary: "List subscriptions",
  description: "Newest first.",
  scope: "subscriptions:read",
  service: "subscriptions",
  query: {
    schema: filterSchema,
    notes: { customer_id: "Only those of this customer.", subscription_status: "Only those of this status." },
    paging: "per_page",
  },
  answer: listed({
    message: "Subscriptions",
    item: subscriptionLine,
    description: "A page of subscriptions.",
    example: LINE,
  }),
  run: async ({ gateway, caller, query }) => {
    const { filter, page } = readSubscriptionList(query)
    const { rows, total } = await gateway.subscriptions.list(caller, filter, page)
    return { rows: rows.map((row) => presentSubscriptionLine(row, caller)), total, page }
  },
})
