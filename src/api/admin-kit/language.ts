import type { MedusaRequest } from "@medusajs/framework/http"
import { inBangla, type Refusal } from "./bangla/refusal"

export type Language = "en" | "bn"

/** The admin says its language with every request; English is for whoever says nothing, or another one. */
export function languageOf(request: MedusaRequest): Language {
  return request.acceptsLanguages("en", "bn") === "bn" ? "bn" : "en"
}

/** A refusal as an admin of that language reads it. */
export function spoken<Told extends Refusal>(language: Language, refusal: Told): Told {
  return language === "bn" ? inBangla(refusal) : refusal
}
