import * as storage from "../lib/storage"
import { bn } from "./bn"
import { en, type Text } from "./en"

export type Language = "en" | "bn"

const LANGUAGE = "shop.language"

function preferredLanguage(): Language {
  const chosen = storage.read(LANGUAGE)
  if (chosen === "en" || chosen === "bn") {
    return chosen
  }
  return navigator.language.toLowerCase().startsWith("bn") ? "bn" : "en"
}

export const language: Language = preferredLanguage()

/** What the store learns of the language: the payment page opens in that of the cart. */
export const locale = language === "bn" ? "bn-BD" : "en-GB"

/** A page of the gateway in the shop's language: the browser's may be another one. */
export function inOwnLanguage(address: string): string {
  const url = new URL(address)
  url.searchParams.set("lang", language)
  return url.href
}

/** Every text of the shop. `bn` has the type of `en`, so a text that is missing in either does not compile. */
export const t: Text = language === "bn" ? bn : en

/** Switches the language and reloads the current screen. */
export function switchLanguage(to: Language): void {
  storage.write(LANGUAGE, to)
  location.reload()
}
