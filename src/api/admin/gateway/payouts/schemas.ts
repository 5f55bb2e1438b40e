import { z } from "@medusajs/framework/zod"
import { CURRENCIES, HOME_CURRENCY } from "../../../../modules/gateway/kernel/currencies"
import type { NewPayout } from "../../../../modules/gateway/ledger/payouts"
import type { JsonObject } from "../../../v2-kit/body"
import { one } from "../../../admin-kit/list"
import { amount, parse, text, withoutAbsent, rule } from "../../../v2-kit/validate"

const payoutSchema = z.object({
  amount: amount.refine((minor) => minor > 0n, rule("more_than", { min: "0.00" })),
  currency: one(CURRENCIES).default(HOME_CURRENCY),
  reference: text(100),
  note: text(500).optional(),
})

export function readPayout(body: JsonObject): NewPayout {
  const { amount: minor, currency, reference, note } = parse(payoutSchema, withoutAbsent(body, []))
  return { amount: minor, currency, reference, note: note ?? null }
}
