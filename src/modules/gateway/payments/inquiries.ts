import { json, type Database } from "../kernel/database/database"
import { GatewayError } from "../kernel/errors"
import type { Cradle, Tenant } from "../kernel/types"
import { ATTEMPT_LIFE_MS, inTime } from "../acquirers/in-time"
import type { Absent, Acquirer, Done, Hint, Refused, Unknown } from "../acquirers/port"
import type { AcquirerRegistry, WithAcquirers } from "../acquirers/registry"
import { claimConfirmation } from "./attempts"
import type { CardTestingService } from "./card-testing"
import { closedAs, isCardDecline } from "./card-testing-rules"
import { chargingServiceOf, requireMayCharge } from "../saved-methods/permission-to-charge"
import { merchantNow, outcomeOf, type AttemptRecord, type PaymentOutcome, type PaymentRecord } from "./records"
import { isTooEarly, nextStep, type Asked, type Step } from "./inquiry-rules"
import { reopen, type Seen } from "./reopening"
import { attemptRequest } from "./requests"
import type { Closing, SettlementService } from "./settlement"
import type { TransactionService } from "./transactions"

type Services = Cradle &
  WithAcquirers & {
    cardTestingService: CardTestingService
    settlementService: SettlementService
    transactionService: TransactionService
  }
type Answer = Done | Refused | Unknown | Absent
type Answered = { record: PaymentRecord; acquirer: Acquirer; answer: Answer; isUnpaid: boolean }

/** States in which the acquirer still has something to say. */
const IN_USE: readonly string[] = ["STARTED", "REDIRECTED", "CONFIRMING"]
const ASKABLE: readonly string[] = [...IN_USE, "ABANDONED"]
/**
 * Asked again when somebody says that it was paid, and a few times when the acquirer's page stays open: it may have
 * taken a second payment, or let the shopper try again after a decline.
 */
const PAID_PERHAPS: readonly string[] = [
  ...ASKABLE,
  "HELD",
  "AUTHORIZED",
  "SUCCEEDED",
  "DECLINED",
  "SURPLUS",
  "RETURNED",
]

/**
 * Asks acquirers for the outcome of attempts, after returns, notifications and by the reconciler. What a return or a
 * notification claims proves nothing.
 */
export class InquiryService {
  private readonly database: Database
  private readonly acquirers: AcquirerRegistry
  private readonly cardTesting: CardTestingService
  private readonly settlement: SettlementService
  private readonly transactions: TransactionService

  constructor(cradle: Services) {
    this.database = cradle.database
    this.acquirers = cradle.acquirerRegistry
    this.cardTesting = cradle.cardTestingService
    this.settlement = cradle.settlementService
    this.transactions = cradle.transactionService
  }

  /** The shopper is back on the payment page: asks for the outcome of the latest attempt. Errors: SESSION_NOT_FOUND. */
  async confirm(input: { session_id: string; page_url: string }): Promise<PaymentOutcome> {
    const record = await this.inquire(await this.transactions.bySession(input.session_id))
    return outcomeOf(record, merchantNow(record), input.page_url)
  }

  /**
   * The acquirer, or the shopper's browser, says something about an attempt. `hint` may be forged: it makes the core
   * ask, its references are used for that question only, and never instead of known ones. A shopper who is `back`
   * without having paid leaves the attempt. Errors: TRANSACTION_NOT_FOUND.
   */
  async hinted(attempt_id: string, hint: Hint | null, { back = false } = {}): Promise<PaymentRecord> {
    const record = await this.transactions.ofAttempt(attempt_id)
    if (record === null) {
      throw new GatewayError("TRANSACTION_NOT_FOUND")
    }
    return this.counted(record, await this.follow(record, hint, back))
  }

  private async follow(record: AttemptRecord, hint: Hint | null, back: boolean): Promise<PaymentRecord> {
    const hinted = { ...record, acquirer_ids: { ...hint?.references, ...record.acquirer_ids } }
    const isAway = record.attempt_state === "REDIRECTED"
    const acquirer = await this.acquirerOf(record)
    if (isAway && hint?.claims === "paid" && hasConfirm(acquirer)) {
      return this.complete(hinted)
    }
    // Reserved money may have been captured or released on the acquirer's dashboard.
    const isReserved = record.attempt_state === "AUTHORIZED"
    const askable = hint?.claims === "paid" || isReserved ? PAID_PERHAPS : ASKABLE
    const { record: asked, isUnpaid } = await this.ask(hinted, askable)
    const isBack = back && (hint?.claims === "cancelled" || hint?.claims === "not_paid")
    const leaves = isBack && isUnpaid && asked.state === "PROCESSING" && asked.attempt_state === "REDIRECTED"
    return leaves ? this.close(asked, acquirer, hint.claims === "not_paid" ? "fail" : "leave") : asked
  }

