import { formatAmount } from "../../../../../modules/gateway/kernel/money"
import type { Balances } from "../../../../../modules/gateway/ledger/rules"
import type { LedgerEntry } from "../../../../../modules/gateway/ledger/service"

/**
 * `available` can be paid out or refunded; `refunds_in_progress` has left it and has not reached the shoppers yet;
 * `disputed` has been withdrawn until banks decide.
 */
export function presentBalances(currency: string, balances: Readonly<Balances>): Record<string, unknown> {
  const accounts = Object.entries(balances).map(([account, amount]) => [account, formatAmount(amount)])
  return {
    currency,
    available: formatAmount(balances.merchant_balance),
    refunds_in_progress: formatAmount(balances.refunds),
    disputed: formatAmount(balances.disputes),
    accounts: Object.fromEntries(accounts),
  }
}

export function presentEntry(entry: LedgerEntry): Record<string, unknown> {
  return {
    entry_id: entry.id,
    type: entry.kind,
    account: entry.account,
    amount: formatAmount(entry.amount),
    currency: entry.currency,
    transaction_id: entry.transaction_id,
    refund_id: entry.refund_id,
    payout_id: entry.payout_id,
    dispute_id: entry.dispute_id,
    created_at: entry.occurred_at.toISOString(),
  }
}
