import type { Language } from "../../../i18n/languages"
import type { Message } from "../../../i18n/message"
import { actorOf, type By } from "../kernel/database/audit"
import { json, type Sql } from "../kernel/database/database"
import { newAttemptId } from "../kernel/text/ids"
import { ATTEMPT_LIFE_MS } from "../acquirers/in-time"
import { nextInquiryAt } from "../kernel/money/retry-schedule"
import { attemptMachine, attemptsLeft, IS_OPEN, type AttemptState, type AttemptTrigger } from "./attempt-states"
import type { Details, ExtraPayment, InstrumentSummary, Reported, References, Unknown } from "../acquirers/port"
import { merchantNow, type Decline, type PaymentRecord } from "./records"

/** How long the acquirer took to answer the call that began the attempt, in real milliseconds. */
export type Timed = { answer_ms?: number }

/** How an attempt ends, or what late money makes of it. */
export type AttemptEnd = {
  from: AttemptState
  to: AttemptState
  acquirer_reference?: string
  instrument?: InstrumentSummary | null
  error_code?: string
  error_message?: string
  decline?: Decline
  risk?: string
  /** How the bank's instalments differ from the plan; empty: they do not. */
  instalment_differences?: readonly Message[]
  surplus?: { minor: number; return_key: string }
  /** When the acquirer is asked again about an attempt that stays watched. */
  watch_from?: Date
  /** The next acquirer is asked in its place. */
  passed_on?: boolean
} & Reported &
  Timed

/** An end by the table of attempts' states. */
export function endOf(
  from: AttemptState,
  on: Exclude<AttemptTrigger, "redirect" | "confirm" | "reopen" | "return">,
  end: Omit<AttemptEnd, "from" | "to">
): AttemptEnd {
  return { ...end, from, to: attemptMachine.require(from, on).to }
}

/** The next number of the transaction's attempts. Surplus money has a number too, and is no attempt of the shopper's. */
const NEXT_NUMBER = "(SELECT COALESCE(max(n.number), 0) + 1 FROM gateway_payment_attempt n WHERE n.transaction_id = $1)"

const NOTE_LANGUAGE =
  "UPDATE gateway_checkout_session SET language = $2, updated_at = now() WHERE id = $1 AND language IS DISTINCT FROM $2"

/**
 * The language in which the shopper reads the page, undefined by the API, becomes that of the checkout and its receipts.
 * Not while the payment is locked: a repeated order locks the session first, and then the payment.
 */
export async function noteLanguage(sql: Sql, session_id: string, language?: Language): Promise<void> {
  await (language && sql.query(NOTE_LANGUAGE, [session_id, language]))
}

/** As one statement: moves the transaction to PROCESSING and writes the attempt that does it. */
const BEGIN = `
  WITH attempt AS (
    INSERT INTO gateway_payment_attempt (id, transaction_id, merchant_id, environment, number, is_final, acquirer,
      payment_method, payment_service, currency, amount_minor, visitor_network, started_at, inquiry_at, charge_minor,
      saves, instrument_id, instrument, capture)
    VALUES ($2, $1, $3, $4, ${NEXT_NUMBER}, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18::jsonb, $19)
    RETURNING id)
  UPDATE gateway_transaction
  SET state = 'PROCESSING', attempts = $5, attempt_id = $2, acquirer = $7, payment_method = $8, payment_service = $9,
      charge_minor = $15, instrument = $18::jsonb, updated_at = now()
  WHERE id = $1 AND state = $20 AND attempts = $21 RETURNING id`

/** Begins an attempt; `record` is the transaction as it is from now on, `before` as it was. `sql` holds its lock. */
export async function beginAttempt(
  sql: Sql,
  record: PaymentRecord,
  before: Pick<PaymentRecord, "state" | "attempts">
): Promise<void> {
  await sql.query(
    BEGIN,
    [
      record.transaction_id,
      record.attempt_id,
      record.merchant_id,
      record.environment,
      record.attempts,
      record.attempt_is_final,
      record.acquirer,
      record.payment_method,
      record.payment_service,
      record.currency,
      record.amount_minor,
      record.visitor_network,
      record.attempt_started_at,
      nextInquiryAt(merchantNow(record), 0),
      record.charge_minor,
      record.attempt_saves,
      record.attempt_instrument_id,
      json(record.instrument),
      record.attempt_capture,
      before.state,
      before.attempts,
    ],
    "gateway_begin_attempt"
  )
}

/**
 * What an answer adds to an attempt whose outcome stays open, and when the acquirer will know it. Nothing is written
 * when it adds nothing.
 */
