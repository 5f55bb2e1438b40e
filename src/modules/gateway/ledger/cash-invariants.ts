import { posted } from "./records"

const TOUCHED_CASH = "($1::timestamptz = '-infinity' OR o.updated_at >= $1::timestamptz)"
/** What was due at the door when the order was placed; an order that is not placed is in no book. */
const CHANGED = `(SELECT COALESCE(sum(change.amount), 0) FROM (
  SELECT ${posted("o.id || ':changed:' || nth", "cash_due")} AS amount FROM generate_series(1, o.changes) AS nth) AS change)`
const ORDERED = "CASE WHEN o.placed_at IS NULL THEN 0 ELSE o.total_minor - o.advance_minor END"

/** What must hold of orders that are paid in cash (decisions: Cash on delivery). */
export const CASH_INVARIANTS = [
  {
    name: "cash_orders_are_posted",
    holds:
      "what a cash order made due, and what of it will not come, is in the ledger, and nothing is left once it is over",
    broken: `
      SELECT o.id AS subject, format('%s: %s of %s, advance %s, given up %s', o.state, o.collected_minor, o.total_minor,
               o.advance_minor, o.given_up_minor) AS detail
      FROM gateway_cash_order o
      WHERE ${TOUCHED_CASH}
        AND ((${posted("o.id || ':due'", "cash_due")}, ${posted("o.id || ':given_up'", "cash_due")} + ${CHANGED})
            IS DISTINCT FROM (-(${ORDERED}), o.given_up_minor::numeric)
          OR (o.state NOT IN ('due', 'part_collected') AND o.placed_at IS NOT NULL
            AND o.advance_minor + o.collected_minor + o.given_up_minor <> o.total_minor))`,
  },
  {
    name: "cash_is_posted",
    holds:
      "what a cash order has collected is the sum of its collections, each in the ledger with its courier's charge",
    broken: `
      SELECT o.id AS subject, format('%s, collections %s', o.collected_minor, COALESCE(sum(c.amount_minor), 0)) AS detail
      FROM gateway_cash_order o LEFT JOIN gateway_cash_collection c ON c.cash_order_id = o.id
      WHERE ${TOUCHED_CASH}
      GROUP BY o.id
      HAVING COALESCE(sum(c.amount_minor), 0) <> o.collected_minor
        OR bool_or(c.id IS NOT NULL AND (${posted("o.id || ':' || c.id", "cash_due")}, ${posted("o.id || ':' || c.id", "courier_charges")})
          IS DISTINCT FROM (c.amount_minor::bigint, -c.charge_minor::bigint))`,
  },
  {
    name: "cash_refunds_are_posted",
    holds:
      "what a cash order has given back in cash is the sum of its finished refunds, each in the ledger, and with its open ones no more than came",
    broken: `
      SELECT o.id AS subject, format('%s of %s back, refunds %s', o.returned_minor, o.collected_minor,
               COALESCE(sum(r.cash_minor) FILTER (WHERE r.state = 'done'), 0)) AS detail
      FROM gateway_cash_order o LEFT JOIN gateway_cash_refund r ON r.cash_order_id = o.id
      WHERE ${TOUCHED_CASH}
      GROUP BY o.id
      HAVING COALESCE(sum(r.cash_minor) FILTER (WHERE r.state = 'done'), 0) <> o.returned_minor
        OR COALESCE(sum(r.cash_minor) FILTER (WHERE r.state <> 'failed'), 0) > o.collected_minor
        OR bool_or(r.id IS NOT NULL AND ${posted("o.id || ':' || r.id", "cash_received")}
          IS DISTINCT FROM CASE WHEN r.state = 'done' THEN r.cash_minor ELSE 0 END::bigint)`,
  },
]
