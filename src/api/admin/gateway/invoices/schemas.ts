import type { Window } from "../../../../modules/gateway/kernel/paging"
import { z } from "@medusajs/framework/zod"
import { INVOICE_STATES } from "../../../../modules/gateway/invoices/states"
import type { InvoiceListFilter } from "../../../../modules/gateway/invoices/list"
import type { JsonObject } from "../../../v2-kit/body"
import { parse, required, text, withoutAbsent, rule } from "../../../v2-kit/validate"
import { listSchema, readList, several, type ListFormat } from "../../../admin-kit/list"

const query = listSchema({ status: several(INVOICE_STATES).optional(), subscription_id: text(64).optional() }, [
  "created_at",
])

export function readFilter(sent: JsonObject): InvoiceListFilter & Window & ListFormat {
  return readList(query, sent)
}

const generateSchema = z.object({
  subscription_id: z.union([z.int(), z.string()], required(rule("subscription_id"))).transform(String),
})

export function readSubscriptionId(body: JsonObject): string {
  return parse(generateSchema, withoutAbsent(body, [])).subscription_id
}
