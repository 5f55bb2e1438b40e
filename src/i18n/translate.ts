import { createInstance } from "i18next"
import { csv as csvBn } from "./bn/csv"
import { invoices as invoicesBn } from "./bn/invoices"
import { link as linkBn } from "./bn/link"
import { mails as mailsBn } from "./bn/mails"
import { messages as messagesBn } from "./bn/messages"
import { password as passwordBn } from "./bn/password"
import { pay as payBn } from "./bn/pay"
import { receipts as receiptsBn } from "./bn/receipts"
import { portal as portalBn } from "./bn/portal"
import { settlements as settlementsBn } from "./bn/settlements"
import { csv as csvEn } from "./en/csv"
import { invoices as invoicesEn } from "./en/invoices"
import { link as linkEn } from "./en/link"
import { mails as mailsEn } from "./en/mails"
import { messages as messagesEn } from "./en/messages"
import { password as passwordEn } from "./en/password"
import { pay as payEn } from "./en/pay"
import { receipts as receiptsEn } from "./en/receipts"
import { portal as portalEn } from "./en/portal"
import { settlements as settlementsEn } from "./en/settlements"
import { localDigits } from "./formats"
import type { Language } from "./languages"
import { isMessage, type Message, type Param } from "./message"
import type { Say } from "./wording"

const en = {
  messages: messagesEn,
  pay: payEn,
  invoices: invoicesEn,
  csv: csvEn,
  link: linkEn,
  mails: mailsEn,
  receipts: receiptsEn,
  portal: portalEn,
  password: passwordEn,
  settlements: settlementsEn,
}
const bn = {
  messages: messagesBn,
  pay: payBn,
  invoices: invoicesBn,
  csv: csvBn,
  link: linkBn,
  mails: mailsBn,
  receipts: receiptsBn,
  portal: portalBn,
  password: passwordBn,
  settlements: settlementsBn,
}
type Catalogues = typeof en
type Namespace = keyof Catalogues
type Values = Readonly<Record<string, string | number>>

const i18n = createInstance()
void i18n.init({
  lng: "en",
  fallbackLng: "en",
  ns: Object.keys(en),
  // Everything is bundled, so nothing is waited for.
  initImmediate: false,
  resources: { en, bn },
  // Whoever writes into a page escapes there.
  interpolation: { escapeValue: false },
})

/** Sentences without parameters, as they were found: a look-up by i18next costs a hundred times as much. */
const found = new Map<string, string>()

function textOf(language: Language, ns: Namespace, key: string, values?: Values): string {
  if (values !== undefined) {
    // Under `replace` no parameter is taken for an option of the library; `count` chooses the plural.
    const text = i18n.t(key, { lng: language, ns, count: values.count as number, replace: shown(values, language) })
    return language === "bn" ? withEndings(text) : text
  }
  const name = `${language} ${ns} ${key}`
  let text = found.get(name)
  if (text === undefined) {
    text = i18n.t(key, { lng: language, ns })
    found.set(name, text)
  }
  return text
}

/** Stands after a parameter in Bangla until its ending is joined: a letter of Unicode that nobody writes. */
export const VALUE_END = "\uE000"

/** Numbers are in the reader's digits; texts with digits, which may be copied, stay as they are. */
function shown(values: Values, language: Language): Values {
  const end = language === "bn" ? VALUE_END : ""
  const own = Object.entries(values).map(([name, value]) => [
    name,
    typeof value === "number" ? localDigits(String(value), language) : `${value}${end}`,
  ])
  return Object.fromEntries(own) as Values
}

/** By the ending as texts write it after a parameter: what it is after া, after another vowel sign, after a consonant. */
const ENDINGS: Readonly<Record<string, readonly [string, string, string]>> = {
  এর: ["র", "র", "ের"],
  এ: ["য়", "তে", "ে"],
  কে: ["কে", "কে", "কে"],
}
const ENDING = new RegExp(`([ািীুূৃেৈোৌ]|[ক-হড়ঢ়য়]়?)${VALUE_END}-(এর|এ|কে)(?![ঀ-৿])`, "gu")

/**
 * Bangla joins its case endings to a word: শাপলার, and not শাপলা-এর. After Latin letters, digits and the other letters, on
 * which a reader may stumble, the hyphen stays, and so does one that a name has of its own.
 */
export function withEndings(text: string): string {
  const joined = text.replace(ENDING, (_, last: string, ending: string) => {
    const [afterA, afterVowel, afterConsonant] = ENDINGS[ending]
    return last + (last === "া" ? afterA : /[িীুূৃেৈোৌ]/u.test(last) ? afterVowel : afterConsonant)
  })
  return joined.replaceAll(VALUE_END, "")
}

/** The texts of a part in one language. */
export function textsOf<Part extends Namespace>(part: Part, language: Language): Say<Catalogues[Part]> {
  return (key, ...[values]) => textOf(language, part, key, values)
}

const groups = new Map<string, Readonly<Record<string, string>>>()

/**
 * A group of texts without parameters, by their names: for what is named by data, as a decline by its code. It has no
 * prototype, so that no name from outside finds anything else.
 */
export function textGroup(part: Namespace, group: string, language: Language): Readonly<Record<string, string>> {
  const name = `${language} ${part} ${group}`
  const known = groups.get(name)
  if (known !== undefined) {
    return known
  }
  const texts = i18n.t(group, { lng: language, ns: part, returnObjects: true }) as unknown as Record<string, string>
  const own = Object.assign(Object.create(null) as Record<string, string>, texts)
  groups.set(name, own)
  return own
}

/** A sentence in one language, its parameters as they are, and sentences inside it in the same language. */
export function translate({ kind, params }: Message, language: Language = "en"): string {
  const values = params && Object.entries(params).map(([name, value]) => [name, wordsOf(value, language)])
  return textOf(language, "messages", kind, values && (Object.fromEntries(values) as Values))
}

/** A number stays one: as `count` it chooses the plural. */
function wordsOf(value: Param, language: Language): string | number {
  return isMessage(value) ? translate(value, language) : typeof value === "number" ? value : String(value)
}
