import type { Logger } from "@medusajs/framework/types"
import type { Database, Sql } from "../kernel/database/database"
import { newRefundId } from "../kernel/text/ids"
import { nextInquiryAt } from "../kernel/money/retry-schedule"
import { surplusPayments } from "../kernel/http/metrics"
import { formatAmount } from "../kernel/money/money"
import type { SecretBox } from "../kernel/database/secret-box"
import type { Cradle } from "../kernel/types"
import { GatewayError } from "../kernel/errors"
import type { SubscriptionPaymentService } from "../subscriptions/payments"
import { amountMismatch, isFinal, type AmountMismatch } from "../acquirers/amount-mismatch"
import type { Absent, Done, Refused, Unknown } from "../acquirers/port"
import { alarmOf, noteMismatch, raiseAlarm, recordMismatch, type MismatchAlarm } from "./amount-mismatches"
import { PAID_STATES } from "./attempt-states"
import { endAttempt, endOf, mayTryAgain, noteAnswer, noteUnresolved, stateOf, type Timed } from "./attempts"
import { insertAuthorization } from "./captures/records"
import { releaseLate, takenOutside } from "./captures/outside"
import { auditHold } from "./held-payments"
import { compareInstalments } from "./instalments"
import { encryptKeptInstrument } from "../saved-methods/instrument-tokens"
import { merchantNow, type AttemptRecord, type PaymentRecord } from "./records"
import { isAsSeen, type Seen } from "./reopening"
import { publicStatus, type TransactionTrigger } from "./states"
import { bookSurplus, keepExtra, type Extra } from "./surplus"
import type { TransactionService } from "./transactions"

/** Acquirers use these codes for a shopper who cancelled and for a page that timed out. */
const REFUSAL_TRIGGERS: Readonly<Record<string, TransactionTrigger>> = { CANCELLED: "abandon", EXPIRED: "lapse" }

const NEVER_ASKED: Refused = {
  result: "refused",
  code: "NETWORK_ERROR",
  message: "The acquirer was never reached",
  trouble: "network",
}

/** `pageStaysOpen`: the shopper may pay again, so the attempt is watched when it has ended. */
type Watched = { pageStaysOpen?: boolean }
type Answer = (Done | Refused | Unknown | Absent) & Timed & Watched
/**
 * Why an attempt is closed before it had an outcome: the shopper pays in another way, comes back without having paid,
 * the session's time is up, or the process that had begun it is gone.
 */
export type Closing = "leave" | "fail" | "expire" | "lost"
/** What to announce after COMMIT. */
type Settled = { record: PaymentRecord; alarm?: MismatchAlarm; surplus?: Extra; risk?: string; unresolved?: string }
type Services = Cradle & {
  transactionService: TransactionService
  subscriptionPaymentService: SubscriptionPaymentService
}

/** Writes acquirers' answers about attempts (decisions: Checkout; design: six rules, 1 to 3). */
export class SettlementService {
  private readonly database: Database
  private readonly logger: Logger
  private readonly secretBox: SecretBox
  private readonly transactions: TransactionService
  private readonly subscriptionPayments: SubscriptionPaymentService

  constructor({ database, logger, secretBox, transactionService, subscriptionPaymentService }: Services) {
    this.database = database
    this.logger = logger
    this.secretBox = secretBox
    this.transactions = transactionService
    this.subscriptionPayments = subscriptionPaymentService
  }

  /**
   * Writes an answer about an attempt, and returns the payment as it is then. `unknown` changes no state. Another
   * amount or currency than requested is neither success nor failure: the payment stays open, and admins are alarmed.
   * Money of an attempt that was over is the transaction's while that can still be paid, and is given back otherwise.
   * What the acquirer flags as risky is held for an admin where the merchant wants that. `before` runs in the same
   * database transaction, and what it throws leaves everything as it is.
   */
  async settle(
    attempt_id: string,
    answer: Answer,
    before: (sql: Sql) => Promise<void> = async () => undefined
  ): Promise<PaymentRecord> {
    const settled = await this.database.transaction(async (sql) => {
      await before(sql)
      return this.settleIn(sql, attempt_id, answer)
    })
    return this.announced(settled, attempt_id)
  }

  /**
   * Declines an attempt that the acquirer has closed. Nothing changes when it is no longer what it was when that was
   * decided: another process may have asked the acquirer to move the money in between.
   */
  async close(attempt_id: string, refusal: Refused, seen: Seen): Promise<PaymentRecord> {
    const settled = await this.database.transaction(async (sql) => {
      const record = await this.transactions.lockAttempt(sql, attempt_id)
      return record === null || isAsSeen(record, seen) ? this.settleIn(sql, attempt_id, refusal) : { record }
    })
    return this.announced(settled, attempt_id)
  }

