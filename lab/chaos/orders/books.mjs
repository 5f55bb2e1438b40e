import { CAPTURE_BOOKS } from "../capture-books.mjs"

/** Simulates the passage of time: what is open is looked at again. */
export const MEANWHILE = [
  "UPDATE gateway_payment_attempt SET inquiry_at = now(), started_at = now() - interval '1 hour' WHERE state = 'STARTED'",
  "UPDATE gateway_capture SET inquiry_at = now() WHERE state = 'processing' AND inquiry_at > now()",
  "UPDATE gateway_refund SET inquiry_at = now() WHERE state = 'processing' AND inquiry_at > now()",
  "UPDATE gateway_authorization SET due_at = now() WHERE state = 'releasing' AND due_at > now()",
  "UPDATE gateway_authorization SET store_due_at = now() WHERE store_due_at > now()",
  "UPDATE gateway_cart_completion SET next_attempt_at = now() WHERE next_attempt_at > now()",
  "UPDATE gateway_cash_order SET next_attempt_at = now() WHERE next_attempt_at > now()",
]

/** The same once, while no process runs: their leases expire, and every order is looked at again. */
export const LATER = [
  ...MEANWHILE,
  "UPDATE gateway_authorization SET store_due_at = now(), locked_until = NULL",
  "UPDATE gateway_cart_completion SET locked_until = NULL",
  "UPDATE gateway_cash_order SET locked_until = NULL, next_attempt_at = now(), looked_at = NULL",
  "UPDATE capture SET created_at = created_at - interval '1 hour'",
]

/** Tasks that the crontab would queue at the next full minute. */
export const TASKS = `
  SELECT graphile_worker.add_job(name) FROM unnest(ARRAY['complete-paid-carts', 'follow-cash-orders', 'sync-order-captures',
    'reconcile-payments', 'reconcile-refunds', 'sync-order-refunds', 'process-returns']) AS name`

const OPEN_KINDS = {
  attempts: "SELECT id FROM gateway_payment_attempt WHERE state = 'STARTED'",
  captures: "SELECT id FROM gateway_capture WHERE state = 'processing'",
  releases: "SELECT id FROM gateway_authorization WHERE state = 'releasing'",
  refunds: "SELECT id FROM gateway_refund WHERE state IN ('pending', 'processing')",
  "paid carts and balances":
    "SELECT id FROM gateway_cart_completion WHERE next_attempt_at IS NOT NULL AND state = 'waiting' AND EXISTS (SELECT 1 FROM gateway_transaction t WHERE t.id = transaction_id AND t.state IN ('SUCCESS', 'AUTHORIZED'))",
  "cash orders": "SELECT id FROM gateway_cash_order WHERE next_attempt_at IS NOT NULL AND state <> 'placing'",
  "orders of reserved money": "SELECT id FROM gateway_authorization WHERE store_due_at IS NOT NULL",
}

/** What is not settled: `kind` and `id`. */
export const OPEN = Object.entries(OPEN_KINDS)
  .map(([kind, query]) => `SELECT '${kind}' AS kind, id FROM (${query}) AS rows`)
  .join(" UNION ALL ")

export const COUNTS = `
  SELECT (SELECT count(*)::int FROM "order") AS orders,
         (SELECT count(*)::int FROM gateway_authorization) AS authorized,
         (SELECT count(*)::int FROM gateway_capture WHERE state = 'completed') AS captured,
         (SELECT count(*)::int FROM gateway_authorization WHERE ended_because = 'voided') AS voided,
         (SELECT count(*)::int FROM gateway_transaction WHERE link_id IS NOT NULL AND state = 'SUCCESS') AS balances,
         (SELECT count(*)::int FROM gateway_cash_order WHERE placed_at IS NOT NULL) AS in_cash,
         (SELECT count(*)::int FROM gateway_cash_collection) AS collected,
         (SELECT count(*)::int FROM gateway_refund) AS refunds`

/** Our payments of each order of Medusa, and the cash that came for it: `order_id`, `minor`. A refund is not taken off. */
const OURS = `
  SELECT order_id, sum(minor) AS minor FROM (
    SELECT p.order_id, COALESCE(z.captured_minor, t.amount_minor) AS minor FROM (
      SELECT order_id, transaction_id FROM gateway_cart_completion WHERE order_id IS NOT NULL
      UNION SELECT order_id, transaction_id FROM gateway_cash_order WHERE order_id IS NOT NULL AND transaction_id IS NOT NULL) p
    JOIN gateway_transaction t ON t.id = p.transaction_id LEFT JOIN gateway_authorization z ON z.transaction_id = t.id
    WHERE t.state IN ('SUCCESS', 'REFUNDED', 'AUTHORIZED')
    UNION ALL SELECT o.order_id, c.amount_minor FROM gateway_cash_collection c JOIN gateway_cash_order o ON o.id = c.cash_order_id
      WHERE o.order_id IS NOT NULL) AS sums GROUP BY order_id`

