import { json, type Database } from "../kernel/database"
import { GatewayError } from "../kernel/errors"
import type { Cradle, Tenant } from "../kernel/types"
import { ATTEMPT_LIFE_MS, inTime } from "./acquirers/in-time"
import type { Absent, Acquirer, Done, Hint, Refused, Unknown } from "./acquirers/port"
import type { AcquirerRegistry, WithAcquirers } from "./acquirers/registry"
import { claimConfirmation } from "./attempts"
import { chargingServiceOf, requireMayCharge } from "./permission-to-charge"
import { merchantNow, outcomeOf, type AttemptRecord, type PaymentOutcome, type PaymentRecord } from "./records"
import { attemptRequest } from "./requests"
import type { Closing, SettlementService } from "./settlement"
import type { TransactionService } from "./transactions"

type Services = Cradle &
  WithAcquirers & { settlementService: SettlementService; transactionService: TransactionService }
type Answer = Done | Refused | Unknown | Absent

/** States in which the acquirer still has something to say. */
const ASKABLE = ["STARTED", "REDIRECTED", "CONFIRMING", "ABANDONED"]
/** Asked again only for a hint: the acquirer may have taken a second payment, or one that it had declined. */
const HINTABLE = [...ASKABLE, "SUCCEEDED", "DECLINED"]

/** What became of attempts: returns, notifications and the reconciler end here. Nothing they bring is believed. */
export class InquiryService {
  private readonly database: Database
  private readonly acquirers: AcquirerRegistry
  private readonly settlement: SettlementService
  private readonly transactions: TransactionService

  constructor({ database, acquirerRegistry, settlementService, transactionService }: Services) {
    this.database = database
    this.acquirers = acquirerRegistry
    this.settlement = settlementService
    this.transactions = transactionService
  }

  /** The shopper is back on the payment page: asks for the outcome of the latest attempt. Errors: SESSION_NOT_FOUND. */
  async confirm(input: { session_id: string; page_url: string }): Promise<PaymentOutcome> {
    const record = await this.inquire(await this.transactions.bySession(input.session_id))
    return outcomeOf(record, merchantNow(record), input.page_url)
  }

  /**
   * The acquirer, or the shopper's browser, says something about an attempt. `hint` may be forged: it makes the core ask,
   * its references are used for that question only, and never instead of known ones. A shopper who is `back` without
   * having paid leaves the attempt. Errors: TRANSACTION_NOT_FOUND.
   */
  async hinted(
    attempt_id: string,
    hint: Pick<Hint, "claims" | "references"> | null,
    { back = false } = {}
  ): Promise<PaymentRecord> {
    const record = await this.transactions.ofAttempt(attempt_id)
    if (record === null) {
      throw new GatewayError("TRANSACTION_NOT_FOUND")
    }
    const hinted = { ...record, acquirer_ids: { ...hint?.references, ...record.acquirer_ids } }
    const isAway = record.attempt_state === "REDIRECTED"
    const acquirer = await this.acquirerOf(record)
    if (isAway && hint?.claims === "paid" && hasConfirm(acquirer)) {
      return this.complete(hinted)
    }
    const asked = await this.inquire(hinted, HINTABLE)
    const isUnpaid = hint?.claims === "cancelled" || hint?.claims === "not_paid"
    const leaves = back && isAway && isUnpaid && asked.state === "PROCESSING" && asked.attempt_state === "REDIRECTED"
    return leaves ? this.close(asked, acquirer, hint.claims === "not_paid" ? "fail" : "leave") : asked
  }

  /** How a payment stands for its shopper; `page_url` is the checkout's own page. */
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
  async inquire(record: PaymentRecord, states: readonly string[] = ASKABLE): Promise<PaymentRecord> {
    const { attempt_id, attempt_state } = record
    if (attempt_id === null || !states.includes(attempt_state ?? "")) {
      return record
    }
    const acquirer = await this.acquirerOf(record)
    const answer = await inTime(() => acquirer.query(attemptRequest(this.database, record)))
    const isAway = attempt_state === "REDIRECTED"
    // Until it is confirmed nothing moves, however unclear the acquirer's answer is.
    const isUnmoved = awaitsShopper(record, answer) || (isAway && answer.result === "unknown" && hasConfirm(acquirer))
    if (isAway && isUnmoved && merchantNow(record) >= record.expires_at) {
      return this.close(record, acquirer, "expire")
    }
    const isLost = ["STARTED", "CONFIRMING"].includes(attempt_state ?? "") && !isUnderWay(record)
    if ((isAway || isLost) && answer.result === "unknown" && answer.agreed === true) {
      return this.complete(record)
    }
    if (isLost && isUnmoved) {
      return this.close(record, acquirer, "lost")
    }
    if (isUnmoved) {
      return this.settlement.settle(attempt_id, unknownOf(answer))
    }
    const mayChange = answer.result === "absent" || (answer.result === "refused" && answer.retry === true)
    return mayChange && isUnderWay(record) ? record : this.settlement.settle(attempt_id, answer)
  }