  /** After COMMIT. */
  private announced({ record, alarm, surplus, risk, unresolved }: Settled, attempt_id: string): PaymentRecord {
    if (alarm !== undefined) {
      raiseAlarm(this.logger, alarm)
    }
    if (unresolved !== undefined) {
      this.logger.error(
        `gateway: the acquirer does not know what became of the attempt ${attempt_id} of ${record.transaction_id} (${unresolved}); look at its dashboard, then decide on the payment's page`
      )
    }
    if (risk !== undefined) {
      this.logger.warn(`gateway: ${record.transaction_id} waits for an admin, because the acquirer reports: ${risk}`)
    }
    if (surplus !== undefined) {
      surplusPayments.inc({ acquirer: record.acquirer ?? "" })
      this.logger.error(
        `gateway: ${formatAmount(surplus.minor)} ${record.currency} (${surplus.references.join(", ")}) came for the attempt ${attempt_id} of ${record.transaction_id}, which is over; it is given back`
      )
    }
    return record
  }

  /**
   * The shopper has left an attempt that the acquirer cannot close, or its time was up: it is watched from now on, and
   * the checkout can be paid in another way, or ends. Nothing changes when the attempt is over, when the acquirer has
   * reported money that does not agree, and, for `leave`, unless the shopper is on the acquirer's page.
   */
  async abandon(attempt_id: string, why: Closing): Promise<PaymentRecord> {
    return this.database.transaction(async (sql) => {
      const record = await this.transactions.lockAttempt(sql, attempt_id)
      if (record === null) {
        throw new Error(`there is no payment attempt ${attempt_id}`)
      }
      const isLatest = record.state === "PROCESSING" && record.latest_attempt_id === attempt_id
      const mayEnd = why === "expire" || record.attempt_state === "REDIRECTED"
      if (!isLatest || !mayEnd || record.amount_mismatch !== null) {
        return record
      }
      const now = merchantNow(record)
      const end = { ...endOf(stateOf(record), "abandon", {}), watch_from: nextInquiryAt(now, 0) }
      const trigger = why === "expire" ? "lapse" : mayTryAgain(record, now) ? "retry" : "abandon"
      return this.transactions.apply(sql, record, trigger, now, end)
    })
  }

  private async settleIn(sql: Sql, attempt_id: string, answer: Answer): Promise<Settled> {
    const record = await this.transactions.ofAttempt(attempt_id, sql, "FOR UPDATE OF t")
    if (record === null) {
      throw new Error(`there is no payment attempt ${attempt_id}`)
    }
    if (record.state !== "PROCESSING" || record.latest_attempt_id !== attempt_id) {
      return this.settleLate(sql, record, attempt_id, answer)
    }
    if (answer.result === "unknown") {
      await noteAnswer(sql, attempt_id, answer)
      const isUnresolved =
        answer.needs_operator === true && (await noteUnresolved(sql, attempt_id, merchantNow(record)))
      return { record, ...(isUnresolved ? { unresolved: answer.message } : {}) }
    }
    if (answer.result === "done") {
      const mismatch = amountMismatch(record, answer, merchantNow(record))
      return mismatch === null ? this.succeed(sql, record, answer) : this.hold(sql, record, mismatch)
    }
    if (record.amount_mismatch !== null && !isFinal(answer)) {
      // It has reported moved money: only its own "nothing has moved" settles that.
      return { record }
    }
    return { record: await this.decline(sql, record, answer.result === "absent" ? NEVER_ASKED : answer) }
  }

  private async succeed(
    sql: Sql,
    record: AttemptRecord,
    answer: Done & Timed & Watched,
    from = stateOf(record)
  ): Promise<Settled> {
    const instrument = answer.instrument ?? record.instrument
    const kept_instrument = encryptKeptInstrument(this.secretBox, answer.kept, record.transaction_id)
    const paid = { ...record, acquirer_reference: answer.reference, instrument, kept_instrument }
    const { reference: acquirer_reference, references, details, risk, answer_ms, extra, authorized } = answer
    const instalment_differences = await compareInstalments(sql, record.attempt_id ?? "", answer.instalments)
    const now = merchantNow(record)
    // Reserved money waits for the merchant anyway: capturing it accepts the risk.
    const on = authorized !== undefined ? "authorize" : risk !== undefined && record.hold_risky ? "hold" : "succeed"
    const watch_from = on === "hold" ? undefined : watchFrom(answer, now)
    const seen = { references, details, risk, instalment_differences, answer_ms }
    const end = { ...seen, acquirer_reference, instrument, watch_from }
    const settled = await this.transactions.apply(sql, paid, on, now, endOf(from, on, end))
    const surplus = await keepExtra(sql, settled, extra)
    if (authorized !== undefined) {
      await insertAuthorization(sql, settled, authorized, false)
    }
    if (on !== "hold") {
      return { record: settled, surplus }
    }
    await auditHold(sql, settled, risk ?? "")
    return { record: settled, surplus, risk }
  }

