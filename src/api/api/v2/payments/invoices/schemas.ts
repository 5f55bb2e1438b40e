import { z } from "@medusajs/framework/zod"
import { LANGUAGES, type Language } from "../../../../../modules/gateway/domain/local"
import { INVOICE_STATES } from "../../../../../modules/gateway/domain/state-machines/invoice"
import type { InvoiceFilter } from "../../../../../modules/gateway/services/invoice-desk"
import type { JsonObject } from "../../../../contract/body"
import { parse, text, withoutAbsent } from "../../../../contract/validate"

const filterSchema = z.object({
  subscription_id: text(64).optional(),
  status: z.enum(INVOICE_STATES, `must be one of ${INVOICE_STATES.join(", ")}`).optional(),
})

const languageSchema = z.object({
  lang: z.enum(LANGUAGES, `must be one of ${LANGUAGES.join(", ")}`).default("en"),
})

export function readInvoiceFilter(query: JsonObject): InvoiceFilter {
  return parse(filterSchema, withoutAbsent(query, []))
}

export function readLanguage(query: JsonObject): Language {
  return parse(languageSchema, withoutAbsent(query, [])).lang
}
