import { instalmentDifferences, isSameBank } from "../instalments"

const chosen = { tenure_months: 12, bank_name: "BRAC Bank" }

describe("decisions: EMI — the bank's instalments are compared with the plan that was chosen", () => {
  it.each([
    ["nothing is said", chosen, undefined, []],
    ["nothing is said, and nothing was chosen", null, undefined, []],
    ["paid in full, as chosen", null, { months: 0, bank_name: null }, []],
    ["as chosen", chosen, { months: 12, bank_name: "BRAC BANK PLC" }, []],
    ["the months as chosen, and no bank is said", chosen, { months: 12, bank_name: null }, []],
    [
      "other months",
      chosen,
      { months: 6, bank_name: "BRAC Bank" },
      [{ kind: "instalments.other_months", params: { chosen: 12, granted: 6 } }],
    ],
    [
      "another bank",
      chosen,
      { months: 12, bank_name: "City Bank" },
      [{ kind: "instalments.other_bank", params: { chosen: "BRAC Bank", granted: "City Bank" } }],
    ],
    [
      "both",
      chosen,
      { months: 3, bank_name: "City Bank" },
      [
        { kind: "instalments.other_months", params: { chosen: 12, granted: 3 } },
        { kind: "instalments.other_bank", params: { chosen: "BRAC Bank", granted: "City Bank" } },
      ],
    ],
    [
      "charged in full",
      chosen,
      { months: 0, bank_name: null },
      [{ kind: "instalments.not_granted", params: { months: 12 } }],
    ],
    [
      "instalments that nobody chose",
      null,
      { months: 6, bank_name: "City Bank" },
      [{ kind: "instalments.not_chosen", params: { months: 6 } }],
    ],
  ])("%s", (_name, plan, granted, differences) => {
    expect(instalmentDifferences(plan, granted)).toEqual(differences)
  })

  it.each([
    ["BRAC Bank", "BRAC BANK PLC.", true],
    ["The City Bank Ltd.", "City", true],
    ["Dutch-Bangla Bank Limited", "DBBL", true],
    ["EBL", "Eastern Bank Limited", true],
    ["ব্র্যাক ব্যাংক", "ব্র্যাক ব্যাংক", true],
    ["BRAC Bank", "City Bank", false],
    ["Prime Bank", "Premier Bank", false],
    ["Standard Bank", "Standard Chartered Bank", false],
    ["Bank", "City Bank", false],
  ])("%s and %s: the same is %s", (one, other, same) => {
    expect([isSameBank(one, other), isSameBank(other, one)]).toEqual([same, same])
  })
})
