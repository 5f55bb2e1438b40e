import type { AmountMismatch } from "../../acquirers/amount-mismatch"
import type { InstrumentSummary, References } from "../../acquirers/port"
import { auditMismatch, type MismatchAlarm } from "../../payments/amount-mismatches"
import { columnar, json, type Sql } from "../../kernel/database/database"
import { clockNow } from "../../kernel/money/clock"
import { attemptIds, newSessionId, orderNumberOf } from "../../kernel/text/ids"
import { paymentPosting } from "../../ledger/rules"
import { processingFee } from "../../kernel/money/money"
import { nextInquiryAt } from "../../kernel/money/retry-schedule"
import { transactionMachine } from "../../payments/states"
import { post } from "../../ledger/records"
import type { OutgoingEvent } from "../../kernel/database/outbox"
import { queueReceipts } from "../../payments/receipt-rows"
import { ipnOf, paymentEventData, type PaymentFacts } from "../../payments/records"
import { customerDetails, descriptionOf, ownPage, type MerchantUrls } from "../order-rules"
import type { BillingRecord, SubscriptionRow } from "../records"
import type { Tenant } from "../../kernel/types"

/** What a charge needs: the instrument and the merchant's settings. */
export type ChargeContext = {
  acquirer: string
  /** Encrypted, as in the column. */
  token: string
  payment_method: string
  payment_service: string
  instrument: InstrumentSummary
  fee_basis_points: number
  fee_fixed_minor: number
  /** Whether a payment that the acquirer flags as risky waits for an admin. */
  hold_risky: boolean
  /** Whether the customer gets a receipt by e-mail. */
  sends_receipts: boolean
}

/** Columns of `gateway_subscription s`; all null when there is no instrument on file. */
export const CHARGE_COLUMNS = `
  i.acquirer, i.token, i.method AS payment_method, i.service AS payment_service,
  jsonb_strip_nulls(jsonb_build_object('brand', i.brand, 'last_four', i.last_four, 'account', i.account)) AS instrument,
  COALESCE(f.fee_basis_points, 0) AS fee_basis_points, COALESCE(f.fee_fixed_minor, 0) AS fee_fixed_minor,
  e.hold_risky, e.receipts AS sends_receipts, e.success_url, e.fail_url, e.cancel_url, e.ipn_url, e.clock_offset_seconds`

export const CHARGE_TABLES = `
  JOIN gateway_merchant_environment e ON e.merchant_id = s.merchant_id AND e.environment = s.environment
  LEFT JOIN gateway_instrument i ON i.id = s.instrument_id
  LEFT JOIN gateway_payment_service f
    ON f.merchant_id = s.merchant_id AND f.environment = s.environment AND f.code = i.service`

/**
 * The outcome of an automatic charge. `unknown` stays open until the reconciler learns it, `held` until an admin has
 * decided. `references`: the acquirer's own ids, which later questions and refunds need.
 */
export type ChargeOutcome = { references?: References; risk?: string; answer_ms?: number } & (
  | { state: "SUCCESS"; reference: string }
  | { state: "FAILED"; error_code: string; error_message: string }
  | { state: "PROCESSING"; ask_again_at?: Date; mismatch?: AmountMismatch; held?: { reference: string } }
)

export type AutomaticPayment = {
  row: SubscriptionRow
  record: BillingRecord
  context: Omit<ChargeContext, "token">
  urls: MerchantUrls
  outcome: ChargeOutcome
  at: Date
}

type RecordedPayment = PaymentFacts & { payment: AutomaticPayment }

/**
 * Records automatic charges as ordinary payments, with a session and a transaction that can be verified and refunded.
 * Returns them in the order of the input. The caller emits `paymentEvents` and posts with `postPayments`.
 */
export async function recordAutomaticPayments(
  sql: Sql,
  payments: readonly AutomaticPayment[]
): Promise<RecordedPayment[]> {
  if (payments.length === 0) {
    return []
  }
  const rows = payments.map(toRow)
  const { values } = columnar(ROW, rows)
  await sql.query(RECORD, values, "gateway_record_automatic_payments")
  const recorded = payments.map((payment, index) => recordedPayment(rows[index], payment))
  const withReceipt = recorded.filter(
    ({ payment: { outcome, context } }) => outcome.state === "SUCCESS" && context.sends_receipts
  )
  await queueReceipts(
    sql,
    withReceipt.map(({ transaction_id, payment: { row, at } }) => ({
      ...ownerOf(row),
      transaction_id,
      refund_id: null,
      at,
    }))
  )
  for (const alarm of mismatchAlarms(recorded)) {
    await auditMismatch(sql, alarm)
  }
  return recorded
}