export async function noteAnswer(
  sql: Sql,
  attempt_id: string,
  { references, details, answer_ms, ask_again_at }: Reported & Timed & Pick<Unknown, "ask_again_at">
): Promise<void> {
  if (isEmpty(references) && isEmpty(details) && answer_ms === undefined && ask_again_at === undefined) {
    return
  }
  await sql.query(
    `UPDATE gateway_payment_attempt SET acquirer_ids = acquirer_ids || $2::jsonb, details = details || $3::jsonb,
       inquiry_at = CASE WHEN inquiry_at IS NOT NULL THEN COALESCE($4::timestamptz, inquiry_at) END,
       answer_ms = COALESCE($5, answer_ms), updated_at = now()
     WHERE id = $1`,
    [attempt_id, json(references ?? {}), json(details ?? {}), ask_again_at ?? null, answer_ms ?? null]
  )
}

/**
 * The acquirer does not know what became of an open attempt. Once the reconciler has asked, an admin has to find
 * out; true when it was not noted before. `sql` holds the transaction's lock.
 */
export async function noteUnresolved(sql: Sql, attempt_id: string, at: Date): Promise<boolean> {
  const rows = await sql.query(
    `UPDATE gateway_payment_attempt SET operator_since = $2, updated_at = now()
     WHERE id = $1 AND operator_since IS NULL AND inquiry_count > 0 AND ${IS_OPEN} RETURNING id`,
    [attempt_id, at]
  )
  return rows.length === 1
}

/** The shopper is sent to the acquirer's page. A faster return may have settled the attempt already. */
export async function noteRedirect(
  sql: Sql,
  attempt_id: string,
  url: string,
  reported: Parameters<typeof noteAnswer>[2]
): Promise<void> {
  await noteAnswer(sql, attempt_id, reported)
  await sql.query(
    `UPDATE gateway_payment_attempt SET state = 'REDIRECTED', redirect_url = $2, updated_at = now()
     WHERE id = $1 AND state = 'STARTED'`,
    [attempt_id, url]
  )
}

/**
 * Claims the one call that makes the acquirer move the money, and returns when; null when it was claimed before, or the
 * attempt has ended. A claim of a process that died runs out; the caller knows that the acquirer was not asked. `sql`
 * holds the transaction's lock.
 */
export async function claimConfirmation(sql: Sql, attempt_id: string): Promise<Date | null> {
  const [row] = await sql.query<{ confirmed_at: Date }>(
    `UPDATE gateway_payment_attempt SET state = 'CONFIRMING', confirmed_at = now(), updated_at = now()
     WHERE id = $1 AND (state = 'REDIRECTED' OR state = 'CONFIRMING' AND confirmed_at < now() - $2 * interval '1 millisecond')
     RETURNING confirmed_at`,
    [attempt_id, ATTEMPT_LIFE_MS]
  )
  return row?.confirmed_at ?? null
}

/** The shopper is on the acquirer's page as before the claim. `sql` holds the transaction's lock. */
export async function reopenAttempt(sql: Sql, attempt_id: string): Promise<void> {
  await sql.query(
    "UPDATE gateway_payment_attempt SET state = 'REDIRECTED', confirmed_at = NULL, updated_at = now() WHERE id = $1 AND state = 'CONFIRMING'",
    [attempt_id]
  )
}

/** SQL of the end of an attempt as part of a larger statement; its parameters begin at `$first`. */
export function attemptEnd(first: number, guard: string): string {
  const at = (index: number) => `$${first + index}`
  return `
    UPDATE gateway_payment_attempt
    SET state = ${at(1)}, acquirer_reference = ${at(2)}, instrument = COALESCE(${at(3)}::jsonb, instrument),
        error_code = ${at(4)}, error_message = ${at(5)}, decline = ${at(6)}, risk = COALESCE(${at(7)}, risk),
        acquirer_ids = acquirer_ids || ${at(8)}::jsonb, details = details || ${at(9)}::jsonb,
        held_at = CASE WHEN ${at(1)}::text = 'HELD' THEN ${at(10)}::timestamptz ELSE held_at END,
        finished_at = CASE WHEN ${at(1)}::text = 'HELD' THEN NULL ELSE ${at(10)}::timestamptz END, inquiry_at = ${at(11)}::timestamptz, inquiry_count = 0, surplus_minor = ${at(12)}, return_key = ${at(13)},
        operator_since = CASE WHEN ${at(1)}::text = 'SURPLUS' THEN NULL ELSE operator_since END,
        answer_ms = COALESCE(${at(14)}, answer_ms), instalment_differences = COALESCE(${at(15)}::jsonb, instalment_differences),
        passed_on = passed_on OR ${at(16)}, visitor_network = NULL, updated_at = now()
    WHERE id = ${at(0)} AND ${guard} RETURNING id`
}

