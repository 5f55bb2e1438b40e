import { depositParts } from "./records"
import { MOVED } from "./settlement-rules"

/** A bank's lines bring what the lines of settlements say. */
const IS_BANK = "l.source LIKE 'bank:%'"
/** What settlements say, less what of it has come to a bank. */
const POSTED = `
  SELECT x.merchant_id, x.environment, x.currency, sum(x.net) AS net, sum(x.fee) AS fee, sum(x.vat) AS vat
  FROM (
    SELECT l.merchant_id, l.environment, l.currency, l.gross_minor - l.fee_minor - l.vat_minor AS net,
      l.fee_minor - l.booked_minor AS fee, l.vat_minor AS vat
    FROM gateway_settlement_line l WHERE l.posted_as IS NOT NULL AND NOT ${IS_BANK}
    UNION ALL SELECT a.merchant_id, a.environment, a.currency, -a.amount_minor, 0, 0 FROM gateway_settlement_allocation a) x
  GROUP BY 1, 2, 3`
/** What banks say, and what they kept of the settlements that it brings. */
const IN_BANK = `
  SELECT l.merchant_id, l.environment, l.currency, sum(l.gross_minor) AS bank,
    sum(l.expected_minor - l.gross_minor) AS charges
  FROM gateway_settlement_line l WHERE l.posted_as IS NOT NULL AND ${IS_BANK} GROUP BY 1, 2, 3`
/** What has come of each settlement, beside what its lines bring. */
const BROUGHT = `
  SELECT a.merchant_id, a.environment, a.source, a.batch, a.currency, sum(a.amount_minor) AS deposited,
    COALESCE((SELECT sum(l.gross_minor - l.fee_minor - l.vat_minor) FROM gateway_settlement_line l
      WHERE l.merchant_id = a.merchant_id AND l.environment = a.environment AND l.source = a.source
        AND l.currency = a.currency AND l.posted_as IS NOT NULL
        AND (l.batch = a.batch OR (l.batch IS NULL AND l.import_id = a.batch))), 0) AS net
  FROM gateway_settlement_allocation a WHERE $1::timestamptz IS NOT NULL GROUP BY 1, 2, 3, 4, 5`
const kept = (account: string) => `COALESCE(sum(t.balance_minor) FILTER (WHERE t.account = '${account}'), 0)`

/** Up to which month each source is closed, when that ended, and the closed months with their ends, in their order. */
const CLOSED_UNTIL = `
  SELECT m.merchant_id, m.environment, m.source, max(m.month) AS month, max(m.ends_at) AS ends,
    array_agg(m.month ORDER BY m.month) AS months, array_agg(m.ends_at ORDER BY m.month) AS bounds
  FROM gateway_settlement_month m WHERE m.state = 'closed' AND $1::timestamptz IS NOT NULL GROUP BY 1, 2, 3`
const LINE_FIGURES = ["lines", "net", "set_off", "brought", "bank_charges"]
const HELD_FIGURES = ["payments", "refunds", "disputes"] as const
const figures = (names: readonly string[]) =>
  names.map((name) => `(f->'sums'->>'${name}')::bigint AS ${name}`).join(", ")
const listed = (of: string, names: readonly string[]) => names.map((name) => `COALESCE(${of}.${name}, 0)`).join(", ")
const said = (names: readonly string[]) => names.map((name) => `${name} %s`).join(", ")

/** What counts in closed months of sources, and before them: their lines, and what deposits bring. */
const COUNTED = `
  SELECT l.merchant_id, l.environment, l.source, l.month, l.currency, count(l.posted_as) AS lines,
    sum(l.gross_minor - l.fee_minor - l.vat_minor) FILTER (WHERE l.posted_as IS NOT NULL) AS net,
    sum(COALESCE(l.expected_minor, 0) - l.booked_minor) FILTER (WHERE l.posted_as IS NOT NULL) AS set_off,
    0 AS brought, 0 AS bank_charges, count(*) FILTER (WHERE l.state IN ('unknown', 'differs')) AS open
  FROM gateway_settlement_line l JOIN until u ON u.merchant_id = l.merchant_id AND u.environment = l.environment
    AND u.source = l.source AND l.month <= u.month GROUP BY 1, 2, 3, 4, 5
  UNION ALL SELECT d.merchant_id, d.environment, d.source, d.month, d.currency, 0, 0, 0, sum(d.settled), sum(d.charge), 0
  FROM (${depositParts("(l.merchant_id, l.environment) IN (SELECT merchant_id, environment FROM until)")}) d
  JOIN until u ON u.merchant_id = d.merchant_id AND u.environment = d.environment AND u.source = d.source AND d.month <= u.month
  GROUP BY 1, 2, 3, 4, 5`

