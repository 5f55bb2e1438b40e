import { z } from "@medusajs/framework/zod"
import { LINK_STATUSES } from "../../../../../modules/gateway/links/rules"
import { currencyCode, moment, money, oneOf, transactionId, words } from "../../../../v2-kit/openapi/fields"
import { named } from "../../../../v2-kit/openapi/named"

export const paymentLink = named("PaymentLink", () =>
  z.object({
    link_id: words("The link."),
    url: z.url().describe("Its page. Whoever has this address can see it and pay."),
    status: oneOf(LINK_STATUSES, "Only an `open` link can be paid."),
    amount: money("What is asked for."),
    currency: currencyCode(),
    description: words("What it is for; the payer reads it."),
    customer: z
      .object({ name: words("Name."), email: words("E-mail address."), phone: words("Phone number.") })
      .nullable()
      .describe("Who is asked to pay; null: the page asks."),
    transaction_id: transactionId("The payment that has paid it; null until then.").nullable(),
    expires_at: moment("When it ends; null: never.").nullable(),
    paid_at: moment("When it was paid.").nullable(),
    disabled_at: moment("When it was disabled.").nullable(),
    created_at: moment("When it was made."),
  })
)