function recordedPayment(row: ReturnType<typeof toRow>, payment: AutomaticPayment): RecordedPayment {
  const { transaction_id, order_id, session_id, amount_minor, currency, charge_minor } = row
  const { payment_service, error_code, ipn_url } = row
  const amounts = { amount_minor, currency, charge_minor }
  const taken = { state: payment.outcome.state, authorized_minor: null }
  return { transaction_id, order_id, session_id, ...amounts, ...taken, payment_service, error_code, ipn_url, payment }
}

/** The recorded charges for which the acquirer reports another amount; raise them after COMMIT. */
export function mismatchAlarms(recorded: readonly RecordedPayment[]): MismatchAlarm[] {
  return recorded.flatMap(({ transaction_id: id, payment: { row, record, outcome } }): MismatchAlarm[] => {
    const mismatch = outcome.state === "PROCESSING" ? outcome.mismatch : undefined
    return mismatch === undefined ? [] : [{ ...ownerOf(row), kind: "payment", id, requested: record, mismatch }]
  })
}

/** Posts successful charges to the ledger: the last step of their transaction (`post` explains why). */
export async function postPayments(sql: Sql, recorded: readonly RecordedPayment[]): Promise<void> {
  const paid = recorded.filter(({ payment }) => payment.outcome.state === "SUCCESS")
  await post(
    sql,
    paid.map(({ payment, transaction_id, currency, amount_minor, charge_minor }) => {
      // A period is never paid in instalments.
      const amounts = { currency, amount_minor, charge_minor, emi_cost_minor: 0 }
      return paymentPosting({ ...ownerOf(payment.row), transaction_id, ...amounts }, payment.at)
    })
  )
}

function ownerOf({ merchant_id, environment }: SubscriptionRow): Tenant {
  return { merchant_id, environment }
}

/** payment.succeeded and payment.failed of automatic charges, with the merchant's own IPN. */
export function paymentEvents(recorded: readonly RecordedPayment[]): OutgoingEvent[] {
  return recorded.flatMap((facts) => {
    const { row, outcome, at } = facts.payment
    if (outcome.state === "PROCESSING") {
      return []
    }
    const { emits } = transactionMachine.require("PROCESSING", outcome.state === "SUCCESS" ? "succeed" : "decline")
    return emits.map((event_type) => ({
      merchant_id: row.merchant_id,
      environment: row.environment,
      event_type,
      resource_id: facts.transaction_id,
      data: paymentEventData(facts, outcome.state),
      occurred_at: at,
      ipn: ipnOf(facts, outcome.state, at),
    }))
  })
}

const ROW = {
  session_id: "text",
  transaction_id: "text",
  merchant_id: "text",
  environment: "text",
  order_id: "text",
  order_number: "text",
  currency: "text",
  amount_minor: "int",
  charge_minor: "int",
  description: "text",
  success_url: "text",
  fail_url: "text",
  cancel_url: "text",
  ipn_url: "text",
  customer: "text",
  customer_phone: "text",
  subscription_id: "text",
  subscription_period: "int",
  at: "timestamptz",
  state: "text",
  payment_method: "text",
  payment_service: "text",
  instrument: "text",
  acquirer: "text",
  acquirer_reference: "text",
  amount_mismatch: "text",
  error_code: "text",
  error_message: "text",
  attempt_id: "text",
  attempt_state: "text",
  acquirer_ids: "text",
  risk: "text",
  held_at: "timestamptz",
  answer_ms: "int",
  inquiry_at: "timestamptz",
  verified_at: "timestamptz",
  finished_at: "timestamptz",
}

