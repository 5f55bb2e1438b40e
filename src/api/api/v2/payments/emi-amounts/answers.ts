import { z } from "@medusajs/framework/zod"
import { money, truth, words } from "../../../../v2-kit/openapi/fields"
import { named } from "../../../../v2-kit/openapi/named"

const emiOffer = named("EmiOffer", () =>
  z.object({
    bank_name: words("The bank."),
    tenure: words("How many months, as text."),
    interest_rate: words("The rate in percent, as in `9.00`."),
    monthly_installment: money("Each instalment; the last one takes what rounding leaves."),
    total_amount: money("All instalments together."),
    total_interest: money("What of it is interest."),
    processing_fee: money("What the bank charges once, besides."),
    uuid: words("The instalment plan; a checkout takes it as `emi_configuration_id`."),
    merchant_bleeding: truth("Whether the merchant pays interest and fee instead of the customer."),
  })
)

export const emiAmounts = named("EmiAmounts", () =>
  z.object({
    order_amount: money("The amount that was asked about."),
    merchant_bleeding: truth("Whether that holds for every plan listed."),
    emi_payment_options: z.array(emiOffer()).describe("What each plan costs, by bank and months."),
  })
)
