import { envelopeOf } from "../../../../v2-kit/openapi/fields"
import type { Documented } from "../../../../v2-kit/openapi/operation"
import { emiAmounts } from "./answers"
import { bodySchema } from "./schemas"

export const operations: readonly Documented[] = [
  {
    method: "POST",
    path: "/payments/emi-amounts",
    id: "calculateEmi",
    tag: "Instalments",
    summary: "Calculate instalments",
    description:
      "What an amount costs in instalments: with each plan whose range it is in, or with the plans that you name.",
    body: {
      name: "EmiQuestion",
      schema: bodySchema,
      notes: {
        order_amount: "The amount, from 3000.00.",
        emi_configuration_id: "The plans to calculate, by their `uuid`; without any, all that fit.",
        "emi_configuration_id[]": { type: "string", description: "The `uuid` of a plan." },
      },
      example: { order_amount: "12500.00" },
    },
    answer: {
      description: "The figures of each plan.",
      schema: () => envelopeOf(emiAmounts()),
      example: {
        success: true,
        message: "EMI amounts",
        data: {
          order_amount: "12500.00",
          merchant_bleeding: false,
          emi_payment_options: [
            {
              bank_name: "City Bank",
              tenure: "6",
              interest_rate: "9.00",
              monthly_installment: "2270.83",
              total_amount: "13625.00",
              total_interest: "1125.00",
              processing_fee: "250.00",
              uuid: "3f6b1d1e-0a5d-4c1e-8d4e-2b9a7c6d5e4f",
              merchant_bleeding: false,
            },
          ],
        },
        meta: {},
      },
    },
    codes: ["INVALID_EMI_AMOUNT", "MISSING_REQUIRED_FIELD"],
  },
]
