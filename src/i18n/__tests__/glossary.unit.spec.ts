import { readdirSync, readFileSync, statSync } from "node:fs"
import { join, relative } from "node:path"
import { admin as adminBn } from "../bn/admin"
import { csv as csvBn } from "../bn/csv"
import { invoices as invoicesBn } from "../bn/invoices"
import { password as passwordBn } from "../bn/password"
import { link as linkBn } from "../bn/link"
import { mails as mailsBn } from "../bn/mails"
import { messages as messagesBn } from "../bn/messages"
import { pay as payBn } from "../bn/pay"
import { admin as adminEn } from "../en/admin"
import { csv as csvEn } from "../en/csv"
import { invoices as invoicesEn } from "../en/invoices"
import { password as passwordEn } from "../en/password"
import { link as linkEn } from "../en/link"
import { mails as mailsEn } from "../en/mails"
import { messages as messagesEn } from "../en/messages"
import { pay as payEn } from "../en/pay"

type Texts = { [key: string]: string | Texts }
type Term = {
  /** The English word; where `en` is set, every English text with it has `word` in Bangla. */
  name: string
  en?: RegExp
  word: string
  /** Other words for the same thing, which no text uses. */
  not?: RegExp
}

/** Letters and vowel signs after a word would make it another word. */
const END = "(?![\\u0980-\\u09ff])"

/** One Bangla word for a thing, in the shop, on the pages, in the admin, e-mails and documents. */
const GLOSSARY: readonly Term[] = [
  { name: "API", word: "এপিআই", not: /(?<![-_A-Z])API(?![-_A-Z])/ },
  { name: "account", word: "অ্যাকাউন্ট", not: /একাউন্ট|এ্যাকাউন্ট/ },
  { name: "amount", word: "পরিমাণ", not: /অঙ্ক|অংক/ },
  { name: "bank", word: "ব্যাংক", not: /ব্যাঙ্ক/ },
  { name: "card", word: "কার্ড", not: /তাসপত্র/ },
  { name: "cancel", word: "বাতিল", not: new RegExp(`ক্যানসেল|ক্যান্সেল|রদ${END}`) },
  { name: "cart", word: "কার্ট", not: new RegExp(`ঝুড়ি|ব্যাগ${END}`) },
  { name: "checkout", word: "চেকআউট", not: /চেক-আউট|চেক আউট/ },
  { name: "customer", en: /\bcustomers?\b/i, word: "গ্রাহক", not: /কাস্টমার|খদ্দের/ },
  { name: "declined, rejected", en: /\b(declined|rejected)\b/i, word: "প্রত্যাখ্যা", not: /নাকচ/ },
  { name: "delivery", word: "ডেলিভারি", not: /সরবরাহ|শিপিং|ডেলিভারী/ },
  { name: "download", word: "ডাউনলোড", not: new RegExp(`(?<![\\u0980-\\u09ff])নামান${END}`) },
  { name: "e-mail", word: "ই-মেইল", not: /ইমেইল|ইমেল|ই-মেল/ },
  { name: "free of charge", word: "বিনামূল্যে", not: new RegExp(`(?<![\\u0980-\\u09ff])ফ্রি${END}|বিনা মূল্যে`) },
  { name: "instalment", en: /\binstal\w*|\bEMI\b/i, word: "কিস্তি", not: /ইএমআই|ইন্সটলমেন্ট/ },
  { name: "invoice", en: /\binvoices?\b/i, word: "ইনভয়েস", not: /চালান(?!ো)|ইনভয়েজ/ },
  { name: "link", word: "লিংক", not: /লিঙ্ক/ },
  { name: "order", word: "অর্ডার", not: /ফরমাশ|ক্রয়াদেশ/ },
  { name: "page", word: "পাতা", not: new RegExp(`পৃষ্ঠা|(?<![\\u0980-\\u09ff])পেজ`) },
  { name: "pause", en: /\bpause/i, word: "বিরতি" },
  { name: "pay", word: "পরিশোধ", not: /পেমেন্ট কর|অর্থপ্রদান|টাকা দিন/ },
  { name: "payment method", en: /\bpayment methods?\b/i, word: "পদ্ধতি", not: /পেমেন্টের মাধ্যম|পেমেন্ট মাধ্যম/ },
  { name: "PDF", word: "পিডিএফ", not: /PDF/ },
  { name: "PNG", word: "পিএনজি", not: /PNG/ },
  { name: "JPEG", word: "জেপেগ", not: /JPE?G/ },
  { name: "CSV", word: "CSV", not: /সিএসভি/ },
  { name: "QR", word: "কিউআর", not: /QR/ },
  { name: "megabyte, kilobyte", word: "এমবি, কেবি", not: /[MKk]i?B(?![a-zA-Z])|মেগাবাইট|কিলোবাইট/ },
  { name: "plan", word: "প্ল্যান", not: /পরিকল্পনা/ },
  { name: "receipt", word: "রসিদ", not: /রিসিট|রিসিপ্ট|রশিদ/ },
  { name: "refund", en: /\brefund/i, word: "ফেরত", not: /রিফান্ড/ },
  { name: "return of goods", word: "রিটার্ন", not: /ফেরত পণ্য|ফেরত আসা পণ্য/ },
  { name: "shopper", en: /\bshoppers?\b/i, word: "ক্রেতা" },
  { name: "payment method", word: "পেমেন্টের পদ্ধতি", not: /(?:পেমেন্টের|পরিশোধের|নতুন|একই|এই|সাবস্ক্রিপশনের) মাধ্যম/ },
  { name: "settlement", word: "সেটেলমেন্ট", not: /নিষ্পত্তি/ },
  { name: "shop", word: "দোকান", not: /স্টোর(?! আইডি| পাসওয়ার্ড)/ },
  { name: "sign in", word: "সাইন ইন", not: /সাইন-ইন|লগইন|লগ-ইন|লগ ইন/ },
  { name: "status", word: "অবস্থা", not: /স্ট্যাটাস/ },
  { name: "stock", word: "মজুত", not: /মজুদ/ },
  { name: "subscription", en: /\bsubscriptions?\b/i, word: "সাবস্ক্রিপশন", not: /নিয়মিত সেবা|গ্রাহকত্ব/ },
  { name: "trial", en: /\btrial/i, word: "ট্রায়াল", not: /পরীক্ষামূলক সময়/ },
  { name: "void", en: /\bvoid/i, word: "অকার্যকর" },
  { name: "yet", word: "এখনো", not: /এখনও/ },
  { name: "wallet", en: /\bwallets?\b/i, word: "ওয়ালেট", not: /মানিব্যাগ/ },
]

