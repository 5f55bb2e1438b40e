/** The languages of pages, documents, e-mails, the admin's pages and refusals. Code and logs are in English. */
export const LANGUAGES = ["en", "bn"] as const
export type Language = (typeof LANGUAGES)[number]

/** A language tag (BCP 47): the language, then script, region or variants; with `_` as in POSIX locales, too. */
const TAG = /^([a-z]{2})(?:[-_][a-z0-9]{2,8})*$/i

/** The language of a tag such as `bn`, `bn-BD` or `en_GB`; null for a language that we do not have, or no tag at all. */
export function languageOfTag(tag: string): Language | null {
  const primary = TAG.exec(tag)?.[1]?.toLowerCase()
  return LANGUAGES.find((language) => language === primary) ?? null
}