/** The parameters of `attemptEnd`. */
export function attemptEndValues(attempt_id: string, end: AttemptEnd, at: Date) {
  return [
    attempt_id,
    end.to,
    end.acquirer_reference ?? null,
    json(end.instrument),
    end.error_code ?? null,
    end.error_message ?? null,
    json(end.decline),
    end.risk ?? null,
    json(end.references ?? {}),
    json(end.details ?? {}),
    at,
    end.watch_from ?? null,
    end.surplus?.minor ?? null,
    end.surplus?.return_key ?? null,
    end.answer_ms ?? null,
    end.instalment_differences?.length ? json(end.instalment_differences) : null,
    end.passed_on === true,
  ]
}

/** Ends an attempt outside of a change of its transaction; false when its state is no longer `from`. */
export async function endAttempt(sql: Sql, attempt_id: string, end: AttemptEnd, at: Date): Promise<boolean> {
  const rows = await sql.query(attemptEnd(1, "state = $18"), [...attemptEndValues(attempt_id, end, at), end.from])
  return rows.length === 1
}

/** What an answer adds to the return of a surplus under this key: the acquirer's own ids of it. */
export async function noteReturn(sql: Sql, return_key: string, references: References = {}): Promise<void> {
  if (!isEmpty(references)) {
    await sql.query(
      "UPDATE gateway_payment_attempt SET return_ids = return_ids || $2::jsonb, updated_at = now() WHERE return_key = $1",
      [return_key, json(references)]
    )
  }
}

/** The acquirer does not return a surplus, or does not know whether it has: an admin has to find out. */
export async function noteUnreturned(sql: Sql, return_key: string, at: Date): Promise<void> {
  await sql.query(
    `UPDATE gateway_payment_attempt SET operator_since = $2, updated_at = now()
     WHERE return_key = $1 AND operator_since IS NULL AND state = 'SURPLUS'`,
    [return_key, at]
  )
}

/** An admin has decided about an attempt's money, or has seen what was flagged. `at`: the merchant's clock. */
export async function noteReview(
  sql: Sql,
  attempt_id: string,
  { by, at, note }: { by: By; at: Date; note: string | null }
): Promise<void> {
  await sql.query(
    `UPDATE gateway_payment_attempt SET reviewed_at = $2, reviewed_by = $3, review_note = $4, updated_at = now() WHERE id = $1`,
    [attempt_id, at, actorOf(by).id, note]
  )
}

/**
 * Keeps a payment that came beside the money of the attempt of `record`, as an attempt of its own whose money is to be
 * given back; null when it is known already. `sql` holds the transaction's lock.
 */
export async function insertSurplus(
  sql: Sql,
  record: PaymentRecord,
  { minor, return_key, reference, references }: { minor: number; return_key: string } & ExtraPayment
): Promise<string | null> {
  const now = merchantNow(record)
  const [row] = await sql.query<{ id: string }>(
    `INSERT INTO gateway_payment_attempt (id, transaction_id, merchant_id, environment, number, state, acquirer, payment_method,
       payment_service, currency, amount_minor, acquirer_ids, acquirer_reference, surplus_minor, return_key, started_at,
       finished_at, inquiry_at)
     SELECT $1, p.transaction_id, p.merchant_id, p.environment,
       (SELECT max(number) + 1 FROM gateway_payment_attempt a WHERE a.transaction_id = p.transaction_id),
       'SURPLUS', p.acquirer, p.payment_method, p.payment_service, p.currency, $3, $4, $5, $3, $6, now(), $7, $7
     FROM gateway_payment_attempt p WHERE p.id = $2
     ON CONFLICT (acquirer, acquirer_reference) WHERE acquirer_reference IS NOT NULL DO NOTHING RETURNING id`,
    [newAttemptId(), record.attempt_id, minor, json(references), reference, return_key, now]
  )
  return row?.id ?? null
}

function isEmpty(facts: References | Details | undefined): boolean {
  return facts === undefined || Object.keys(facts).length === 0
}

/** Whether another attempt may follow one that ends now, with this code. */
export function mayTryAgain(record: PaymentRecord, now: Date, code?: string): boolean {
  const closings = record.closings + (code === "CANCELLED" ? 1 : 0)
  const isLeft = attemptsLeft({ ...record, closings }) > 0
  return record.attempt_is_final === false && isLeft && now < record.expires_at
}

export function stateOf({ attempt_state }: PaymentRecord): AttemptState {
  return attempt_state ?? "STARTED"
}
