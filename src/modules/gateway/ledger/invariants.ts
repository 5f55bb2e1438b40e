import { COUNTER_INVARIANT, MEDUSA_INVARIANT } from "./counter-invariant"
import { CASH_INVARIANTS } from "./cash-invariants"
import { DISPUTE_INVARIANTS } from "./dispute-invariants"
import { SETTLEMENT_INVARIANTS } from "./settlement-invariants"
import { posted } from "./records"

/**
 * What must hold of the money at every moment, as SQL: each query returns the rows that break it. `$1` is a moment:
 * only what the ledger has moved since is read, so that the check costs as much as happened and not as much as exists.
 * `-infinity` reads everything. Source: decisions, Refunds; design, rules 5 and 6.
 */
type Invariant = { name: string; holds: string; broken: string }

const TOUCHED =
  "($1::timestamptz = '-infinity' OR t.id IN (SELECT transaction_id FROM gateway_ledger_entry WHERE created_at >= $1))"
const TOUCHED_REFUND =
  "($1::timestamptz = '-infinity' OR r.transaction_id IN (SELECT transaction_id FROM gateway_ledger_entry WHERE created_at >= $1))"
const TOUCHED_ENTRY = "e.created_at >= $1::timestamptz"

/** SQL: what the ledger has of the completed captures of the payment `t`, in one account. */
const captured = (account: string) =>
  `COALESCE((SELECT sum(${posted("c.id || ':captured'", account)}) FROM gateway_capture c WHERE c.transaction_id = t.id), 0)`

