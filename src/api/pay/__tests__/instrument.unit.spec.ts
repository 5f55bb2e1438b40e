import { SANDBOX_CARDS } from "../../../modules/gateway/acquirers/sandbox-rules"
import { cardBrand, isCardNumber, isExpiryUsable, parseExpiry } from "../form/card-rules"
import { monthOf, readInstrument, withMethodOfService } from "../form/instrument"
import { checkout, fields, GOOD_CARD, onItsOwnPage, withBkashAway } from "./support"

function problemsOf(values: Record<string, string>, page = checkout()) {
  return readInstrument(page, fields(values)).problems.map(({ field, problem }) => `${field}: ${problem}`)
}

describe("card rules", () => {
  it("accept every sandbox test card", () => {
    expect(SANDBOX_CARDS.filter(({ number }) => !isCardNumber(number))).toEqual([])
  })

  it.each(["4242424242424241", "42424242424", "42424242424242424242", "4242-4242", ""])(
    "refuse the number %s",
    (number) => {
      expect(isCardNumber(number)).toBe(false)
    }
  )

  it("know the schemes by their first digits", () => {
    expect(["4", "51", "2720", "34", "62", "99", ""].map(cardBrand)).toEqual([
      "Visa",
      "Mastercard",
      "Mastercard",
      "Amex",
      "UnionPay",
      "",
      "",
    ])
  })

  it.each([
    ["09/28", { month: 9, year: 2028 }],
    ["9 / 28", { month: 9, year: 2028 }],
    ["09 / 2028", { month: 9, year: 2028 }],
    ["0928", { month: 9, year: 2028 }],
    ["09-28", { month: 9, year: 2028 }],
    ["13/28", null],
    ["00/28", null],
    ["09/128", null],
    ["abc", null],
  ])("read the date %s", (text, expiry) => {
    expect(parseExpiry(text)).toEqual(expiry)
  })

  it("let a card live to the end of its month, and not more than twenty years", () => {
    const now = { month: 11, year: 2026 }
    expect(isExpiryUsable({ month: 11, year: 2026 }, now)).toBe(true)
    expect(isExpiryUsable({ month: 10, year: 2026 }, now)).toBe(false)
    expect(isExpiryUsable({ month: 11, year: 2046 }, now)).toBe(true)
    expect(isExpiryUsable({ month: 12, year: 2046 }, now)).toBe(false)
  })

  it("take the month from the merchant's clock, in Bangladesh's time", () => {
    expect(monthOf(new Date("2026-11-30T17:59:59Z"))).toEqual({ month: 11, year: 2026 })
    expect(monthOf(new Date("2026-11-30T18:00:00Z"))).toEqual({ month: 12, year: 2026 })
  })
})

