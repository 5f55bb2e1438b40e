import { createInstance } from "i18next"
import { messages as bn } from "./bn/messages"
import { messages as en } from "./en/messages"
import type { Language } from "./languages"
import { isMessage, type Message, type Param } from "./message"

const i18n = createInstance()
void i18n.init({
  lng: "en",
  fallbackLng: "en",
  // Everything is bundled, so nothing is waited for.
  initImmediate: false,
  resources: { en: { translation: en }, bn: { translation: bn } },
  // Whoever writes into a page escapes there.
  interpolation: { escapeValue: false },
})

/** A sentence in one language, its parameters as they are, and sentences inside it in the same language. */
export function translate({ kind, params = {} }: Message, language: Language = "en"): string {
  const values = Object.fromEntries(Object.entries(params).map(([name, value]) => [name, textOf(value, language)]))
  // Under `replace` no parameter is taken for an option of the library.
  return i18n.t(kind, { lng: language, replace: values })
}

function textOf(value: Param, language: Language): string {
  return isMessage(value) ? translate(value, language) : String(value)
}
