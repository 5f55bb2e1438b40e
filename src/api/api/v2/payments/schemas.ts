import { z } from "@medusajs/framework/zod"
import type { PaymentFilter } from "../../../../modules/gateway/payments/list"
import type { JsonObject } from "../../../v2-kit/body"
import { readList, type Page } from "../../../v2-kit/pagination"
import { instant, rule, text } from "../../../v2-kit/validate"

const STATUSES = ["PENDING", "SUCCESS", "FAILED", "CANCELLED", "EXPIRED", "REFUNDED"] as const

export const filterSchema = z.object({
  status: z.enum(STATUSES, rule("one_of", { values: STATUSES.join(", ") })).optional(),
  /** Finds what the admin's search of payments finds: an id, the beginning of an order_id, a name, an amount. */
  q: text(200).optional(),
  from: instant.optional(),
  to: instant.optional(),
})

export function readPaymentList(query: JsonObject): { filter: PaymentFilter; page: Page } {
  const { filter, page } = readList(query, filterSchema)
  const { status, q, from, to } = filter
  const order = { by: "created_at", descending: true } as const
  return { filter: { status: status === undefined ? undefined : [status], q, from, to, order }, page }
}