describe("readInstrument", () => {
  it("makes an instrument of a card; its code and holder go no further", () => {
    expect(readInstrument(checkout(), fields(GOOD_CARD)).instrument).toEqual({
      method: "card",
      payment_service: "CARD",
      card: { number: "4242424242424242", expiry_month: 12, expiry_year: 2030 },
    })
  })

  it("reads Bangla numerals and dashes", () => {
    const card = { ...GOOD_CARD, card_number: "৪২৪২-৪২৪২-৪২৪২-৪২৪২", card_expiry: "১২/৩০", card_cvc: "১২৩" }
    expect(readInstrument(checkout(), fields(card)).instrument?.card).toEqual({
      number: "4242424242424242",
      expiry_month: 12,
      expiry_year: 2030,
    })
  })

  it("says what is missing of a card, all of it at once", () => {
    expect(problemsOf({ method: "card" })).toEqual([
      "card_number: card_number_required",
      "card_expiry: card_expiry_required",
      "card_cvc: card_cvc_required",
      "card_name: card_name_required",
    ])
  })

  it.each([
    ["card_number", "4242424242424241", "card_number_invalid"],
    ["card_expiry", "10/26", "card_expiry_past"],
    ["card_expiry", "13/30", "card_expiry_invalid"],
    ["card_cvc", "12", "card_cvc_invalid"],
    ["card_cvc", "1234", "card_cvc_invalid"],
    ["card_cvc", "12a", "card_cvc_invalid"],
    ["card_name", "1234", "card_name_invalid"],
    ["card_name", "A", "card_name_invalid"],
    ["card_name", "<b>Rahim</b>", "card_name_invalid"],
  ])("refuses %s %s", (field, value, problem) => {
    expect(problemsOf({ ...GOOD_CARD, [field]: value })).toEqual([`${field}: ${problem}`])
  })

  it("wants four digits of code for a card that has four", () => {
    const amex = { ...GOOD_CARD, card_number: "378282246310005" }
    expect(problemsOf(amex)).toEqual(["card_cvc: card_cvc_invalid_amex"])
    expect(problemsOf({ ...amex, card_cvc: "1234" })).toEqual([])
  })

  it("judges the date by the merchant's moved clock", () => {
    const later = checkout({ now: new Date("2031-01-01T00:00:00Z") })
    expect(problemsOf(GOOD_CARD, later)).toEqual(["card_expiry: card_expiry_past"])
  })

  it("makes an instrument of mobile banking, the number in international form", () => {
    const posted = {
      method: "mobile_banking",
      mobile_banking_service: "NAGAD",
      mobile_number: "01712-345678",
      otp: "123456",
      pin: "12345",
    }
    expect(readInstrument(checkout(), fields(posted)).instrument).toEqual({
      method: "mobile_banking",
      payment_service: "NAGAD",
      mobile: { number: "+8801712345678", otp: "123456", pin: "12345" },
    })
    const { mobile_banking_service: method, ...details } = posted
    const tile = withMethodOfService(checkout(), fields({ ...details, method }))
    expect(readInstrument(checkout(), tile)).toEqual(readInstrument(checkout(), fields(posted)))
    expect(problemsOf({ ...posted, mobile_banking_service: "" })).toEqual(["service: service_required"])
    expect(problemsOf({ ...posted, mobile_banking_service: "ROCKET" })).toEqual(["service: method_not_allowed"])
    expect(problemsOf({ ...posted, mobile_number: "+14155550100" })).toEqual(["mobile_number: mobile_number_invalid"])
    expect(problemsOf({ ...posted, otp: "12", pin: "1" })).toEqual(["otp: otp_invalid", "pin: pin_invalid"])
  })

  it("wants a bank for internet banking and nothing for a wallet", () => {
    expect(problemsOf({ method: "internet_banking" })).toEqual(["bank: bank_required"])
    expect(problemsOf({ method: "internet_banking", bank: "demo_one" })).toEqual([])
    expect(readInstrument(checkout(), fields({ method: "wallet" })).instrument).toEqual({
      method: "wallet",
      payment_service: "WALLET",
    })
  })

  it("allows only the order's methods, and needs no choice of one", () => {
    const cardOnly = checkout({ methods: [checkout().methods[0]] })
    expect(problemsOf({ method: "wallet" }, cardOnly)).toEqual(["method: method_not_allowed"])
    expect(problemsOf({ ...GOOD_CARD, method: "card" }, cardOnly)).toEqual([])
    const withoutMethod = new Map(Object.entries(GOOD_CARD).filter(([name]) => name !== "method"))
    expect(readInstrument(cardOnly, withoutMethod).problems).toEqual([])
    expect(problemsOf({})).toEqual(["method: method_required"])
    expect(problemsOf({ method: "toString" })).toEqual(["method: method_not_allowed"])
  })

  it("reads no card in production, whatever is posted", () => {
    const production = checkout({ environment: "production", methods: onItsOwnPage("card", "wallet") })
    expect(readInstrument(production, fields(GOOD_CARD)).instrument).toEqual({
      method: "card",
      payment_service: "CARD",
    })
    const misconfigured = checkout({ environment: "production" })
    expect(readInstrument(misconfigured, fields(GOOD_CARD)).instrument?.card).toBeUndefined()
  })

  it("reads details for the service that is paid here, and none for one with a page of its own", () => {
    const methods = withBkashAway()
    const mobile = { method: "mobile_banking", mobile_number: "01712345678", otp: "123456", pin: "1234" }
    const read = (service: string) =>
      readInstrument(checkout({ methods }), fields({ ...mobile, mobile_banking_service: service })).instrument
    expect(read("NAGAD")?.mobile).toEqual({ number: "+8801712345678", otp: "123456", pin: "1234" })
    expect(read("BKASH")).toEqual({ method: "mobile_banking", payment_service: "BKASH" })
  })
})
