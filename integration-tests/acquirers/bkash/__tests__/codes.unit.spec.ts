import { PAYMENT_CODES, refundMeaning } from "../../../../src/modules/gateway/acquirers/bkash/codes"
import { readCreated, readExecuted, readStatus } from "../../../../src/modules/gateway/acquirers/bkash/answers"
import { readRefunded } from "../../../../src/modules/gateway/acquirers/bkash/refunds"
import { bkash } from "../../../../src/modules/gateway/acquirers/bkash"
import { isCardDecline } from "../../../../src/modules/gateway/payments/card-testing-rules"
import { DECLINE_REASONS } from "../../../../src/modules/gateway/acquirers/port"

const EXPECTED = { paymentID: "TR0011A", key: "pay0123456789abcdef0123456789a" }
const refused = (code: string) => ({ status: 200, body: { statusCode: code, statusMessage: "Said by bKash" } })

/** Codes after which money may have moved, or bKash does not know itself. */
const UNCLEAR = "2003 2020 2024 2029 2056 2062 2068 2116 2117 2118 2119 2127 503".split(" ")
const CODES = Object.keys(PAYMENT_CODES)

describe("bKash: codes", () => {
  test("the table holds the documented codes", () => {
    const documented =
      "2001 2002 2003 2006 2007 2008 2009 2010 2011 2013 2014 2015 2016 2017 2018 2019 2020 2023 2024 2025 2026 2028 " +
      "2029 2031 2033 2034 2035 2037 2038 2039 2040 2041 2042 2043 2044 2045 2046 2047 2048 2049 2050 2051 2052 2053 " +
      "2054 2055 2056 2057 2058 2059 2060 2061 2062 2063 2064 2065 2066 2067 2068 2069 2116 2117 2118 2119 2127 503"
    expect(CODES.sort()).toEqual(documented.split(" ").sort())
  })

  test.each(CODES)("%s of create: refused, whatever it is", (code) => {
    expect(readCreated(refused(code), EXPECTED)).toMatchObject({ result: "refused" })
  })

  test.each(CODES.filter((code) => !UNCLEAR.includes(code)))("%s of execute: refused", (code) => {
    expect(readExecuted(refused(code), EXPECTED)).toMatchObject({
      result: "refused",
      message: `bKash ${code}: Said by bKash`,
    })
  })

  test.each([...UNCLEAR, "2071", "2079x", "9999", ""])("%s of execute: unknown", (code) => {
    expect(readExecuted(refused(code), EXPECTED).result).toBe("unknown")
  })

  test.each(CODES)("%s with status 500 of execute: unknown", (code) => {
    expect(readExecuted({ ...refused(code), status: 500 }, EXPECTED).result).toBe("unknown")
  })

  test.each(CODES.filter((code) => code !== "2002"))("%s of query: unknown", (code) => {
    expect(readStatus(refused(code), EXPECTED).result).toBe("unknown")
  })

  test.each([
    ["2009", "CARD_DECLINED", undefined],
    ["2010", "CARD_DECLINED", "wrong_otp"],
    ["2011", "CARD_DECLINED", "wrong_pin"],
    ["2013", "CARD_DECLINED", "too_many_tries"],
    ["2014", "CARD_DECLINED", "wrong_pin"],
    ["2015", "CARD_DECLINED", "too_many_tries"],
    ["2016", "CARD_DECLINED", "wrong_otp"],
    ["2017", "CARD_DECLINED", "too_many_tries"],
    ["2018", "EXPIRED", "otp_expired"],
    ["2019", "EXPIRED", undefined],
    ["2023", "INSUFFICIENT_FUNDS", "insufficient_funds"],
    ["2037", "CARD_DECLINED", "account_blocked"],
    ["2038", "CARD_DECLINED", "account_blocked"],
    ["2045", "CARD_DECLINED", undefined],
    ["2057", "CARD_DECLINED", undefined],
    ["2058", "CARD_DECLINED", undefined],
    ["2069", "CANCELLED", undefined],
  ])("%s: sub-code %s, reason %s, and no admin is bothered", (code, expected, reason) => {
    const answer = readExecuted(refused(code), EXPECTED)
    expect(answer).toMatchObject({ result: "refused", code: expected })
    expect((answer as { reason?: string }).reason).toBe(reason)
    expect(answer).not.toHaveProperty("trouble")
  })

  test.each(CODES.filter((code) => PAYMENT_CODES[code].trouble !== undefined))(
    "docs/decisions/17 — %s, a refusal of the merchant or of our request, is no card that failed",
    (code) => {
      for (const answer of [readCreated(refused(code), EXPECTED), readExecuted(refused(code), EXPECTED)]) {
        expect(answer.result === "refused" && isCardDecline(answer.code)).toBe(false)
      }
    }
  )

  test("every reason is one that the page knows", () => {
    const reasons = CODES.map((code) => PAYMENT_CODES[code].reason).filter((reason) => reason !== undefined)
    expect(reasons.filter((reason) => !DECLINE_REASONS.includes(reason))).toEqual([])
  })

  describe("refunds", () => {
    const request = {
      key: "rfd_1",
      amount: 100n,
      currency: "BDT",
      references: {},
      reason: "Returned",
      payment: { key: "k", reference: "TRX", amount: 100n, references: {} },
      other_refunds: [],
      now: new Date(),
    }
    const payment = { paymentId: "TR0011A", trxId: "TRX" }
    const answered = (code: string) => ({ status: 200, body: { externalCode: code, errorMessageEn: "Said by bKash" } })

    test.each("2001 2006 2023 2026 2028 2033 2035 2042 2071 2072 2073 2076 2077 2078 2079 2080 2081 2082".split(" "))(
      "%s: refused",
      (code) => {
        expect(readRefunded(answered(code), payment, request)).toMatchObject({
          result: "refused",
          code: "REFUND_FAILED",
        })
      }
    )

    test.each([...UNCLEAR, "2034", "2074", "2075", "9999", ""])("%s: unknown", (code) => {
      expect(readRefunded(answered(code), payment, request).result).toBe("unknown")
      expect(refundMeaning(code)?.effect ?? "unclear").toBe("unclear")
    })

    test.each(["2026", "2033", "2072", "2081"])(
      "%s of a repeated request: unknown, the first may have worked",
      (code) => {
        const repeated = { ...request, references: { request: "sent" } }
        expect(readRefunded(answered(code), payment, repeated).result).toBe("unknown")
      }
    )

    test("2071 of a repeated request: refused, bKash's list has just shown that the first did not work", () => {
      const repeated = { ...request, references: { request: "sent" } }
      expect(readRefunded(answered("2071"), payment, repeated).result).toBe("refused")
    })

    test("the other spelling of the id is understood", () => {
      const body = {
        originalTrxId: "TRX",
        refundTrxID: "RFD",
        refundTransactionStatus: "Completed",
        refundAmount: "1.00",
        currency: "BDT",
      }
      expect(readRefunded({ status: 200, body }, payment, request)).toMatchObject({ result: "done", reference: "RFD" })
    })
  })

  describe("what an admin enters", () => {
    test("secrets are marked, and names are bKash's", () => {
      const { credentials, ...definition } = bkash
      expect(definition).toMatchObject({ id: "bkash", name: "bKash", services: ["BKASH"], currencies: ["BDT"] })
      expect(credentials.filter(({ secret }) => secret).map(({ name }) => name)).toEqual(["app_secret", "password"])
      expect(credentials.filter(({ required }) => required).map(({ variable }) => variable)).toEqual([
        "BKASH_APP_KEY",
        "BKASH_APP_SECRET",
        "BKASH_USERNAME",
        "BKASH_PASSWORD",
      ])
    })

    test.each([
      ["arn:aws:sns:ap-southeast-1:123456789012:bpt_shop", true],
      ["arn:aws:sqs:ap-southeast-1:123456789012:bpt_shop", false],
      ["bpt_shop", false],
    ])("a topic %s: %s", (topic, fits) => {
      expect(bkash.credentials.find(({ name }) => name === "topic_arn")?.pattern?.test(topic)).toBe(fits)
    })
  })
})
