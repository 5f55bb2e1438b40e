import { envelopeOf } from "../../../../v2-kit/openapi/fields"
import type { Documented } from "../../../../v2-kit/openapi/operation"
import { emiOptions } from "./answers"
import { querySchema } from "./schemas"

export const operations: readonly Documented[] = [
  {
    method: "GET",
    path: "/payments/emi-options",
    id: "listEmiOptions",
    tag: "Instalments",
    summary: "List instalment plans",
    description: "What the merchant's banks offer: how many months, at which rate.",
    query: { schema: querySchema, notes: { include: "`cards` adds the cards that each plan is for." } },
    answer: {
      description: "The plans of each bank.",
      schema: () => envelopeOf(emiOptions()),
      example: {
        success: true,
        message: "EMI options",
        data: {
          emi_options: [
            {
              bank_name: "City Bank",
              tenures: [{ interest_rate: "9.00", tenure: "6", uuid: "3f6b1d1e-0a5d-4c1e-8d4e-2b9a7c6d5e4f" }],
            },
          ],
        },
        meta: {},
      },
    },
  },
]
