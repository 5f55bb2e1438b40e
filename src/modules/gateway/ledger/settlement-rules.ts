import type { Minor } from "../kernel/money/money"
import { posting, type Account, type Owner, type Posting, type PostingKind } from "./rules"

/** What the entries of a kind of posting are of what a source holds; null: they are in none of its months' figures. */
export const MOVED: Readonly<Record<PostingKind, "payments" | "refunds" | "disputes" | null>> = {
  payment: "payments",
  surplus_received: "payments",
  cash_collected: "payments",
  refund_completed: "refunds",
  refund_bounced: "refunds",
  surplus_returned: "refunds",
  dispute_opened: "disputes",
  dispute_fee: "disputes",
  dispute_won: "disputes",
  dispute_reinstated: "disputes",
  dispute_fee_returned: "disputes",
  dispute_lost: null,
  refund_reserved: null,
  refund_released: null,
  payout: null,
  payout_reversed: null,
  cash_ordered: null,
  cash_given_up: null,
  cash_returned: null,
  settlement_matched: null,
  settlement_undone: null,
  deposit_matched: null,
  deposit_undone: null,
}

/**
 * What lines of a settlement move, in hundredths of their currency and signed like them: `ours` is what `held` holds of
 * their money, `net` what comes of it, `fee` and `vat` what is kept and not in the ledger yet.
 */
export type SettledSums = { held: HeldBy; ours: Minor; net: Minor; fee: Minor; vat: Minor }
/** Acquirers hold what was paid online; of cash that was handed over only the deposit is still to come. */
export type HeldBy = Extract<Account, "acquirer_clearing" | "cash_received">

/** Lines are matched: their money is on its way to the bank, less what was kept of it. */
export function settlementMatched(id: string, owner: Owner, sums: SettledSums, occurred_at: Date): Posting {
  return posting(id, "settlement_matched", owner, {}, occurred_at, amountsOf(sums))
}

/** The same back again: the match is undone. */
export function settlementUndone(id: string, owner: Owner, sums: SettledSums, occurred_at: Date): Posting {
  const { held, ours, net, fee, vat } = sums
  const back = amountsOf({ held, ours: -ours, net: -net, fee: -fee, vat: -vat })
  return posting(id, "settlement_undone", owner, {}, occurred_at, back)
}

function amountsOf({ held, ours, net, fee, vat }: SettledSums): Partial<Record<Account, Minor>> {
  return {
    [held]: ours,
    settlements: -net,
    acquirer_fees: -fee,
    acquirer_vat: -vat,
    settlement_differences: net + fee + vat - ours,
  }
}

/** What a line of a bank brings, in hundredths of its currency: `settled` is the settlements' part, `amount` what came. */
export type DepositSums = { settled: Minor; amount: Minor }

/** Money of settlements has come to the bank, which kept the rest for itself. */
export function depositMatched(id: string, owner: Owner, { settled, amount }: DepositSums, occurred_at: Date): Posting {
  const amounts = { settlements: settled, bank: -amount, bank_charges: amount - settled }
  return posting(id, "deposit_matched", owner, {}, occurred_at, amounts)
}

/** The same back again: the match is undone. */
export function depositUndone(id: string, owner: Owner, { settled, amount }: DepositSums, occurred_at: Date): Posting {
  const amounts = { settlements: -settled, bank: amount, bank_charges: settled - amount }
  return posting(id, "deposit_undone", owner, {}, occurred_at, amounts)
}
