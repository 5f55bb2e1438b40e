export { LANGUAGES, type Language } from "../../../i18n/languages"
export { dhakaTime, localDate, localDigits, money, taka } from "../../../i18n/formats"