export const INVARIANTS: readonly Invariant[] = [
  {
    name: "refunds_within_amount",
    holds:
      "what is pending, processing and completed of a transaction's refunds is what is counted, and within its amount",
    broken: `
      SELECT t.id AS subject, format('refunds %s, counted %s, amount %s', sum(r.amount_minor), t.refunded_minor, t.amount_minor) AS detail
      FROM gateway_transaction t
      LEFT JOIN gateway_refund r ON r.transaction_id = t.id AND r.state IN ('pending', 'processing', 'completed')
      WHERE ${TOUCHED} GROUP BY t.id
      HAVING COALESCE(sum(r.amount_minor), 0) <> t.refunded_minor OR t.refunded_minor > t.amount_minor`,
  },
  {
    name: "refunded_means_all_of_it",
    holds: "a transaction is REFUNDED exactly when completed refunds have given all of it back",
    broken: `
      SELECT t.id AS subject, format('%s, completed %s of %s', t.state, COALESCE(sum(r.amount_minor), 0), t.amount_minor) AS detail
      FROM gateway_transaction t LEFT JOIN gateway_refund r ON r.transaction_id = t.id AND r.state = 'completed'
      WHERE ${TOUCHED} AND t.state IN ('SUCCESS', 'REFUNDED') GROUP BY t.id
      HAVING (t.state = 'REFUNDED') <> (COALESCE(sum(r.amount_minor), 0) = t.amount_minor)`,
  },
  {
    name: "postings_sum_to_zero",
    holds: "debits equal credits in every posting",
    broken: `
      SELECT e.posting AS subject, format('sums to %s', sum(e.amount_minor)) AS detail
      FROM gateway_ledger_entry e WHERE ${TOUCHED_ENTRY} GROUP BY e.posting HAVING sum(e.amount_minor) <> 0`,
  },
  {
    name: "balances_equal_entries",
    holds:
      "the kept balance of every account in every currency is the sum of its entries (in the check of the last minutes: of its checkpoint and the entries since)",
    broken: `
      WITH touched AS (SELECT DISTINCT merchant_id, environment FROM gateway_ledger_entry e WHERE ${TOUCHED_ENTRY}),
      counted AS (
        SELECT merchant_id, environment, account, currency, amount_minor FROM gateway_ledger_entry
        WHERE $1::timestamptz = '-infinity'
          OR created_at >= COALESCE((SELECT max(counted_until) FROM gateway_ledger_checkpoint), '-infinity')
        UNION ALL SELECT merchant_id, environment, account, currency, balance_minor FROM gateway_ledger_checkpoint
        WHERE $1::timestamptz <> '-infinity'),
      entries AS (
        SELECT merchant_id, environment, account, currency, sum(amount_minor) AS balance
        FROM counted JOIN touched USING (merchant_id, environment) GROUP BY 1, 2, 3, 4),
      totals AS (
        SELECT merchant_id, environment, account, currency, sum(balance_minor) AS balance FROM gateway_ledger_total
        WHERE $1::timestamptz = '-infinity' OR (merchant_id, environment) IN (SELECT merchant_id, environment FROM touched)
        GROUP BY 1, 2, 3, 4)
      SELECT concat_ws(' ', merchant_id, environment, account, currency) AS subject,
             format('kept %s, entries %s', COALESCE(totals.balance, 0), COALESCE(entries.balance, 0)) AS detail
      FROM entries FULL JOIN totals USING (merchant_id, environment, account, currency)
      WHERE COALESCE(entries.balance, 0) <> COALESCE(totals.balance, 0)`,
  },
  {
    name: "checkpoints_equal_entries",
    holds: "the checkpoint of every account in every currency is the sum of the entries before its moment",
    broken: `
      WITH moment AS (SELECT max(counted_until) AS at FROM gateway_ledger_checkpoint WHERE $1::timestamptz = '-infinity'),
      entries AS (
        SELECT merchant_id, environment, account, currency, sum(amount_minor) AS balance
        FROM gateway_ledger_entry JOIN moment ON created_at < moment.at GROUP BY 1, 2, 3, 4),
      checkpoints AS (SELECT c.* FROM gateway_ledger_checkpoint c JOIN moment ON moment.at IS NOT NULL)
      SELECT concat_ws(' ', merchant_id, environment, account, currency) AS subject,
             format('checkpoint %s, entries %s', COALESCE(balance_minor, 0), COALESCE(balance, 0)) AS detail
      FROM entries FULL JOIN checkpoints USING (merchant_id, environment, account, currency)
      WHERE COALESCE(balance, 0) <> COALESCE(balance_minor, 0)`,
  },
  {
    name: "one_currency_throughout",
    holds:
      "a payment's entries, attempts, refunds and disputes are in its currency, and a payout's entries in the payout's",
    broken: `
      SELECT e.id AS subject, format('%s, of a payment in %s or a payout in %s', e.currency, t.currency, p.currency) AS detail
      FROM gateway_ledger_entry e LEFT JOIN gateway_transaction t ON t.id = e.transaction_id
      LEFT JOIN gateway_payout p ON p.id = e.payout_id
      WHERE ${TOUCHED_ENTRY} AND e.currency <> COALESCE(t.currency, p.currency)
      UNION ALL SELECT a.id, format('%s, of a payment in %s', a.currency, t.currency)
      FROM gateway_payment_attempt a JOIN gateway_transaction t ON t.id = a.transaction_id
      WHERE ${TOUCHED} AND a.currency <> t.currency
      UNION ALL SELECT r.id, format('%s, of a payment in %s', r.currency, t.currency)
      FROM gateway_refund r JOIN gateway_transaction t ON t.id = r.transaction_id
      WHERE ${TOUCHED} AND r.currency <> t.currency
      UNION ALL SELECT d.id, format('%s, of a payment in %s', d.currency, t.currency)
      FROM gateway_dispute d JOIN gateway_transaction t ON t.id = d.transaction_id
      WHERE ${TOUCHED} AND d.currency <> t.currency`,
  },
  {
    name: "payments_are_posted",
    holds: "every payment that succeeded is in the ledger with its amount and its fee, and no other is",
    broken: `
      SELECT t.id AS subject, format('%s %s, fee %s', t.state, t.amount_minor, t.charge_minor) AS detail
      FROM gateway_transaction t
      WHERE ${TOUCHED} AND (
          ${posted("t.id || ':paid'", "acquirer_clearing")} + ${captured("acquirer_clearing")},
          ${posted("t.id || ':paid'", "fees")} + ${captured("fees")})
        IS DISTINCT FROM (CASE WHEN t.state IN ('SUCCESS', 'REFUNDED') THEN -t.amount_minor ELSE 0 END,
                          CASE WHEN t.state IN ('SUCCESS', 'REFUNDED') THEN t.charge_minor ELSE 0 END)`,
  },
  {
    name: "emi_costs_are_posted",
    holds:
      "what the merchant pays banks for instalments is in the ledger what the plans of its successful payments say, and nothing else is",
    broken: `
      SELECT t.id AS subject, format('%s, agreed %s', t.state, COALESCE(p.bank_interest_minor + p.bank_fee_minor, 0)) AS detail
      FROM gateway_transaction t LEFT JOIN gateway_emi_plan p ON p.attempt_id = t.attempt_id AND p.merchant_absorbs
      WHERE ${TOUCHED} AND ${posted("t.id || ':paid'", "emi_costs")} + ${captured("emi_costs")}
        <> CASE WHEN t.state IN ('SUCCESS', 'REFUNDED') THEN -COALESCE(p.bank_interest_minor + p.bank_fee_minor, 0) ELSE 0 END
      UNION ALL SELECT e.id, format('%s of no payment', e.amount_minor) FROM gateway_ledger_entry e
      WHERE ${TOUCHED_ENTRY} AND e.account = 'emi_costs' AND (e.kind <> 'payment' OR e.transaction_id IS NULL)`,
  },
  {
    name: "one_attempt_pays",
    holds: "a payment that succeeded was settled by exactly one attempt, of its amount; no other payment was",
    broken: `
      SELECT t.id AS subject, format('%s, attempts that succeeded: %s', t.state, count(a.id)) AS detail
      FROM gateway_transaction t
      LEFT JOIN gateway_payment_attempt a ON a.transaction_id = t.id AND a.state = 'SUCCEEDED'
      WHERE ${TOUCHED} GROUP BY t.id
      HAVING count(a.id) <> CASE WHEN t.state IN ('SUCCESS', 'REFUNDED') THEN 1 ELSE 0 END
        OR COALESCE(max(a.amount_minor), t.amount_minor) <> COALESCE(t.authorized_minor, t.amount_minor)`,
  },
  {
    name: "captures_equal_amount",
    holds: "the amount and fee of a payment whose money was reserved are those of its completed captures",
    broken: `
      SELECT t.id AS subject, format('%s %s %s, captured %s %s', t.state, t.amount_minor, t.charge_minor, sum(c.amount_minor), sum(c.charge_minor)) AS detail
      FROM gateway_transaction t LEFT JOIN gateway_capture c ON c.transaction_id = t.id AND c.state = 'completed'
      WHERE ${TOUCHED} AND (t.authorized_minor IS NOT NULL OR c.id IS NOT NULL) GROUP BY t.id
      HAVING (COALESCE(sum(c.amount_minor), 0), COALESCE(sum(c.charge_minor), 0)) IS DISTINCT FROM
        (CASE WHEN t.state IN ('SUCCESS', 'REFUNDED') THEN t.amount_minor ELSE 0 END,
         CASE WHEN t.state IN ('SUCCESS', 'REFUNDED') THEN t.charge_minor ELSE 0 END)`,
  },
  {
    name: "captures_within_authorization",
    holds:
      "what is under way and completed of the captures of reserved money is what is counted, and within what was reserved",
    broken: `
      SELECT z.id AS subject, format('%s of %s, captures %s', z.captured_minor, z.amount_minor, COALESCE(sum(c.amount_minor), 0)) AS detail
      FROM gateway_authorization z JOIN gateway_transaction t ON t.id = z.transaction_id
      LEFT JOIN gateway_capture c ON c.authorization_id = z.id AND c.state IN ('processing', 'completed')
      WHERE ${TOUCHED} GROUP BY z.id HAVING COALESCE(sum(c.amount_minor), 0) <> z.captured_minor`,
  },
  {
    name: "captures_equal_the_book",
    holds: "a completed capture is one capture of the same amount in the sandbox's book; a failed one is none",
    broken: `
      SELECT c.id AS subject, format('%s %s, in the book: %s %s', c.state, c.amount_minor, o.outcome, o.amount_minor) AS detail
      FROM gateway_capture c
      JOIN gateway_transaction t ON t.id = c.transaction_id AND t.acquirer = 'sandbox' AND t.environment = 'sandbox'
      LEFT JOIN gateway_sandbox_operation o ON o.kind = 'capture' AND o.key = c.id
      WHERE ${TOUCHED} AND CASE c.state
        WHEN 'completed' THEN (o.outcome, o.amount_minor, o.reference) IS DISTINCT FROM ('SUCCESS', c.amount_minor, c.acquirer_reference)
        WHEN 'failed' THEN o.outcome = 'SUCCESS'
        ELSE o.amount_minor <> c.amount_minor END`,
  },
  {
    name: "surplus_is_posted",
    holds: "money that came for an attempt that was over is in the ledger, and given back as its state says",
    broken: `
      SELECT a.id AS subject, format('%s %s', a.state, a.surplus_minor) AS detail
      FROM gateway_transaction t JOIN gateway_payment_attempt a ON a.transaction_id = t.id
      WHERE ${TOUCHED} AND (${posted("a.id || ':surplus'", "refunds")}, ${posted("a.id || ':returned'", "acquirer_clearing")})
        IS DISTINCT FROM (COALESCE(a.surplus_minor, 0), CASE WHEN a.state = 'RETURNED' THEN a.surplus_minor ELSE 0 END)`,
  },
  {
    name: "refunds_are_posted",
    holds: "every refund has taken its amount from the balance, and has paid it out or given it back as its state says",
    broken: `
      SELECT r.id AS subject, format('%s %s', r.state, r.amount_minor) AS detail
      FROM gateway_refund r
      WHERE ${TOUCHED_REFUND}
        AND (${posted("r.id || ':reserved'", "merchant_balance")}, ${posted("r.id || ':settled'", "acquirer_clearing")},
             ${posted("r.id || ':settled'", "merchant_balance")}, ${posted("r.id || ':bounced'", "merchant_balance")})
        IS DISTINCT FROM (-r.amount_minor, CASE WHEN r.completed_at IS NOT NULL THEN r.amount_minor ELSE 0 END,
                          CASE WHEN r.state IN ('failed', 'cancelled') AND r.completed_at IS NULL THEN r.amount_minor ELSE 0 END,
                          CASE WHEN r.state = 'failed' AND r.completed_at IS NOT NULL THEN r.amount_minor ELSE 0 END)`,
  },
  {
    name: "payouts_are_posted",
    holds: "every payout is in the ledger, and a reversed one twice",
    broken: `
      SELECT p.id AS subject, format('%s %s', p.state, p.amount_minor) AS detail FROM gateway_payout p
      WHERE p.updated_at >= $1::timestamptz AND (${posted("p.id || ':paid'", "payouts")}, ${posted("p.id || ':reversed'", "payouts")})
        IS DISTINCT FROM (p.amount_minor, CASE WHEN p.state = 'reversed' THEN -p.amount_minor ELSE 0 END)`,
  },
  {
    name: "success_has_its_charge",
    holds:
      "a payment that succeeded has one acquirer reference; in the sandbox's book that is one charge, or reservation, of the same amount",
    broken: `
      SELECT t.id AS subject, format('reference %s, %s, charges in the book: %s', t.acquirer_reference, t.amount_minor, count(o.id)) AS detail
      FROM gateway_transaction t
      LEFT JOIN gateway_sandbox_operation o ON o.kind IN ('charge', 'authorization') AND o.outcome = 'SUCCESS'
        AND o.key IN (SELECT a.id FROM gateway_payment_attempt a WHERE a.transaction_id = t.id) AND o.reference = t.acquirer_reference
        AND o.amount_minor = COALESCE(t.authorized_minor, t.amount_minor)
      WHERE ${TOUCHED} AND t.state IN ('SUCCESS', 'REFUNDED') GROUP BY t.id
      HAVING t.acquirer_reference IS NULL OR (t.acquirer = 'sandbox' AND t.environment = 'sandbox' AND count(o.id) <> 1)`,
  },
  {
    name: "charges_are_known",
    holds:
      "what the sandbox's book has charged is a payment that succeeded, is held, or whose outcome is still being asked for",
    broken: `
      SELECT t.id AS subject, format('charged, but %s', t.state) AS detail
      FROM gateway_transaction t JOIN gateway_payment_attempt a ON a.transaction_id = t.id
      JOIN gateway_sandbox_operation o ON o.kind = 'charge' AND o.key = a.id AND o.outcome = 'SUCCESS'
      WHERE ${TOUCHED} AND t.acquirer = 'sandbox' AND t.state NOT IN ('SUCCESS', 'REFUNDED', 'PROCESSING', 'HELD')
        AND a.state NOT IN ('SURPLUS', 'RETURNED')`,
  },
  {
    name: "refunds_equal_the_book",
    holds:
      "a completed refund is one refund of the same amount and reference in the sandbox's book; a failed or cancelled one is none",
    broken: `
      SELECT r.id AS subject, format('%s %s, in the book: %s %s', r.state, r.amount_minor, o.outcome, o.amount_minor) AS detail
      FROM gateway_refund r
      JOIN gateway_transaction t ON t.id = r.transaction_id AND t.acquirer = 'sandbox' AND t.environment = 'sandbox'
      LEFT JOIN gateway_sandbox_operation o ON o.kind = 'refund' AND o.key = r.id
      WHERE ${TOUCHED_REFUND} AND CASE
        WHEN r.state = 'completed' THEN
          (o.outcome, o.amount_minor, o.reference) IS DISTINCT FROM ('SUCCESS', r.amount_minor, r.acquirer_reference)
        WHEN r.state IN ('failed', 'cancelled', 'pending') THEN o.outcome = 'SUCCESS'
        ELSE o.amount_minor <> r.amount_minor END`,
  },
  ...CASH_INVARIANTS,
  ...SETTLEMENT_INVARIANTS,
  ...DISPUTE_INVARIANTS,
  MEDUSA_INVARIANT,
  COUNTER_INVARIANT,
]
