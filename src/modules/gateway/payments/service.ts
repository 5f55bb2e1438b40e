import { askForMoney, timed } from "../acquirers/in-time"
import type { Done, Instrument, PaymentRequest, Redirect, Refused, Unknown } from "../acquirers/port"
import { SLOW_SECONDS } from "../acquirers/health"
import { firstToAsk, type AcquirerRegistry, type WithAcquirers } from "../acquirers/registry"
import { beginAttempt, noteLanguage, noteRedirect, type Timed } from "./attempts"
import { GatewayError } from "../kernel/errors"
import { newAttemptId } from "../kernel/text/ids"
import { countedNetwork } from "../kernel/http/ip"
import { processingFee } from "../kernel/money/money"
import { choose, type Choice, type PayWith } from "./choosing"
import { opensNoPage, passOn } from "./passing-on"
import { publicStatus, transactionMachine } from "./states"
import type { Database, Sql } from "../kernel/database/database"
import { chargingServiceOf, requireMayCharge } from "../saved-methods/permission-to-charge"
import { merchantNow, outcomeOf, type PaymentOutcome, type PaymentRecord } from "./records"
import type { Cradle } from "../kernel/types"
import type { EmiService } from "../emi/service"
import type { SubscriptionPaymentService } from "../subscriptions/payments"
import { acquirerUrls, paymentRequest, savedMethodRequest } from "./requests"
import type { SavedMethodService } from "../saved-methods/service"
import type { SettlementService } from "./settlement"
import type { TransactionService } from "./transactions"

/** How acquirers say that the shopper went away, which is no decline. */
const LEFT_BY_SHOPPER = ["CANCELLED", "EXPIRED"]
const ENDED_UNPAID = ["FAILED", "CANCELLED", "EXPIRED"]

type Services = Cradle &
  WithAcquirers & {
    emiService: EmiService
    savedMethodService: SavedMethodService
    settlementService: SettlementService
    transactionService: TransactionService
    subscriptionPaymentService: SubscriptionPaymentService
  }
/** `again`: another acquirer has opened no page before. */
type Reservation = { record: PaymentRecord; choice: Choice; again?: boolean }
/**
 * `account_key`: of the browser that may use the customer's saved methods. `keep`: ask the acquirer to keep the
 * instrument, because a subscription begins with this payment. `final`: a decline ends the transaction, and no other
 * attempt follows. `visitor_address`: of the shopper on the hosted page, by which a decline is counted that is known only
 * later.
 */
type PayInput = PayWith & {
  session_id: string
  page_url: string
  account_key?: string | null
  keep?: boolean
  final?: boolean
  language?: PaymentRequest["language"]
  visitor_address?: string
}

/**
 * Pays a session: reserve (one transaction), call the acquirer, settle (one transaction). Only the reservation that
 * moved OPEN to PROCESSING may call, and only its token may settle. So a session is paid at most once, whatever is
 * clicked, reloaded or raced (decisions: Checkout; design: six rules, 1 and 2).
 */
export class PaymentService {
  private readonly database: Database
  readonly acquirers: AcquirerRegistry
  readonly emi: EmiService
  readonly savedMethods: SavedMethodService
  private readonly settlement: SettlementService
  private readonly transactions: TransactionService
  private readonly subscriptionPayments: SubscriptionPaymentService

  constructor(cradle: Services) {
    this.database = cradle.database
    this.acquirers = cradle.acquirerRegistry
    this.emi = cradle.emiService
    this.savedMethods = cradle.savedMethodService
    this.settlement = cradle.settlementService
    this.transactions = cradle.transactionService
    this.subscriptionPayments = cradle.subscriptionPaymentService
  }

