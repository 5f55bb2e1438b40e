import { LIMITS } from "../../../modules/gateway/kernel/limits"
import type { Json } from "./schemas"

const wholeNumber = { type: "integer", minimum: 0 }

export const HEADERS: Json = {
  "X-Request-Id": {
    description: "The id of this request: the one that you sent, or a new one. Quote it when you ask for help.",
    required: true,
    schema: { type: "string" },
    example: "4d1c6f0e-2f7b-4b0e-9d57-3a9b5b1c7e21",
  },
  "X-RateLimit-Limit": {
    description:
      "How many requests the key has per window. This header and the next two are absent when no limit applies.",
    schema: wholeNumber,
    example: LIMITS.rateLimitRequests,
  },
  "X-RateLimit-Remaining": { description: "How many of them are left.", schema: wholeNumber, example: 599 },
  "X-RateLimit-Reset": {
    description: "When the window ends and the count begins again, in seconds since 1970.",
    schema: wholeNumber,
    example: 1_900_000_000,
  },
  "Retry-After": {
    description: "How many seconds to wait before the next request.",
    required: true,
    schema: wholeNumber,
    example: 17,
  },
  Allow: {
    description: "The methods that this path has.",
    required: true,
    schema: { type: "string" },
    example: "GET, HEAD",
  },
  "Idempotent-Replayed": {
    description: "`true`: the stored answer to an earlier request with the same Idempotency-Key. Absent otherwise.",
    schema: { type: "string", enum: ["true"] },
  },
  "Content-Disposition": {
    description: "The name under which to save the file.",
    required: true,
    schema: { type: "string" },
    example: 'attachment; filename="INV-000001.pdf"',
  },
  ETag: {
    description: "Changes when the document does. Send it as If-None-Match.",
    required: true,
    schema: { type: "string" },
  },
}

const pageSize = { type: "integer", minimum: 1, maximum: LIMITS.pageSizeMax, default: LIMITS.pageSizeDefault }

export const PARAMETERS = {
  IdempotencyKey: {
    name: "Idempotency-Key",
    in: "header",
    description: [
      "Makes a repeated request safe: choose a new value for each thing that you want done, and send the same one when you",
      "try again. The first answer comes back for 24 hours. With other content the answer is `409` while the first request",
      "runs, and `422` afterwards.",
    ].join(" "),
    schema: { type: "string", minLength: 1, maxLength: LIMITS.idempotencyKeyMaxChars },
    example: "order-1001-checkout",
  },
  RequestId: {
    name: "X-Request-Id",
    in: "header",
    description: "An id of your own for this request. Any other value is replaced by a new id.",
    schema: { type: "string", pattern: "^[A-Za-z0-9._-]{8,64}$" },
  },
  Page: {
    name: "page",
    in: "query",
    description: "Which page of the list, from 1.",
    schema: { type: "integer", minimum: 1, maximum: 1_000_000, default: 1 },
  },
  PerPage: { name: "per_page", in: "query", description: "The most that a page holds.", schema: pageSize },
  Limit: { name: "limit", in: "query", description: "The most that a page holds.", schema: pageSize },
} as const

/** What each name in a path stands for. */
export const PATH_PARAMETERS: Readonly<Record<string, { description: string; example: string }>> = {
  session_id: { description: "The checkout session.", example: "ses_Q2hlY2tvdXRTZXNzaW9uRXhhbXBsZTAx" },
  transaction_id: {
    description: "The transaction_id of the checkout, which begins with `txn`. Your own order_id finds nothing here.",
    example: "txn0123456789abcdef0123456789abcdef",
  },
  link_id: { description: "The payment link.", example: "lnk_0193a5f0c2d4000001a1b2c3d4e5" },
  dispute_id: { description: "The dispute.", example: "dsp_0193a5f0c2d4000001a1b2c3d4e5" },
  plan_id: { description: "The plan, by its `id` or its `uuid`.", example: "1001" },
  refund_id: { description: "The refund.", example: "rfd_0193a5f0c2d4000001a1b2c3d4e5" },
  batch_id: { description: "The batch of refunds.", example: "rfb_0193a5f0c2d4000001a1b2c3d4e5" },
  subscription_id: {
    description: "The subscription, by its `uuid` or its `id`.",
    example: "7b0c2c1e-6f3a-4f58-9a55-0d2f6c8e9b11",
  },
  customer_id: { description: "The customer, by its `id` or its `uuid`.", example: "1001" },
  event_id: { description: "The event.", example: "a695655c-7203-4d78-b5cd-f5d3dfc8fc26" },
}

/** Bodies of deliveries are signed; these headers carry the signatures. */
export const SIGNATURE_HEADERS = [
  {
    name: "x-webhook-signature",
    in: "header",
    required: true,
    description: [
      "HMAC-SHA256 of the body's exact bytes in lowercase hexadecimal, keyed with the whole secret including `whsec_`.",
      "Begins with `sha256=` when the endpoint's signature_format is `prefixed`.",
    ].join(" "),
    schema: { type: "string", pattern: "^(sha256=)?[0-9a-f]{64}$" },
  },
  {
    name: "webhook-id",
    in: "header",
    required: true,
    description: "The event's id. The same event may be delivered more than once: process each id once.",
    schema: { type: "string" },
  },
  {
    name: "webhook-timestamp",
    in: "header",
    required: true,
    description: "When this request was signed, in seconds since 1970. Refuse what is more than five minutes off.",
    schema: { type: "string", pattern: "^[0-9]+$" },
  },
  {
    name: "webhook-signature",
    in: "header",
    required: true,
    description: [
      "The Standard Webhooks signature: `v1,` and the base64 HMAC-SHA256 of `id.timestamp.body`, keyed with the decoded",
      "part of the secret after `whsec_`. After a rotation there are two, separated by a space.",
    ].join(" "),
    schema: { type: "string" },
  },
]

/** What the operations are about, in the order in which an integrator meets them. */
export const TAGS = [
  { name: "Checkout", description: "Orders, and the page on which they are paid." },
  { name: "Verification", description: "Whether an order is paid." },
  { name: "Captures", description: "Taking, or letting go of, money that was only authorised." },
  { name: "Payments", description: "All payments, whatever became of them." },
  { name: "Refunds", description: "Money back, one payment at a time or many." },
  { name: "Payment links", description: "Payments without a shop." },
  { name: "Instalments", description: "EMI: paying an order in monthly parts, by card." },
  { name: "Plans", description: "What can be subscribed to." },
  { name: "Subscriptions", description: "Customers who are charged again and again." },
  { name: "Customers", description: "Who subscribes." },
  { name: "Customer portal", description: "Pages on which customers manage their subscriptions." },
  { name: "Invoices", description: "What is asked for a period of a subscription." },
  { name: "Balance", description: "What the merchant has, from the ledger." },
  { name: "Disputes", description: "Payments that payers ask their banks to take back." },
  { name: "Webhooks", description: "Where events are delivered, and what became of each delivery." },
  { name: "Events", description: "Everything that has happened." },
  { name: "Sandbox", description: "For tests: paying without a page, and moving time." },
  { name: "This document", description: "The API describes itself." },
] as const

export type Tag = (typeof TAGS)[number]["name"]
