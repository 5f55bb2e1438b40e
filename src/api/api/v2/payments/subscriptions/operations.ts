import type { ErrorCode } from "../../../../../modules/gateway/kernel/errors"
import { listOf } from "../../../../v2-kit/openapi/fields"
import type { Documented } from "../../../../v2-kit/openapi/operation"
import { OPEN_SESSION } from "../checkout/answers"
import { invoice } from "../invoices/answers"
import { EXAMPLE_INVOICE } from "../invoices/example"
import { billingRecord, subscription, subscriptionLine } from "./answers"
import { cancelSchema, changeSchema, checkoutSchema, filterSchema, subscriptionSchema } from "./schemas"

const tag = "Subscriptions"
const PATH = "/payments/subscriptions/{subscription_id}"

const LINE = {
  id: 1001,
  uuid: "7b0c2c1e-6f3a-4f58-9a55-0d2f6c8e9b11",
  merchant_id: 1,
  customer_id: 1001,
  status: "ACTIVE",
  amount: "1250.50",
  currency: "BDT",
  next_billing_date: "2027-04-01T10:00:00.000Z",
  billing_cycle_count: 1,
  created_at: "2027-03-01T10:00:00.000Z",
}
const EXAMPLE = {
  ...LINE,
  subscription_plan_id: 1001,
  interval_count: 1,
  interval_unit: "MONTH",
  trial_end_date: null,
  failed_payment_count: 0,
  current_period_start: "2027-03-01T10:00:00.000Z",
  current_period_end: "2027-04-01T10:00:00.000Z",
  cancel_at_period_end: false,
  cancelled_at: null,
  cancellation_reason: null,
  meta_data: {},
  customer: { id: 1001, name: "Rahima Khatun", email: "rahima@example.com", phone: "+8801712345678" },
}
const CREATED = {
  ...EXAMPLE,
  status: "PENDING",
  next_billing_date: null,
  billing_cycle_count: 0,
  current_period_start: null,
  current_period_end: null,
}

const TERMS = {
  amount: "What a period costs: 10.00 to 500000.00.",
  interval_count: "How many units a period has.",
  interval_unit: "The unit.",
  meta_data: "Anything of yours, up to 16 KiB of JSON; it replaces what was there.",
}
const AMOUNT: readonly ErrorCode[] = ["AMOUNT_TOO_LOW", "AMOUNT_TOO_HIGH"]
const REFUSED: readonly ErrorCode[] = ["SUBSCRIPTION_NOT_FOUND", "INVALID_STATE_TRANSITION"]

const CREATING: readonly Documented[] = [
  {
    method: "POST",
    path: "/payments/subscriptions",
    id: "createSubscription",
    tag,
    summary: "Create a subscription",
    description: [
      "Of a plan, or on terms of its own: then amount and interval are required. Without a trial, and with a paid one, it",
      "waits as `PENDING` for its first payment: make a checkout for it. A free trial begins at once.",
    ].join(" "),
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
        trial_period_days: "How long it is tried before it is charged; 0: no trial, whatever the plan says.",
      },
      example: {
        subscription_plan_id: 1001,
        customer: { name: "Rahima Khatun", email: "rahima@example.com", phone: "+8801712345678" },
      },
    },
    answer: { status: 201, description: "The new subscription.", schema: subscription, example: CREATED },
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
  },
  {
    method: "POST",
    path: `${PATH}/checkout`,
    id: "createSubscriptionCheckout",
    tag,
    summary: "Create a checkout for a subscription",
    description: [
      "For the period that is open: the first one, the one whose charge failed, or the next one in advance. What pays it is",
      "charged from then on. Without URLs the merchant's settings apply.",
    ].join(" "),
    body: {
      name: "SubscriptionCheckout",
      schema: checkoutSchema,
      notes: {
        success_url: { format: "uri", maxLength: 255, description: "Where the customer goes after paying." },
        cancel_url: { format: "uri", maxLength: 255, description: "Where the customer goes after cancelling." },
        fail_url: { format: "uri", maxLength: 255, description: "Where the customer goes when the payment failed." },
        ipn_url: { format: "uri", maxLength: 2048, description: "Where the gateway reports the outcome." },
        metadata: "Anything of yours about the payment, up to 16 KiB of JSON.",
      },
      example: { success_url: "https://shop.example.com/paid", fail_url: "https://shop.example.com/failed" },
    },
    answer: OPEN_SESSION,
    codes: [...REFUSED, "INVALID_CALLBACK_URL"],
  },
  {
    method: "POST",
    path: `${PATH}/generate-invoice`,
    id: "generateInvoice",
    tag,
    summary: "Create the invoice of the open period",
    description: "A period has one open invoice: asked again, that one answers. The customer gets it by e-mail.",
    answer: { description: "The invoice.", schema: invoice, example: EXAMPLE_INVOICE },
    codes: REFUSED,
  },
]

