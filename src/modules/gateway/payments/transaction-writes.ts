import type { AttemptState } from "./attempt-states"
import { attemptEnd, IS_OPEN } from "./attempts"

/** `state = $2` is the guard: a row that another process has moved is not written. */
const WRITE_TRANSACTION = `
  UPDATE gateway_transaction
  SET state = $3, finished_at = $4, verified_at = $5, charge_minor = $6, acquirer_reference = $7, instrument = $8,
      error_code = $9, error_message = $10, kept_instrument = $11, acquirer = $12, payment_method = $13, payment_service = $14, attempt_id = $15,
      amount_mismatch = CASE WHEN $3 = 'OPEN' THEN NULL ELSE amount_mismatch END, updated_at = now()
  WHERE id = $1 AND state = $2`
const withAttempt = (guard: string) => `
  WITH attempt AS (${attemptEnd(16, guard)})
  ${WRITE_TRANSACTION} AND EXISTS (SELECT 1 FROM attempt) RETURNING id`

/** The change of a transaction alone. */
export const WRITE = `${WRITE_TRANSACTION} RETURNING id`

const WRITE_WITH_ATTEMPT = withAttempt(IS_OPEN)
const WRITE_WITH_LATE_ATTEMPT = withAttempt("state IN ('ABANDONED', 'DECLINED')")
/** Money of an attempt that was left or declined before, or that waited for an admin. */
const WRITE_FROM: Readonly<Partial<Record<AttemptState, string>>> = {
  ABANDONED: WRITE_WITH_LATE_ATTEMPT,
  DECLINED: WRITE_WITH_LATE_ATTEMPT,
  HELD: withAttempt("state = 'HELD'"),
}

/** The statement that changes a transaction and ends its attempt, for `Sql.query`; the usual one is prepared. */
export function writeWith<Values>(from: AttemptState, values: Values): [string, Values, string?] {
  const rare = WRITE_FROM[from]
  return rare === undefined ? [WRITE_WITH_ATTEMPT, values, "gateway_end_attempt"] : [rare, values]
}
