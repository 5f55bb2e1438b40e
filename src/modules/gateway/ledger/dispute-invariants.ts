import { posted as postedIn } from "./records"

const TOUCHED_DISPUTE =
  "($1::timestamptz = '-infinity' OR d.transaction_id IN (SELECT transaction_id FROM gateway_ledger_entry WHERE created_at >= $1))"
const TOUCHED =
  "($1::timestamptz = '-infinity' OR t.id IN (SELECT transaction_id FROM gateway_ledger_entry WHERE created_at >= $1))"

/** What one account has of the dispute in one posting. */
const posted = (what: string, account: string) => postedIn(`d.id || ':${what}'`, account)
/** What one account has of the dispute in all postings. */
const sum = (account: string) =>
  `COALESCE((SELECT sum(e.amount_minor) FROM gateway_ledger_entry e WHERE e.dispute_id = d.id AND e.account = '${account}'), 0)`

const IS_WITHDRAWN = "d.state NOT IN ('inquiry', 'closed')"
const IS_OPEN = "d.state IN ('needs_response', 'under_review')"
const FEE = "d.fee_minor - CASE WHEN d.fee_returned THEN d.fee_minor ELSE 0 END"

/** What must hold of disputes (docs/decisions/10). */
export const DISPUTE_INVARIANTS = [
  {
    name: "disputes_are_counted",
    holds: "what a payment counts as disputed is what its disputes have taken that are open or lost",
    broken: `
      SELECT t.id AS subject, format('disputes %s, counted %s', COALESCE(sum(d.amount_minor), 0), t.disputed_minor) AS detail
      FROM gateway_transaction t
      LEFT JOIN gateway_dispute d ON d.transaction_id = t.id AND d.state IN ('needs_response', 'under_review', 'lost')
      WHERE ${TOUCHED} GROUP BY t.id
      HAVING COALESCE(sum(d.amount_minor), 0) <> t.disputed_minor`,
  },
  {
    name: "disputes_are_posted",
    holds: "every dispute has taken its amount and its fee from the balance, and has given back what its state says",
    broken: `
      SELECT d.id AS subject, format('%s %s, fee %s', d.state, d.amount_minor, d.fee_minor) AS detail
      FROM gateway_dispute d
      WHERE ${TOUCHED_DISPUTE}
        AND (${posted("opened", "merchant_balance")}, ${posted("decided", "disputes")}, ${posted("decided", "merchant_balance")},
             ${posted("reinstated", "merchant_balance")}, ${posted("fee", "acquirer_clearing")}, ${posted("fee_returned", "merchant_balance")})
        IS DISTINCT FROM (CASE WHEN ${IS_WITHDRAWN} THEN -d.amount_minor ELSE 0 END,
                          CASE WHEN d.state IN ('won', 'lost') THEN -d.amount_minor ELSE 0 END,
                          CASE WHEN d.state = 'won' AND d.reinstated_at IS NULL THEN d.amount_minor ELSE 0 END,
                          CASE WHEN d.reinstated_at IS NOT NULL THEN d.amount_minor ELSE 0 END,
                          d.fee_minor, CASE WHEN d.fee_returned THEN d.fee_minor ELSE 0 END)`,
  },
  {
    name: "disputes_leave_what_they_cost",
    holds:
      "a dispute's postings together leave the loss and the fee with the merchant, and nothing in reserve once it is over",
    broken: `
      SELECT d.id AS subject, format('%s %s: balance %s, clearing %s, reserve %s, claims %s', d.state, d.amount_minor,
               ${sum("merchant_balance")}, ${sum("acquirer_clearing")}, ${sum("disputes")}, ${sum("dispute_claims")}) AS detail
      FROM gateway_dispute d
      WHERE ${TOUCHED_DISPUTE}
        AND (${sum("merchant_balance")}, ${sum("acquirer_clearing")}, ${sum("disputes")}, ${sum("dispute_claims")})
        IS DISTINCT FROM (
          -(CASE WHEN ${IS_OPEN} OR d.state = 'lost' THEN d.amount_minor ELSE 0 END) - (${FEE}),
          CASE WHEN ${IS_OPEN} OR d.state = 'lost' THEN d.amount_minor ELSE 0 END + (${FEE}),
          CASE WHEN ${IS_OPEN} THEN d.amount_minor ELSE 0 END, CASE WHEN ${IS_OPEN} THEN -d.amount_minor ELSE 0 END)`,
  },
]
