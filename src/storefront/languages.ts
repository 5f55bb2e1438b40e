import { LANGUAGES, languageOfTag, type Language } from "../i18n/languages"

export { LANGUAGES, type Language }

/** The language of a locale such as `bn-BD`, of a cart or of a browser; English for one that the texts do not have. */
export const languageOf = (locale: string | null | undefined): Language => languageOfTag(locale ?? "") ?? "en"
