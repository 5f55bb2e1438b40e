import fc from "fast-check"
import type { Posting } from "../../ledger/rules"
import {
  againstDeposits,
  decideDeposit,
  isWithin,
  namedIn,
  namesOf,
  type Allocation,
  type BankLine,
  type Settled,
} from "../deposit-rules"
import { linesMatched, linesUndone, type LineSums } from "../records"
import type { Decision, LineReason } from "../rules"

const AT = new Date("2026-11-10T05:00:00Z")
const bankLine = (of: Partial<BankLine> = {}): BankLine => ({
  gross: 97_700n,
  currency: "BDT",
  reference: null,
  order_reference: null,
  description: "S-1",
  ...of,
})
const settledOf = (of: Partial<Settled> = {}): Settled => ({
  source: "sslcommerz",
  batch: "S-1",
  currency: "BDT",
  net: 97_700n,
  deposited: 0n,
  ...of,
})

describe("which settlements a bank's line names (decisions: Settlements)", () => {
  const keys = ["S-1", "S-1-A", "2631", "ব্যাচ ৭", "#12"].map((batch) => ({ source: "sslcommerz", batch }))
  const names = namesOf([...keys, { source: "bkash", batch: "s-1-a" }])
  const LONG = Array.from({ length: 40 }, (_, nth) => `word${nth}`).join(" ")

  it.each<[string, Partial<BankLine>, string[]]>([
    ["in any of its texts", { description: null, order_reference: "S-1" }, ["S-1"]],
    ["as a whole word", { description: "XS-1 S-12 12631" }, []],
    ["between other signs", { description: "NPSB/S-1/SETTLEMENT" }, ["S-1"]],
    ["in capital or small letters", { description: "settlement s-1" }, ["S-1"]],
    ["the longer of two, of every source", { description: "S-1-A" }, ["S-1-A", "s-1-a"]],
    ["in Bangla, of two words", { description: "জমা ব্যাচ ৭ থেকে" }, ["ব্যাচ ৭"]],
    ["several", { description: "S-1 and 2631", reference: "S-1" }, ["S-1", "2631"]],
    ["none", { description: "salaries" }, []],
    ["at the end of a long text", { description: `${LONG} S-1` }, ["S-1"]],
  ])("%s", (_name, line, expected) => {
    expect(namedIn(bankLine(line), names).map(({ batch }) => batch)).toEqual(expected)
  })
})

describe("what a bank's line is (decisions: Settlements)", () => {
  it.each<[string, Partial<BankLine>, Settled[], Decision["state"], LineReason[], bigint | null]>([
    ["exactly what is to come", {}, [settledOf()], "matched", [], 97_700n],
    ["the rest of what is to come", { gross: 700n }, [settledOf({ deposited: 97_000n })], "matched", [], 700n],
    ["of a settlement below zero", { gross: -5n }, [settledOf({ net: -5n })], "matched", [], -5n],
    ["another amount", { gross: 97_699n }, [settledOf()], "unknown", ["amount"], null],
    ["of a settlement whose lines are not decided", {}, [settledOf({ net: 0n })], "unknown", ["amount"], null],
    ["nothing, of a settlement of nothing", { gross: 0n }, [settledOf({ net: 0n })], "unknown", ["amount"], null],
    ["all has come already", {}, [settledOf({ deposited: 97_700n })], "unknown", ["taken"], null],
    ["names two", {}, [settledOf(), settledOf({ source: "bkash" })], "unknown", ["ambiguous"], null],
    ["names none", {}, [], "unknown", ["not_found"], null],
    ["another currency", {}, [settledOf({ currency: "USD" })], "unknown", ["currency"], null],
    ["one of two currencies", {}, [settledOf({ currency: "USD" }), settledOf()], "matched", [], 97_700n],
    ["says nothing", { description: null }, [], "unknown", ["no_reference"], null],
  ])("%s", (_name, line, named, state, reasons, brings) => {
    const made = decideDeposit(bankLine(line), named)
    expect([made.decision.state, made.decision.reasons]).toEqual([state, reasons])
    expect(made.brings.map(({ amount }) => amount)).toEqual(brings === null ? [] : [brings])
    expect(made.decision.expected).toEqual(brings)
  })

  it.each([
    [0n, 0n, true],
    [5n, 5n, true],
    [6n, 5n, false],
    [-1n, 5n, false],
    [-5n, -5n, true],
    [-6n, -5n, false],
    [1n, -5n, false],
    [0n, -5n, true],
  ])("%s of a net of %s: %s", (deposited, net, expected) => expect(isWithin(deposited, net)).toBe(expected))

  it("keeps out lines that bring a settlement below what has come, and no others", () => {
    const deposited = settledOf({ net: 100n, deposited: 100n })
    const nets = (...all: bigint[]) => all.map((net) => ({ net }))
    expect(againstDeposits(deposited, nets(-10n, 10n))).toEqual([])
    expect(againstDeposits(deposited, nets(-10n, 9n, -1n))).toEqual(nets(-10n, -1n))
    expect(againstDeposits(settledOf({ net: -100n, deposited: -100n }), nets(-5n, 10n))).toEqual(nets(10n))
    expect(againstDeposits(settledOf({ net: 100n }), nets(-300n))).toEqual([])
  })
})

