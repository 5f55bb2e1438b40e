import { faultsOf, quickAmounts } from "../draft"

const given = (amount: string, reason = "Broken") => faultsOf({ amount, reason }, "100.50")

describe("the refund form, before it is confirmed", () => {
  it.each(["100.50", "100.5", "0.01", "100", " 7 "])("takes %j of 100.50", (amount) => {
    expect(given(amount)).toEqual({})
  })

  it.each(["", "0", "0.00", "-1", "1e2", "1,000", "1.234", "৫", "1.", ".5"])("takes %j for no amount", (amount) => {
    expect(given(amount)).toEqual({ amount: "refunds.amount_invalid" })
  })

  it.each(["100.51", "101", "999999999999.99"])("refuses %j of 100.50: it is more than is left", (amount) => {
    expect(given(amount)).toEqual({ amount: "refunds.amount_over" })
  })

  it("names everything that is wrong at once, and a blank reason is none", () => {
    expect(given("", " \n")).toEqual({ amount: "refunds.amount_invalid", reason: "refunds.reason_missing" })
  })

  it("offers all, a half and a quarter, rounded down, and nothing that is zero", () => {
    expect(quickAmounts("100.55")).toEqual([
      { share: "all", amount: "100.55" },
      { share: "half", amount: "50.27" },
      { share: "quarter", amount: "25.13" },
    ])
    expect(quickAmounts("0.03").map(({ amount }) => amount)).toEqual(["0.03", "0.01"])
    expect(quickAmounts("0.00")).toEqual([])
  })
})
