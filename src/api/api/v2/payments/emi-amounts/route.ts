import { operation } from "../../../../v2-kit/operation"
import { bodySchema, emiAmounts, presentEmiAmounts, readEmiAmounts } from "./resource"
import { enveloped } from "../../../../v2-kit/answers"

/** The cost of an order amount in instalments (contract 4.4). */
export const POST = operation({
  id: "calculateEmi",
  tag: "Instalments",
  summary: "Calculate instalments",
  description:
    "What an amount costs in instalments: with each plan whose range it is in, or with the plans that you name.",
  scope: "payments:read",
  service: "emi",
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
  answer: enveloped({
    message: "EMI amounts",
    data: emiAmounts,
    description: "The figures of each plan.",
    example: {
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
  }),
  codes: ["INVALID_EMI_AMOUNT", "MISSING_REQUIRED_FIELD"],
  run: async ({ gateway, caller, body }) => {
    const { order_amount, offers } = readEmiAmounts(await gateway.emi.configurations(caller), body)
    return presentEmiAmounts(order_amount, offers)
  },
})