describe("the books of settlements and banks (decisions: Settlements)", () => {
  type File = { batch: number; nets: bigint[] }
  type Op = {
    act: "import" | "undo_import" | "state" | "undo_state" | "match" | "undo" | "again"
    nth: number
    sum: bigint
  }

  const SETTLEMENTS = 4
  const anyFile = (batch: number): fc.Arbitrary<File> =>
    fc.record({
      batch: fc.constant(batch),
      nets: fc.array(fc.bigInt({ min: -50n, max: 100n }), { minLength: 1, maxLength: 4 }),
    })
  const files = fc.tuple(...Array.from({ length: SETTLEMENTS }, (_, batch) => anyFile(batch)))
  const ops = (acts: Op["act"][]) =>
    fc.array(
      fc.record({
        act: fc.constantFrom(...acts),
        nth: fc.nat(SETTLEMENTS - 1),
        sum: fc.bigInt({ min: -60n, max: 120n }),
      }),
      { maxLength: 40 }
    )
  /** Of each settlement a deposit that names it: its exact sum, or one that is a taka off. */
  const deposits = fc.array(fc.boolean(), { minLength: SETTLEMENTS, maxLength: SETTLEMENTS })
  const ALL: Op["act"][] = ["import", "undo_import", "state", "undo_state", "match", "undo", "again"]

  it("are what the lines say, and no more has come than settlements bring, after anything in any order", () => {
    fc.assert(
      fc.property(files, deposits, ops(ALL), (settlements, exact, steps) => {
        const books = new Books(settlements, exact)
        steps.forEach((step) => books.take(step))
        expect(books.balances()).toEqual(books.said())
        expect(books.settled().filter(({ deposited, net }) => !isWithin(deposited, net))).toEqual([])
        expect(books.postings.filter(({ lines }) => lines.reduce((sum, one) => sum + one.amount, 0n) !== 0n)).toEqual(
          []
        )
      }),
      { numRuns: 300 }
    )
  })

  it("are the same at the end of any imports and undos, once the same files are in", () => {
    fc.assert(
      fc.property(
        files,
        deposits,
        ops(["import", "undo_import", "state", "undo_state"]),
        (settlements, exact, steps) => {
          const straight = new Books(settlements, exact)
          const crooked = new Books(settlements, exact)
          steps.forEach((step) => crooked.take(step))
          for (const books of [straight, crooked]) {
            settlements.forEach((_, nth) => books.take({ act: "import", nth, sum: 0n }))
            settlements.forEach((_, nth) => books.take({ act: "state", nth, sum: 0n }))
          }
          expect(crooked.balances()).toEqual(straight.balances())
          expect(crooked.settled()).toEqual(straight.settled())
        }
      ),
      { numRuns: 300 }
    )
  })

  it("are empty when all is undone", () => {
    fc.assert(
      fc.property(files, deposits, ops(ALL), (settlements, exact, steps) => {
        const books = new Books(settlements, exact)
        steps.forEach((step) => books.take(step))
        settlements.forEach((_, nth) => books.take({ act: "undo_state", nth, sum: 0n }))
        settlements.forEach((_, nth) => books.take({ act: "undo_import", nth, sum: 0n }))
        expect(books.balances()).toEqual({})
      })
    )
  })

  type Deposit = { line: BankLine; sums: LineSums | null; brings: Allocation[]; isUndone: boolean }

  /** What the services do, without their tables: a file of each settlement, and a statement with a deposit of each. */
  class Books {
    readonly postings: Posting[] = []
    private readonly key = (nth: number) => ({ source: "sslcommerz", batch: `S-${nth}` })
    private readonly imported = new Set<number>()
    private readonly stated = new Map<number, Deposit>()
    private readonly names = namesOf(Array.from({ length: SETTLEMENTS }, (_, nth) => this.key(nth)))

    constructor(
      private readonly files: readonly File[],
      private readonly exact: readonly boolean[]
    ) {}

    take({ act, nth, sum }: Op): void {
      const deposit = this.stated.get(nth)
      if (act === "import" && !this.imported.has(nth)) {
        this.imported.add(nth)
        this.postings.push(linesMatched("i", OWNER, "sslcommerz", this.sumsOf(nth), AT))
        this.again()
      } else if (act === "undo_import" && this.imported.has(nth) && this.cameOf(nth) === 0n) {
        this.imported.delete(nth)
        this.postings.push(linesUndone("u", OWNER, "sslcommerz", this.sumsOf(nth), AT))
      } else if (act === "state" && deposit === undefined) {
        const gross = this.sumsOf(nth).gross + (this.exact[nth] ? 0n : 100n)
        const line = bankLine({ gross, description: `settlement S-${nth}` })
        this.stated.set(nth, { line, sums: null, brings: [], isUndone: false })
        this.again()
      } else if (act === "undo_state" && deposit !== undefined) {
        this.undo(deposit)
        this.stated.delete(nth)
      } else if (act === "undo" && deposit !== undefined && deposit.sums !== null) {
        this.undo(deposit)
        deposit.isUndone = true
      } else if (act === "match" && deposit !== undefined && deposit.sums === null) {
        this.byPerson(deposit, nth, sum)
      } else if (act === "again") {
        this.again()
      }
    }

    /** Parts of two settlements, when there is room for them and the bank gives nothing. */
    private byPerson(deposit: Deposit, nth: number, sum: bigint): void {
      const parts = [
        { ...this.key(nth), amount: sum },
        { ...this.key((nth + 1) % SETTLEMENTS), amount: deposit.line.gross - sum + 3n },
      ].filter(({ amount }) => amount !== 0n)
      const isRoom = parts.every((part) => {
        const one = this.settled().find(({ batch }) => batch === part.batch)
        return one !== undefined && isWithin(one.deposited + part.amount, one.net)
      })
      if (isRoom) {
        this.match(deposit, parts)
      }
    }

    private again(): void {
      for (const deposit of this.stated.values()) {
        if (deposit.sums === null && !deposit.isUndone) {
          const named = namedIn(deposit.line, this.names)
          const settled = this.settled().filter(({ batch }) => named.some((key) => key.batch === batch))
          const { decision, brings } = decideDeposit(deposit.line, settled)
          if (decision.state === "matched") {
            this.match(deposit, brings)
          }
        }
      }
    }

    private match(deposit: Deposit, brings: Allocation[]): void {
      const expected = brings.reduce((sum, { amount }) => sum + amount, 0n)
      const sums = { gross: deposit.line.gross, fee: 0n, vat: 0n, expected, booked: 0n }
      Object.assign(deposit, { sums, brings })
      this.postings.push(linesMatched("d", OWNER, "bank:City", sums, AT))
    }

    private undo(deposit: Deposit): void {
      if (deposit.sums !== null) {
        this.postings.push(linesUndone("x", OWNER, "bank:City", deposit.sums, AT))
        Object.assign(deposit, { sums: null, brings: [] })
      }
    }

    settled(): Settled[] {
      return [...this.imported]
        .sort()
        .map((nth) => settledOf({ ...this.key(nth), net: this.sumsOf(nth).gross, deposited: this.cameOf(nth) }))
    }

    balances(): Record<string, bigint> {
      const totals: Record<string, bigint> = {}
      for (const { account, amount } of this.postings.flatMap(({ lines }) => lines)) {
        totals[account] = (totals[account] ?? 0n) + amount
      }
      return Object.fromEntries(Object.entries(totals).filter(([, amount]) => amount !== 0n))
    }

    /** As the invariants of the database say it. */
    said(): Record<string, bigint> {
      const all = [...this.stated.values()].flatMap(({ sums }) => sums ?? [])
      const net = this.settled().reduce((sum, one) => sum + one.net - one.deposited, 0n)
      const gross = all.reduce((sum, one) => sum + one.gross, 0n)
      const kept = all.reduce((sum, one) => sum + (one.expected ?? 0n) - one.gross, 0n)
      const ours = this.settled().reduce((sum, one) => sum + one.net, 0n)
      const said = { settlements: -net, bank: -gross, bank_charges: -kept, settlement_differences: ours }
      return Object.fromEntries(Object.entries(said).filter(([, amount]) => amount !== 0n))
    }

    private cameOf(nth: number): bigint {
      const parts = [...this.stated.values()].flatMap(({ brings }) => brings)
      return parts.filter(({ batch }) => batch === this.key(nth).batch).reduce((sum, { amount }) => sum + amount, 0n)
    }

    /** Lines that are explained: all of them is a difference. */
    private sumsOf(nth: number): LineSums {
      const gross = this.files[nth].nets.reduce((sum, net) => sum + net, 0n)
      return { gross, fee: 0n, vat: 0n, expected: null, booked: 0n }
    }
  }

  const OWNER = { merchant_id: "m", environment: "sandbox" as const, currency: "BDT" }
})