  /** Another attempt may follow, unless this was the last one or the session's time is up. */
  private async decline(sql: Sql, record: AttemptRecord, refusal: Refused & Timed & Watched): Promise<PaymentRecord> {
    const now = merchantNow(record)
    const again = mayTryAgain(record, now, refusal.code)
    const trigger = again ? "retry" : (REFUSAL_TRIGGERS[refusal.code] ?? "decline")
    const error = trigger === "decline" ? { error_code: refusal.code, error_message: refusal.message } : {}
    const end = endOf(stateOf(record), "decline", {
      error_code: refusal.code,
      error_message: refusal.message,
      decline: { reason: refusal.reason ?? null, tries_left: refusal.tries_left ?? null },
      instrument: refusal.instrument,
      references: refusal.references,
      details: refusal.details,
      answer_ms: refusal.answer_ms,
      watch_from: watchFrom(refusal, now),
    })
    return this.transactions.apply(sql, { ...record, ...error, amount_mismatch: null }, trigger, now, end)
  }

  /** Leaves the payment open for the reconciler, and stores the acquirer's report beside it. */
  private async hold(sql: Sql, record: PaymentRecord, mismatch: AmountMismatch): Promise<Settled> {
    const alarm = alarmOf(record, mismatch)
    const isFirstReport = await recordMismatch(sql, alarm)
    return { record: { ...record, amount_mismatch: mismatch }, ...(isFirstReport ? { alarm } : {}) }
  }

  /** An answer about an attempt that is over. Its state is read again: a wait for the lock may have made it old. */
  private async settleLate(sql: Sql, stale: AttemptRecord, attempt_id: string, answer: Answer): Promise<Settled> {
    const record = (await this.transactions.ofAttempt(attempt_id, sql)) ?? stale
    const from = stateOf(record)
    if (from === "AUTHORIZED") {
      return { record: await takenOutside(sql, this.transactions, record, answer) }
    }
    if (PAID_STATES.includes(from) && answer.result === "done") {
      return { record, surplus: await keepExtra(sql, record, answer.extra) }
    }
    if (from !== "ABANDONED" && from !== "DECLINED") {
      return { record }
    }
    const now = merchantNow(record)
    if (answer.result === "refused" && answer.retry !== true && from === "ABANDONED") {
      const { code: error_code, message: error_message, references, details } = answer
      const end = { error_code, error_message, references, details, watch_from: watchFrom(answer, now) }
      await endAttempt(sql, attempt_id, endOf(from, "decline", end), now)
      return { record }
    }
    if (answer.result !== "done") {
      return { record }
    }
    return amountMismatch(record, answer, now) === null && (await this.isPayable(sql, record, now))
      ? this.succeed(sql, record, answer, from)
      : this.overpaid(sql, record, attempt_id, answer)
  }

  /** Whether late money can still pay the checkout; a subscription's period is held for it then. */
  private async isPayable(sql: Sql, record: AttemptRecord, now: Date): Promise<boolean> {
    if (record.state !== "OPEN" || publicStatus(record.state, record.expires_at, now) !== "PENDING") {
      return false
    }
    try {
      await this.subscriptionPayments.reserve(sql, record)
      return true
    } catch (error) {
      if (GatewayError.from(error)?.code !== "INVALID_STATE_TRANSITION") {
        throw error
      }
      return false
    }
  }

  /** Money that nothing is bought with: booked as the shopper's, and given back by SurplusService. */
  private async overpaid(sql: Sql, record: AttemptRecord, attempt_id: string, answer: Done): Promise<Settled> {
    const now = merchantNow(record)
    const mismatch = amountMismatch(record, answer, now)
    const isOther = answer.currency !== record.currency || typeof answer.amount !== "bigint" || answer.amount <= 0n
    if (mismatch !== null && isOther) {
      const alarm = alarmOf(record, mismatch)
      return { record, ...((await noteMismatch(sql, attempt_id, alarm)) ? { alarm } : {}) }
    }
    if (answer.authorized !== undefined) {
      await releaseLate(sql, record, attempt_id, answer)
      return { record }
    }
    const minor = Number(answer.amount)
    const { references, details, reference: acquirer_reference } = answer
    const surplus = { minor, return_key: newRefundId() }
    const end = endOf(stateOf(record), "overpay", { acquirer_reference, references, details, surplus, watch_from: now })
    if (!(await endAttempt(sql, attempt_id, end, now))) {
      return { record }
    }
    await bookSurplus(sql, record, attempt_id, { minor, reference: acquirer_reference })
    const more = await keepExtra(sql, record, answer.extra)
    const all = [acquirer_reference, ...(more?.references ?? [])]
    return { record, surplus: { minor: minor + (more?.minor ?? 0), references: all } }
  }
}

/** When an attempt that has ended is looked at again; undefined: never. Once a day while its money is reserved. */
function watchFrom({ pageStaysOpen, authorized }: Watched & Pick<Done, "authorized">, now: Date): Date | undefined {
  return pageStaysOpen === true ? nextInquiryAt(now, 0) : authorized && nextInquiryAt(now, 2)
}
