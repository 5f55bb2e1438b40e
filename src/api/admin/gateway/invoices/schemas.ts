import { z } from "@medusajs/framework/zod"
import { INVOICE_STATES } from "../../../../modules/gateway/domain/state-machines/invoice"
import type { InvoiceListFilter } from "../../../../modules/gateway/services/invoice-list"
import type { JsonObject } from "../../../contract/body"
import { parse, required, text, withoutAbsent } from "../../../contract/validate"
import { listSchema, readList, several } from "../../../desk/list"

const query = listSchema({ status: several(INVOICE_STATES).optional(), subscription_id: text(64).optional() }, ["created_at"])

export function readFilter(sent: JsonObject): InvoiceListFilter & { limit: number; offset: number } {
  return readList(query, sent)
}

const generateSchema = z.object({
  subscription_id: z.union([z.int(), z.string()], required("must be a subscription's id or uuid")).transform(String),
})

export function readSubscriptionId(body: JsonObject): string {
  return parse(generateSchema, withoutAbsent(body, [])).subscription_id
}
