import fc from "fast-check"
import {
  byBankAndTenure,
  cheapestOffer,
  costOf,
  emiOffer,
  emiOffers,
  emiSchedule,
  groupByBank,
  isBleeding,
  isCardOfBank,
  smallestInstalment,
  splitTotal,
  type EmiConfiguration,
} from "../rules"
import { translate } from "../../../../i18n/translate"
import { readEmiSettings } from "../input"
import { formatPercent, parsePercent } from "../../kernel/money/money"

const BANK: EmiConfiguration = {
  uuid: "00000000-0000-4000-8000-000000000001",
  revision: 1,
  bank_name: "Shapla Bank",
  tenure_months: 12,
  rate_ppm: 120_000,
  method: "flat",
  fee_kind: "fixed",
  fee_value: 0,
  merchant_absorbs: false,
  min_amount_minor: 300_000,
  max_amount_minor: 50_000_000,
  card_prefixes: [],
}

const bank = (changes: Partial<EmiConfiguration> = {}): EmiConfiguration => ({ ...BANK, ...changes })
const figuresOf = (amount: bigint, changes: Partial<EmiConfiguration> = {}) => emiOffer(bank(changes), amount).figures

const amount = fc.bigInt({ min: 300_000n, max: 50_000_000n })
const terms = fc.record({
  tenure_months: fc.integer({ min: 2, max: 60 }),
  rate_ppm: fc.integer({ min: 0, max: 1_000_000 }),
  method: fc.constantFrom("flat" as const, "reducing" as const),
  fee: fc.oneof(
    fc.record({ fee_kind: fc.constant("fixed" as const), fee_value: fc.integer({ min: 0, max: 500_000 }) }),
    fc.record({ fee_kind: fc.constant("percent" as const), fee_value: fc.integer({ min: 0, max: 100_000 }) })
  ),
  merchant_absorbs: fc.boolean(),
})
const configuration = terms.map(({ fee, ...rest }) => bank({ ...rest, ...fee }))

/** Rounds a decimal text half up to two decimals, digit by digit. It shares no code with the code under test. */
function halfUpDigits(integer: bigint, decimals: number): bigint {
  const text = integer.toString().padStart(decimals + 1, "0")
  const kept = BigInt(text.slice(0, text.length - decimals))
  return text.charCodeAt(text.length - decimals) >= "5".charCodeAt(0) ? kept + 1n : kept
}

const PRECISION = 60
const ONE = 10n ** BigInt(PRECISION)

/**
 * Calculates the interest of a reducing loan by another method: not the formula, but the bank's month-by-month balance.
 * A binary search, with sixty decimals, finds the monthly payment that leaves zero after the last month.
 */
function amortisedInterest(principal: bigint, ppm: number, months: number): bigint {
  const balanceAfter = (payment: bigint) => {
    let balance = principal * ONE
    for (let month = 0; month < months; month++) {
      balance = balance + (balance * BigInt(ppm)) / 12_000_000n - payment
    }
    return balance
  }
  let [low, high] = [0n, principal * ONE * 2n]
  while (high - low > 1n) {
    const middle = (low + high) / 2n
    if (balanceAfter(middle) > 0n) {
      low = middle
    } else {
      high = middle
    }
  }
  return halfUpDigits(high * BigInt(months) - principal * ONE, PRECISION)
}

describe("decisions: EMI — flat interest is a rate of the order amount for the whole tenure", () => {
  it.each([
    // order amount, rate in ppm, tenure: interest, total, monthly, last (poisha)
    [1_000_000n, 120_000, 12, 120_000n, 1_120_000n, 93_333n, 93_337n],
    [1_000_000n, 0, 3, 0n, 1_000_000n, 333_333n, 333_334n],
    [5_000_000n, 95_000, 6, 475_000n, 5_475_000n, 912_500n, 912_500n],
    [300_001n, 125_000, 2, 37_500n, 337_501n, 168_751n, 168_750n],
    [300_004n, 125_000, 2, 37_501n, 337_505n, 168_753n, 168_752n],
  ])("%d poisha at %d ppm over %d months", (order, rate_ppm, tenure_months, interest, total, monthly, last) => {
    expect(figuresOf(order, { rate_ppm, tenure_months })).toMatchObject({
      order_amount: order,
      interest,
      total,
      monthly,
      last,
    })
  })

  it("rounds half up where the decimals of the product say so", () => {
    fc.assert(
      fc.property(amount, fc.integer({ min: 0, max: 1_000_000 }), (order, rate_ppm) => {
        expect(figuresOf(order, { rate_ppm }).interest).toBe(halfUpDigits(order * BigInt(rate_ppm), 6))
      })
    )
  })
})

