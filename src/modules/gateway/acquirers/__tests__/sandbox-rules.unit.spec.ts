import {
  outcomeOfAmount,
  sandboxAmounts,
  SANDBOX_CARDS,
  SANDBOX_OTP,
  SANDBOX_PIN,
  SANDBOX_TOO_LOW_MINOR,
  SANDBOX_UNREFUNDABLE_MINOR,
  DECLINE_MESSAGES,
  outcomeOfInstrument,
  sandboxCard,
  sandboxOutcome,
} from "../sandbox-rules"

const card = (number: string) => ({ method: "card", card_number: number })
const good = card("4242424242424242")

describe("contract 7.3, decisions: Sandbox — amounts", () => {
  it.each([
    [10_000n, "SUCCESS"],
    [20_000n, "INSUFFICIENT_FUNDS"],
    [30_000n, "CARD_DECLINED"],
    [40_000n, "NETWORK_ERROR"],
    [9_999_900n, "LIMIT_EXCEEDED"],
    [10_001n, "SUCCESS"],
    [19_999n, "SUCCESS"],
    [20_001n, "SUCCESS"],
    [9_999_899n, "SUCCESS"],
    [50_000_000n, "SUCCESS"],
  ])("%p poisha with a good card: %s", (amount, outcome) => {
    expect(sandboxOutcome(amount, outcomeOfInstrument(good))).toBe(outcome)
  })

  it.each(["mobile_banking", "internet_banking", "wallet"])("the amounts decide for %s too", (method) => {
    const instrument = { method, otp: SANDBOX_OTP, pin: SANDBOX_PIN }
    expect(sandboxOutcome(30_000n, outcomeOfInstrument(instrument))).toBe("CARD_DECLINED")
    expect(sandboxOutcome(10_000n, outcomeOfInstrument(instrument))).toBe("SUCCESS")
  })

  it.each(SANDBOX_CARDS.filter(({ outcome }) => outcome !== "SUCCESS").map(({ number, outcome }) => [number, outcome]))(
    "100.00 succeeds with %s too; a verification of this amount is decided by the card: %s (docs/decisions/18)",
    (number, outcome) => {
      expect(sandboxOutcome(10_000n, outcomeOfInstrument(card(number)))).toBe("SUCCESS")
      expect(sandboxOutcome(10_000n, outcomeOfInstrument(card(number)), true)).toBe(outcome)
    }
  )

  it.each([
    [10_000n, "AUTHENTICATION_FAILED"],
    [20_000n, "INSUFFICIENT_FUNDS"],
    [30_000n, "CARD_DECLINED"],
  ])("%p poisha with a wrong OTP or PIN: %s", (amount, outcome) => {
    const wrong = [
      { method: "mobile_banking", otp: "000000", pin: SANDBOX_PIN },
      { method: "mobile_banking", otp: SANDBOX_OTP, pin: "00000" },
    ]
    expect(wrong.map((instrument) => sandboxOutcome(amount, outcomeOfInstrument(instrument)))).toEqual([
      outcome,
      outcome,
    ])
  })

  it("lists every special amount once, with what it does", () => {
    expect(sandboxAmounts().map(({ minor, outcome, refund }) => [minor, outcome, refund])).toEqual([
      [500n, "AMOUNT_TOO_LOW", "standard"],
      [10_000n, "SUCCESS", "standard"],
      [20_000n, "INSUFFICIENT_FUNDS", "standard"],
      [30_000n, "CARD_DECLINED", "standard"],
      [40_000n, "NETWORK_ERROR", "standard"],
      [99_900n, "SUCCESS", "fails"],
      [9_999_900n, "LIMIT_EXCEEDED", "standard"],
    ])
  })

  it("leaves any other amount to the instrument", () => {
    expect(outcomeOfAmount(12_345n)).toBeNull()
    expect(outcomeOfAmount(10_000n)).toBe("SUCCESS")
  })

  it("names the two other amounts exactly", () => {
    expect(SANDBOX_TOO_LOW_MINOR).toBe(500n)
    expect(SANDBOX_UNREFUNDABLE_MINOR).toBe(99_900n)
  })
})

describe("decisions: Sandbox — cards", () => {
  it.each([
    ["4242424242424242", "SUCCESS", "standard"],
    ["4111111111111111", "SUCCESS", "standard"],
    ["5555555555554444", "SUCCESS", "standard"],
    ["378282246310005", "SUCCESS", "standard"],
    ["4000000000000002", "CARD_DECLINED", "standard"],
    ["4000000000009995", "INSUFFICIENT_FUNDS", "standard"],
    ["4000000000000069", "EXPIRED_CARD", "standard"],
    ["4000000000000127", "INVALID_CVV", "standard"],
    ["4100000000000019", "FRAUD_SUSPECTED", "standard"],
    ["4000000000007726", "SUCCESS", "instant"],
    ["4000000000007734", "SUCCESS", "delayed"],
    ["4000000000005126", "SUCCESS", "fails"],
  ] as const)("%s: %s, refund %s", (number, outcome, refund) => {
    expect(sandboxOutcome(12_345n, outcomeOfInstrument(card(number)))).toBe(outcome)
    expect(sandboxCard(number)).toMatchObject({ outcome, refund })
  })

  it("there are no others, and any other number is no test card", () => {
    expect(SANDBOX_CARDS).toHaveLength(14)
    expect(sandboxCard("4242424242424241")).toBeNull()
    expect(sandboxCard("")).toBeNull()
    expect(sandboxOutcome(12_345n, outcomeOfInstrument(card("4242424242424241")))).not.toBe("SUCCESS")
    expect(sandboxOutcome(12_345n, outcomeOfInstrument({ method: "card" }))).not.toBe("SUCCESS")
  })

  it("every decline has a sentence", () => {
    const outcomes = SANDBOX_CARDS.map(({ outcome }) => outcome).filter((outcome) => outcome !== "SUCCESS")
    expect(outcomes.every((outcome) => DECLINE_MESSAGES[outcome].length > 10)).toBe(true)
  })
})

describe("decisions: Sandbox — mobile banking wants OTP 123456 and PIN 12345", () => {
  it.each([
    ["123456", "12345", "SUCCESS"],
    ["123457", "12345", "AUTHENTICATION_FAILED"],
    ["123456", "12346", "AUTHENTICATION_FAILED"],
    ["", "", "AUTHENTICATION_FAILED"],
    [undefined, undefined, "AUTHENTICATION_FAILED"],
    ["12345", "123456", "AUTHENTICATION_FAILED"],
  ])("OTP %p and PIN %p: %s", (otp, pin, outcome) => {
    expect(sandboxOutcome(12_345n, outcomeOfInstrument({ method: "mobile_banking", otp, pin }))).toBe(outcome)
  })
})
