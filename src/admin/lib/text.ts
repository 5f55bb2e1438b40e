import { useMemo } from "react"
import { useTranslation } from "react-i18next"
import type { en } from "../i18n/en"
import type { KeyOf } from "../i18n/wording"

export const NAMESPACE = "gateway"

export type TextKey = KeyOf<typeof en>
export type Say = (key: TextKey, values?: Record<string, string | number>) => string

/** The admin's texts in the admin's language, and English where that has none; numbers in them in its digits. */
export function useText(): Say {
  const { t } = useTranslation(NAMESPACE)
  const locale = useLocale()
  return useMemo(() => {
    // Some of the numbers are numbers of things, as an order's is: those are never grouped.
    const digits = new Intl.NumberFormat(locale, { useGrouping: false })
    // `count` stays a number beside what is shown of it: it chooses between one and many.
    return (key, values = {}) => String(t(key, { ...values, replace: shown(values, digits) }))
  }, [t, locale])
}

function shown(values: Record<string, string | number>, digits: Intl.NumberFormat): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, typeof value === "number" ? digits.format(value) : value])
  )
}

/** The language of the admin, as a locale: Medusa writes `ptBR`, everybody else `pt-BR`. */
export function useLocale(): string {
  const { i18n } = useTranslation(NAMESPACE)
  const language = i18n.language.replace(/([a-z])([A-Z])/, "$1-$2")
  if (language === "bn") {
    return "bn-BD"
  }
  // The browser's own variety of the language knows how its owner writes dates.
  return navigator.language.startsWith(`${language}-`) ? navigator.language : language
}
