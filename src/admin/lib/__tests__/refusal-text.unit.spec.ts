import { createInstance } from "i18next"
import { setI18n } from "react-i18next"
import { messageOf, type Kind } from "../../../i18n/message"
import { messages } from "../../../i18n/en/messages"
import i18n from "../../i18n"
import { fieldText, refusalText, sentences } from "../text"

const inLanguage = (lng: string) => {
  const instance = createInstance()
  void instance.init({ lng, resources: i18n, initImmediate: false, interpolation: { escapeValue: false } })
  setI18n(instance)
}

describe("a refusal in the admin's language", () => {
  beforeAll(() => {
    Object.assign(globalThis, { navigator: { language: "en-GB" } })
  })

  it("counts by the language's rules", () => {
    inLanguage("en")
    expect(refusalText(messageOf("file.cells", { count: 1, columns: 4 }))).toBe("there is 1 cell for 4 columns")
    expect(refusalText(messageOf("refusal.acquirer_test_limit", { tests: 20, count: 2 }))).toMatch(/in 2 minutes$/)
    inLanguage("bn")
    expect(refusalText(messageOf("file.cells", { count: 1, columns: 4 }))).toBe("৪টি কলামের জন্য ১টি ঘর আছে")
  })

  it("is not known of a kind that a later version has", () => {
    inLanguage("en")
    expect(refusalText({ kind: "refusal.teleported" as Kind, params: { count: 1 } })).toBeNull()
  })

  it("names a field as its form does; without a reason that is known here, as the API", () => {
    const reason = messageOf("field", { name: "description", rule: messageOf("rule.required") })
    const fault = { field: "description", message: "description is required" }
    inLanguage("en")
    expect(fieldText({ ...fault, reason }, "What it is for")).toBe("What it is for is required")
    expect(fieldText(fault, "What it is for")).toBe("description is required")
    inLanguage("bn")
    expect(fieldText({ ...fault, reason }, "উদ্দেশ্য")).toBe("উদ্দেশ্য আবশ্যক")
  })

  describe("docs/decisions/19: prints sums as the pages do", () => {
    /** Placeholders that sums are put into. */
    const SUMS = /\{\{(amount|balance|due|taken|outstanding|sum|limit|unit|min|max)\}\}/g
    const kinds = kindsOf(messages).flatMap(({ kind, text }) => {
      const names = [...text.matchAll(SUMS)].map(([, name]) => name)
      return names.length === 0 ? [] : [{ kind, names }]
    })
    const said = (kind: string, names: readonly string[], value: string) =>
      refusalText({ kind, params: Object.fromEntries(names.map((name) => [name, value])) }) ?? ""
    /** Their sentences name the currency beside the sums; or what they limit is a time. */
    const others = ["rule.taka_within", "refusal.cart_amount", "refusal.plan_too_many", "rule.ends_at_min"]

    it("knows the kinds", () => expect(kinds.length).toBeGreaterThan(40))

    it.each(kinds.filter(({ kind }) => !others.includes(kind)))("$kind", ({ kind, names }) => {
      inLanguage("en")
      const text = said(kind, names, "123456.00")
      expect([text.match(/1,23,456\.00/g)?.length, text.includes("123456")]).toEqual([names.length, false])
      expect(text).not.toMatch(/৳[\d,.]+ BDT/)
      inLanguage("bn")
      const bangla = said(kind, names, "123456.00")
      expect(bangla).toContain("১,২৩,৪৫৬.০০")
      expect(bangla).not.toMatch(/৳\S+ (BDT|টাকা)/)
    })

    it("in their own currency, and nothing that is no sum", () => {
      inLanguage("en")
      const most = (amount: string) => refusalText(messageOf("refusal.refund_left", { amount }))
      expect(most("123456.00")).toBe("At most ৳1,23,456.00 is left to refund")
      expect(most("985.00 USD")).toBe("At most $985.00 is left to refund")
      expect(refusalText(messageOf("rule.max", { max: "500000.00" }))).toBe("must be at most 5,00,000.00")
      expect(refusalText(messageOf("rule.max", { max: 255 }))).toBe("must be at most 255")
      const typed = messageOf("file.amount_max", { value: "123456.00" })
      expect(refusalText(typed)).toContain('"123456.00"')
    })
  })
})

/** Every sentence of the catalogue by its kind; of a plural the form for many. */
function kindsOf(texts: object, prefix = ""): { kind: string; text: string }[] {
  return Object.entries(texts).flatMap(([key, text]: [string, unknown]) =>
    typeof text === "string"
      ? [{ kind: `${prefix}${key}`, text }].filter(() => !/_(one|other)$/.test(key))
      : kindsOf(text as object, `${prefix}${key}.`)
  )
}

describe("several messages in one paragraph", () => {
  it("end as sentences; one alone stays as it is", () => {
    expect(sentences(["name is required"])).toBe("name is required")
    expect(sentences(["name is required", "Write it again."])).toBe("name is required. Write it again.")
    expect(sentences(["নাম লাগবে", "আবার লিখুন।"])).toBe("নাম লাগবে। আবার লিখুন।")
  })
})
