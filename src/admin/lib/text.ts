import { useMemo } from "react"
import { getI18n, useTranslation } from "react-i18next"
import { type KeyOf } from "../../i18n/wording"
import { HOME_TIME_ZONE } from "../../i18n/formats"
import { labelled, labelledAs } from "../../i18n/label"
import { isMessage, type Message, type Param } from "../../i18n/message"
import { sumText } from "../../i18n/sums"
import type { admin } from "../../i18n/en/admin"

export const NAMESPACE = "gateway"

export type TextKey = KeyOf<typeof admin>

/** A message as the API gives it; `message` are its words in English, or in the admin's language when it was asked for. */
export type PresentedMessage = { kind: string; params?: Readonly<Record<string, Param>>; message: string }

/** The API's fault of a field: `reason` as data, and `message` with the name that the field has without its form. */
export type FieldFault = { field: string; message: string; reason?: unknown }

export type Say = (key: TextKey, values?: Record<string, string | number>) => string

/** The admin's texts in the admin's language, with English as fallback, and numbers in that language's digits. */
export function useText(): Say {
  const { t } = useTranslation(NAMESPACE)
  const locale = useLocale()
  return useMemo(() => {
    // Numbers that identify, such as an order's, are never grouped.
    const digits = new Intl.NumberFormat(locale, { useGrouping: false })
    // `count` stays a number beside its formatted text: it chooses between singular and plural.
    return (key, values = {}) => String(t(key, { ...values, replace: shown(values, digits) }))
  }, [t, locale])
}

/** Where the catalogue of messages is in the namespace of the admin's texts. */
const MESSAGES = "messages"

/** What the API gives as a kind with parameters, in the admin's language; of a kind that is not known here its words. */
export function useMessage(): (message: PresentedMessage) => string {
  const { t, i18n } = useTranslation(NAMESPACE)
  const locale = useLocale()
  return useMemo(() => {
    const digits = new Intl.NumberFormat(locale, { useGrouping: false })
    return ({ message, ...own }) => wordsOf(own, { t, i18n, digits }) ?? message
  }, [t, i18n, locale])
}

type Dictionary = { t: Translate; i18n: Pick<I18n, "exists" | "language">; digits: Intl.NumberFormat }
type Translate = (key: string, options: { count?: number; replace: Record<string, string> }) => unknown
type I18n = ReturnType<typeof getI18n>

/** Null: it is of a later version, and one of its kinds is not known here. */
function wordsOf(message: Pick<PresentedMessage, "kind" | "params">, { t, i18n, digits }: Dictionary): string | null {
  const keyOf = (kind: string) => `${MESSAGES}.${kind}`
  const isKnown = (param: Param): boolean =>
    !isMessage(param) ||
    (i18n.exists(keyOf(param.kind), { ns: NAMESPACE, ...countOf(param) }) &&
      Object.values(param.params ?? {}).every(isKnown))
  const language = i18n.language === "bn" ? "bn" : "en"
  const words = (param: Param): string | number => {
    if (!isMessage(param)) {
      return param
    }
    const values = Object.entries(param.params ?? {}).map(
      ([name, value]) =>
        [name, typeof value === "string" ? sumText(param.kind, name, value, language) : words(value)] as const
    )
    return String(t(keyOf(param.kind), { ...countOf(param), replace: shown(Object.fromEntries(values), digits) }))
  }
  return isKnown(message as Param) ? String(words(message as Param)) : null
}

/** A sentence with a plural is found only with its count. */
function countOf({ params }: Pick<PresentedMessage, "params">): { count?: number } {
  return typeof params?.count === "number" ? { count: params.count } : {}
}

/**
 * What a refusal says, with the labels of the forms instead of the API's names; null without one that is known here.
 * Outside of components: it is what a failed request is reported with.
 */
export function refusalText(reason: unknown): string | null {
  return isMessage(reason) ? wordsNow(labelled(reason)) : null
}

/** What is wrong with a field of a form, which says it with its own label; `message`: where it is not known how. */
export function fieldText({ field, message, reason }: FieldFault, label: string): string {
  return isMessage(reason) ? (wordsNow(labelledAs(reason, field, label)) ?? message) : message
}

function wordsNow(message: Message): string | null {
  const i18n = getI18n()
  const digits = new Intl.NumberFormat(localeOf(i18n.language), { useGrouping: false })
  return wordsOf(message, { t: (key, options) => i18n.t(key, { ...options, ns: NAMESPACE }), i18n, digits })
}

/** What a request without an answer is reported with. */
export function noAnswerText(): string {
  return getI18n().t("common.no_answer", { ns: NAMESPACE })
}

/** What a request is reported with that Medusa refuses by the admin's roles, which names policies and not their meaning. */
export function forbiddenText(isRead: boolean): string {
  return getI18n().t(isRead ? "common.not_readable" : "common.not_allowed", { ns: NAMESPACE })
}

function shown(values: Record<string, string | number>, digits: Intl.NumberFormat): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, typeof value === "number" ? digits.format(value) : value])
  )
}

/** Several messages in one paragraph: each ends as a sentence, or the next would read as its rest. */
export function sentences(messages: readonly string[]): string {
  const [only] = messages
  return messages.length === 1
    ? only
    : messages
        .map((text) => (/[.।!?]$/.test(text) ? text : `${text}${/[\u0980-\u09ff]/.test(text) ? "।" : "."}`))
        .join(" ")
}

/** A time zone (IANA) in words. */
export function zoneName(say: Say, zone: string): string {
  return zone === HOME_TIME_ZONE ? say("common.zone_dhaka") : say("common.zone", { zone })
}

/** The admin's language as a locale. */
export function useLocale(): string {
  const { i18n } = useTranslation(NAMESPACE)
  return localeOf(i18n.language)
}

/** Medusa writes `ptBR`, the standard is `pt-BR`. */
export function localeOf(name: string): string {
  const language = name.replace(/([a-z])([A-Z])/, "$1-$2")
  if (language === "bn") {
    return "bn-BD"
  }
  // The browser's own variant of the language has its owner's date format.
  return navigator.language.startsWith(`${language}-`) ? navigator.language : language
}