describe("decisions: EMI — reducing interest is an annual rate on the reducing balance", () => {
  it.each([
    // Figures of an ordinary loan table: 1,00,000.00 at 12 % over 12 months costs 6,618.55, over 60 months 33,466.69.
    [10_000_000n, 120_000, 12, 661_855n],
    [10_000_000n, 120_000, 60, 3_346_669n],
    [10_000_000n, 90_000, 24, 964_338n],
    [300_000n, 240_000, 3, 12_079n],
    [300_000n, 0, 3, 0n],
    [50_000_000n, 1_000_000, 60, 202_069_156n],
  ])("%d poisha at %d ppm over %d months costs %d", (order, rate_ppm, tenure_months, interest) => {
    expect(amortisedInterest(order, rate_ppm, tenure_months)).toBe(interest)
    expect(figuresOf(order, { rate_ppm, tenure_months, method: "reducing" }).interest).toBe(interest)
  })

  it("agrees with the bank's book kept month by month", () => {
    fc.assert(
      fc.property(
        amount,
        fc.integer({ min: 1, max: 1_000_000 }),
        fc.integer({ min: 2, max: 60 }),
        (order, rate_ppm, tenure_months) => {
          const { interest } = figuresOf(order, { rate_ppm, tenure_months, method: "reducing" })
          expect(interest).toBe(amortisedInterest(order, rate_ppm, tenure_months))
        }
      ),
      { numRuns: 60 }
    )
  })

  it("costs less than the same rate flat for a year, and never less than zero", () => {
    fc.assert(
      fc.property(amount, fc.integer({ min: 1, max: 1_000_000 }), (order, rate_ppm) => {
        const flat = figuresOf(order, { rate_ppm }).interest
        const reducing = figuresOf(order, { rate_ppm, method: "reducing" }).interest
        expect(reducing <= flat && reducing >= 0n).toBe(true)
      })
    )
  })
})

describe("decisions: EMI — the fee is paid once and listed apart", () => {
  it("fixed, or a percentage of the order amount rounded half up", () => {
    expect(figuresOf(1_000_000n, { fee_kind: "fixed", fee_value: 57_500 })).toMatchObject({
      fee: 57_500n,
      total: 1_120_000n,
    })
    expect(figuresOf(300_050n, { fee_kind: "percent", fee_value: 15_000 }).fee).toBe(4_501n)
    expect(figuresOf(300_033n, { fee_kind: "percent", fee_value: 15_000 }).fee).toBe(4_500n)
  })

  it("absorbed by the merchant: the customer pays the order amount, and the bank's cost stays known", () => {
    expect(figuresOf(1_000_000n, { fee_kind: "percent", fee_value: 20_000, merchant_absorbs: true })).toEqual({
      order_amount: 1_000_000n,
      interest: 0n,
      fee: 0n,
      total: 1_000_000n,
      monthly: 83_333n,
      last: 83_337n,
      bank_interest: 120_000n,
      bank_fee: 20_000n,
    })
  })
})