const ROOT = join(__dirname, "../../..")
/** Where Bangla is written for people: the catalogues, the pieces for storefronts, the sample shop, its products. */
const PLACES = ["src/i18n/bn", "src/storefront", "examples/storefront/src", "scripts/demo"]
/** Where people's amounts are written: pages, e-mails and documents, the admin, the sample shop. */
const WRITERS = [
  "src/admin",
  "src/api",
  "src/modules/gateway",
  "src/store",
  "src/storefront",
  "examples/storefront/src",
]

const nfc = (text: string) => text.normalize("NFC")

function flat(texts: Texts, prefix = ""): [key: string, text: string][] {
  return Object.entries(texts).flatMap(([name, text]): [string, string][] =>
    typeof text === "string" ? [[prefix + name, text]] : flat(text, `${prefix}${name}.`)
  )
}

function filesIn(path: string): string[] {
  if (!statSync(path).isDirectory()) {
    return /\.(tsx?|mjs|cjs)$/.test(path) ? [path] : []
  }
  return readdirSync(path)
    .filter((name) => name !== "__tests__")
    .flatMap((name) => filesIn(join(path, name)))
}

const linesOf = (places: readonly string[]) =>
  places
    .flatMap((place) => filesIn(join(ROOT, place)))
    .flatMap((file) =>
      nfc(readFileSync(file, "utf8"))
        .split("\n")
        .map((text, index) => ({ where: `${relative(ROOT, file)}:${index + 1}`, text }))
    )

describe("one Bangla word for a thing", () => {
  const bangla = linesOf(PLACES).filter(({ text }) => /[\u0980-\u09ff]/.test(text))
  const en = flat({
    admin: adminEn,
    csv: csvEn,
    invoices: invoicesEn,
    link: linkEn,
    mails: mailsEn,
    messages: messagesEn,
    pay: payEn,
    password: passwordEn,
  })
  const bn = new Map(
    flat({
      admin: adminBn,
      csv: csvBn,
      invoices: invoicesBn,
      link: linkBn,
      mails: mailsBn,
      messages: messagesBn,
      pay: payBn,
      password: passwordBn,
    })
  )

  it.each(GLOSSARY.filter(({ not }) => not !== undefined))("$name is $word, and nothing else", ({ not }) => {
    const banned = new RegExp(nfc(not?.source ?? ""))
    expect(bangla.filter(({ text }) => banned.test(text))).toEqual([])
  })

  it.each(GLOSSARY.filter((term) => term.en !== undefined))(
    "where English says $name, Bangla says $word",
    ({ en: english, word }) => {
      const found = en.filter(([, text]) => english?.test(text))
      expect(found).not.toEqual([])
      expect(found.filter(([key]) => !nfc(bn.get(key) ?? "").includes(nfc(word)))).toEqual([])
    }
  )
})

/**
 * What people copy, type at a machine or read in a file, in Latin digits in every language (docs/decisions/16): addresses
 * and networks, phone numbers, dates and sums of files, what a card says, and the codes of protocols.
 */
const COPIED = [
  /ISO 8601/g,
  /[+#/.=_-]?[A-Za-z][\w.=/-]*|\d+[A-Za-z]\w*/g,
  /#[0-9a-f]{6}\b/g,
  /(?<!\d)\d{1,3}(\.\d{1,3}){3}(\/\d+)?/g,
  /\+?(88)?01\d{9}|01(?= আর)|09 \/ 28/g,
  /\d{4}\/\d\d\/\d\d|\d\d\/\d\d\/\d{4}|\b\d{8}\b|31 +20\d\d|31 *, 20\d\d/g,
  /\b(410|443)\b/g,
]

it("no sentence in Bangla has a Latin digit, besides what people copy", () => {
  const texts = flat({ adminBn, csvBn, invoicesBn, linkBn, mailsBn, messagesBn, payBn, passwordBn })
  const counted = texts.filter(([, text]) => {
    const rest = COPIED.reduce((left, one) => left.replace(one, " "), text.replace(/{{\w+}}/g, ""))
    return /[\u0980-\u09ff]/.test(text) && /[0-9]/.test(rest)
  })
  expect(counted).toEqual([])
})

it("no Bangla letter has two vowel signs: a word was put into another one's endings", () => {
  const twice = linesOf(PLACES).filter(({ text }) => /[\u09be-\u09cc]{2}/.test(text))
  expect(twice).toEqual([])
})

describe("one form of money", () => {
  it("is written by src/i18n/formats.ts alone", () => {
    const own = linesOf(WRITERS).filter(({ text }) => /style: "currency"|৳\$\{/.test(text))
    expect(own).toEqual([])
  })

  it("has its sign before the amount in every text", () => {
    const after = linesOf(PLACES).filter(({ text }) => /[0-9০-৯] ?৳/.test(text))
    expect(after).toEqual([])
  })
})
