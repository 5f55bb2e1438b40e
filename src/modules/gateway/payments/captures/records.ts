import { json, type Sql } from "../../kernel/database/database"
import { nextInquiryAt } from "../../kernel/money/retry-schedule"
import { newCaptureId } from "../../kernel/text/ids"
import type { Tenant } from "../../kernel/types"
import type { AuthorizationRequest, Authorized } from "../../acquirers/authorization-port"
import type { References, Reported } from "../../acquirers/port"
import { merchantNow, type PaymentRecord } from "../records"
import { authorizationMachine, type AuthorizationState, type CaptureState, type ReleaseReason } from "./states"
import type { CaptureMode } from "../../merchants/payment-services"

/** Reserved money (`models/captures.ts`). Amounts in hundredths of the currency, times on the merchant's clock. */
export type Authorization = Tenant & {
  id: string
  transaction_id: string
  currency: string
  acquirer: string
  state: AuthorizationState
  mode: Exclude<CaptureMode, "automatic">
  is_single: boolean
  amount_minor: number
  captured_minor: number
  charge_minor: number
  capture_before: Date
  ended_because: ReleaseReason | null
  ended_by: string | null
  ended_at: Date | null
  operator_since: Date | null
  /** The acquirer's number of what it has reserved, and its own ids of the attempt. */
  acquirer_reference: string
  acquirer_ids: References
}

export type Capture = Tenant & {
  id: string
  authorization_id: string
  transaction_id: string
  currency: string
  payment_service: string
  state: CaptureState
  amount_minor: number
  charge_minor: number
  is_final: boolean
  request_key: string | null
  requested_by: string
  requested_at: Date
  completed_at: Date | null
  acquirer_ids: References
  acquirer_reference: string | null
  error_code: string | null
  error_message: string | null
  operator_since: Date | null
  medusa_capture_id: string | null
}

const AUTHORIZATION = `
  SELECT z.id, z.transaction_id, z.merchant_id, z.environment, z.currency, z.acquirer, z.state, z.mode, z.is_single, z.amount_minor,
    z.captured_minor, z.charge_minor, z.capture_before, z.ended_because, z.ended_by, z.ended_at, z.operator_since,
    COALESCE(a.acquirer_reference, '') AS acquirer_reference, a.acquirer_ids
  FROM gateway_authorization z JOIN gateway_payment_attempt a ON a.id = z.id`
const CAPTURE_COLUMNS =
  "id, authorization_id, transaction_id, merchant_id, environment, currency, payment_service, state, amount_minor, charge_minor, is_final, request_key, requested_by, requested_at, completed_at, acquirer_ids, acquirer_reference, error_code, error_message, operator_since, medusa_capture_id"

/** SQL: when Medusa's payment is to be brought in line after a change; null: it has none. */
export const STORE_DUE = "CASE WHEN payment_session_id IS NOT NULL THEN now() END"

/**
 * Writes down what the acquirer has reserved with the attempt of `record`. `late`: the attempt was over, so it is
 * released at once. `sql` holds the transaction's lock.
 */
export async function insertAuthorization(
  sql: Sql,
  record: PaymentRecord,
  { capture_before, is_single }: Authorized,
  late: boolean
): Promise<void> {
  const now = merchantNow(record)
  const end = late ? { state: "releasing", because: "late", at: now } : { state: "open", because: null, at: null }
  await sql.query(
    `INSERT INTO gateway_authorization (id, transaction_id, merchant_id, environment, currency, acquirer, state, mode,
       is_single, amount_minor, charge_minor, capture_before, ended_because, ended_at, due_at, payment_session_id)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $14, $15)`,
    [
      record.attempt_id,
      record.transaction_id,
      record.merchant_id,
      record.environment,
      record.currency,
      record.acquirer,
      end.state,
      record.attempt_capture === "on_fulfilment" ? "on_fulfilment" : "manual",
      is_single,
      record.authorized_minor ?? record.amount_minor,
      record.charge_minor,
      capture_before,
      end.because,
      end.at,
      record.payment_session_id,
    ]
  )
}

/** What is reserved for a payment, before what was reserved too late for it; null: nothing ever was. */
export async function authorizationOf(sql: Sql, transaction_id: string): Promise<Authorization | null> {
  const [row] = await sql.query<Authorization>(
    `${AUTHORIZATION} WHERE z.transaction_id = $1 ORDER BY z.ended_because = 'late' NULLS FIRST LIMIT 1`,
    [transaction_id]
  )
  return row ?? null
}

