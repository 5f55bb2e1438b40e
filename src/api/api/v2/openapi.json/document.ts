import { openApiDocument } from "../../../v2-kit/openapi/document"
import type { Documented } from "../../../v2-kit/openapi/operation"
import type { Json } from "../../../v2-kit/openapi/schemas"
import { documentedEvents, operations as events } from "../events/operations"
import { operations as ipnSecret } from "../merchants/ipn-secret/operations"
import { operations as endpoints } from "../merchants/webhooks/operations"
import { operations as balance } from "../payments/balance/operations"
import { operations as checkout } from "../payments/checkout/operations"
import { operations as customers } from "../payments/customers/operations"
import { operations as disputes } from "../payments/disputes/operations"
import { operations as emiAmounts } from "../payments/emi-amounts/operations"
import { operations as emiOptions } from "../payments/emi-options/operations"
import { operations as invoices } from "../payments/invoices/operations"
import { operations as links } from "../payments/links/operations"
import { operations as portal } from "../payments/portal-sessions/operations"
import { operations as refund } from "../payments/refund/operations"
import { operations as refunds } from "../payments/refunds/operations"
import { operations as payments } from "../payments/operations"
import { operations as plans } from "../payments/subscription-plans/operations"
import { operations as subscriptions } from "../payments/subscriptions/operations"
import { operations as verify } from "../payments/verify/[transaction_id]/operations"
import { operations as sandbox } from "../sandbox/operations"
import { operations as deliveries } from "../webhooks/deliveries/operations"
import { operations as own } from "./operations"

/** In the order in which an integrator meets them. */
const OPERATIONS: readonly Documented[] = [
  ...checkout,
  ...verify,
  ...payments,
  ...refund,
  ...refunds,
  ...links,
  ...emiOptions,
  ...emiAmounts,
  ...plans,
  ...subscriptions,
  ...customers,
  ...portal,
  ...invoices,
  ...balance,
  ...disputes,
  ...endpoints,
  ...ipnSecret,
  ...deliveries,
  ...events,
  ...sandbox,
  ...own,
]

const DESCRIPTION = `
Take payments, bill on a schedule, and give money back. Every operation is for servers: keep the key out of browsers and apps.

**Requests.** Bodies are JSON with \`Content-Type: application/json\`. An optional member may be left out, \`null\` or, for text, empty: all mean the same. Where an object may be empty, \`[]\` is taken for it. Members that are not documented are ignored. Amounts may be text or numbers.

**Answers.** Times are ISO 8601 in UTC. Amounts are text, so that no digit is lost. A client should ignore members that it does not know: new ones may come without notice.

**Errors.** The HTTP status, and \`error.code\` for programs. When one member is wrong, the code is that member's; when several are, it is \`VALIDATION_ERROR\`, and \`error.details\` names them: the first 20, with the number of the others in \`error.details_omitted\`. A list that is too long is refused before its entries are looked at. Plans and subscriptions answer the same in two shapes at once.

**Repeating a request.** Send an \`Idempotency-Key\` with POST and PATCH, and the same one again after a time-out or an answer of 500 and above: what was done once is not done twice.

**Limits.** \`X-RateLimit-*\` headers count down. Beyond the limit the answer is 429, with the seconds to wait in \`Retry-After\`.

**Versions.** The version is part of the base URL. Within a version, changes only add.
`.trim()

const TAGS = [
  { name: "Checkout", description: "Orders, and the page on which they are paid." },
  { name: "Verification", description: "Whether an order is paid." },
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
]

let made: Promise<Json> | undefined

/** The document of `/api/v2`, made once. Whoever serves it puts in the servers. */
export function document(): Promise<Json> {
  made ??= openApiDocument({
    info: {
      title: "Payment gateway",
      version: "2.0.0",
      summary: "Hosted checkout, verification, refunds, subscriptions and webhooks.",
      description: DESCRIPTION,
      license: { name: "MIT", identifier: "MIT" },
    },
    tags: TAGS,
    operations: OPERATIONS,
    events: documentedEvents(),
  })
  return made
}
