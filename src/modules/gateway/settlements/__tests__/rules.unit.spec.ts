import fc from "fast-check"
import { capturePosting, paymentPosting, type Posting } from "../../ledger/rules"
import type { SettlementLine } from "../files/lines"
import { linesMatched, linesUndone, sumsByCurrency, sumsOfRow, type LineSums } from "../records"
import {
  agreedFee,
  compareLine,
  decideLine,
  LINE_REASONS,
  ofAnotherPeriod,
  type Decision,
  type FeeAgreement,
  type LineReason,
  type OurMoney,
} from "../rules"

type Line = SettlementLine

const zone = "Asia/Dhaka"
const AT = new Date("2026-11-10T05:00:00Z")
const days = (count: number) => new Date(AT.getTime() + count * 86_400_000)

const lineOf = (of: Partial<Line> = {}): Line => ({
  line: 2,
  key: "id:L1",
  digest: "d",
  kind: "payment",
  reference: "REF",
  order_reference: null,
  gross: 100_000n,
  fee: 2_000n,
  vat: 300n,
  net: 97_700n,
  balance: null,
  currency: "BDT",
  occurred_at: AT,
  batch: null,
  description: null,
  ...of,
})
const moneyOf = (of: Partial<OurMoney> = {}): OurMoney => ({
  subject: "payment:txn_1",
  kind: "payment",
  transaction_id: "txn_1",
  payment_service: "CARD",
  amount: 100_000n,
  booked: 0n,
  emi_cost: 0n,
  currency: "BDT",
  moved_at: AT,
  is_taken: false,
  ...of,
})
const refundOf = (id: string, amount: bigint, of: Partial<OurMoney> = {}) =>
  moneyOf({ subject: `refund:${id}`, kind: "refund", payment_service: null, amount, ...of })
const agreementOf = (of: Partial<FeeAgreement> = {}): FeeAgreement => ({
  payment_service: "",
  valid_from: "2026-01-01",
  rate_basis_points: 200,
  fixed_minor: 0,
  vat_basis_points: 1_500,
  ...of,
})

