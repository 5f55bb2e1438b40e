import fc from "fast-check"
import { changedPrice, faultsOfPrice, presentQuantity, priceOf, unitOf } from "../quantity-rules"

const THREE = { unit_minor: 20_000, quantity: 3 }
const row = (source: "api" | "store") => ({ source, amount_minor: 60_000, quantity: 3 })

describe("decisions: Quantity — the whole price is the price of one times the quantity", () => {
  it.each([
    ["nothing", {}, 60_000, 3],
    ["another quantity", { quantity: 5 }, 100_000, 5],
    ["one", { quantity: 1 }, 20_000, 1],
    ["another price of one", { unit_amount: 15_000n }, 45_000, 3],
    ["both", { unit_amount: 15_000n, quantity: 4 }, 60_000, 4],
    ["a whole price, which is divided", { amount: 90_000n }, 90_000, 3],
    ["a whole price of one", { amount: 90_000n, quantity: 1 }, 90_000, 1],
    ["the most", { unit_amount: 5_000n, quantity: 10_000 }, 50_000_000, 10_000],
    ["the least", { unit_amount: 100n, quantity: 10 }, 1_000, 10],
  ])("%s", (_, asked, amount_minor, quantity) => {
    expect(priceOf(asked, THREE)).toEqual({ amount_minor, quantity })
  })

  it.each([
    ["more than a payment may be", { quantity: 2_501 }, ["quantity", "unit_amount"]],
    ["less than a payment may be", { unit_amount: 333n }, ["quantity", "unit_amount"]],
    ["a whole price that is no multiple", { amount: 10_000n }, ["amount"]],
  ])("%s is refused", (_, asked, fields) => {
    expect(() => priceOf(asked, THREE)).toThrow(
      expect.objectContaining({
        code: "VALIDATION_ERROR",
        status: 422,
        field: fields[0],
        ...(fields.length === 1 ? {} : { details: fields.map((field) => expect.objectContaining({ field })) }),
      })
    )
  })

  it("holds for any request that is not refused", () => {
    const minor = fc.option(fc.bigInt({ min: 1n, max: 50_000_000n }))
    const asked = fc.record({
      amount: minor,
      unit_amount: minor,
      quantity: fc.option(fc.integer({ min: 1, max: 10_000 })),
    })
    fc.assert(
      fc.property(
        asked,
        fc.integer({ min: 1_000, max: 5_000_000 }),
        fc.integer({ min: 1, max: 10 }),
        (one, unit, many) => {
          fc.pre(faultsOfPrice(one).length === 0)
          try {
            const price = priceOf(one, { unit_minor: unit, quantity: many })
            expect(Number.isInteger(unitOf(price))).toBe(true)
            expect(price.amount_minor).toBe(
              Number(one.amount ?? (one.unit_amount ?? BigInt(unit)) * BigInt(price.quantity))
            )
            expect(price.quantity).toBe(one.quantity ?? many)
          } catch (error) {
            expect(error).toMatchObject({ code: "VALIDATION_ERROR" })
          }
        }
      )
    )
  })

  it.each([
    ["a whole price with several", { amount: 90_000n, quantity: 5 }, ["amount"]],
    ["two prices", { amount: 90_000n, unit_amount: 30_000n }, ["amount"]],
    ["a whole price with one", { amount: 90_000n, quantity: 1 }, []],
    ["a whole price alone", { amount: 90_000n }, []],
    ["a price of one with several", { unit_amount: 30_000n, quantity: 5 }, []],
    ["nothing", { amount: null, unit_amount: null, quantity: null }, []],
  ])("%s may not be understood as something else", (_, asked, fields) => {
    expect(faultsOfPrice(asked).map(({ field }) => field)).toEqual(fields)
  })
})

describe("decisions: Quantity — a change of terms", () => {
  it("says nothing of the price, and changes nothing of it", () => {
    expect([changedPrice(row("api"), {}), changedPrice(row("store"), {})]).toEqual([{}, {}])
  })

  it("of goods has a whole amount only, which need not divide: it contains the delivery", () => {
    expect(changedPrice(row("store"), { amount: 70_000n })).toEqual({ amount_minor: 70_000 })
    for (const asked of [{ quantity: 4 }, { unit_amount: 25_000n }]) {
      expect(() => changedPrice(row("store"), asked)).toThrow(
        expect.objectContaining({ code: "INVALID_STATE_TRANSITION" })
      )
    }
  })

  it.each([
    [{ amount_minor: 60_000, quantity: 1 }, {}],
    [
      { amount_minor: 60_000, quantity: 3 },
      { quantity: 3, unit_amount: "200.00" },
    ],
    [{ ...row("store"), amount_minor: 70_000 }, { quantity: 3 }],
  ])("%j is answered as %j", (price, members) => {
    expect(presentQuantity(price)).toEqual(members)
  })
})
