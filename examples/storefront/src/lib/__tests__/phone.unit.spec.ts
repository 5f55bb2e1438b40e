import "./english"
import { parsePhone } from "../phone"

describe("parsePhone", () => {
  it.each([
    ["01712345678"],
    ["017 1234-5678"],
    [" 01712 345 678 "],
    ["+8801712345678"],
    ["+880 1712-345678"],
    ["8801712345678"],
    ["008801712345678"],
    ["1712345678"],
    ["০১৭১২৩৪৫৬৭৮"],
    ["+৮৮০১৭১২৩৪৫৬৭৮"],
  ])("reads %s as 01712345678", (typed) => {
    expect(parsePhone(typed)).toEqual({ phone: "01712345678" })
  })

  it.each([
    ["", /Enter a mobile number/],
    ["0171234567", /has 11 digits; this one has 10/],
    ["017123456789", /has 11 digits; this one has 12/],
    ["01212345678", /begin with 013 to 019/],
    ["0288912345", /begin with 013 to 019/],
    ["+14155550100", /only digits|begin with/],
    ["017123456a8", /only digits/],
  ])("refuses %p and says why", (typed, problem) => {
    expect(parsePhone(typed)).toEqual({ problem: expect.stringMatching(problem) })
  })
})