const READING: readonly Documented[] = [
  {
    method: "GET",
    path: "/payments/subscriptions",
    id: "listSubscriptions",
    tag,
    summary: "List subscriptions",
    description: "Newest first.",
    query: {
      schema: filterSchema,
      notes: { customer_id: "Only those of this customer.", subscription_status: "Only those of this status." },
      paging: "per_page",
    },
    answer: {
      description: "A page of subscriptions.",
      schema: () => listOf(subscriptionLine()),
      example: { success: true, message: "Subscriptions", data: [LINE], meta: { total: 1, page: 1, per_page: 20 } },
    },
  },
  {
    method: "GET",
    path: PATH,
    id: "getSubscription",
    tag,
    summary: "Get a subscription",
    answer: { description: "The subscription as it is now.", schema: subscription, example: EXAMPLE },
    codes: ["SUBSCRIPTION_NOT_FOUND"],
  },
  {
    method: "GET",
    path: `${PATH}/billing-history`,
    id: "listBillingHistory",
    tag,
    summary: "List the periods of a subscription",
    description: "The latest first. The transaction of each charge can be verified and refunded like any other.",
    query: { paging: "per_page" },
    answer: {
      description: "A page of periods.",
      schema: () => listOf(billingRecord()),
      example: {
        success: true,
        message: "Billing history",
        data: [
          {
            id: 1001,
            uuid: "0f8d4c1a-2b3c-4d5e-8f90-1a2b3c4d5e6f",
            subscription_id: 1001,
            billing_date: "2027-03-01T10:00:00.000Z",
            amount: "1250.50",
            currency: "BDT",
            status: "SUCCESS",
            payment_session_id: "ses_Q2hlY2tvdXRTZXNzaW9uRXhhbXBsZTAx",
            transaction_id: "txn0123456789abcdef0123456789abcdef",
            created_at: "2027-03-01T10:00:00.000Z",
          },
        ],
        meta: { total: 1, page: 1, per_page: 20 },
      },
    },
    codes: ["SUBSCRIPTION_NOT_FOUND"],
  },
]

const CHANGING: readonly Documented[] = [
  {
    method: "PATCH",
    path: PATH,
    id: "updateSubscription",
    tag,
    summary: "Change a subscription",
    description: "From the next period on. What is paid, and what has failed, keeps its amount and dates.",
    body: { name: "SubscriptionChange", schema: changeSchema, notes: TERMS, example: { amount: "1400.00" } },
    answer: {
      description: "The changed subscription.",
      schema: subscription,
      example: { ...EXAMPLE, amount: "1400.00" },
    },
    codes: [...REFUSED, ...AMOUNT],
  },
  {
    method: "POST",
    path: `${PATH}/pause`,
    id: "pauseSubscription",
    tag,
    summary: "Pause a subscription",
    description: "Only while it is `ACTIVE`. Nothing is charged until it is resumed.",
    answer: {
      description: "The paused subscription.",
      schema: subscription,
      example: { ...EXAMPLE, status: "PAUSED" },
    },
    codes: REFUSED,
  },
  {
    method: "POST",
    path: `${PATH}/resume`,
    id: "resumeSubscription",
    tag,
    summary: "Resume a paused subscription",
    description: "The days that were paid for and not used come after the pause.",
    answer: { description: "The active subscription.", schema: subscription, example: EXAMPLE },
    codes: REFUSED,
  },
  {
    method: "POST",
    path: `${PATH}/cancel`,
    id: "cancelSubscription",
    tag,
    summary: "Cancel a subscription",
    description:
      "At once, or when the paid period ends. A charge in progress is waited for: afterwards nothing is charged.",
    body: {
      name: "Cancellation",
      schema: cancelSchema,
      notes: {
        cancellation_reason: "Why; it is kept and shown.",
        cancel_at_period_end: "`true`: it may be used until the paid period ends. Otherwise it ends at once.",
      },
      example: { cancel_at_period_end: true, cancellation_reason: "Moves abroad" },
    },
    answer: {
      description: "The cancelled subscription.",
      schema: subscription,
      example: {
        ...EXAMPLE,
        status: "CANCELLED",
        next_billing_date: null,
        cancel_at_period_end: true,
        cancelled_at: "2027-03-10T09:00:00.000Z",
        cancellation_reason: "Moves abroad",
      },
    },
    codes: REFUSED,
  },
]

export const operations: readonly Documented[] = [...CREATING, ...READING, ...CHANGING]
