import { z } from "@medusajs/framework/zod"
import { formatAmount } from "../../../../../../../modules/gateway/kernel/money/money"
import { BILLING_RECORD_STATES } from "../../../../../../../modules/gateway/subscriptions/billing/states"
import type { BillingRecord, SubscriptionRow } from "../../../../../../../modules/gateway/subscriptions/records"
import { listed } from "../../../../../../v2-kit/answers"
import { operation } from "../../../../../../v2-kit/operation"
import { currencyCode, moment, money, oneOf, uuid, whole, words } from "../../../../../../v2-kit/openapi/fields"
import { named } from "../../../../../../v2-kit/openapi/named"
import { readPage } from "../../../../../../v2-kit/lists"

const billingRecord = named("BillingRecord", () =>
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

/** Contract 2.11. A period without any payment attempt has empty ids. */
function presentBillingRecord(record: BillingRecord, row: SubscriptionRow) {
  return {
    id: record.number,
    uuid: record.uuid,
    subscription_id: row.number,
    billing_date: record.billing_date.toISOString(),
    amount: formatAmount(record.amount_minor),
    currency: record.currency,
    status: record.status,
    payment_session_id: record.session_id ?? "",
    transaction_id: record.transaction_id ?? "",
    created_at: record.opened_at.toISOString(),
  }
}

export const GET = operation({
  id: "listBillingHistory",
  tag: "Subscriptions",
  summary: "List the periods of a subscription",
  description: "The latest first. The transaction of each charge can be verified and refunded like any other.",
  scope: "subscriptions:read",
  service: "subscriptions",
  query: { paging: "per_page" },
  answer: listed({
    message: "Billing history",
    item: billingRecord,
    description: "A page of periods.",
    example: {
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
  }),
  codes: ["SUBSCRIPTION_NOT_FOUND"],
  run: async ({ gateway, caller, params, query }) => {
    const page = readPage(query)
    const { row, records, total } = await gateway.subscriptionTimelines.billingHistory(
      caller,
      params.subscription_id,
      page
    )
    return { rows: records.map((record) => presentBillingRecord(record, row)), total, page }
  },
})
