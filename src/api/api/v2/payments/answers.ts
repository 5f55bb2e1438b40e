import { z } from "@medusajs/framework/zod"
import { currencyCode, moment, money, oneOf, transactionId, words } from "../../../v2-kit/openapi/fields"
import { named } from "../../../v2-kit/openapi/named"
import { STATUSES } from "./checkout/answers"

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
    refunded_amount: money("What of it has been refunded."),
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