const RECORD = `
  WITH input AS (SELECT * FROM ${columnar(ROW, []).source}),
  sessions AS (
    INSERT INTO gateway_checkout_session (id, merchant_id, environment, order_id, order_number, currency, amount_minor,
      description, success_url, fail_url, cancel_url, ipn_url, customer, customer_phone, payment_info, source, subscription_id,
      subscription_period, opened_at, expires_at)
    SELECT session_id, merchant_id, environment, order_id, order_number, currency, amount_minor, description, success_url,
      fail_url, cancel_url, ipn_url, customer::jsonb, customer_phone, '{"is_recurring":true}', 'billing', subscription_id,
      subscription_period, at, at
    FROM input),
  transactions AS (
  INSERT INTO gateway_transaction (id, session_id, merchant_id, environment, order_id, state, currency, amount_minor,
    charge_minor, payment_method, payment_service, instrument, acquirer, acquirer_reference, amount_mismatch, error_code, error_message,
    attempts, attempt_id, expires_at, verified_at, finished_at)
  SELECT transaction_id, session_id, merchant_id, environment, order_id, state, currency, amount_minor, charge_minor,
    payment_method, payment_service, instrument::jsonb, acquirer, acquirer_reference, amount_mismatch::jsonb, error_code, error_message,
    1, attempt_id, at, verified_at, finished_at
  FROM input)
  INSERT INTO gateway_payment_attempt (id, transaction_id, merchant_id, environment, number, state, acquirer, payment_method,
    payment_service, currency, amount_minor, charge_minor, instrument, acquirer_ids, acquirer_reference, risk, error_code, error_message,
    started_at, answer_ms, held_at, finished_at, inquiry_at)
  SELECT attempt_id, transaction_id, merchant_id, environment, 1, attempt_state, acquirer, payment_method, payment_service,
    currency, amount_minor, charge_minor, instrument::jsonb, acquirer_ids::jsonb, acquirer_reference, risk, error_code, error_message,
    now(), answer_ms, held_at, finished_at, inquiry_at
  FROM input`

const ATTEMPT_STATES = { SUCCESS: "SUCCEEDED", FAILED: "DECLINED", PROCESSING: "STARTED" } as const

function toRow(payment: AutomaticPayment) {
  const { row, record, context, urls, outcome, at } = payment
  const session_id = newSessionId()
  const paid = outcome.state === "SUCCESS"
  const held = outcome.state === "PROCESSING" ? outcome.held : undefined
  const fee = { basisPoints: context.fee_basis_points, fixedMinor: context.fee_fixed_minor }
  const ids = attemptIds(record.id, record.attempts)
  return {
    ...ids,
    order_number: orderNumberOf(ids.order_id),
    session_id,
    merchant_id: row.merchant_id,
    environment: row.environment,
    currency: record.currency,
    amount_minor: record.amount_minor,
    // A failed payment costs nothing; an unknown one carries its fee like any attempt.
    charge_minor: outcome.state === "FAILED" ? 0 : Number(processingFee(record, fee)),
    description: descriptionOf(row),
    success_url: urls.success_url ?? ownPage(session_id),
    fail_url: urls.fail_url ?? ownPage(session_id),
    cancel_url: urls.cancel_url ?? ownPage(session_id),
    ipn_url: urls.ipn_url,
    customer: json(customerDetails(row)),
    customer_phone: row.customer_phone ?? "",
    subscription_id: row.id,
    subscription_period: record.period,
    at,
    state: held === undefined ? outcome.state : "HELD",
    payment_method: context.payment_method,
    payment_service: context.payment_service,
    instrument: json(context.instrument),
    acquirer: context.acquirer,
    acquirer_reference: paid ? outcome.reference : (held?.reference ?? null),
    amount_mismatch: outcome.state === "PROCESSING" ? json(outcome.mismatch) : null,
    error_code: outcome.state === "FAILED" ? outcome.error_code : null,
    error_message: outcome.state === "FAILED" ? outcome.error_message : null,
    attempt_state: held === undefined ? ATTEMPT_STATES[outcome.state] : "HELD",
    acquirer_ids: json(outcome.references ?? {}),
    risk: outcome.risk ?? null,
    held_at: held === undefined ? null : at,
    answer_ms: outcome.answer_ms ?? null,
    inquiry_at:
      outcome.state === "PROCESSING" && held === undefined ? (outcome.ask_again_at ?? nextInquiryAt(at, 0)) : null,
    verified_at: paid ? at : null,
    finished_at: outcome.state === "PROCESSING" ? null : at,
  }
}

/** The current moment on a merchant's clock. */
export function contextNow({ clock_offset_seconds }: { clock_offset_seconds: number }): Date {
  return clockNow(new Date(), clock_offset_seconds)
}
