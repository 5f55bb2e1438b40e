import type { Minor } from "../kernel/money/money"
import { unknown, type Decision, type LineReason } from "./rules"

/** Names a settlement: the lines of a source with one batch; a batch without a name is its import. */
export type SettlementKey = { source: string; batch: string }

/** What the lines of a settlement bring in one currency, and what of it has come to the bank; in hundredths of it. */
export type Settled = SettlementKey & { currency: string; net: Minor; deposited: Minor }

/** What of a settlement a bank's line brings, signed like the settlement's net. */
export type Allocation = SettlementKey & { amount: Minor }

/** A bank's line, as far as it tells what it brings. */
export type BankLine = {
  gross: Minor
  currency: string
  reference: string | null
  order_reference: string | null
  description: string | null
}

/** Of a settlement that is below zero, as where refunds exceed payments, what comes is below zero too. */
export function isWithin(deposited: Minor, net: Minor): boolean {
  return net < 0n ? deposited <= 0n && deposited >= net : deposited >= 0n && deposited <= net
}

/**
 * Of lines that join a settlement, those that may not: together they would bring it below what has come of it already.
 * `net` is what a line brings.
 */
export function againstDeposits<Line extends { net: Minor }>(settled: Settled, lines: readonly Line[]): Line[] {
  const { deposited } = settled
  const net = lines.reduce((sum, line) => sum + line.net, settled.net)
  return isWithin(deposited, net) ? [] : lines.filter((line) => (deposited > 0n ? line.net < 0n : line.net > 0n))
}

export type Names = ReadonlyMap<string, readonly SettlementKey[]>

const folded = (text: string) => text.normalize("NFC").toLowerCase()

export function namesOf(keys: readonly SettlementKey[]): Names {
  const names = new Map<string, SettlementKey[]>()
  for (const key of keys) {
    names.set(folded(key.batch), [...(names.get(folded(key.batch)) ?? []), key])
  }
  return names
}

/** The most pieces of a name, words and what is between them: a longer one is found by nobody. */
const NAME_PIECES_MAX = 16

/**
 * The settlements that a bank's line names, each as a whole word: of "S-1" and "S-1-A" it names the longer one. Not by
 * searching for each name: a merchant has thousands of settlements.
 */
export function namedIn({ reference, order_reference, description }: BankLine, names: Names): SettlementKey[] {
  const named = new Set<SettlementKey>()
  for (const text of [reference, order_reference, description]) {
    const pieces = folded(text ?? "").match(/[\p{L}\p{M}\p{N}]+|[^\p{L}\p{M}\p{N}]+/gu) ?? []
    for (let from = 0; from < pieces.length; from++) {
      for (let count = Math.min(NAME_PIECES_MAX, pieces.length - from); count > 0; count--) {
        const found = names.get(pieces.slice(from, from + count).join(""))
        if (found !== undefined) {
          found.forEach((key) => named.add(key))
          from += count - 1
          break
        }
      }
    }
  }
  return [...named]
}

export type DepositDecision = { decision: Decision; brings: Allocation[] }

/**
 * What a bank's line is: never by its amount alone. `named`: the settlements that it names, in all their currencies. It is
 * matched when that is one, of which exactly this amount is to come; anything else is for a person to decide.
 */
export function decideDeposit(line: BankLine, named: readonly Settled[]): DepositDecision {
  if (line.reference === null && line.order_reference === null && line.description === null) {
    return nothing("no_reference")
  }
  const own = named.filter(({ currency }) => currency === line.currency)
  if (own.length !== 1) {
    return nothing(named.length === 0 ? "not_found" : own.length === 0 ? "currency" : "ambiguous")
  }
  const [{ source, batch, net, deposited }] = own
  const outstanding = net - deposited
  if (outstanding !== line.gross || outstanding === 0n) {
    return nothing(outstanding === 0n && deposited !== 0n ? "taken" : "amount")
  }
  const matched = { money: null, expected: outstanding, booked: 0n, agreed: null, reasons: [] }
  return { decision: { state: "matched", ...matched }, brings: [{ source, batch, amount: outstanding }] }
}

function nothing(reason: LineReason): DepositDecision {
  return { decision: unknown(reason), brings: [] }
}
