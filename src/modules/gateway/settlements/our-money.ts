import type { Sql } from "../kernel/database/database"
import type { Tenant } from "../kernel/types"
import { EMI_COST_MINOR } from "../ledger/records"
import type { OurMoney } from "./rules"
import { COURIER } from "./states"

/** What lines name: the acquirer's own numbers, and ours. */
type Numbers = { references: readonly string[]; order_references: readonly string[] }
/** Money of ours, and the number by which a line names it. */
export type Found = OurMoney & { number: string }
type Row = Omit<Found, "amount" | "booked" | "emi_cost"> & { amount: string; booked: string; emi_cost: string }

/**
 * What an acquirer may settle, by its numbers ($4) and ours ($5): the attempt that it knows (bKash's invoice number ends in
 * the 30 characters of its id), our payment, our refund. The
 * refunds and disputes of a payment are found by the numbers of the payment too, and what was given back of a surplus by
 * those of the surplus.
 */
const ONLINE = `
  WITH paid AS (
    SELECT w.number, t.id FROM unnest($4::text[]) AS w (number)
    JOIN gateway_transaction t ON t.acquirer = $3 AND t.acquirer_reference = w.number
    UNION SELECT w.number, a.transaction_id FROM unnest($5::text[]) AS w (number)
    JOIN gateway_payment_attempt a ON a.id = right(w.number, 30) AND a.state = 'SUCCEEDED'
    UNION SELECT w.number, t.id FROM unnest($5::text[]) AS w (number) JOIN gateway_transaction t ON t.id = w.number),
  payments AS (
    SELECT paid.number, t.* FROM paid JOIN gateway_transaction t ON t.id = paid.id
    WHERE t.merchant_id = $1 AND t.environment = $2 AND t.acquirer = $3 AND t.state IN ('SUCCESS', 'REFUNDED')),
  refunds AS (
    SELECT w.number, r.* FROM unnest($4::text[]) AS w (number) JOIN gateway_refund r ON r.acquirer_reference = w.number
    UNION ALL SELECT w.number, r.* FROM unnest($5::text[]) AS w (number) JOIN gateway_refund r ON r.id = w.number
    UNION ALL SELECT p.number, r.* FROM payments p JOIN gateway_refund r ON r.transaction_id = p.id),
  disputes AS (
    SELECT w.number, d.* FROM unnest($4::text[]) AS w (number)
    JOIN gateway_dispute d ON d.merchant_id = $1 AND d.environment = $2 AND d.acquirer = $3 AND d.acquirer_reference = w.number
    UNION ALL SELECT p.number, d.* FROM payments p JOIN gateway_dispute d ON d.transaction_id = p.id),
  surpluses AS (
    SELECT w.number, a.id FROM unnest($4::text[]) AS w (number)
    JOIN gateway_payment_attempt a ON a.acquirer = $3 AND a.acquirer_reference = w.number
    UNION SELECT w.number, a.id FROM unnest($5::text[]) AS w (number) JOIN gateway_payment_attempt a ON a.id = right(w.number, 30)),
  money AS (
    SELECT y.number, 'payment:' || y.id AS subject, 'payment' AS kind, y.id AS transaction_id, y.payment_service,
      y.amount_minor AS amount, 0 AS booked, COALESCE(${EMI_COST_MINOR}, 0) AS emi_cost, y.currency, y.finished_at AS moved_at
    FROM payments y LEFT JOIN gateway_emi_plan p ON p.attempt_id = y.attempt_id
    UNION SELECT s.number, m.subject, m.kind, a.transaction_id, a.payment_service, m.amount, 0, 0, a.currency, m.moved_at
    FROM surpluses s JOIN gateway_payment_attempt a ON a.id = s.id AND a.acquirer = $3
    CROSS JOIN LATERAL (
      SELECT 'surplus:' || a.id AS subject, 'payment' AS kind, a.surplus_minor AS amount, a.finished_at AS moved_at
      UNION ALL SELECT 'surplus_returned:' || a.id, 'refund', -a.surplus_minor, e.occurred_at
      FROM gateway_ledger_posting p JOIN gateway_ledger_entry e ON e.created_at = p.created_at AND e.id = p.id || ':acquirer_clearing'
      WHERE a.state = 'RETURNED' AND p.id = a.id || ':returned') m
    WHERE a.merchant_id = $1 AND a.environment = $2 AND a.surplus_minor IS NOT NULL
    UNION SELECT r.number, 'refund:' || r.id, 'refund', r.transaction_id, NULL, -r.amount_minor, 0, 0, r.currency, r.completed_at
    FROM refunds r JOIN gateway_transaction t ON t.id = r.transaction_id AND t.acquirer = $3
    WHERE r.merchant_id = $1 AND r.environment = $2 AND r.state = 'completed'
    UNION SELECT number, 'dispute:' || id, 'dispute', transaction_id, NULL, -amount_minor, fee_minor, 0, currency, opened_at FROM disputes
    WHERE state <> 'inquiry'
    UNION SELECT number, 'dispute_reversal:' || id, 'dispute_reversal', transaction_id, NULL, amount_minor,
      CASE WHEN fee_returned THEN -fee_minor ELSE 0 END, 0, currency, COALESCE(reinstated_at, closed_at) FROM disputes WHERE state = 'won')
  SELECT m.number, m.subject, m.kind, m.transaction_id, m.payment_service, m.amount::text AS amount, m.booked::text AS booked,
    m.emi_cost::text AS emi_cost, m.currency, m.moved_at, EXISTS (SELECT 1 FROM gateway_settlement_line l WHERE l.subject = m.subject) AS is_taken
  FROM money m`

/** SQL: whether a courier, which is a `source`, collected the cash `c`. People write its name in capitals or without. */
export function isOfCourier(source: string): string {
  return `lower('${COURIER}' || c.courier) = lower(${source})`
}

/**
 * The cash that a courier ($4) has handed over, by the number of its order; the charge that it kept is in our books
 * already. What another courier collected is in that one's months, and is not set off here.
 */
const CASH = `
  SELECT w.number, 'cash:' || c.id AS subject, 'payment' AS kind, NULL::text AS transaction_id, NULL::text AS payment_service,
    c.amount_minor::text AS amount, c.charge_minor::text AS booked, '0' AS emi_cost, c.currency, c.collected_at AS moved_at,
    EXISTS (SELECT 1 FROM gateway_settlement_line l WHERE l.subject = 'cash:' || c.id) AS is_taken
  FROM unnest($3::text[]) AS w (number)
  JOIN gateway_cash_order o ON o.merchant_id = $1 AND o.environment = $2 AND o.order_number = w.number
  JOIN gateway_cash_collection c ON c.cash_order_id = o.id AND (c.courier IS NULL OR ${isOfCourier("$4")})`

/** The tenant's money that has one of these numbers, and whether a line is it already. */
export async function findOurMoney(
  sql: Sql,
  { merchant_id, environment }: Tenant,
  source: string,
  { references, order_references }: Numbers
): Promise<Found[]> {
  const rows = source.startsWith(COURIER)
    ? await sql.query<Row>(CASH, [merchant_id, environment, order_references, source])
    : await sql.query<Row>(ONLINE, [merchant_id, environment, source, references, order_references])
  return rows.map(({ amount, booked, emi_cost, ...row }) => ({
    ...row,
    amount: BigInt(amount),
    booked: BigInt(booked),
    emi_cost: BigInt(emi_cost),
  }))
}
