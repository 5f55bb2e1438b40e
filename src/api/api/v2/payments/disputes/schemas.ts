import { z } from "@medusajs/framework/zod"
import { DISPUTE_STATES } from "../../../../../modules/gateway/disputes/states"
import type { DisputeFilter } from "../../../../../modules/gateway/disputes/list"
import type { JsonObject } from "../../../../v2-kit/body"
import { parse, rule, text, withoutAbsent } from "../../../../v2-kit/validate"

export const filterSchema = z.object({
  status: z.enum(DISPUTE_STATES, rule("one_of", { values: DISPUTE_STATES.join(", ") })).optional(),
  transaction_id: text(64).optional(),
})

export function readDisputeFilter(query: JsonObject): Pick<DisputeFilter, "status" | "transaction_id"> {
  const { status, transaction_id } = parse(filterSchema, withoutAbsent(query, []))
  return { status: status === undefined ? undefined : [status], transaction_id }
}
