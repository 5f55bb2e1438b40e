import fc from "fast-check"
import { ADVANCES, advanceOf, cashDue, orderChange, type AdvanceRule, type CashFacts } from "../rules"

const FACTS: CashFacts = {
  total: 250_000n,
  delivery: 12_000n,
  currency: "BDT",
  district: "Dhaka",
  delivered: 0,
  refused: 0,
}
const rule = (of: Partial<AdvanceRule>): AdvanceRule => ({ advance: "delivery", ...of })

describe("the advance of a cash order (decisions: Cash on delivery)", () => {
  it("is nothing without a rule, and by a rule that asks for nothing", () => {
    expect(advanceOf([], FACTS)).toBe(0n)
    expect(advanceOf([rule({ advance: "none" }), rule({})], FACTS)).toBe(0n)
  })

  it("is the delivery charge, a fixed sum, or a percentage rounded half up", () => {
    expect(advanceOf([rule({})], FACTS)).toBe(12_000n)
    expect(advanceOf([rule({ advance: "fixed", amount_minor: 20_000 })], FACTS)).toBe(20_000n)
    expect(advanceOf([rule({ advance: "percent", basis_points: 1_250 })], { ...FACTS, total: 99_999n })).toBe(12_500n)
  })

  it("comes from the first rule that holds", () => {
    const rules = [
      rule({ advance: "none", delivered_from: 3 }),
      rule({ advance: "percent", basis_points: 5_000, refused_from: 2 }),
      rule({ advance: "none", districts: ["dhaka", "Gazipur"], total_to_minor: 300_000 }),
      rule({ advance: "fixed", amount_minor: 15_000 }),
    ]
    expect(advanceOf(rules, FACTS)).toBe(0n)
    expect(advanceOf(rules, { ...FACTS, district: " DHAKA " })).toBe(0n)
    expect(advanceOf(rules, { ...FACTS, district: "Sylhet" })).toBe(15_000n)
    expect(advanceOf(rules, { ...FACTS, district: null })).toBe(15_000n)
    expect(advanceOf(rules, { ...FACTS, total: 300_001n })).toBe(15_000n)
    expect(advanceOf(rules, { ...FACTS, refused: 2 })).toBe(125_000n)
    expect(advanceOf(rules, { ...FACTS, refused: 2, delivered: 3 })).toBe(0n)
  })

  it("is rounded up to what a checkout takes, and is never more than the order", () => {
    expect(advanceOf([rule({ advance: "fixed", amount_minor: 1 })], FACTS)).toBe(1_000n)
    expect(advanceOf([rule({ advance: "fixed", amount_minor: 500_000 })], FACTS)).toBe(250_000n)
    expect(advanceOf([rule({})], { ...FACTS, delivery: 0n })).toBe(0n)
  })

  it("asks for no sum in taka from an order in another currency", () => {
    const dollars = { ...FACTS, currency: "USD" }
    expect(advanceOf([rule({ advance: "fixed", amount_minor: 20_000 })], dollars)).toBe(0n)
    expect(advanceOf([rule({ total_from_minor: 1 })], dollars)).toBe(0n)
    expect(advanceOf([rule({ advance: "percent", basis_points: 1_000 })], dollars)).toBe(25_000n)
  })

  it("leaves advance and cash that add up to the order, for any rules", () => {
    const amount = fc.integer({ min: 0, max: 50_000_000 })
    const anyRule = fc.record<AdvanceRule>(
      {
        advance: fc.constantFrom(...ADVANCES),
        amount_minor: amount,
        basis_points: fc.integer({ min: 0, max: 10_000 }),
        total_from_minor: amount,
        total_to_minor: amount,
        delivered_to: fc.integer({ min: 0, max: 5 }),
        refused_from: fc.integer({ min: 0, max: 5 }),
      },
      { requiredKeys: ["advance"] }
    )
    const anyFacts = fc.record({
      total: fc.bigInt({ min: 1_000n, max: 50_000_000n }),
      delivery: fc.bigInt({ min: 0n, max: 50_000_000n }),
      delivered: fc.integer({ min: 0, max: 9 }),
      refused: fc.integer({ min: 0, max: 9 }),
    })
    fc.assert(
      fc.property(fc.array(anyRule, { maxLength: 5 }), anyFacts, (rules, given) => {
        const facts = { ...FACTS, ...given }
        const advance = advanceOf(rules, facts)
        const order = { total_minor: Number(facts.total), advance_minor: Number(advance) }
        expect(advance === 0n || advance >= 1_000n).toBe(true)
        expect(advance + cashDue({ ...order, collected_minor: 0, given_up_minor: 0 })).toBe(facts.total)
        expect(cashDue({ ...order, collected_minor: 0, given_up_minor: 0 }) >= 0n).toBe(true)
      })
    )
  })
})

describe("what is due follows the store's order (decisions: Cash on delivery)", () => {
  const amounts = { total_minor: 100_000, advance_minor: 10_000, collected_minor: 20_000, given_up_minor: 5_000 }

  it("is less by what the order is cheaper, more again up to what it was placed with, and never below nothing", () => {
    expect(orderChange(amounts, 95_000n)).toBe(0n)
    expect(orderChange(amounts, 90_000n)).toBe(5_000n)
    expect(orderChange(amounts, 98_000n)).toBe(-3_000n)
    expect(orderChange(amounts, 150_000n)).toBe(-5_000n)
    expect(orderChange(amounts, 0n)).toBe(65_000n)
  })

  it("leaves due exactly what is owed and has not come, within what was placed", () => {
    const part = fc.nat(50_000)
    fc.assert(
      fc.property(
        part,
        part,
        part,
        part,
        fc.integer({ min: -50_000, max: 400_000 }),
        (rest, ...[advance, came, up, owed]) => {
          const of = {
            total_minor: rest + advance + came + up,
            advance_minor: advance,
            collected_minor: came,
            given_up_minor: up,
          }
          const after = cashDue(of) - orderChange(of, BigInt(owed))
          const wanted = BigInt(Math.min(owed, of.total_minor) - advance - came)
          expect(after).toBe(wanted < 0n ? 0n : wanted)
        }
      )
    )
  })
})