type Case = [
  name: string,
  expected: [Decision["state"], LineReason[], subject: string | null],
  line: Partial<Line>,
  found: OurMoney[],
  agreements?: FeeAgreement[],
]
const PAYMENT = "payment:txn_1"
const AGREED = [agreementOf()]
const CASES: Case[] = [
  ["as we know it", ["matched", [], PAYMENT], {}, [moneyOf()]],
  ["as we know it, with the agreed fee", ["matched", [], PAYMENT], {}, [moneyOf()], AGREED],
  ["by our number alone", ["matched", [], PAYMENT], { reference: null, order_reference: "txn_1" }, [moneyOf()]],
  ["a charge, whatever it names", ["matched", [], null], { kind: "fee", gross: 0n }, [moneyOf()]],
  ["without a number", ["unknown", ["no_reference"], null], { reference: null }, [moneyOf()]],
  ["an adjustment with a number", ["unknown", ["no_reference"], null], { kind: "adjustment" }, [moneyOf()]],
  ["nothing has the number", ["unknown", ["not_found"], null], {}, []],
  ["only a refund has the number", ["unknown", ["not_found"], null], {}, [refundOf("1", 100_000n)]],
  ["another line is it", ["unknown", ["taken"], null], {}, [moneyOf({ is_taken: true })]],
  [
    "one of two is free",
    ["matched", [], "payment:b"],
    {},
    [moneyOf({ is_taken: true }), moneyOf({ subject: "payment:b" })],
  ],
  ["two may be it", ["unknown", ["ambiguous"], null], {}, [moneyOf(), moneyOf({ subject: "payment:b" })]],
  [
    "two may be it, and neither has its amount",
    ["unknown", ["ambiguous"], null],
    { gross: 1n },
    [moneyOf(), moneyOf({ subject: "payment:b" })],
  ],
  ["another amount", ["differs", ["amount"], PAYMENT], { gross: 99_000n }, [moneyOf()]],
  ["another fee than agreed", ["differs", ["fee"], PAYMENT], { fee: 2_001n }, [moneyOf()], AGREED],
  ["another VAT than agreed", ["differs", ["fee"], PAYMENT], { vat: 0n }, [moneyOf()], AGREED],
  ["any fee, where nothing is agreed", ["matched", [], PAYMENT], { fee: 9_999n }, [moneyOf()]],
  ["another currency", ["differs", ["currency"], PAYMENT], { currency: "USD", gross: 900n }, [moneyOf()], AGREED],
  ["45 days later", ["matched", [], PAYMENT], { occurred_at: days(45) }, [moneyOf()]],
  ["46 days later", ["differs", ["date"], PAYMENT], { occurred_at: days(46) }, [moneyOf()]],
  ["a day earlier", ["matched", [], PAYMENT], { occurred_at: days(-1) }, [moneyOf()]],
  ["two days earlier", ["differs", ["date"], PAYMENT], { occurred_at: days(-2) }, [moneyOf()]],
  [
    "everything at once",
    ["differs", ["amount", "fee", "date"], PAYMENT],
    { gross: 1n, fee: 0n, occurred_at: days(90) },
    [moneyOf()],
    AGREED,
  ],
  [
    "a refund among others of its payment, by its amount",
    ["matched", [], "refund:2"],
    { kind: "refund", gross: -5_000n, fee: 0n, vat: 0n },
    [moneyOf(), refundOf("1", -10_000n), refundOf("2", -5_000n)],
  ],
  [
    "a refund of another amount, when there is one only",
    ["differs", ["amount"], "refund:1"],
    { kind: "refund", gross: -5_000n },
    [moneyOf(), refundOf("1", -10_000n)],
  ],
  [
    "a refund whose amount another line has already",
    ["unknown", ["taken"], null],
    { kind: "refund", gross: -5_000n },
    [refundOf("1", -10_000n), refundOf("2", -5_000n, { is_taken: true })],
  ],
  [
    "two refunds of one amount",
    ["unknown", ["ambiguous"], null],
    { kind: "refund", gross: -5_000n },
    [refundOf("1", -5_000n), refundOf("2", -5_000n)],
  ],
  [
    "a refund needs no agreed fee",
    ["matched", [], "refund:1"],
    { kind: "refund", gross: -5_000n, fee: 7n, vat: 0n },
    [refundOf("1", -5_000n)],
    AGREED,
  ],
  [
    "a dispute with the fee that is in the books",
    ["matched", [], "dispute:1"],
    { kind: "dispute", gross: -100_000n, fee: 500n },
    [moneyOf({ subject: "dispute:1", kind: "dispute", amount: -100_000n, booked: 500n })],
  ],
  [
    "a dispute with another fee than is in the books",
    ["differs", ["fee"], "dispute:1"],
    { kind: "dispute", gross: -100_000n, fee: 501n },
    [moneyOf({ subject: "dispute:1", kind: "dispute", amount: -100_000n, booked: 500n })],
  ],
  [
    "cash, of which the courier kept more than is in the books",
    ["differs", ["fee"], "cash:1"],
    { fee: 100n, vat: 0n },
    [moneyOf({ subject: "cash:1", booked: 0n })],
    AGREED,
  ],
]

describe("what a line of a settlement is (decisions: Settlements)", () => {
  it.each(CASES)("%s", (_name, expected, line, found, agreements = []) => {
    const { state, reasons, money } = decideLine(lineOf(line), found, { agreements, zone })
    expect([state, reasons, money?.subject ?? null]).toEqual(expected)
  })

  it("has a case for every reason that these rules give; deposits, a person's undo and closed months give the others", () => {
    const given = new Set(CASES.flatMap(([, [, reasons]]) => reasons))
    expect(LINE_REASONS.filter((reason) => !given.has(reason))).toEqual(["deposited", "undone", "period"])
  })

  it("differs when its own month is closed, and what is unknown stays unknown", () => {
    const matched = decideLine(lineOf(), [moneyOf()], { agreements: [], zone })
    expect(ofAnotherPeriod(matched)).toEqual({ ...matched, state: "differs", reasons: ["period"] })
    const less = decideLine(lineOf({ gross: 99_000n }), [moneyOf()], { agreements: [], zone })
    expect(ofAnotherPeriod(less)).toEqual({ ...less, state: "differs", reasons: ["amount", "period"] })
    const unknown = decideLine(lineOf(), [], { agreements: [], zone })
    expect(ofAnotherPeriod(unknown)).toEqual({ ...unknown, reasons: ["not_found", "period"] })
  })

  it("sets nothing off against money of another currency", () => {
    const other = compareLine(lineOf({ currency: "USD" }), moneyOf({ booked: 7n }), { agreements: AGREED, zone })
    expect(other).toMatchObject({ expected: null, booked: 0n, agreed: null })
    expect(compareLine(lineOf(), moneyOf({ booked: 7n }), { agreements: AGREED, zone })).toMatchObject({
      expected: 100_000n,
      booked: 7n,
    })
  })
})

