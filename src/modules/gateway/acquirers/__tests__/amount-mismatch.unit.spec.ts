import fc from "fast-check"
import type { Done } from "../port"
import { amountMismatch, describeMismatch, isFinal } from "../amount-mismatch"

const AT = new Date("2028-02-29T12:00:00Z")
const done = (amount: unknown, currency: unknown = "BDT") =>
  ({ result: "done", reference: "R1", amount, currency }) as Done
const minor = fc.integer({ min: 1, max: 2_147_483_647 })
const currency = fc.constantFrom("BDT", "USD", "EUR", "bdt", "BDT ", "")

describe("acquirers — what is reported is compared with what was requested, exactly", () => {
  it("agrees exactly when amount and currency are the same", () => {
    fc.assert(
      fc.property(minor, minor, currency, currency, (requested, reported, requestedCurrency, reportedCurrency) => {
        const isSame = requested === reported && requestedCurrency === reportedCurrency
        expect(
          amountMismatch(
            { amount_minor: requested, currency: requestedCurrency },
            done(BigInt(reported), reportedCurrency),
            AT
          ) === null
        ).toBe(isSame)
      })
    )
    fc.assert(
      fc.property(minor, currency, (amount_minor, same) => {
        expect(amountMismatch({ amount_minor, currency: same }, done(BigInt(amount_minor), same), AT)).toBeNull()
      })
    )
  })

  it("a poisha more or less, nothing, and the opposite sign do not agree", () => {
    for (const amount of [125_051n, 125_049n, 0n, -125_050n, 12_505_000n]) {
      expect(amountMismatch({ amount_minor: 125_050, currency: "BDT" }, done(amount), AT)).toEqual({
        amount_minor: String(amount),
        currency: "BDT",
        reference: "R1",
        at: "2028-02-29T12:00:00.000Z",
      })
    }
  })

  it("what an adapter leaves out, or reports as anything but whole poisha, does not agree", () => {
    for (const amount of [undefined, null, 125_050, "1250.50", "125050", 1250.5, NaN]) {
      expect(amountMismatch({ amount_minor: 125_050, currency: "BDT" }, done(amount), AT)).toMatchObject({
        amount_minor: null,
        currency: "BDT",
      })
    }
    for (const other of [undefined, null, 50]) {
      expect(
        amountMismatch(
          { amount_minor: 125_050, currency: "BDT" },
          { ...done(125_050n), currency: other } as unknown as Done,
          AT
        )
      ).toMatchObject({ amount_minor: "125050", currency: null })
    }
  })

  it("survives being kept as JSON at any size", () => {
    fc.assert(
      fc.property(fc.bigInt(), (amount) => {
        const mismatch = amountMismatch({ amount_minor: 1, currency: "BDT" }, done(amount, "USD"), AT)
        expect(BigInt(JSON.parse(JSON.stringify(mismatch)).amount_minor)).toBe(amount)
      })
    )
  })

  it("is described with both amounts in taka", () => {
    const requested = { amount_minor: 125_050, currency: "BDT" }
    const described = describeMismatch(requested, amountMismatch(requested, done(10_000n), AT) ?? fail())
    expect(described).toEqual({
      before: { amount: "1250.50", currency: "BDT" },
      after: { amount: "100.00", currency: "BDT", reference: "R1" },
    })
  })

  it("only a refusal for good ends it: never heard of it, and try again, do not", () => {
    expect(isFinal({ result: "refused", code: "CARD_DECLINED", message: "No" })).toBe(true)
    expect(isFinal({ result: "refused", code: "NETWORK_ERROR", message: "No line", retry: true })).toBe(false)
    expect(isFinal({ result: "absent" })).toBe(false)
  })
})

function fail(): never {
  throw new Error("it should not agree")
}
