import type { Minor } from "../kernel/money/money"
import type { Account, Posting, PostingKind } from "../ledger/rules"

/** What a row of the journal is about; `date` as `2026-11-20` in the month's time zone. */
type About = { date: string; kind: PostingKind; currency: string; reference: string }
/** One of `debit` and `credit` is 0, both in hundredths of the currency. */
export type JournalRow = About & { account: Account; debit: Minor; credit: Minor }

/**
 * An entry of the ledger as accountants write it. The ledger has what is held for the merchant below zero, which is a debit,
 * and what is owed above it, a credit.
 */
export function journalRow(about: About, account: Account, amount: Minor): JournalRow {
  return { ...about, account, debit: amount < 0n ? -amount : 0n, credit: amount > 0n ? amount : 0n }
}

export function journalRows(
  { date, reference }: Pick<About, "date" | "reference">,
  { kind, currency, lines }: Posting
): JournalRow[] {
  return lines.map(({ account, amount }) => journalRow({ date, kind, currency, reference }, account, amount))
}
