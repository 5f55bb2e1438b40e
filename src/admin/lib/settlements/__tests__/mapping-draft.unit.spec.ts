import { readTemplate } from "../../../../modules/gateway/settlements/files/template"
import { definitionOf, draftOf, NONE, withWord, wordsOf, type Draft } from "../mapping-draft"

const stored = readTemplate({
  kind: "settlement",
  columns: { kind: "ধরন", reference: "লেনদেন আইডি", date: "তারিখ", gross: "পরিমাণ" },
  kinds: { বিক্রি: "payment" },
  header_line: 3,
  skip: ["মোট", "সর্বমোট"],
}).value

const draft = (change: Partial<Draft> = {}): Draft => {
  if (stored === null) {
    throw new Error("The template is wrong")
  }
  return { ...draftOf(stored, { name: "Weekly", source: "bkash" }), ...change }
}

describe("the form of a template", () => {
  it("opens with what is stored, and saves it unchanged", () => {
    expect(draft()).toMatchObject({ default_kind: NONE, currency: "BDT", header_line: "3", skip: "মোট\nসর্বমোট" })
    expect(definitionOf(draft())).toEqual(stored)
  })

  it("sends nothing that the kind of file does not have, and no words without their column", () => {
    const columns = { ...draft().columns, kind: undefined, credit: "জমা" }
    const sent = definitionOf(draft({ kind: "statement", columns }))
    expect(sent.columns).toEqual({ reference: "লেনদেন আইডি", date: "তারিখ", gross: "পরিমাণ", credit: "জমা" })
    expect([sent.kinds, sent.default_kind]).toEqual([{}, "by_sign"])
    expect(definitionOf(draft({ columns })).columns).not.toHaveProperty("credit")
  })

  it("leaves out what is emptied", () => {
    const sent = definitionOf(draft({ sheet: " ", header_line: NONE, currency: NONE, skip: "\n  \nTotal \n" }))
    expect(sent).toMatchObject({ sheet: null, header_line: null, currency: null, skip: ["Total"] })
  })

  it("asks for each word of the file once, however it is written", () => {
    expect(wordsOf(draft(), [" বিক্রি ", "ফেরত"])).toEqual(["বিক্রি", "ফেরত"])
    const said = withWord(draft(), "ফেরত", "refund")
    expect(said.kinds).toEqual({ বিক্রি: "payment", ফেরত: "refund" })
    expect(withWord(said, "বিক্রি", NONE).kinds).toEqual({ ফেরত: "refund" })
  })
})
