import fc from "fast-check"
import {
  basisPointsOf,
  divideHalfUp,
  formatAmount,
  parseAmount,
  parseAmountOfAnySize,
  processingFee,
} from "../money/money"
import { typedAmount } from "../../../../i18n/typed"

const minor = fc.bigInt({ min: 0n, max: 10n ** 15n - 1n })

/** Schoolbook rounding on decimal digits, sharing nothing with the function under test. */
function halfUpByDigits(numerator: bigint, denominator: bigint): bigint {
  const absolute = numerator < 0n ? -numerator : numerator
  const floor = absolute / denominator
  const rest = absolute - floor * denominator
  const rounded = rest + rest >= denominator ? floor + 1n : floor
  return numerator < 0n ? -rounded : rounded
}

describe("decisions: Requests — an amount is a number or digits with at most two decimals", () => {
  it.each([
    ["10", 1_000n],
    ["10.5", 1_050n],
    ["10.50", 1_050n],
    ["0.01", 1n],
    ["0", 0n],
    ["0010.00", 1_000n],
    ["500000.00", 50_000_000n],
    ["9999999999999.99", 999_999_999_999_999n],
    [10, 1_000n],
    [10.5, 1_050n],
    [0.07, 7n],
    [1.1, 110n],
    [19.99, 1_999n],
    [500000, 50_000_000n],
    ["1250.5000", 125_050n],
    ["10.000", 1_000n],
    ["0.0100000000", 1n],
  ])("reads %p as %p poisha", (value, expected) => {
    expect(parseAmount(value)).toBe(expected)
  })

  it.each([
    ["1e2"],
    ["10.555"],
    ["10.5001"],
    ["10.001"],
    ["-0"],
    [" 10"],
    ["10 "],
    ["+10"],
    ["-10"],
    ["10,00"],
    ["1,000.00"],
    ["1_000"],
    ["10."],
    [".5"],
    [""],
    ["."],
    ["0x10"],
    ["১০"],
    ["１０"],
    ["٣"],
    ["10\n"],
    ["10.5.0"],
    ["NaN"],
    ["Infinity"],
    ["১০.৫০"],
    ["10\u00a0"],
    ["10000000000000.00"],
    [10.555],
    [-1],
    [-0.5],
    [1e21],
    [1e-7],
    [NaN],
    [Infinity],
    [-Infinity],
    [null],
    [undefined],
    [true],
    [[10]],
    [{}],
    [10n],
  ])("refuses %p", (value) => {
    expect(parseAmount(value)).toBeNull()
  })

  it.each([
    ["-10", -1_000n],
    [-0.5, -50n],
    ["-10.5000", -1_050n],
    ["10000000000000.00", 10n ** 15n],
    [1e21, 10n ** 23n],
    [-1e300, BigInt(-1e300) * 100n],
    ["9".repeat(400), (10n ** 400n - 1n) * 100n],
  ])("where the range has a code of its own, %p is %p", (value, expected) => {
    expect([parseAmount(value), parseAmountOfAnySize(value)]).toEqual([null, expected])
  })

  it.each([["--1"], ["- 1"], ["-"], ["1-"], ["-1.001"], ["1e2"], [1e-7], [Infinity], ["9".repeat(401)], [null]])(
    "%p is no amount of any size",
    (value) => {
      expect(parseAmountOfAnySize(value)).toBeNull()
    }
  )

  it.each([
    ["1000", "1000"],
    ["1,000.00", "1000.00"],
    ["৳1,23,456.5", "123456.5"],
    ["৳১,০০০.০০", "1000.00"],
    ["৳1000", "1000"],
    ["Tk. 500/-", "500"],
    ["500 BDT", "500"],
    ["１０", "10"],
    // As somebody types 1,000,000: the first comma is gone already.
    ["1000,000", "1000000"],
    ["1,000.", "1000."],
  ])("decisions: Digits — a person writes %p, which is %p", (written, expected) => {
    expect(typedAmount(written)).toBe(expected)
  })

  it.each(["10,50", "1,00", ",500", "1,0000", "1.000,00", "1,000,00", "ten", "-5", ""])(
    "what is no amount, or may be another one, stays as it is: %p",
    (written) => {
      expect([typedAmount(written), parseAmount(typedAmount(written))]).toEqual([written, null])
    }
  )

  it("keeps every poisha from text and back (property)", () => {
    fc.assert(fc.property(minor, (value) => parseAmount(formatAmount(value)) === value))
  })

  it("reads a JSON number exactly as its own text (property)", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 100_000_000 }), (value) => parseAmount(value / 100) === BigInt(value))
    )
  })

  it("never throws and never answers a negative amount, whatever it is given (property)", () => {
    fc.assert(
      fc.property(fc.anything(), (value) => {
        const read = parseAmount(value)
        return read === null || read >= 0n
      })
    )
  })
})

