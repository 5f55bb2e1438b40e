import { z } from "@medusajs/framework/zod"
import { formatAmount } from "../../../../modules/gateway/kernel/money/money"
import type { ListedPayment, PaymentFilter } from "../../../../modules/gateway/payments/list"
import { publicStatus } from "../../../../modules/gateway/payments/states"
import type { JsonObject } from "../../../v2-kit/body"
import { currencyCode, moment, money, oneOf, transactionId, words } from "../../../v2-kit/openapi/fields"
import { named } from "../../../v2-kit/openapi/named"
import { type Page, readList } from "../../../v2-kit/lists"
import { instant, rule, text } from "../../../v2-kit/validate"
import { STATUSES } from "./checkout/resource"

export const payment = named("Payment", () =>
  z.object({
    transaction_id: transactionId("The transaction."),
    order_id: words("Your own id of the order."),
    order_number: words(
      "The number that the customer reads: the shop's own where there is one, otherwise the order_id."
    ),
    status: oneOf(STATUSES, "How it ended; `PENDING` while it can still be paid."),
    amount: money("The amount of the order."),
    charge_amount: money("The processing fee."),
    refunded_amount: money("What of it is refunded or on its way back; a `pending` refund is not."),
    currency: currencyCode(),
    payment_method: words("The payment service that was used or tried last; empty if none was."),
    error_code: z.string().nullable().describe("Why it failed; null when it did not."),
    customer: z
      .object({ name: words("Name, as sent."), email: words("E-mail address, as sent.") })
      .describe("Who pays."),
    created_at: moment("When the checkout was made."),
    finished_at: moment("When it ended; null until then.").nullable(),
  })
)

export const filterSchema = z.object({
  status: z.enum(STATUSES, rule("one_of", { values: STATUSES.join(", ") })).optional(),
  /** Finds what the admin's search of payments finds: an id, the beginning of an order_id, a name, an amount. */
  q: text(200).optional(),
  from: instant.optional(),
  to: instant.optional(),
})

export function readPaymentList(query: JsonObject): { filter: PaymentFilter; page: Page } {
  const { filter, page } = readList(query, filterSchema)
  const { status, q, from, to } = filter
  const order = { by: "created_at", descending: true } as const
  return { filter: { status: status === undefined ? undefined : [status], q, from, to, order }, page }
}

/** A line of the list: `status` is what verification answers at `now`, on the merchant's clock. */
export function presentPayment(row: ListedPayment, now: Date) {
  return {
    transaction_id: row.transaction_id,
    order_id: row.order_id,
    order_number: row.order_number,
    status: publicStatus(row.state, row.expires_at, now),
    amount: formatAmount(row.amount_minor),
    charge_amount: formatAmount(row.state === "AUTHORIZED" ? 0 : row.charge_minor),
    refunded_amount: formatAmount(row.refunded_minor - row.waiting_minor),
    currency: row.currency,
    payment_method: row.payment_service ?? "",
    error_code: row.error_code,
    customer: { name: row.customer_name, email: row.customer_email },
    created_at: row.created_at.toISOString(),
    finished_at: row.finished_at?.toISOString() ?? null,
  }
}