describe("decisions: EMI — the schedule adds up exactly", () => {
  it("sum of the schedule is the total, nothing is negative, and only the last instalment differs", () => {
    fc.assert(
      fc.property(amount, configuration, (order, terms) => {
        const offer = emiOffer(terms, order)
        const { total, monthly, last, interest, fee } = offer.figures
        const schedule = emiSchedule(offer, new Date("2026-11-21T10:00:00Z"))
        expect(schedule).toHaveLength(terms.tenure_months)
        expect(schedule.reduce((sum, instalment) => sum + instalment.amount, 0n)).toBe(total)
        expect(total).toBe(order + interest)
        expect(schedule.every(({ amount: due }) => due > 0n) && fee >= 0n && interest >= 0n).toBe(true)
        expect(schedule.slice(0, -1).every(({ amount: due }) => due === monthly)).toBe(true)
        expect(schedule.at(-1)?.amount).toBe(last)
        // The share is rounded half up: no other whole poisha is nearer to the exact value.
        const off = monthly * BigInt(terms.tenure_months) - total
        expect((off < 0n ? -off : off) * 2n <= BigInt(terms.tenure_months)).toBe(true)
      }),
      { numRuns: 2_000 }
    )
  })

  it("more is never cheaper: interest, fee, total and instalment are monotone in the amount", () => {
    fc.assert(
      fc.property(amount, fc.bigInt({ min: 0n, max: 1_000_000n }), configuration, (order, more, terms) => {
        const [small, large] = [emiOffer(terms, order).figures, emiOffer(terms, order + more).figures]
        for (const name of ["interest", "fee", "total", "monthly"] as const) {
          expect(small[name] <= large[name]).toBe(true)
        }
      }),
      { numRuns: 1_000 }
    )
  })

  it("is due from the month after the purchase on, by Bangladesh's calendar", () => {
    const offer = emiOffer(bank({ tenure_months: 3 }), 1_000_000n)
    const months = (at: string) => emiSchedule(offer, new Date(at)).map(({ due_month }) => due_month)
    expect(months("2026-11-21T10:00:00Z")).toEqual(["2026-12", "2027-01", "2027-02"])
    expect(months("2026-11-30T17:59:59Z")).toEqual(["2026-12", "2027-01", "2027-02"])
    expect(months("2026-11-30T18:00:00Z")).toEqual(["2027-01", "2027-02", "2027-03"])
    expect(months("2027-01-31T00:00:00Z")).toEqual(["2027-02", "2027-03", "2027-04"])
    expect(emiSchedule(offer, new Date("2026-11-21")).map(({ installment }) => installment)).toEqual([1, 2, 3])
  })

  it("a split of too little over too many months would end negative, which is why there is a minimum", () => {
    expect(splitTotal(8n, 12).at(-1)).toBe(-3n)
    expect(() => emiOffer(BANK, 299_999n)).toThrow(RangeError)
    expect(() => emiOffer(bank({ tenure_months: 1 }), 300_000n)).toThrow(RangeError)
    expect(() => emiOffer(bank({ tenure_months: 61 }), 300_000n)).toThrow(RangeError)
  })
})