/** What a source `u` held more by entries `e` of an account, until its last closed month ended. Each begins where one ends; what is before them all counts in the first. */
const heldBy = (account: string, of: string) => `
  SELECT u.merchant_id, u.environment, u.source, u.months[width_bucket(e.occurred_at, u.bounds) + 1] AS month,
    e.currency, e.kind, -e.amount_minor AS amount
  FROM touched u JOIN gateway_ledger_entry e ON e.merchant_id = u.merchant_id AND e.environment = u.environment
    AND e.account = '${account}' AND e.occurred_at < u.ends
  ${of}`
const SURPLUS = "('surplus_received', 'surplus_returned')"
/** As settlements/month-sums.ts reads it for one source. */
const HELD = `
  ${heldBy("acquirer_clearing", `JOIN gateway_transaction t ON t.id = e.transaction_id AND t.acquirer = u.source WHERE e.kind NOT IN ${SURPLUS}`)}
  UNION ALL ${heldBy("acquirer_clearing", `JOIN gateway_payment_attempt a ON a.id = split_part(e.posting, ':', 1) AND a.acquirer = u.source WHERE e.kind IN ${SURPLUS}`)}
  UNION ALL ${heldBy("cash_received", "JOIN gateway_cash_collection c ON c.id = split_part(e.posting, ':', 2) AND lower('courier:' || c.courier) = lower(u.source) WHERE e.kind = 'cash_collected'")}
  UNION ALL SELECT u.merchant_id, u.environment, u.source, l.month, l.currency, 'cash_collected', l.expected_minor - l.booked_minor
  FROM touched u JOIN gateway_settlement_line l ON l.merchant_id = u.merchant_id AND l.environment = u.environment
    AND l.source = u.source AND l.month <= u.month AND l.expected_minor IS NOT NULL
  JOIN gateway_cash_collection c ON l.subject = 'cash:' || c.id AND c.courier IS NULL`
const held = (figure: (typeof HELD_FIGURES)[number]) => {
  const kinds = Object.entries(MOVED).flatMap(([kind, moved]) => (moved === figure ? [`'${kind}'`] : []))
  return `${figure === "payments" ? "" : "-"}sum(amount) FILTER (WHERE kind IN (${kinds.join(", ")})) AS ${figure}`
}

/** In the check of the last minutes, of sources alone that an entry has come to whose time is in a closed month. */
const MOVED_SINCE = `
  WITH touched AS (
    SELECT u.* FROM (${CLOSED_UNTIL}) u WHERE $1::timestamptz = '-infinity' OR EXISTS (SELECT 1 FROM gateway_ledger_entry e
      WHERE e.created_at >= $1 AND e.merchant_id = u.merchant_id AND e.environment = u.environment AND e.occurred_at < u.ends)),
  closed AS (
    SELECT m.merchant_id, m.environment, m.source, m.month, f->>'currency' AS currency, ${figures(HELD_FIGURES)}
    FROM gateway_settlement_month m JOIN touched u ON u.merchant_id = m.merchant_id AND u.environment = m.environment
      AND u.source = m.source, jsonb_array_elements(m.figures) f WHERE m.state = 'closed'),
  held AS (
    SELECT merchant_id, environment, source, month, currency, ${HELD_FIGURES.map(held).join(", ")}
    FROM (${HELD}) x GROUP BY 1, 2, 3, 4, 5)
  SELECT concat_ws(' ', merchant_id, environment, source, month, currency) AS subject,
    format('closed with ${said(HELD_FIGURES)}; the ledger has ${said(HELD_FIGURES)}',
      ${listed("closed", HELD_FIGURES)}, ${listed("held", HELD_FIGURES)}) AS detail
  FROM closed FULL JOIN held USING (merchant_id, environment, source, month, currency)
  WHERE (${listed("closed", HELD_FIGURES)}) <> (${listed("held", HELD_FIGURES)})`

