import { addressOf, billed } from "../plan-lines"
import { countryName, currencyOf, requirePayable, requireSameCurrency } from "../order"

const refusal = (work: () => unknown) => {
  try {
    return work() ?? "taken"
  } catch (error) {
    const { code, message } = error as { code: string; message: string }
    return `${code}: ${message}`
  }
}

describe("docs/decisions/08: what a cart may be paid in", () => {
  it.each([
    ["bdt", "BDT"],
    ["usd", "USD"],
    ["EUR", "EUR"],
  ])("%s is %s", (currency_code, expected) => {
    expect(currencyOf({ currency_code })).toBe(expected)
  })

  it.each(["jpy", "kwd", "isk", "", "xxx"])("not %p", (currency_code) => {
    const code = currency_code.toUpperCase()
    expect(refusal(() => currencyOf({ currency_code }))).toBe(
      `INVALID_CURRENCY: This payment method takes only currencies of two decimals, and not ${code}`
    )
  })

  it.each([
    [999n, "BDT", "INVALID_REQUEST: This payment method takes from 10.00 to 500000.00 BDT; the cart comes to 9.99"],
    [1_000n, "BDT", "taken"],
    [50_000_000n, "BDT", "taken"],
    [50_000_001n, "BDT", expect.stringContaining("to 500000.00 BDT; the cart comes to 500000.01")],
    [49n, "USD", "INVALID_REQUEST: This payment method takes from 0.50 to 500000.00 USD; the cart comes to 0.49"],
    [50n, "USD", "taken"],
    [50_000_000n, "EUR", "taken"],
    [50_000_001n, "EUR", expect.stringContaining("from 0.50 to 500000.00 EUR; the cart comes to 500000.01")],
  ])("%d hundredths of %s", (amount, currency, expected) => {
    expect(refusal(() => requirePayable(amount, currency))).toEqual(expected)
  })

  it("a checkout keeps its currency", () => {
    expect(refusal(() => requireSameCurrency({ currency: "USD" }, "usd"))).toBe("taken")
    expect(refusal(() => requireSameCurrency({ currency: "USD" }, "bdt"))).toBe(
      "INVALID_CURRENCY: The checkout is in USD, and cannot become one in BDT"
    )
  })
})

describe("country names", () => {
  it.each([
    ["bd", "Bangladesh"],
    ["BD", "Bangladesh"],
    [" bgd ", "Bangladesh"],
    ["in", "India"],
    ["US", "United States"],
    ["zz", "ZZ"],
    ["", ""],
    [null, ""],
    [undefined, ""],
  ])("%p is %p", (code, expected) => {
    expect(countryName(code)).toBe(expected)
  })
})

it("decisions: Digits — a subscription's customer has the phone in ASCII digits, of the account or the cart", () => {
  const name = { first_name: "Rahim", last_name: null }
  const account = { id: "cus_1", has_account: true, email: "rahim@example.com", ...name }
  const expected = { phone: "01712-345678", phone_e164: "+8801712345678" }
  expect(billed({ ...account, phone: "০১৭১২-৩৪৫৬৭৮" }, null)).toMatchObject(expected)
  expect(billed({ ...account, phone: null }, "০১৭১২-৩৪৫৬৭৮")).toMatchObject(expected)
  expect(billed({ ...account, phone: "" }, "")).toMatchObject({ phone: null, phone_e164: null })
})

it("decisions: Digits — renewals go to an address with phone and postcode in ASCII digits, and houses as they are written", () => {
  const cart = { shipping_address: { address_1: "বাড়ি ৭", postal_code: "১২০৯", phone: "০১৭১২৩৪৫৬৭৮" } }
  expect(addressOf(cart as Parameters<typeof addressOf>[0])).toMatchObject({
    address_1: "বাড়ি ৭",
    postal_code: "1209",
    phone: "01712345678",
    company: null,
  })
})
