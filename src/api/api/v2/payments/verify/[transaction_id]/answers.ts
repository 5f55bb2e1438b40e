import { z } from "@medusajs/framework/zod"
import {
  anyObject,
  currencyCode,
  longMoney,
  moment,
  money,
  oneOf,
  transactionId,
  truth,
  whole,
  words,
} from "../../../../../v2-kit/openapi/fields"
import { named } from "../../../../../v2-kit/openapi/named"
import { STATUSES } from "../../checkout/answers"

const emiPlan = named("EmiPlan", () =>
  z
    .object({
      emi_configuration_id: words("The instalment plan that was chosen."),
      bank: words("The bank that grants it."),
      tenure: words("How many months, as text."),
      interest_rate: words("The rate in percent, as in `9.00`."),
      monthly_installment: money("Each instalment; the last one may differ."),
      total_amount: money("All instalments together, without the fee."),
      interest: money("What the customer pays beyond the order amount."),
      fee: money("What the bank charges once."),
      merchant_bleeding: truth("Whether the merchant pays interest and fee instead of the customer."),
      schedule: z
        .array(
          z.object({
            installment: whole("Which instalment, from 1."),
            due_month: z
              .string()
              .regex(/^[0-9]{4}-[0-9]{2}$/)
              .describe("The month in which it is due."),
            amount: money("What is due."),
          })
        )
        .describe("Every instalment."),
    })
    .describe("The instalments that the customer agreed to. They stay as they were agreed.")
)

export const transaction = named("Transaction", () =>
  z.object({
    transaction_id: transactionId("The transaction."),
    order_id: words("Your own id of the order."),
    verified: truth("Whether the acquirer has confirmed the money. It stays true after refunds."),
    status: oneOf(STATUSES, "`PENDING`: ask again later. Deliver only when it is `SUCCESS` and `verified` is true."),
    amount: longMoney("The amount of the order."),
    currency: currencyCode(),
    charge_amount: longMoney("The processing fee; zero until the payment is confirmed."),
    payment_method: words("The payment service, as in `BKASH`; empty while none was used."),
    payment_reference_id: words("The acquirer's number of the payment; empty until it is confirmed."),
    customer: z
      .object({
        name: words("As sent."),
        email: words("As sent."),
        phone: words("As sent."),
        address: words("As sent."),
        city: words("As sent."),
        postcode: words("As sent."),
        country: words("As sent."),
        metadata: anyObject("As sent; `{}` without any."),
      })
      .describe("The customer, as the checkout named them."),
    error_code: words("Why it failed, as in `CARD_DECLINED`. Only when it failed.").optional(),
    error_message: words("The same in a sentence. Only when it failed.").optional(),
    emi: emiPlan().optional(),
  })
)

export const verificationMeta = named("VerificationMeta", () =>
  z.object({
    timestamp: moment("When this was asked, on the merchant's clock."),
    status_code: whole("The HTTP status once more."),
  })
)
