import { IS_OPEN } from "./attempt-states"
import { attemptEnd, type AttemptEnd } from "./attempts"
import { EMI_COST_MINOR } from "../ledger/records"
import type { PaymentRecord } from "./records"

/** `state = $2` is the guard: a row that another process has moved is not written. */
const WRITE_TRANSACTION = `
  UPDATE gateway_transaction
  SET state = $3, finished_at = $4, verified_at = $5, charge_minor = $6, acquirer_reference = $7, instrument = $8,
      error_code = $9, error_message = $10, kept_instrument = $11, acquirer = $12, payment_method = $13, payment_service = $14, attempt_id = $15,
      amount_minor = $16, authorized_minor = $17,
      amount_mismatch = CASE WHEN $3 = 'OPEN' THEN NULL ELSE amount_mismatch END, updated_at = now()
  WHERE id = $1 AND state = $2`
/** What the write returns: for instalments of a payment that is paid from now on, what the merchant pays its bank. */
export type Written = { emi_cost_minor: number }
const RETURNING = `RETURNING CASE WHEN $3 = 'SUCCESS'
  THEN COALESCE((SELECT ${EMI_COST_MINOR} FROM gateway_emi_plan p WHERE p.attempt_id = $15), 0) ELSE 0 END AS emi_cost_minor`
const withAttempt = (guard: string) => `
  WITH attempt AS (${attemptEnd(18, guard)})
  ${WRITE_TRANSACTION} AND EXISTS (SELECT 1 FROM attempt) ${RETURNING}`

/** The change of a transaction alone. */
export const WRITE = `${WRITE_TRANSACTION} ${RETURNING}`

/** With the end of its attempt, which is open. */
const WRITE_WITH_ATTEMPT = withAttempt(IS_OPEN)
/** With money of an attempt that was left or declined before. */
const WRITE_WITH_LATE_ATTEMPT = withAttempt("state IN ('ABANDONED', 'DECLINED')")
/** With an admin's decision about money that was held. */
const WRITE_WITH_HELD_ATTEMPT = withAttempt("state = 'HELD'")
/** With the first capture, or the end, of money that was reserved. */
const WRITE_WITH_AUTHORIZED_ATTEMPT = withAttempt("state = 'AUTHORIZED'")

/** The statement for the end of an attempt, by the state that it leaves; `name`: of the prepared one. */
export function writeWith({ from }: AttemptEnd): { text: string; name?: string } {
  switch (from) {
    case "HELD":
      return { text: WRITE_WITH_HELD_ATTEMPT }
    case "AUTHORIZED":
      return { text: WRITE_WITH_AUTHORIZED_ATTEMPT }
    case "ABANDONED":
    case "DECLINED":
      return { text: WRITE_WITH_LATE_ATTEMPT }
    default:
      return { text: WRITE_WITH_ATTEMPT, name: "gateway_end_attempt" }
  }
}

/** What the end of an attempt changes of its payment's record. */
export function attemptOf({ to, error_code, error_message, decline }: AttemptEnd): Partial<PaymentRecord> {
  return {
    attempt_state: to,
    attempt_error_code: error_code ?? null,
    attempt_error_message: error_message ?? null,
    attempt_decline: decline ?? null,
    visitor_network: null,
  }
}
