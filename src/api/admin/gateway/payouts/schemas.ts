import { z } from "@medusajs/framework/zod"
import type { NewPayout } from "../../../../modules/gateway/services/payout"
import type { JsonObject } from "../../../contract/body"
import { amount, parse, text, withoutAbsent } from "../../../contract/validate"

const payoutSchema = z.object({
  amount: amount.refine((minor) => minor > 0n, "must be more than 0.00"),
  reference: text(100),
  note: text(500).optional(),
})

export function readPayout(body: JsonObject): NewPayout {
  const { amount: minor, reference, note } = parse(payoutSchema, withoutAbsent(body, []))
  return { amount: minor, reference, note: note ?? null }
}
