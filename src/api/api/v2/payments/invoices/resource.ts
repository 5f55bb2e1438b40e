import { z } from "@medusajs/framework/zod"
import { LANGUAGES, type Language } from "../../../../../i18n/languages"
import { INVOICE_LINE_KINDS } from "../../../../../modules/gateway/subscriptions/invoice-line-rules"
import { INVOICE_STATES } from "../../../../../modules/gateway/invoices/states"
import type { JsonObject } from "../../../../v2-kit/body"
import {
  arrayOf,
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
import { parse, rule, text, withoutAbsent } from "../../../../v2-kit/validate"

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
    payable_amount: z.number().describe("What is due, or was paid, as a number with two decimals at most."),
    invoice_status: oneOf(INVOICE_STATES, "Whether it is paid."),
    currency: currencyCode(),
    lines: arrayOf(
      z.object({
        type: oneOf(
          INVOICE_LINE_KINDS,
          "What it is of: the plan, other goods of the same cart, their delivery, a credit of the shop, or what an earlier period left over."
        ),
        description: words("The plan, the goods or the way of delivery; null where there is no name.").nullable(),
        quantity: whole("How many pieces."),
        unit_amount: money("Of a whole period of a plan: what one of several costs; absent elsewhere.").optional(),
        amount: money("With tax, after the discount. Negative where an adjustment or a credit takes something off."),
        discount_amount: money("What was taken off already."),
        tax_amount: money("The tax that the amount contains; null while it is not known.").nullable(),
        period_start: moment("Of a credit: when the days begin that it is of.").optional(),
        period_end: moment("Of a credit: when they end.").optional(),
      }),
      "What it consists of. Together they are the payable amount."
    ),
    subscription_id: whole("The subscription."),
    subscription_uuid: uuid("The same subscription by its uuid."),
    customer_id: whole("Who is asked to pay."),
    period_start: moment("When the period begins."),
    period_end: moment("When the period ends."),
    is_last: truth("The subscription ends with this period. Absent: it goes on.").optional(),
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

export const filterSchema = z.object({
  subscription_id: text(64).optional(),
  status: z.enum(INVOICE_STATES, rule("one_of", { values: INVOICE_STATES.join(", ") })).optional(),
})

export const languageSchema = z.object({
  lang: z.enum(LANGUAGES, rule("one_of", { values: LANGUAGES.join(", ") })).default("en"),
})

export function readLanguage(query: JsonObject): Language {
  return parse(languageSchema, withoutAbsent(query, [])).lang
}

export const EXAMPLE_INVOICE = {
  invoice_id: "INV-000001",
  uuid: "0f8d4c1a-2b3c-4d5e-8f90-1a2b3c4d5e6f",
  business_name: "Sylhet Tea House",
  invoice_type: "SUBSCRIPTION",
  due_date: "2027-03-01T10:00:00.000Z",
  payable_amount: 1250.5,
  invoice_status: "PENDING",
  currency: "BDT",
  lines: [
    {
      type: "plan",
      description: "Tea club",
      quantity: 1,
      amount: "1250.50",
      discount_amount: "0.00",
      tax_amount: null,
    },
  ],
  subscription_id: 1001,
  subscription_uuid: "7b0c2c1e-6f3a-4f58-9a55-0d2f6c8e9b11",
  customer_id: 1001,
  period_start: "2027-03-01T10:00:00.000Z",
  period_end: "2027-04-01T10:00:00.000Z",
  payment_url: "https://shop.example.com/pay/invoice/inp_0123456789abcdef0123456789abcdef",
  paid_at: null,
  voided_at: null,
  created_at: "2027-03-01T10:00:00.000Z",
}

export const parameters = {
  id: { description: "The invoice, by its `invoice_id` or its `uuid`.", example: "INV-000001" },
}