describe("the cost of instalments in a file (decisions: Settlements)", () => {
  it.each<[string, bigint, LineReason[], bigint]>([
    ["in the payment's line", 38_000n, [], 38_000n],
    ["as a line of its own", 2_000n, [], 2_000n],
    ["in part", 37_999n, ["fee"], 38_000n],
  ])("%s: a fee of %d differs in %j, and %d is the agreed one", (_name, fee, reasons, agreed) => {
    const compared = compareLine(lineOf({ fee }), moneyOf({ emi_cost: 36_000n }), { agreements: AGREED, zone })
    expect(compared).toMatchObject({ reasons, agreed: { fee: agreed, vat: 300n } })
  })
})

describe("the agreed fee of a payment (decisions: Settlements)", () => {
  const fee = (agreements: FeeAgreement[], of: Partial<OurMoney> = {}) => agreedFee(moneyOf(of), { agreements, zone })
  const ofAll = agreementOf()
  const later = agreementOf({ valid_from: "2026-11-10", rate_basis_points: 100 })
  const ofCards = agreementOf({ payment_service: "CARD", rate_basis_points: 300, vat_basis_points: 0 })

  it.each<[string, FeeAgreement[], Partial<OurMoney>, ReturnType<typeof fee>]>([
    ["nothing agreed", [], {}, null],
    ["nothing agreed yet", [agreementOf({ valid_from: "2026-11-11" })], {}, null],
    ["of another service only", [agreementOf({ payment_service: "BKASH" })], {}, null],
    ["of every service", [ofAll], {}, { fee: 2_000n, vat: 300n }],
    ["the newest that holds, in any order", [later, ofAll], {}, { fee: 1_000n, vat: 150n }],
    [
      "from its first moment in Bangladesh",
      [ofAll, later],
      { moved_at: new Date("2026-11-09T18:00:00Z") },
      { fee: 1_000n, vat: 150n },
    ],
    ["not a moment before", [ofAll, later], { moved_at: new Date("2026-11-09T17:59:59Z") }, { fee: 2_000n, vat: 300n }],
    ["its service's before a newer one of all", [later, ofCards], {}, { fee: 3_000n, vat: 0n }],
    [
      "of all, for a payment without a service",
      [ofAll, ofCards],
      { payment_service: null },
      { fee: 2_000n, vat: 300n },
    ],
    ["and what its instalments cost, without VAT", [ofAll], { emi_cost: 36_000n }, { fee: 38_000n, vat: 300n }],
    ["of instalments, nothing agreed", [], { emi_cost: 36_000n }, null],
    ["a fixed part in taka", [agreementOf({ fixed_minor: 500 })], {}, { fee: 2_500n, vat: 375n }],
    ["no fixed part of dollars", [agreementOf({ fixed_minor: 500 })], { currency: "USD" }, { fee: 2_000n, vat: 300n }],
    ["rounded half up, fee and VAT", [agreementOf({ rate_basis_points: 250 })], { amount: 20n }, { fee: 1n, vat: 0n }],
  ])("%s", (_name, agreements, of, expected) => expect(fee(agreements, of)).toEqual(expected))
})