  /**
   * The payment's public status, and where its shopper's browser goes next: to `page_url`, the payment page, while it
   * is pending, and back to the shop after that.
   */
  outcome(record: PaymentRecord, page_url: string): PaymentOutcome {
    return outcomeOf(record, merchantNow(record), page_url)
  }

  /** The attempt that a notification is about, by its key or by the acquirer's own ids; null: none of `owner`'s. */
  async attemptOf(
    acquirer: string,
    owner: Tenant | null,
    { key, references }: Pick<Hint, "key" | "references">
  ): Promise<string | null> {
    const [row] = await this.database.query<{ id: string }>(
      `SELECT id FROM gateway_payment_attempt
       WHERE acquirer = $1 AND ($2::text IS NULL OR merchant_id = $2 AND environment = $3)
         AND CASE WHEN $4::text IS NULL THEN inquiry_at IS NOT NULL AND acquirer_ids @> $5::jsonb ELSE id = $4 END
       ORDER BY created_at DESC LIMIT 1`,
      [acquirer, owner?.merchant_id ?? null, owner?.environment ?? null, key ?? null, json(references ?? { none: "" })]
    )
    return row?.id ?? null
  }

  /** A hint that came too soon after another one: the reconciler asks. */
  async askSoon(attempt_id: string): Promise<void> {
    await this.database.query(
      `UPDATE gateway_payment_attempt a SET inquiry_at = LEAST(a.inquiry_at, now() + e.clock_offset_seconds * interval '1 second')
       FROM gateway_merchant_environment e
       WHERE a.id = $1 AND e.merchant_id = a.merchant_id AND e.environment = a.environment AND a.inquiry_at IS NOT NULL`,
      [attempt_id]
    )
  }

  /**
   * Asks the acquirer for the outcome of an attempt, and settles it when there is one. While a call of the attempt may
   * still be running, "never heard of it" and "try again" do not count: the money may move yet.
   */
  async inquire(record: PaymentRecord): Promise<PaymentRecord> {
    return this.counted(record, (await this.ask(record)).record)
  }

  /** The same for one that is due: it may have ended, and its page may still be open. */
  async inquireDue(record: PaymentRecord): Promise<PaymentRecord> {
    return this.counted(record, (await this.ask(record, PAID_PERHAPS)).record)
  }

  /**
   * A decline counts as a card that failed, whichever reports it: the shopper's return, a notification or the
   * reconciler (docs/decisions/17).
   */
  private async counted(before: PaymentRecord, after: PaymentRecord): Promise<PaymentRecord> {
    const { visitor_network: address, attempt_id } = before
    const isDeclined = after.attempt_id === attempt_id && after.attempt_state === "DECLINED"
    if (address !== null && isDeclined && isCardDecline(after.attempt_error_code)) {
      await this.cardTesting.failed({ ...after, address }, null)
    }
    return after
  }

  /**
   * The shopper wants to pay in another way. The attempt is left when the acquirer says that nothing has moved; an
   * attempt in doubt stays, and the outcome says PENDING. Errors: SESSION_NOT_FOUND.
   */
  async leave(input: { session_id: string; page_url: string }): Promise<PaymentOutcome> {
    const open = await this.transactions.bySession(input.session_id)
    const { record: before, isUnpaid } = await this.ask(open)
    const mayLeave = isUnpaid && before.state === "PROCESSING" && before.attempt_state === "REDIRECTED"
    const left = mayLeave ? await this.close(before, await this.acquirerOf(before), "leave") : before
    const record = await this.counted(open, left)
    return outcomeOf(record, merchantNow(record), input.page_url)
  }

  /** `isUnpaid`: the acquirer knows of no money of this attempt. */
  private async ask(
    record: PaymentRecord,
    askable: readonly string[] = ASKABLE
  ): Promise<{ record: PaymentRecord; isUnpaid: boolean }> {
    const { attempt_id, attempt_state } = record
    if (attempt_id === null || !askable.includes(attempt_state ?? "")) {
      return { record, isUnpaid: false }
    }
    const acquirer = await this.acquirerOf(record)
    const answer = await inTime(() => acquirer.query(attemptRequest(this.database, record)))
    const { step, isUnpaid } = nextStep(factsOf(record, acquirer), answer)
    return { record: await this.take(step, { record, acquirer, answer, isUnpaid }), isUnpaid }
  }

  private take(step: Step, { record, acquirer, answer, isUnpaid }: Answered): PaymentRecord | Promise<PaymentRecord> {
    const attempt_id = record.attempt_id ?? ""
    switch (step) {
      case "wait":
        return record
      case "confirm":
        return this.complete(record)
      case "reopen":
        return this.reopen(attempt_id, unknownOf(answer), record)
      case "expire":
      case "lost":
        return this.close(record, acquirer, step)
      case "settle": {
        const { pageStaysOpen } = acquirer
        return this.settlement.settle(attempt_id, isUnpaid ? unknownOf(answer) : { ...answer, pageStaysOpen })
      }
    }
  }

