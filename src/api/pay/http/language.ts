import { LANGUAGES, type Language } from "../../../i18n/languages"

const MAX_HEADER_LENGTH = 500

export function isLanguage(value: unknown): value is Language {
  return LANGUAGES.some((known) => known === value)
}

/** The best of our languages by the header's weights; English when it contains neither. */
export function fromAcceptLanguage(header: string | undefined): Language {
  let best: Language = "en"
  let bestWeight = 0
  for (const range of (header ?? "").slice(0, MAX_HEADER_LENGTH).split(",")) {
    const [tag, ...parameters] = range.trim().toLowerCase().split(";")
    const primary = tag.trim().split("-")[0]
    const weight = weightOf(parameters)
    if (isLanguage(primary) && weight > bestWeight) {
      best = primary
      bestWeight = weight
    }
  }
  return best
}

function weightOf(parameters: string[]): number {
  const quality = parameters.map((parameter) => parameter.trim()).find((parameter) => parameter.startsWith("q="))
  if (quality === undefined) {
    return 1
  }
  const weight = Number(quality.slice(2))
  return Number.isFinite(weight) ? weight : 0
}

/** What the shopper has chosen, now or on an earlier page; null: nothing. */
export function ownLanguage({ query, cookie }: { query?: string | null; cookie?: string }): Language | null {
  return [query, cookie].find(isLanguage) ?? null
}