/** What Medusa's payments show as captured for each order, and what its transactions say. */
const CAPTURED = `
  SELECT l.order_id, sum(c.amount) * 100 AS minor FROM order_payment_collection l
  JOIN payment p ON p.payment_collection_id = l.payment_collection_id AND p.deleted_at IS NULL
  JOIN capture c ON c.payment_id = p.id AND c.deleted_at IS NULL WHERE l.deleted_at IS NULL GROUP BY l.order_id`
const TRANSACTIONS = `
  SELECT order_id, sum(amount) FILTER (WHERE reference = 'capture') * 100 AS minor, sum(amount) * 100 AS all_minor
  FROM order_transaction WHERE deleted_at IS NULL GROUP BY order_id`

/**
 * `pending` as the balance counts it: from the transactions. Medusa's stored sum of them may miss one of two that were
 * written at once.
 */
const MONEY = `
  SELECT o.id, COALESCE(ours.minor, 0) AS ours, COALESCE(captured.minor, 0) AS captured,
    COALESCE(shown.minor, 0) AS shown, COALESCE(shown.all_minor, 0) AS left_over,
    (s.totals->>'current_order_total')::numeric * 100 AS total,
    ((s.totals->>'pending_difference')::numeric + (s.totals->>'transaction_total')::numeric) * 100 - COALESCE(shown.all_minor, 0)
      AS pending
  FROM "order" o JOIN order_summary s ON s.order_id = o.id AND s.version = o.version AND s.deleted_at IS NULL
  LEFT JOIN (${OURS}) ours ON ours.order_id = o.id LEFT JOIN (${CAPTURED}) captured ON captured.order_id = o.id
  LEFT JOIN (${TRANSACTIONS}) shown ON shown.order_id = o.id`

/** What must not exist once everything is settled: by name, its query. */
export const BOOKS = {
  ...CAPTURE_BOOKS,
  "orders whose payments of ours are not Medusa's captures and transactions": `
    SELECT * FROM (${MONEY}) money WHERE ours <> captured OR ours <> shown`,
  "orders of which more was taken than they cost": `SELECT * FROM (${MONEY}) money WHERE ours > total`,
  "orders whose balance is not what was not paid": `
    SELECT * FROM (${MONEY}) money WHERE pending <> total - left_over`,
  "captures of Medusa that are not one transaction of their order each, of their amount": `
    SELECT c.id, c.amount, sum(t.amount) AS shown FROM capture c
    LEFT JOIN order_transaction t ON t.reference_id = c.id AND t.deleted_at IS NULL
    WHERE c.deleted_at IS NULL GROUP BY c.id, c.amount HAVING COALESCE(sum(t.amount), 0) <> c.amount`,
  "captures of ours that Medusa does not show exactly once": `
    SELECT k.id FROM gateway_capture k LEFT JOIN capture c ON c.id = k.medusa_capture_id AND c.deleted_at IS NULL
      AND c.amount * 100 = k.amount_minor WHERE k.state = 'completed' AND c.id IS NULL
    UNION ALL SELECT min(id) FROM gateway_capture WHERE state = 'completed' GROUP BY medusa_capture_id HAVING count(*) > 1`,
  "sums of cash that Medusa does not show exactly once": `
    SELECT k.id FROM gateway_cash_collection k LEFT JOIN capture c ON c.id = k.capture_id AND c.deleted_at IS NULL
      AND c.amount * 100 = k.amount_minor WHERE c.id IS NULL
    UNION ALL SELECT min(id) FROM gateway_cash_collection GROUP BY capture_id HAVING count(*) > 1`,
  "lines of couriers that were recorded twice": `
    SELECT cash_order_id, amount_minor FROM gateway_cash_collection GROUP BY 1, 2 HAVING count(*) > 1`,
  "orders in cash of which not what came is counted": `
    SELECT o.id FROM gateway_cash_order o WHERE o.collected_minor + o.advance_minor > o.total_minor OR o.collected_minor <>
      (SELECT COALESCE(sum(amount_minor), 0) FROM gateway_cash_collection c WHERE c.cash_order_id = o.id)`,
  "carts with more than one order":
    "SELECT cart_id FROM order_cart WHERE deleted_at IS NULL GROUP BY 1 HAVING count(*) > 1",
  "payments that have no order, and whose money was not given back": `
    SELECT t.id, t.state, k.state AS completion, k.cart_id, k.last_error, k.history FROM gateway_transaction t
    LEFT JOIN gateway_cart_completion k ON k.transaction_id = t.id
    LEFT JOIN gateway_cart_completion c ON c.transaction_id = t.id AND c.order_id IS NOT NULL
    LEFT JOIN gateway_cash_order o ON o.transaction_id = t.id AND o.order_id IS NOT NULL
    WHERE t.state IN ('SUCCESS', 'AUTHORIZED') AND t.refunded_minor < t.amount_minor AND c.id IS NULL AND o.id IS NULL`,
  "balances that were paid after they were nothing": `
    SELECT l.store_order_id, money.* FROM gateway_payment_link l JOIN (${MONEY}) money ON money.id = l.store_order_id
    WHERE money.pending < 0`,
}

