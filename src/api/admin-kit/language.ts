import type { MedusaRequest } from "@medusajs/framework/http"
import type { Language } from "../../i18n/languages"

/** The admin says its language with every request; English is for whoever says nothing, or another one. */
export function languageOf(request: MedusaRequest): Language {
  return request.acceptsLanguages("en", "bn") === "bn" ? "bn" : "en"
}
