import fc from "fast-check"
import { CURRENCIES, inOrder, isCurrency } from "../money/currencies"
import { localDigits, money, taka } from "../../../../i18n/formats"
import { formatAmount } from "../money/money"

describe("docs/decisions/08: the currencies of a store", () => {
  it("are currencies of ISO 4217, BDT first, each once", () => {
    const known = new Set(Intl.supportedValuesOf("currency"))
    expect(CURRENCIES[0]).toBe("BDT")
    expect(CURRENCIES.filter((code) => !known.has(code))).toEqual([])
    expect(inOrder(CURRENCIES)).toEqual(CURRENCIES)
  })

  it.each(["JPY", "KRW", "VND", "CLP", "KWD", "BHD", "OMR", "TND", "ISK", "UGX", "usd", "US", "", "৳"])(
    "%p is none of them",
    (code) => {
      expect(isCurrency(code)).toBe(false)
    }
  )

  it("are shown with BDT first and the others by code, each once", () => {
    expect(inOrder(["USD", "AED", "USD", "BDT", "EUR"])).toEqual(["BDT", "AED", "EUR", "USD"])
    expect(inOrder(["USD", "AED"])).toEqual(["AED", "USD"])
  })
})

describe("docs/decisions/08: amounts for people", () => {
  const NBSP = "\u00a0"

  it.each([
    [12_345_600, "BDT", "৳1,23,456.00", "৳১,২৩,৪৫৬.০০"],
    [-5, "BDT", "-৳0.05", "-৳০.০৫"],
    [0, "USD", "$0.00", "$০.০০"],
    [5, "USD", "$0.05", "$০.০৫"],
    [123_456_789, "USD", "$1,234,567.89", "$১,২৩৪,৫৬৭.৮৯"],
    [-123_450, "USD", "-$1,234.50", "-$১,২৩৪.৫০"],
    [123_450, "EUR", "€1,234.50", "€১,২৩৪.৫০"],
    [123_450, "CAD", "CA$1,234.50", "CA$১,২৩৪.৫০"],
    [123_450, "AED", `AED${NBSP}1,234.50`, `AED${NBSP}১,২৩৪.৫০`],
    [123_450, "IDR", `IDR${NBSP}1,234.50`, `IDR${NBSP}১,২৩৪.৫০`],
    [50_000_000, "GBP", "£500,000.00", "£৫০০,০০০.০০"],
  ])("%d hundredths of %s are %p and %p", (minor, currency, en, bn) => {
    expect([money(minor, currency, "en"), money(minor, currency, "bn")]).toEqual([en, bn])
  })

  it("have every digit of the amount, however large, and tell currencies apart (property)", () => {
    const amount = fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n })
    fc.assert(
      fc.property(amount, fc.constantFrom(...CURRENCIES), (minor, currency) => {
        const text = money(minor, currency, "en")
        expect(text.replace(/[^0-9.-]/g, "")).toBe(formatAmount(minor))
        expect(money(minor, currency, "bn")).toBe(localDigits(text, "bn"))
      })
    )
    expect(new Set(CURRENCIES.map((currency) => money(100, currency, "en"))).size).toBe(CURRENCIES.length)
    expect(money(100, "BDT", "bn")).toBe(taka(100, "bn"))
  })
})
