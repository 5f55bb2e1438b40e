import { z } from "@medusajs/framework/zod"
import { DISPUTE_STATES } from "../../../../../modules/gateway/disputes/states"
import type { DisputeFilter } from "../../../../../modules/gateway/disputes/list"
import type { JsonObject } from "../../../../v2-kit/body"
import { readList, type Page } from "../../../../v2-kit/pagination"
import { rule, text } from "../../../../v2-kit/validate"

export const filterSchema = z.object({
  status: z.enum(DISPUTE_STATES, rule("one_of", { values: DISPUTE_STATES.join(", ") })).optional(),
  transaction_id: text(64).optional(),
})

export function readDisputeList(query: JsonObject): {
  filter: Pick<DisputeFilter, "status" | "transaction_id">
  page: Page
} {
  const { filter, page } = readList(query, filterSchema)
  const { status, transaction_id } = filter
  return { filter: { status: status === undefined ? undefined : [status], transaction_id }, page }
}