  /**
   * Asks the acquirer once to move the money that the shopper has agreed to; once more when the process that was to do
   * it died before, which the acquirer knows (`agreed`).
   */
  private async complete(record: PaymentRecord & { attempt_id: string | null }): Promise<PaymentRecord> {
    const attempt_id = record.attempt_id ?? ""
    const acquirer = await this.acquirerOf(record)
    const claimed = await this.claim(record, attempt_id)
    if (claimed === "over") {
      return this.close(record, acquirer, "expire")
    }
    if (claimed === "taken" || acquirer.confirm === undefined) {
      return this.transactions.bySession(record.session_id)
    }
    const confirm = acquirer.confirm.bind(acquirer)
    const answer = await inTime(() => confirm(attemptRequest(this.database, record)))
    return isTooEarly(answer)
      ? this.reopen(attempt_id, answer, { attempt_state: "CONFIRMING", attempt_confirmed_at: claimed })
      : this.settlement.settle(attempt_id, answer)
  }

  /**
   * Under the transaction's lock: whether the money may be moved now, and by whom (docs/decisions/02); read again,
   * because another process may have confirmed it meanwhile.
   */
  private claim({ session_id }: PaymentRecord, attempt_id: string): Promise<Date | "taken" | "over"> {
    return this.database.transaction(async (sql) => {
      await this.transactions.lockSession(sql, session_id)
      const locked = await this.transactions.bySession(session_id, sql)
      const isCurrent = locked.state === "PROCESSING" && locked.attempt_id === attempt_id
      const mayBe = ["REDIRECTED", "CONFIRMING"].includes(locked.attempt_state ?? "")
      if (!isCurrent || !mayBe || locked.amount_mismatch !== null) {
        return "taken"
      }
      if (merchantNow(locked) >= locked.expires_at) {
        return "over"
      }
      await requireMayCharge(sql, locked, chargingServiceOf(locked))
      return (await claimConfirmation(sql, attempt_id)) ?? "taken"
    })
  }

  private reopen(attempt_id: string, answer: Unknown, seen: Seen): Promise<PaymentRecord> {
    return reopen({ database: this.database, transactions: this.transactions }, attempt_id, answer, seen)
  }

  /** The acquirer closes the attempt if it can; otherwise the attempt is watched (settlement: ABANDONED). */
  private async close(record: PaymentRecord, acquirer: Acquirer, why: Closing): Promise<PaymentRecord> {
    const abandon = acquirer.abandon?.bind(acquirer)
    const attempt_id = record.attempt_id ?? ""
    const answer: Done | Refused | Unknown =
      abandon === undefined
        ? { result: "unknown", message: "The acquirer cannot close a payment" }
        : await inTime(() => abandon(attemptRequest(this.database, record)))
    if (answer.result === "done") {
      return this.settlement.settle(attempt_id, answer)
    }
    if (answer.result === "refused") {
      const code = closedAs(why, answer.code)
      return this.settlement.close(attempt_id, { ...answer, code, retry: undefined }, record)
    }
    return this.settlement.abandon(attempt_id, why)
  }

  /** A late answer may be about another acquirer than the one that the latest attempt went to. */
  private acquirerOf(record: PaymentRecord & Partial<AttemptRecord>): Promise<Acquirer> {
    return this.acquirers.byId(record, record.paid_with?.acquirer ?? record.acquirer)
  }
}

/** Whether the acquirer moves the money in a separate step. */
function hasConfirm({ confirm }: Acquirer): boolean {
  return confirm !== undefined
}

function factsOf(record: PaymentRecord, acquirer: Acquirer): Asked {
  return {
    state: record.attempt_state ?? "STARTED",
    isUnderWay: isUnderWay(record),
    isOver: merchantNow(record) >= record.expires_at,
    hasConfirm: hasConfirm(acquirer),
    isMismatched: record.amount_mismatch !== null,
  }
}

function unknownOf(answer: Answer): Unknown {
  return answer.result === "unknown" ? answer : { result: "unknown", message: "The shopper has not paid yet" }
}

/**
 * Whether the call that may move the money can still be running: only then an attempt has no page of the acquirer's.
 */
function isUnderWay({ attempt_state, attempt_started_at, attempt_confirmed_at }: PaymentRecord): boolean {
  const began = attempt_state === "CONFIRMING" ? attempt_confirmed_at : attempt_started_at
  return attempt_state !== "REDIRECTED" && began !== null && Date.now() - began.getTime() < ATTEMPT_LIFE_MS
}
