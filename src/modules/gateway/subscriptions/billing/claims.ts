import { CHARGE_COLUMNS, CHARGE_TABLES } from "./automatic-payments"
import { mayCharge } from "../../saved-methods/permission-to-charge"
import { SUBSCRIPTION_COLUMNS, SUBSCRIPTION_JOINS } from "../records"

/** Postponed: not leased, and nothing can be done about it for now. */
export const NOT_POSTPONED = "(lock_token IS NOT NULL OR locked_until IS NULL OR locked_until <= now())"

/**
 * Condition on `gateway_subscription s`: the due subscriptions of a merchant that may not charge wait until it may
 * again.
 */
export const MERCHANT_MAY_CHARGE = `EXISTS (
  SELECT 1 FROM gateway_merchant m JOIN gateway_merchant_environment e ON e.merchant_id = m.id
  WHERE m.id = s.merchant_id AND e.environment = s.environment AND ${mayCharge("subscriptions")})`

/** Every merchant gets a turn, however much of another's is due: each query has a different order of merchants. */
export const DUE_ANYWHERE = `
  SELECT picked.id
  FROM (SELECT e.* FROM gateway_merchant_environment e JOIN gateway_merchant m ON m.id = e.merchant_id
        WHERE ${mayCharge("subscriptions")} ORDER BY random()) e
  CROSS JOIN LATERAL (
    SELECT s.id FROM gateway_subscription s
    WHERE s.merchant_id = e.merchant_id AND s.environment = e.environment
      AND s.due_at <= now() + e.clock_offset_seconds * interval '1 second'
      AND (s.locked_until IS NULL OR s.locked_until <= now())
    ORDER BY s.due_at LIMIT $3 FOR UPDATE SKIP LOCKED) picked
  LIMIT $3`

/**
 * Except for a last retry, no step leads to another one within a day, so a day's steps are done together, in their
 * order. A day on which clocks jump is shorter, by up to two hours.
 */
export const DUE_OF_ONE = `
  SELECT s.id FROM gateway_subscription s
  WHERE s.merchant_id = $4 AND s.environment = 'sandbox' AND (s.locked_until IS NULL OR s.locked_until <= now())
    AND ${MERCHANT_MAY_CHARGE} AND s.due_at <= LEAST($5, (SELECT min(due_at) FROM gateway_subscription WHERE merchant_id = $4
      AND environment = 'sandbox' AND due_at IS NOT NULL AND ${NOT_POSTPONED}) + interval '21 hours')
  ORDER BY s.due_at, s.id LIMIT $3 FOR UPDATE SKIP LOCKED`

/**
 * Leases what is due under `$1` for `$2` seconds, `$3` at most, and returns all that charging needs. The rows are those
 * that the update wrote. Read from the table they would show the state at the start of the statement: without a
 * cancellation or a new amount that was committed before the update reached the row. What is joined does show that
 * state: `partition` finds the new instrument that is missing.
 */
export function claimOf(due: string): string {
  return `
    WITH due AS (${due}),
    claimed AS (
      UPDATE gateway_subscription s SET lock_token = $1, locked_until = now() + $2 * interval '1 second'
      FROM due WHERE s.id = due.id RETURNING s.*)
    SELECT ${SUBSCRIPTION_COLUMNS}, ${CHARGE_COLUMNS}, s.due_at,
      now() + e.clock_offset_seconds * interval '1 second' AS merchant_now
    FROM claimed s ${SUBSCRIPTION_JOINS} ${CHARGE_TABLES} ORDER BY s.due_at, s.id`
}