/** Everything that is known of the money of an order ($1), to find out how its books came to differ. */
export const EVIDENCE = `
  WITH pays AS (
    SELECT l.order_id, c.id AS collection, c.status AS collection_status, p.* FROM order_payment_collection l
    JOIN payment_collection c ON c.id = l.payment_collection_id LEFT JOIN payment p ON p.payment_collection_id = c.id
    WHERE l.order_id = $1),
  ours AS (
    SELECT transaction_id FROM gateway_cart_completion WHERE order_id = $1
    UNION SELECT transaction_id FROM gateway_cash_order WHERE order_id = $1 AND transaction_id IS NOT NULL
    UNION SELECT t.id FROM gateway_transaction t JOIN gateway_payment_link k ON k.id = t.link_id WHERE k.store_order_id = $1)
  SELECT json_build_object(
    'order', (SELECT row_to_json(o) FROM (SELECT status, version, created_at FROM "order" WHERE id = $1) o),
    'summaries', (SELECT json_agg(s) FROM (SELECT version, totals->'current_order_total' AS total, deleted_at FROM order_summary
      WHERE order_id = $1 ORDER BY version) s),
    'changes', (SELECT json_agg(c) FROM (SELECT change_type, status, version, confirmed_at FROM order_change
      WHERE order_id = $1 ORDER BY created_at) c),
    'transactions', (SELECT json_agg(t) FROM (SELECT reference, reference_id, amount, created_at, deleted_at FROM order_transaction
      WHERE order_id = $1 ORDER BY created_at) t),
    'payments', (SELECT json_agg(p) FROM (SELECT id, collection, collection_status, amount, captured_at, canceled_at, payment_session_id,
      created_at, deleted_at FROM pays) p),
    'captures', (SELECT json_agg(c) FROM (SELECT id, payment_id, amount, created_by, created_at, deleted_at FROM capture
      WHERE payment_id IN (SELECT id FROM pays) ORDER BY created_at) c),
    'refunds', (SELECT json_agg(r) FROM (SELECT id, payment_id, amount, created_at, deleted_at FROM refund
      WHERE payment_id IN (SELECT id FROM pays)) r),
    'completions', (SELECT json_agg(c) FROM (SELECT transaction_id, cart_id, state, last_error, created_at FROM gateway_cart_completion
      WHERE order_id = $1) c),
    'ours', (SELECT json_agg(t) FROM (SELECT id, state, amount_minor, authorized_minor, refunded_minor, link_id, order_id, created_at,
      verified_at FROM gateway_transaction WHERE id IN (SELECT transaction_id FROM ours)) t),
    'links', (SELECT json_agg(k) FROM (SELECT id, amount_minor, disabled_at, created_at FROM gateway_payment_link WHERE store_order_id = $1) k),
    'authorizations', (SELECT json_agg(z) FROM (SELECT transaction_id, state, captured_minor, ended_because FROM gateway_authorization
      WHERE transaction_id IN (SELECT transaction_id FROM ours)) z),
    'our captures', (SELECT json_agg(k) FROM (SELECT id, transaction_id, state, amount_minor, medusa_capture_id, created_at FROM gateway_capture
      WHERE transaction_id IN (SELECT transaction_id FROM ours)) k),
    'cash', (SELECT row_to_json(c) FROM (SELECT * FROM gateway_cash_order WHERE order_id = $1) c)) AS evidence`
