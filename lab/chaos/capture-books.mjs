/** Differences that equal books do not have; the others are among the invariants (captures_equal_the_book). */
export const CAPTURE_BOOKS = {
  "captures in the acquirer's book that are not in ours": `
    SELECT key FROM gateway_sandbox_operation o WHERE kind = 'capture' AND outcome = 'SUCCESS'
      AND NOT EXISTS (SELECT 1 FROM gateway_capture c WHERE c.id = o.key AND c.state = 'completed')`,
  "payments of which the acquirer took more than it reserved, or other than our amount": `
    SELECT t.id FROM gateway_transaction t JOIN gateway_authorization z ON z.transaction_id = t.id
    WHERE t.state = 'SUCCESS' AND (SELECT COALESCE(sum(amount_minor), 0) FROM gateway_sandbox_operation o
      WHERE o.kind = 'capture' AND o.charge_key = z.id AND o.outcome = 'SUCCESS') <> t.amount_minor OR t.amount_minor > z.amount_minor`,
  "money released at the acquirer that we count as reserved": `
    SELECT z.id FROM gateway_authorization z JOIN gateway_sandbox_operation o ON o.kind = 'release' AND o.key = z.id
    WHERE z.state <> 'released'`,
  "reservations of the acquirer without exactly one of ours": `
    SELECT o.key FROM gateway_sandbox_operation o WHERE o.kind = 'authorization' AND o.outcome = 'SUCCESS'
      AND (SELECT count(*) FROM gateway_authorization z WHERE z.id = o.key) <> 1`,
}
