import { operation } from "../../../../v2-kit/operation"
import { emiOptions, presentEmiOptions, querySchema, readInclude } from "./resource"
import { enveloped } from "../../../../v2-kit/answers"

/** The merchant's active EMI configurations (contract 4.4). */
export const GET = operation({
  id: "listEmiOptions",
  tag: "Instalments",
  summary: "List instalment plans",
  description: "What the merchant's banks offer: how many months, at which rate.",
  scope: "payments:read",
  service: "emi",
  query: { schema: querySchema, notes: { include: "`cards` adds the cards that each plan is for." } },
  answer: enveloped({
    message: "EMI options",
    data: emiOptions,
    description: "The plans of each bank.",
    example: {
      emi_options: [
        {
          bank_name: "City Bank",
          tenures: [{ interest_rate: "9.00", tenure: "6", uuid: "3f6b1d1e-0a5d-4c1e-8d4e-2b9a7c6d5e4f" }],
        },
      ],
    },
  }),
  run: async ({ gateway, caller, query }) => {
    const include = readInclude(query)
    return presentEmiOptions(await gateway.emi.configurations(caller), include)
  },
})