  /**
   * Errors: SESSION_NOT_FOUND, PAYMENT_TIMEOUT (expired), INVALID_STATE_TRANSITION (final or being paid),
   * MERCHANT_SUSPENDED, SERVICE_NOT_ENABLED, SERVICE_UNAVAILABLE, VALIDATION_ERROR, EMI_TERMS_CHANGED,
   * EMI_CARD_NOT_ACCEPTED, PAYMENT_METHOD_NOT_FOUND (the attempt is not used up). A decline is an outcome, not an
   * error. `page_url` is the session's own page, where a payment of unknown outcome waits.
   */
  async pay(input: PayInput): Promise<PaymentOutcome> {
    let reservation = await this.reserve(input)
    for (;;) {
      const { record } = reservation
      const answer = await this.call(reservation, input)
      const attempt_id = record.attempt_id ?? ""
      if (answer.result === "redirect") {
        await this.database.transaction((sql) => noteRedirect(sql, attempt_id, answer.url, answer))
        return { ...outcomeOf(record, merchantNow(record), input.page_url), redirect_url: answer.url }
      }
      const passedOn = await this.passOn(reservation, answer)
      if (passedOn === null) {
        const settled = await this.settlement.settle(attempt_id, answer)
        return outcomeOf(settled, merchantNow(settled), input.page_url)
      }
      reservation = passedOn
    }
  }

  /**
   * The shopper leaves before paying: CANCELLED (contract 3.3), or FAILED with its code when the last attempt was
   * declined (decisions: Checkout).
   */
  async cancel(input: { session_id: string; page_url: string }): Promise<PaymentOutcome> {
    const record = await this.database.transaction((sql) => this.leave(sql, input.session_id))
    if (record.state === "EXPIRED") {
      throw new GatewayError("PAYMENT_TIMEOUT")
    }
    return outcomeOf(record, merchantNow(record), input.page_url)
  }

  /**
   * Ends an unpaid session early because its cart took another course. A session that already ended unpaid stays as it
   * is; one that is paid, or being paid, is 409 INVALID_STATE_TRANSITION.
   */
  async expireNow(session_id: string): Promise<PaymentRecord> {
    return this.database.transaction(async (sql) => {
      const record = await this.transactions.lockSession(sql, session_id)
      // Its time may be up already, before a worker has written so.
      const at = new Date(Math.min(merchantNow(record).getTime(), record.expires_at.getTime()))
      return ENDED_UNPAID.includes(record.state) ? record : this.transactions.apply(sql, record, "expire", at)
    })
  }

  private async reserve(input: PayInput): Promise<Reservation> {
    const { session_id, final = false, visitor_address, language } = input
    const visitor_network = visitor_address === undefined ? null : countedNetwork(visitor_address)
    await noteLanguage(this.database, session_id, language)
    const reservation = await this.database.transaction(async (sql) => {
      const record = await this.transactions.lockSession(sql, session_id)
      if (publicStatus(record.state, record.expires_at, merchantNow(record)) === "EXPIRED") {
        await this.expire(sql, session_id)
        return null
      }
      transactionMachine.require(record.state, "attempt")
      await requireMayCharge(sql, record, chargingServiceOf(record))
      const choice = await choose(this, sql, record, input)
      await this.subscriptionPayments.reserve(sql, record)
      return this.hold(sql, { ...record, attempt_is_final: final, visitor_network }, choice)
    })
    if (reservation === null) {
      throw new GatewayError("PAYMENT_TIMEOUT")
    }
    return reservation
  }

  /**
   * Asks the next acquirer in place of one that opened no page: it takes a new attempt of its own, with its own key.
   * Null when there is none, or when the answer is how the attempt goes on.
   */
  private async passOn(
    { record: { attempt_id, attempt_is_final, visitor_network }, choice }: Reservation,
    answer: (Done | Refused | Unknown) & Timed
  ): Promise<Reservation | null> {
    if (choice.others.length === 0 || !opensNoPage(choice.chosen.acquirer, answer)) {
      return null
    }
    return this.database.transaction(async (sql) => {
      const next = await firstToAsk(sql, choice.others)
      const record = next && (await passOn(sql, this.transactions, attempt_id ?? "", answer))
      if (next === null || record === null) {
        return null
      }
      const held = await this.hold(sql, { ...record, attempt_is_final, visitor_network }, { ...choice, ...next })
      return { ...held, again: true }
    })
  }