describe("what settlements move in the ledger (decisions: Settlements)", () => {
  type Step = { act: "import" | "match" | "explain" | "undo" | "undo_import"; lines: number[] }
  type Held = { line: Line; decision: Decision; file: number; is_in: boolean }

  const minor = fc.bigInt({ min: -1_000_000n, max: 1_000_000n })
  const anyLine = fc.record({
    kind: fc.constantFrom<Line["kind"]>("payment", "refund", "fee", "adjustment"),
    money: fc.option(
      fc.record({
        name: fc.nat(5),
        amount: minor,
        booked: fc.constantFrom(0n, 50n),
        currency: fc.constantFrom("BDT", "USD"),
      })
    ),
    ...{ gross: minor, fee: minor, vat: minor, currency: fc.constantFrom("BDT", "USD") },
  })
  const anyStep: fc.Arbitrary<Step> = fc.record({
    act: fc.constantFrom("import", "match", "explain", "undo", "undo_import"),
    lines: fc.array(fc.nat(9), { minLength: 1, maxLength: 10 }),
  })

  it("is what the lines in the books say, after any imports, matches and undos in any order", () => {
    fc.assert(
      fc.property(
        fc.array(anyLine, { minLength: 10, maxLength: 10 }),
        fc.constantFrom("sslcommerz", "courier:Pathao"),
        fc.array(anyStep, { maxLength: 30 }),
        (texts, source, steps) => {
          const books = new Books(source)
          const lines = texts.map(({ kind, gross, fee, vat, currency }) => lineOf({ kind, gross, fee, vat, currency }))
          const found = texts.map(({ kind, money }) =>
            money === null ? [] : [moneyOf({ ...money, kind, subject: `${kind}:${money.name}` })]
          )
          steps.forEach((step, nth) => books.take(step, nth, lines, found))
          expect(books.balances()).toEqual(books.saidByLines())
          expect(
            books.postings.filter(({ lines: all }) => all.reduce((sum, one) => sum + one.amount, 0n) !== 0n)
          ).toEqual([])
          const inBooks = books.taken()
          expect(new Set(inBooks).size).toBe(inBooks.length)
        }
      )
    )
  })

  it("leaves in acquirer_fees and emi_costs together what acquirers have kept (decisions: EMI)", () => {
    const anyPayment = fc.record({
      parts: fc.array(fc.nat(50_000_000), { maxLength: 3 }),
      amount: fc.nat(50_000_000),
      charge_minor: fc.nat(1_000_000),
      emi_cost_minor: fc.nat(10_000_000),
      kept: fc.option(fc.record({ fee: minor, vat: minor })),
    })
    fc.assert(
      fc.property(fc.array(anyPayment, { maxLength: 8 }), (payments) => {
        const owner = ownerOf("BDT")
        const postings = payments.flatMap(({ parts, amount: whole, kept, ...of }, nth) => {
          const transaction_id = `txn_${nth}`
          const paid = parts.map((part, n) => {
            const emi_cost = n === 0 ? BigInt(of.emi_cost_minor) : 0n
            const capture = { transaction_id, id: `cap_${nth}_${n}`, amount: BigInt(part), charge: 0n, emi_cost }
            return capturePosting({ ...owner, ...capture }, AT)
          })
          const amount = parts.length === 0 ? whole : parts.reduce((sum, part) => sum + part, 0)
          const at_once = paymentPosting({ ...owner, transaction_id, amount_minor: amount, ...of }, AT)
          const sums = { gross: BigInt(amount), expected: BigInt(amount), booked: 0n, fee: 0n, vat: 0n, ...kept }
          const settled = kept === null ? [] : [linesMatched(`gsi_1:${nth}`, owner, "sslcommerz", sums, AT)]
          return [...(parts.length === 0 ? [at_once] : paid), ...settled]
        })
        expect(postings.filter(({ lines }) => lines.reduce((sum, one) => sum + one.amount, 0n) !== 0n)).toEqual([])
        const of = totalsOf(postings)
        const cost = payments.reduce((sum, { emi_cost_minor }) => sum + BigInt(emi_cost_minor), 0n)
        const fee = payments.reduce((sum, { kept }) => sum + (kept?.fee ?? 0n), 0n)
        expect(of["BDT emi_costs"] ?? 0n).toBe(-cost)
        expect((of["BDT acquirer_fees"] ?? 0n) + (of["BDT emi_costs"] ?? 0n)).toBe(-fee)
      })
    )
  })

  /** What the services do, without their tables. */
  class Books {
    readonly postings: Posting[] = []
    private readonly held = new Map<number, Held>()

    constructor(private readonly source: string) {}

    take({ act, lines: chosen }: Step, file: number, lines: Line[], found: OurMoney[][]): void {
      if (act === "import") {
        const fresh = [...new Set(chosen)].filter((nth) => !this.held.has(nth))
        const decided = fresh.map((nth) => this.hold(nth, file, lines[nth], found[nth]))
        this.post(decided.filter(({ is_in }) => is_in))
        return
      }
      const held = this.held.get(chosen[0])
      if (held === undefined) {
        return
      }
      if (act === "undo_import") {
        const ofFile = [...this.held].filter(([, one]) => one.file === held.file)
        this.undo(ofFile.map(([, one]) => one).filter(({ is_in }) => is_in))
        ofFile.forEach(([nth]) => this.held.delete(nth))
      } else if (act === "undo" && held.is_in) {
        this.undo([held])
        Object.assign(held, { is_in: false, decision: { ...held.decision, money: null, expected: null, booked: 0n } })
      } else if (act === "explain" && !held.is_in) {
        held.is_in = true
        this.post([held])
      } else if (act === "match" && !held.is_in) {
        const [money] = found[chosen[0]].filter(({ subject }) => !this.taken().includes(subject))
        if (money !== undefined) {
          Object.assign(held, { is_in: true, decision: compareLine(held.line, money, { agreements: [], zone }) })
          this.post([held])
        }
      }
    }

    taken(): string[] {
      return [...this.held.values()].flatMap(({ decision }) => decision.money?.subject ?? [])
    }

    balances(): Record<string, bigint> {
      return totalsOf(this.postings)
    }

    saidByLines(): Record<string, bigint> {
      return totalsOf(this.matched([...this.held.values()].filter(({ is_in }) => is_in)))
    }

    private hold(nth: number, file: number, line: Line, found: OurMoney[]): Held {
      const taken = this.taken()
      const decision = decideLine(
        line,
        found.map((one) => ({ ...one, is_taken: taken.includes(one.subject) })),
        { agreements: [], zone }
      )
      const held = { line, decision, file, is_in: decision.state !== "unknown" }
      this.held.set(nth, held)
      return held
    }

    private post(lines: Held[]): void {
      this.postings.push(...this.matched(lines))
    }

    private matched(lines: Held[]): Posting[] {
      const sums = sumsByCurrency(lines.map((one) => ({ currency: one.line.currency, ...this.sumsOf(one) })))
      return [...sums].map(([currency, all]) => linesMatched("gsi_1:0", ownerOf(currency), this.source, all, AT))
    }

    /** Of rows that PostgreSQL has added up. */
    private undo(lines: Held[]): void {
      for (const currency of new Set(lines.map(({ line }) => line.currency))) {
        const all = lines.filter(({ line }) => line.currency === currency)
        const sum = (of: (held: Held) => bigint) => all.reduce((total, held) => total + of(held), 0n).toString()
        const row = {
          gross: sum(({ line }) => line.gross),
          fee: sum(({ line }) => line.fee),
          vat: sum(({ line }) => line.vat),
          expected: sum(({ decision }) => decision.expected ?? 0n),
          booked: sum(({ decision }) => decision.booked),
        }
        this.postings.push(linesUndone("gsi_1:undone", ownerOf(currency), this.source, sumsOfRow(row), AT))
      }
    }

    private sumsOf({ line, decision: { expected, booked } }: Held): LineSums {
      const { gross, fee, vat } = line
      return { gross, fee, vat, expected, booked }
    }
  }

  const ownerOf = (currency: string) => ({ merchant_id: "m", environment: "sandbox" as const, currency })

  /** By currency and account, without what is zero. */
  function totalsOf(postings: readonly Posting[]): Record<string, bigint> {
    const totals: Record<string, bigint> = {}
    for (const { currency, lines } of postings) {
      for (const { account, amount } of lines) {
        totals[`${currency} ${account}`] = (totals[`${currency} ${account}`] ?? 0n) + amount
      }
    }
    return Object.fromEntries(Object.entries(totals).filter(([, amount]) => amount !== 0n))
  }
})
