import { z } from "@medusajs/framework/zod"
import type { NewPayout } from "../../../../modules/gateway/ledger/payouts"
import type { JsonObject } from "../../../v2-kit/body"
import { amount, parse, text, withoutAbsent, rule } from "../../../v2-kit/validate"

const payoutSchema = z.object({
  amount: amount.refine((minor) => minor > 0n, rule("more_than", { min: "0.00" })),
  reference: text(100),
  note: text(500).optional(),
})

export function readPayout(body: JsonObject): NewPayout {
  const { amount: minor, reference, note } = parse(payoutSchema, withoutAbsent(body, []))
  return { amount: minor, reference, note: note ?? null }
}