  /** Begins an attempt: of an open payment, or in place of one that was passed on. */
  private async hold(sql: Sql, record: PaymentRecord, choice: Choice): Promise<Reservation> {
    const { service, chosen, offer, attempt } = choice
    const fee = { basisPoints: service.fee_basis_points, fixedMinor: service.fee_fixed_minor }
    const held: PaymentRecord = {
      ...record,
      ...attempt,
      attempt_saves: attempt.attempt_saves === true && chosen.acquirer.charge !== undefined,
      state: "PROCESSING",
      attempts: record.state === "OPEN" ? record.attempts + 1 : record.attempts,
      attempt_id: newAttemptId(),
      attempt_state: "STARTED",
      attempt_started_at: new Date(),
      attempt_error_code: null,
      attempt_decline: null,
      acquirer_ids: {},
      redirect_url: null,
      acquirer: chosen.acquirer.id,
      payment_method: service.kind,
      payment_service: service.code,
      // The merchant earns nothing with a verification, so it costs no fee.
      charge_minor: record.source === "verification" ? 0 : Number(processingFee(record, fee)),
    }
    await beginAttempt(sql, held, record)
    if (offer !== null) {
      await this.emi.keep(sql, held, offer)
    }
    return { record: held, choice }
  }

  private async call(
    { record, choice: { chosen, others, offer, token }, again = false }: Reservation,
    input: PayInput
  ): Promise<(Done | Refused | Unknown | Redirect) & Timed> {
    const { acquirer, account } = chosen
    if ("saved_method" in input) {
      const request = savedMethodRequest(this.database, record, token ?? "")
      return timed(() =>
        askForMoney<Done | Refused | Unknown>(
          async () => acquirer.charge?.(request) ?? { result: "unknown", message: "The acquirer charges nothing" }
        )
      )
    }
    const { language = "en", page_url } = input
    const instrument = acquirer.flow === "redirect" ? withoutSecrets(input.instrument) : input.instrument
    const keep = input.keep === true || record.attempt_saves === true
    const urls = acquirerUrls(page_url, { acquirer: acquirer.id, account, attempt_id: record.attempt_id ?? "" })
    const request = paymentRequest(this.database, record, { instrument, offer, keep, language, ...urls })
    // Where another acquirer can be asked at once, the shopper neither waits for this one nor for it to be asked again.
    // After another one's time, none is asked twice: a cart is locked only for so long.
    const patience = {
      seconds: others.length > 0 ? SLOW_SECONDS : undefined,
      mayRepeat: () => others.length === 0 && !again,
    }
    return timed(() => askForMoney<Done | Refused | Unknown | Redirect>(() => acquirer.start(request), patience))
  }

  /** A session whose time is up ends as EXPIRED whatever the trigger; the caller sees the state. */
  private async leave(sql: Sql, session_id: string): Promise<PaymentRecord> {
    const locked = await this.transactions.lockSession(sql, session_id)
    const record = locked.attempts === 0 ? locked : await this.transactions.bySession(session_id, sql)
    const now = merchantNow(record)
    if (record.state === "EXPIRED") {
      return record
    }
    if (publicStatus(record.state, record.expires_at, now) === "EXPIRED") {
      return this.transactions.apply(sql, record, "expire", record.expires_at)
    }
    const { attempt_error_code: error_code } = record
    return record.attempt_state !== "DECLINED" || error_code === null || LEFT_BY_SHOPPER.includes(error_code)
      ? this.transactions.apply(sql, record, "cancel", now)
      : this.transactions.apply(
          sql,
          { ...record, error_code, error_message: record.attempt_error_message },
          "leave",
          now
        )
  }

  private async expire(sql: Sql, session_id: string): Promise<void> {
    const record = await this.transactions.lockSession(sql, session_id)
    if (record.state === "OPEN") {
      await this.transactions.apply(sql, record, "expire", record.expires_at)
    }
  }
}

/** An acquirer with a page of its own asks for these there: whatever was sent to us is not passed on. */
function withoutSecrets(instrument: Instrument): Instrument {
  return { ...instrument, card: undefined, mobile: undefined }
}