describe("decisions: EMI — which offers, and in which order", () => {
  const [a, b, c, d] = [
    bank({ uuid: "a", bank_name: "Jamuna Bank", tenure_months: 9 }),
    bank({ uuid: "b", bank_name: "Jamuna Bank", tenure_months: 12 }),
    bank({ uuid: "c", bank_name: "Agrani Bank", tenure_months: 36, max_amount_minor: 1_000_000 }),
    bank({ uuid: "d", bank_name: "jamuna bank", tenure_months: 3, min_amount_minor: 1_000_001 }),
  ]
  const uuids = (order: bigint) => emiOffers([b, d, c, a], order).map((offer) => offer.configuration.uuid)

  it("by bank name, then tenure as a number; a range that excludes the amount leaves it out", () => {
    expect([b, d, c, a].sort(byBankAndTenure)).toEqual([c, d, a, b])
    expect(uuids(1_000_000n)).toEqual(["c", "a", "b"])
    expect(uuids(1_000_001n)).toEqual(["d", "a", "b"])
    expect(uuids(299_999n)).toEqual([])
    expect(uuids(50_000_001n)).toEqual([])
  })

  it("bank by bank, whatever its capitals", () => {
    const groups = groupByBank([c, d, a, b], (entry) => entry)
    expect(groups.map(({ bank_name, entries }) => [bank_name, entries.length])).toEqual([
      ["Agrani Bank", 1],
      ["jamuna bank", 3],
    ])
  })

  it("the cheapest costs least with its fee; the smallest instalment is the one of 'from … a month'", () => {
    const offers = emiOffers(
      [
        bank({ uuid: "fee", rate_ppm: 0, tenure_months: 6, fee_value: 20_000 }),
        bank({ uuid: "rate", rate_ppm: 10_000, tenure_months: 9 }),
        bank({ uuid: "long", rate_ppm: 200_000, tenure_months: 36 }),
      ],
      1_000_000n
    )
    expect(cheapestOffer(offers)?.configuration.uuid).toBe("rate")
    expect(smallestInstalment(offers)?.configuration.uuid).toBe("long")
    expect([cheapestOffer([]), smallestInstalment([])]).toEqual([null, null])
    const alike = emiOffers(
      [bank({ uuid: "six", rate_ppm: 0, tenure_months: 6 }), bank({ uuid: "nine", rate_ppm: 0, tenure_months: 9 })],
      900_000n
    )
    expect(cheapestOffer(alike)?.configuration.uuid).toBe("nine")
    expect(alike.map(costOf)).toEqual([900_000n, 900_000n])
  })

  it("bleeding is reported when every listed option is absorbed, and not when there are no options", () => {
    const absorbed = bank({ merchant_absorbs: true })
    expect(isBleeding(emiOffers([absorbed, absorbed], 300_000n))).toBe(true)
    expect(isBleeding(emiOffers([absorbed, BANK], 300_000n))).toBe(false)
    expect(isBleeding([])).toBe(false)
  })

  it("other figures or other terms get another mark, the same ones the same mark", () => {
    const mark = (order: bigint, changes: Partial<EmiConfiguration> = {}) => emiOffer(bank(changes), order).mark
    expect(mark(300_000n)).toBe(mark(300_000n))
    const others = [
      mark(300_001n),
      mark(300_000n, { revision: 2 }),
      mark(300_000n, { rate_ppm: 1 }),
      mark(300_000n, { fee_value: 1 }),
    ]
    expect(others).not.toContain(mark(300_000n))
  })

  it("knows a bank's cards by their first digits; without any, all cards are", () => {
    expect(isCardOfBank(bank({ card_prefixes: ["424242", "5555"] }), "5555555555554444")).toBe(true)
    expect(isCardOfBank(bank({ card_prefixes: ["424242"] }), "4111111111111111")).toBe(false)
    expect(isCardOfBank(BANK, "4111111111111111")).toBe(true)
  })
})

describe("percentages", () => {
  it.each([
    ["12.5", 125_000, "12.50"],
    ["12.50", 125_000, "12.50"],
    ["0", 0, "0.00"],
    [9, 90_000, "9.00"],
    ["9.125", 91_250, "9.125"],
    ["0.0001", 1, "0.0001"],
    ["100", 1_000_000, "100.00"],
    [7.1, 71_000, "7.10"],
  ])("%s is %d ppm and is written %s", (text, ppm, written) => {
    expect(parsePercent(text)).toBe(ppm)
    expect(formatPercent(ppm)).toBe(written)
  })

  it.each(["", "100.0001", "-1", "1e1", "12,5", " 5", "5%", "1.23456", "১২", NaN, Infinity, null, undefined, true])(
    "%s is none",
    (value) => {
      expect(parsePercent(value)).toBeNull()
    }
  )

  it.each(["interest_rate", "processing_fee"])("of %s may have as many decimals as the refusal says", (field) => {
    const { failures } = readEmiSettings({ processing_fee_type: "percent", [field]: "1.23456" })
    const { reason } = failures.find((one) => one.field === field) ?? {}
    expect(reason && [translate(reason), translate(reason, "bn")]).toEqual([
      expect.stringContaining("at most 4 decimals"),
      expect.stringContaining("সর্বোচ্চ ৪ দশমিক ঘর"),
    ])
    expect(parsePercent("1.2345")).toBe(12_345)
  })

  it("reads back what it writes", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1_000_000 }), (ppm) => expect(parsePercent(formatPercent(ppm))).toBe(ppm))
    )
  })
})