/** What was reserved for attempts of a payment that were over, the oldest first: it is released. */
export async function lateAuthorizationsOf(sql: Sql, transaction_id: string): Promise<Authorization[]> {
  return sql.query<Authorization>(
    `${AUTHORIZATION} WHERE z.transaction_id = $1 AND z.ended_because = 'late' ORDER BY z.ended_at, z.id`,
    [transaction_id]
  )
}

export async function authorizationById(sql: Sql, id: string): Promise<Authorization | null> {
  const [row] = await sql.query<Authorization>(`${AUTHORIZATION} WHERE z.id = $1`, [id])
  return row ?? null
}

/** The oldest first. */
export async function capturesOf(sql: Sql, transaction_id: string): Promise<Capture[]> {
  return sql.query<Capture>(
    `SELECT ${CAPTURE_COLUMNS} FROM gateway_capture WHERE transaction_id = $1 ORDER BY requested_at, id`,
    [transaction_id]
  )
}

export async function captureById(sql: Sql, id: string): Promise<Capture | null> {
  const [row] = await sql.query<Capture>(`SELECT ${CAPTURE_COLUMNS} FROM gateway_capture WHERE id = $1`, [id])
  return row ?? null
}

export async function captureByKey(sql: Sql, transaction_id: string, request_key: string): Promise<Capture | null> {
  const [row] = await sql.query<Capture>(
    `SELECT ${CAPTURE_COLUMNS} FROM gateway_capture WHERE transaction_id = $1 AND request_key = $2`,
    [transaction_id, request_key]
  )
  return row ?? null
}

type NewCapture = Pick<Capture, "amount_minor" | "is_final" | "request_key" | "requested_by" | "medusa_capture_id">

/** Reserves a part of what can be captured. `sql` holds the transaction's lock. */
export async function insertCapture(
  sql: Sql,
  record: PaymentRecord,
  authorization: Authorization,
  wanted: NewCapture
): Promise<Capture> {
  const now = merchantNow(record)
  await sql.query(
    "UPDATE gateway_authorization SET captured_minor = captured_minor + $2, updated_at = now() WHERE id = $1 AND state = 'open'",
    [authorization.id, wanted.amount_minor]
  )
  const [capture] = await sql.query<Capture>(
    `INSERT INTO gateway_capture (id, authorization_id, transaction_id, merchant_id, environment, currency,
       payment_service, amount_minor, is_final, request_key, requested_by, requested_at, inquiry_at, medusa_capture_id)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14) RETURNING ${CAPTURE_COLUMNS}`,
    [
      newCaptureId(),
      authorization.id,
      record.transaction_id,
      record.merchant_id,
      record.environment,
      record.currency,
      record.payment_service,
      wanted.amount_minor,
      wanted.is_final,
      wanted.request_key,
      wanted.requested_by,
      now,
      nextInquiryAt(now, 0),
      wanted.medusa_capture_id,
    ]
  )
  return capture
}

/** What an answer adds to a capture that is still under way. */
export async function noteCaptureAnswer(
  sql: Sql,
  id: string,
  { references = {}, ask_again_at }: Pick<Reported, "references"> & { ask_again_at?: Date }
): Promise<void> {
  await sql.query(
    `UPDATE gateway_capture SET acquirer_ids = acquirer_ids || $2::jsonb, inquiry_at = COALESCE($3::timestamptz, inquiry_at),
       updated_at = now()
     WHERE id = $1 AND state = 'processing'`,
    [id, json(references), ask_again_at ?? null]
  )
}

/** Ends what is left of reserved money; `used`: nothing is left. `sql` holds the transaction's lock. */
export async function endAuthorization(
  sql: Sql,
  authorization: Authorization,
  { because, by, at, released }: { because: ReleaseReason; by: string; at: Date; released: boolean }
): Promise<void> {
  const { to } = authorizationMachine.require(authorization.state, because === "captured" ? "use" : "release")
  const state = to === "releasing" && released ? authorizationMachine.require(to, "released").to : to
  await sql.query(
    `UPDATE gateway_authorization SET state = $2, ended_because = $3, ended_by = $4, ended_at = $5,
       due_at = CASE WHEN $2 = 'releasing' THEN $5::timestamptz END, store_due_at = ${STORE_DUE}, updated_at = now()
     WHERE id = $1 AND state = 'open'`,
    [authorization.id, state, because, by, at]
  )
}

/** How the acquirer is asked about reserved money. `record`: the payment, with the attempt that reserved it. */
export function authorizationRequest(record: PaymentRecord, authorization: Authorization): AuthorizationRequest {
  return {
    key: authorization.id,
    reference: authorization.acquirer_reference,
    amount: BigInt(authorization.amount_minor),
    currency: authorization.currency,
    references: authorization.acquirer_ids,
    now: merchantNow(record),
  }
}
