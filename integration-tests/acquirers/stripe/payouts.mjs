import { invalid } from "./form.mjs"
import { list } from "./lists.mjs"

/**
 * The account pays out what its balance holds in a currency (the first movement's, if none is named): by schedule, or by
 * hand (`automatic: false`). `reconciled: false`: Stripe has not put together yet what it contains. Answers the payout.
 */
export function payOut({ book, live, now }, options = {}) {
  const { automatic = true, reconciled = true, status = "paid", arrival_date = now() } = options
  const waiting = [...book.balance_transactions.values()].filter(({ id }) => !book.paid_out.has(id))
  const { currency = waiting[0]?.currency } = options
  const paid = waiting.filter((one) => one.currency === currency)
  const amount = paid.reduce((sum, { net }) => sum + net, 0)
  const id = book.id("po")
  const own = book.move({
    amount: -amount,
    currency,
    description: "STRIPE PAYOUT",
    category: "payout",
    source: id,
    status: "available",
  })
  const payout = {
    id,
    object: "payout",
    amount,
    arrival_date,
    automatic,
    balance_transaction: own.id,
    created: now(),
    currency,
    description: "STRIPE PAYOUT",
    destination: "ba_standin",
    failure_balance_transaction: null,
    failure_code: null,
    failure_message: null,
    livemode: live,
    metadata: {},
    method: "standard",
    original_payout: null,
    reconciliation_status: automatic ? (reconciled ? "completed" : "in_progress") : "not_applicable",
    reversed_by: null,
    source_type: "card",
    statement_descriptor: null,
    status,
    type: "bank_account",
  }
  book.payouts.set(id, payout)
  for (const one of [...paid, own]) {
    book.paid_out.set(one.id, automatic ? id : null)
  }
  return payout
}

export function listPayouts({ book }, { arrival_date, status, ...params }, _id, path) {
  return list(book.payouts, params, path, { ...(status && { status }) }, { arrival_date })
}

/** Of a payout only those that Stripe can name. */
export function listTransactions({ book }, { payout, ...params }, _id, path) {
  if (payout === undefined) {
    return list(book.balance_transactions, params, path, {})
  }
  if (!book.find("payouts", payout, "payout", "payout").automatic) {
    throw invalid("Balance transaction history can only be filtered on automatic transfers, not manual.")
  }
  const paid = [...book.balance_transactions].filter(([id]) => book.paid_out.get(id) === payout)
  return list(new Map(paid), params, path, {})
}
