import { admin as adminBn } from "../bn/admin"
import { csv as csvBn } from "../bn/csv"
import { invoices as invoicesBn } from "../bn/invoices"
import { password as passwordBn } from "../bn/password"
import { link as linkBn } from "../bn/link"
import { mails as mailsBn } from "../bn/mails"
import { messages as messagesBn } from "../bn/messages"
import { pay as payBn } from "../bn/pay"
import { receipts as receiptsBn } from "../bn/receipts"
import { portal as portalBn } from "../bn/portal"
import { admin as adminEn } from "../en/admin"
import { csv as csvEn } from "../en/csv"
import { invoices as invoicesEn } from "../en/invoices"
import { password as passwordEn } from "../en/password"
import { link as linkEn } from "../en/link"
import { mails as mailsEn } from "../en/mails"
import { messages as messagesEn } from "../en/messages"
import { pay as payEn } from "../en/pay"
import { receipts as receiptsEn } from "../en/receipts"
import { portal as portalEn } from "../en/portal"
import { textGroup, textsOf } from "../translate"

type Texts = { [key: string]: string | Texts }

/** `payments.title` and its text, for every text. */
function flat(texts: Texts, prefix = ""): [key: string, text: string][] {
  return Object.entries(texts).flatMap(([name, text]): [string, string][] =>
    typeof text === "string" ? [[prefix + name, text]] : flat(text, `${prefix}${name}.`)
  )
}

const placeholders = (text: string) => [...text.matchAll(/{{(\w+)}}/g)].map(([, name]) => name).sort()
/** Whether there is anything to be translated besides what is put in. */
const hasWords = (text: string) => /\p{L}/u.test(text.replace(/{{\w+}}/g, ""))

it("what a search field asks for fits in it: 220 pixels, in Bangla without the marks, which take no room", () => {
  const searches = [...flat(adminEn), ...flat(adminBn)].filter(([key]) => /(^|\.)search$/.test(key))
  expect(searches.length).toBeGreaterThan(20)
  expect(searches.filter(([, text]) => text.replace(/\p{M}/gu, "").length > 32)).toEqual([])
})

it("each sentence of an e-mail in English begins with a capital letter, or with what is put in", () => {
  const parts = [invoicesEn, linkEn, mailsEn, passwordEn, portalEn, receiptsEn]
  const sentences = parts.flatMap((part) => flat(part)).filter(([key]) => /intro|note|reason|statusText/.test(key))
  expect(sentences.length).toBeGreaterThan(8)
  expect(sentences.filter(([, text]) => /^[a-z]/.test(text))).toEqual([])
})

describe.each<[string, Texts, Texts]>([
  ["messages", messagesEn, messagesBn],
  ["pay", payEn, payBn],
  ["invoices", invoicesEn, invoicesBn],
  ["csv", csvEn, csvBn],
  ["link", linkEn, linkBn],
  ["mails", mailsEn, mailsBn],
  ["receipts", receiptsEn, receiptsBn],
  ["portal", portalEn, portalBn],
  ["password", passwordEn, passwordBn],
  ["admin", adminEn, adminBn],
])("the texts of %s", (_part, en, bn) => {
  const english = flat(en)
  const bangla = new Map(flat(bn))

  it("in Bangla are there for every text in English, with the same placeholders, and are not empty", () => {
    expect([...bangla.keys()].sort()).toEqual(english.map(([key]) => key).sort())
    const different = english.filter(
      ([key, text]) => String(placeholders(bangla.get(key) ?? "")) !== String(placeholders(text))
    )
    expect(different.map(([key]) => key)).toEqual([])
    expect([...bangla].filter(([, text]) => text.trim() === "")).toEqual([])
  })

  it("hold no plural without its other form", () => {
    const keys = new Set(english.map(([key]) => key))
    const alone = [...keys].filter((key) => /_other$/.test(key) && !keys.has(key.replace(/_other$/, "_one")))
    expect(alone).toEqual([])
  })
})

describe("the texts of pages that a shopper reads", () => {
  it.each([
    ["pay", payEn, payBn],
    ["link", linkEn, linkBn],
    ["portal", portalEn, portalBn],
    ["invoices", invoicesEn, invoicesBn],
    ["receipts", receiptsEn, receiptsBn],
  ] as [string, Texts, Texts][])("%s: each is another one in Bangla", (_part, en, bn) => {
    const bangla = new Map(flat(bn))
    expect(flat(en).filter(([key, text]) => bangla.get(key) === text && hasWords(text))).toEqual([])
  })

  it("keep the place of the minutes in what the page's script announces", () => {
    expect([payEn.timeAnnouncement, payBn.timeAnnouncement].every((text) => text.includes("{minutes}"))).toBe(true)
  })

  it("count by the language's own rules", () => {
    const english = textsOf("pay", "en")
    expect(english("waitSeconds", { count: 1, number: "1" })).toBe("Try again in 1 second.")
    expect(english("waitSeconds", { count: 2, number: "2" })).toBe("Try again in 2 seconds.")
    expect(english("renewal.every.MONTH", { count: 1, number: "1" })).toBe("every month")
    expect(english("renewal.every.MONTH", { count: 3, number: "3" })).toBe("every 3 months")
    expect(textsOf("invoices", "bn")("every.YEAR", { count: 2, number: "২" })).toBe("প্রতি ২ বছর")
    expect(textsOf("pay", "bn")("renewal.every.WEEK", { count: 1, number: "১" })).toBe("প্রতি সপ্তাহে")
  })

  it("take a group by the names in data, and nothing that is no text of it", () => {
    expect(textGroup("pay", "declines", "bn").EXPIRED_CARD).toBe(payBn.declines.EXPIRED_CARD)
    expect(textGroup("pay", "declines", "en").SOMETHING_NEW).toBeUndefined()
    expect(textGroup("pay", "declines", "en").constructor).toBeUndefined()
    expect(textGroup("pay", "problems", "en")).toEqual(payEn.problems)
  })
})
