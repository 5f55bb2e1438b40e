import fc from "fast-check"
import { MalformedForm, parseForm } from "../form/fields"

const parse = (text: string) => parseForm(Buffer.from(text, "utf8"))

describe("parseForm", () => {
  it("reads names and values, plus signs and UTF-8", () => {
    expect([...parse("method=card&card_name=Rahim+Uddin&bank=%E0%A6%95")]).toEqual([
      ["method", "card"],
      ["card_name", "Rahim Uddin"],
      ["bank", "ক"],
    ])
    expect([...parse("")]).toEqual([])
    expect([...parse("otp=a=b&pin")]).toEqual([
      ["otp", "a=b"],
      ["pin", ""],
    ])
  })

  it.each([
    ["a broken escape", "method=%ff"],
    ["half an escape", "method=%"],
    ["a NUL", "method=%00"],
    ["a line end", "card_name=a%0d%0ab"],
    ["a lone surrogate", "method=%ed%a0%80"],
    ["an array", "method[]=card"],
    ["a nested name", "card[number]=4242"],
    ["__proto__", "__proto__=x"],
    ["a name given twice", "method=card&method=wallet"],
    ["an empty name", "=x"],
    ["JSON", '{"method":"card"}'],
    ["too many fields", Array.from({ length: 41 }, (_, index) => `f${"a".repeat(index)}=1`).join("&")],
    ["a value without end", `card_name=${"a".repeat(1001)}`],
  ])("refuses %s", (_, text) => {
    expect(() => parse(text)).toThrow(MalformedForm)
  })

  it("refuses bytes that are not UTF-8", () => {
    expect(() => parseForm(Buffer.from([0x61, 0x3d, 0xff]))).toThrow(MalformedForm)
  })

  it("refuses or reads any bytes, and never fails in another way", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
        try {
          parseForm(Buffer.from(bytes))
        } catch (error) {
          expect(error).toBeInstanceOf(MalformedForm)
        }
      })
    )
  })

  it("gives back what a browser encodes", () => {
    fc.assert(
      fc.property(
        fc.string({ maxLength: 200 }).filter((text) => !/[\u0000-\u001f\u007f-\u009f]/.test(text)),
        (text) => {
          const body = new URLSearchParams({ card_name: text }).toString()
          expect(parse(body).get("card_name")).toBe(text)
        }
      )
    )
  })
})
