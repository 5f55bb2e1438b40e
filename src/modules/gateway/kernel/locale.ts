export { LANGUAGES, type Language } from "../../../i18n/languages"
export { brandName, localDate, localDateTime, localDigits, money, taka } from "../../../i18n/formats"
