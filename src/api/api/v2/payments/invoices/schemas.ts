import { z } from "@medusajs/framework/zod"
import { LANGUAGES, type Language } from "../../../../../i18n/languages"
import { INVOICE_STATES } from "../../../../../modules/gateway/invoices/states"
import type { JsonObject } from "../../../../v2-kit/body"
import { parse, text, withoutAbsent, rule } from "../../../../v2-kit/validate"

export const filterSchema = z.object({
  subscription_id: text(64).optional(),
  status: z.enum(INVOICE_STATES, rule("one_of", { values: INVOICE_STATES.join(", ") })).optional(),
})

export const languageSchema = z.object({
  lang: z.enum(LANGUAGES, rule("one_of", { values: LANGUAGES.join(", ") })).default("en"),
})

export function readLanguage(query: JsonObject): Language {
  return parse(languageSchema, withoutAbsent(query, [])).lang
}