/** What must hold of settlements (decisions: Settlements). */
export const SETTLEMENT_INVARIANTS = [
  {
    name: "settlements_are_posted",
    holds:
      "what is settled and not in the bank, and what acquirers keep of it, is in the ledger what the matched and explained lines say, whatever was undone",
    broken: `
      WITH posted AS (${POSTED}), kept AS (
        SELECT merchant_id, environment, currency, ${kept("settlements")} AS net, ${kept("acquirer_fees")} + ${kept("emi_costs")} AS fee, ${kept("acquirer_vat")} AS vat
        FROM gateway_ledger_total t WHERE $1::timestamptz IS NOT NULL GROUP BY 1, 2, 3)
      SELECT concat_ws(' ', merchant_id, environment, currency) AS subject,
        format('settled %s, lines %s; fees %s, lines %s', -kept.net, posted.net, -kept.fee, posted.fee) AS detail
      FROM kept FULL JOIN posted USING (merchant_id, environment, currency)
      WHERE (COALESCE(-kept.net, 0), COALESCE(-kept.fee, 0), COALESCE(-kept.vat, 0))
        <> (COALESCE(posted.net, 0), COALESCE(posted.fee, 0), COALESCE(posted.vat, 0))`,
  },
  {
    name: "closed_months_stand",
    holds:
      "what counts in a closed month of a source, its lines, its deposits and what the ledger moved, is what it was when the month was closed, and all of it is explained",
    broken: `
      WITH until AS (${CLOSED_UNTIL}), closed AS (
        SELECT m.merchant_id, m.environment, m.source, m.month, f->>'currency' AS currency, ${figures(LINE_FIGURES)}
        FROM gateway_settlement_month m, jsonb_array_elements(m.figures) f WHERE m.state = 'closed'),
      counted AS (
        SELECT merchant_id, environment, source, month, currency, ${LINE_FIGURES.map((name) => `sum(${name}) AS ${name}`).join(", ")},
          sum(open) AS open
        FROM (${COUNTED}) x GROUP BY 1, 2, 3, 4, 5)
      SELECT concat_ws(' ', merchant_id, environment, source, month, currency) AS subject,
        format('closed with ${said(LINE_FIGURES)}; now ${said(LINE_FIGURES)}, and %s unexplained',
          ${listed("closed", LINE_FIGURES)}, ${listed("counted", LINE_FIGURES)}, counted.open) AS detail
      FROM closed FULL JOIN counted USING (merchant_id, environment, source, month, currency)
      WHERE (${listed("closed", LINE_FIGURES)}, 0) <> (${listed("counted", LINE_FIGURES)}, COALESCE(counted.open, 0))
      UNION ALL SELECT * FROM (${MOVED_SINCE}) moved`,
  },
  {
    name: "deposits_are_posted",
    holds:
      "what is in the bank, and what the bank kept, is in the ledger what its matched lines say, whatever was undone",
    broken: `
      WITH posted AS (${IN_BANK}), kept AS (
        SELECT merchant_id, environment, currency, ${kept("bank")} AS bank, ${kept("bank_charges")} AS charges
        FROM gateway_ledger_total t WHERE $1::timestamptz IS NOT NULL GROUP BY 1, 2, 3)
      SELECT concat_ws(' ', merchant_id, environment, currency) AS subject,
        format('bank %s, lines %s; charges %s, lines %s', -kept.bank, posted.bank, -kept.charges, posted.charges) AS detail
      FROM kept FULL JOIN posted USING (merchant_id, environment, currency)
      WHERE (COALESCE(-kept.bank, 0), COALESCE(-kept.charges, 0)) <> (COALESCE(posted.bank, 0), COALESCE(posted.charges, 0))`,
  },
  {
    name: "allocations_are_of_settlements",
    holds: "no more of a settlement has come to banks than its lines bring",
    broken: `
      WITH brought AS (${BROUGHT})
      SELECT concat_ws(' ', merchant_id, environment, source, batch) AS subject,
        format('deposited %s, net %s %s', deposited, net, currency) AS detail
      FROM brought WHERE NOT (deposited BETWEEN LEAST(net, 0) AND GREATEST(net, 0))`,
  },
  {
    name: "deposits_are_allocated",
    holds: "what a bank's line brings is the sum of its parts of settlements, and nothing when it is not in the ledger",
    broken: `
      SELECT l.id AS subject, format('%s, expected %s, allocated %s', l.state, l.expected_minor, a.amount) AS detail
      FROM gateway_settlement_line l
      CROSS JOIN LATERAL (SELECT COALESCE(sum(amount_minor), 0) AS amount FROM gateway_settlement_allocation
        WHERE deposit_id = l.id) a
      WHERE ($1::timestamptz = '-infinity' OR l.updated_at >= $1::timestamptz) AND ${IS_BANK}
        AND a.amount <> CASE WHEN l.posted_as IS NULL THEN 0 ELSE COALESCE(l.expected_minor, 0) END`,
  },
  {
    name: "settlement_lines_are_in_one_state",
    holds:
      "a line is in the ledger exactly when it is matched, differs or is explained (a bank's: is matched), and unknown money is nobody's",
    broken: `
      SELECT l.id AS subject, format('%s, posted as %s, subject %s', l.state, l.posted_as, l.subject) AS detail
      FROM gateway_settlement_line l WHERE ($1::timestamptz = '-infinity' OR l.updated_at >= $1::timestamptz)
        AND ((l.state = 'unknown' OR (l.state = 'explained' AND ${IS_BANK})) <> (l.posted_as IS NULL) OR (l.state = 'unknown' AND l.subject IS NOT NULL))`,
  },
]
