import { z } from "@medusajs/framework/zod"
import { words } from "../../../../v2-kit/openapi/fields"
import { named } from "../../../../v2-kit/openapi/named"

const tenure = named("EmiTenure", () =>
  z.object({
    interest_rate: words("The rate in percent, as in `9.00`."),
    tenure: words("How many months, as text."),
    uuid: words("The instalment plan; a checkout takes it as `emi_configuration_id`."),
    card_prefixes: z
      .array(z.string())
      .optional()
      .describe("The first digits of the cards that it is for; empty: every card. Only with `include=cards`."),
  })
)

export const emiOptions = named("EmiOptions", () =>
  z.object({
    emi_options: z
      .array(z.object({ bank_name: words("The bank."), tenures: z.array(tenure()).describe("What it offers.") }))
      .describe("The banks by name."),
  })
)