  /**
   * The shopper wants to pay in another way. The attempt is left when the acquirer says that nothing has moved; an
   * attempt in doubt stays, and the outcome says PENDING. Errors: SESSION_NOT_FOUND.
   */
  async leave(input: { session_id: string; page_url: string }): Promise<PaymentOutcome> {
    const before = await this.inquire(await this.transactions.bySession(input.session_id))
    const mayLeave = before.state === "PROCESSING" && before.attempt_state === "REDIRECTED"
    const record = mayLeave ? await this.close(before, await this.acquirerOf(before), "leave") : before
    return outcomeOf(record, merchantNow(record), input.page_url)
  }

  /**
   * Tells the acquirer once to move the money that the shopper has agreed to; once more when the process that was to do
   * it died before, which the acquirer knows (`agreed`).
   */
  private async complete(record: PaymentRecord & { attempt_id: string | null }): Promise<PaymentRecord> {
    const attempt_id = record.attempt_id ?? ""
    const acquirer = await this.acquirerOf(record)
    const verdict = await this.claim(record, attempt_id)
    if (verdict === "over") {
      return this.close(record, acquirer, "expire")
    }
    if (verdict === "taken" || acquirer.confirm === undefined) {
      return this.transactions.bySession(record.session_id)
    }
    const confirm = acquirer.confirm.bind(acquirer)
    return this.settlement.settle(attempt_id, await inTime(() => confirm(attemptRequest(this.database, record))))
  }

  /** Under the transaction's lock: whether the money may be moved now, and by whom (docs/decisions: 0036). */
  private claim({ session_id }: PaymentRecord, attempt_id: string): Promise<"mine" | "taken" | "over"> {
    return this.database.transaction(async (sql) => {
      const locked = await this.transactions.lockSession(sql, session_id)
      if (merchantNow(locked) >= locked.expires_at || locked.state !== "PROCESSING") {
        return "over"
      }
      await requireMayCharge(sql, locked, chargingServiceOf(locked))
      return (await claimConfirmation(sql, attempt_id)) ? "mine" : "taken"
    })
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
      const code = { leave: "CANCELLED", fail: "CARD_DECLINED", expire: "EXPIRED", lost: "NETWORK_ERROR" }[why]
      return this.settlement.close(attempt_id, { ...answer, code, retry: undefined }, record)
    }
    return this.settlement.abandon(attempt_id, why)
  }

  /** A late answer may be about another acquirer than the one that the latest attempt went to. */
  private acquirerOf(record: PaymentRecord & Partial<AttemptRecord>): Promise<Acquirer> {
    return this.acquirers.byId(record, record.paid_with?.acquirer ?? record.acquirer)
  }
}

/** Whether the acquirer moves the money only when it is told to. */
function hasConfirm({ confirm }: Acquirer): boolean {
  return confirm !== undefined
}

/** On the acquirer's page nobody has paid yet, as far as the acquirer knows. */
function awaitsShopper({ attempt_state }: PaymentRecord, answer: Answer): boolean {
  if (answer.result === "absent") {
    return attempt_state === "REDIRECTED"
  }
  return answer.result === "unknown" && answer.awaiting_shopper === true
}

function unknownOf(answer: Answer): Unknown {
  return answer.result === "unknown" ? answer : { result: "unknown", message: "The shopper has not paid yet" }
}

/** Whether the call that may move the money can still be running: only then an attempt has no page of the acquirer's. */
function isUnderWay({ attempt_state, attempt_started_at, attempt_confirmed_at }: PaymentRecord): boolean {
  const began = attempt_state === "CONFIRMING" ? attempt_confirmed_at : attempt_started_at
  return attempt_state !== "REDIRECTED" && began !== null && Date.now() - began.getTime() < ATTEMPT_LIFE_MS
}
