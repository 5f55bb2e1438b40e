import { z } from "@medusajs/framework/zod"
import { INVOICE_STATES } from "../../../../../modules/gateway/invoices/states"
import { currencyCode, moment, oneOf, uuid, whole, words } from "../../../../v2-kit/openapi/fields"
import { named } from "../../../../v2-kit/openapi/named"

export const invoice = named("Invoice", () =>
  z.object({
    invoice_id: z
      .string()
      .regex(/^INV-[0-9]{6,10}$/)
      .describe("The invoice. The numbers of a merchant have no gaps."),
    uuid: uuid("The same invoice by its uuid."),
    business_name: words("Who asks for the money."),
    invoice_type: words("What it is for, as in `SUBSCRIPTION`."),
    due_date: moment("When it is due."),
    payable_amount: z.number().describe("What is due, as a number with two decimals at most."),
    invoice_status: oneOf(INVOICE_STATES, "Whether it is paid."),
    currency: currencyCode(),
    subscription_id: whole("The subscription."),
    subscription_uuid: uuid("The same subscription by its uuid."),
    customer_id: whole("Who is asked to pay."),
    period_start: moment("When the period begins."),
    period_end: moment("When the period ends."),
    payment_url: z
      .url()
      .nullable()
      .describe(
        "Its page, where anybody with this address can pay it. Null in events of a deployment without an address."
      ),
    paid_at: moment("When it was paid.").nullable(),
    voided_at: moment("When it became void.").nullable(),
    created_at: moment("When it was made."),
  })
)