describe("decisions: Requests — verification amounts have four decimals, all other money strings two", () => {
  it.each([
    [0n, 2, "0.00"],
    [5n, 2, "0.05"],
    [1_000n, 2, "10.00"],
    [123_456n, 2, "1234.56"],
    [123_456n, 4, "1234.5600"],
    [5n, 4, "0.0500"],
    [-5n, 2, "-0.05"],
    [-1_050n, 4, "-10.5000"],
    [250, 2, "2.50"],
  ] as const)("writes %p with %p decimals as %p", (value, decimals, expected) => {
    expect(formatAmount(value, decimals)).toBe(expected)
  })

  it("writes the same value whatever the number of decimals (property)", () => {
    fc.assert(fc.property(minor, (value) => formatAmount(value, 4) === `${formatAmount(value, 2)}00`))
  })
})

describe("rounding half up", () => {
  it.each([
    [1n, 2n, 1n],
    [3n, 2n, 2n],
    [-1n, 2n, -1n],
    [-3n, 2n, -2n],
    [1n, 3n, 0n],
    [2n, 3n, 1n],
    [-2n, 3n, -1n],
    [0n, 7n, 0n],
    [49n, 100n, 0n],
    [50n, 100n, 1n],
    [149n, 100n, 1n],
    [150n, 100n, 2n],
  ])("%p / %p is %p", (numerator, denominator, expected) => {
    expect(divideHalfUp(numerator, denominator)).toBe(expected)
  })

  it("agrees with rounding by remainder (property)", () => {
    const numerator = fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n })
    const denominator = fc.bigInt({ min: 1n, max: 10n ** 9n })
    fc.assert(fc.property(numerator, denominator, (n, d) => divideHalfUp(n, d) === halfUpByDigits(n, d)))
  })

  it.each([0n, -1n])("refuses the denominator %p", (denominator) => {
    expect(() => divideHalfUp(1n, denominator)).toThrow(RangeError)
  })
})

describe("decisions: Checkout — charge_amount is rate and fixed part, rounded half up to two decimals", () => {
  it.each([
    ["card 2.5 % of 100.00", 10_000n, 250, 0, 250n],
    ["mobile banking 1.5 % of 100.00", 10_000n, 150, 0, 150n],
    ["1.5 % of 10.00", 1_000n, 150, 0, 15n],
    ["2.5 % of 10.20 is 0.255, up to 0.26", 1_020n, 250, 0, 26n],
    ["2.5 % of 10.19 is 0.25475, down to 0.25", 1_019n, 250, 0, 25n],
    ["1.5 % of 33.33 is 0.49995, up to 0.50", 3_333n, 150, 0, 50n],
    ["a fixed part on top", 10_000n, 250, 500, 750n],
    ["a fixed part alone", 10_000n, 0, 500, 500n],
    ["2.5 % of 500000.00", 50_000_000n, 250, 0, 1_250_000n],
  ])("%s", (_name, amount, basisPoints, fixedMinor, expected) => {
    expect(processingFee({ amount_minor: amount, currency: "BDT" }, { basisPoints, fixedMinor })).toBe(expected)
  })

  it("docs/decisions/08: has its share in every currency, and the fixed part, which is in poisha, in BDT alone", () => {
    const fee = { basisPoints: 250, fixedMinor: 500 }
    expect(["BDT", "USD", "EUR"].map((currency) => processingFee({ amount_minor: 10_000n, currency }, fee))).toEqual([
      750n,
      250n,
      250n,
    ])
  })

  it("is never more than half a poisha off the exact share (property)", () => {
    const amount = fc.bigInt({ min: 1n, max: 50_000_000n })
    fc.assert(
      fc.property(amount, fc.integer({ min: 0, max: 10_000 }), (value, points) => {
        const error = basisPointsOf(value, points) * 10_000n - value * BigInt(points)
        return error > -5_000n && error <= 5_000n
      })
    )
  })
})
