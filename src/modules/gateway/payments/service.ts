import { askForMoney, timed } from "../acquirers/in-time"
import type { Acquirer, Done, Instrument, PaymentRequest, Redirect, Refused, Unknown } from "../acquirers/port"
import type { AcquirerRegistry, ConfiguredAcquirer, WithAcquirers } from "../acquirers/registry"
import type { EmiOffer } from "../emi/rules"
import { beginAttempt, noteLanguage, noteRedirect, type Timed } from "./attempts"
import { GatewayError } from "../kernel/errors"
import { newAttemptId } from "../kernel/text/ids"
import { countedNetwork } from "../kernel/http/ip"
import { processingFee } from "../kernel/money/money"
import { captureModeOf } from "./captures/rules"
import { choosePaymentService, usableFor, type PaymentServiceRow } from "./payment-choice"
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
/**
 * `offer`: the EMI offer that the customer accepts with this payment. `token`: of the saved method that pays, as its
 * acquirer issued it; it goes into no record.
 */
type Chosen = { chosen: ConfiguredAcquirer; offer: EmiOffer | null; token: string | null }
type Reservation = Chosen & { record: PaymentRecord }
type Choice = Chosen & {
  service: PaymentServiceRow
  attempt: Pick<PaymentRecord, "attempt_instrument_id" | "attempt_saves" | "instrument" | "attempt_capture">
}
/** What the shopper pays with: entered on the page, or the uuid of a saved method. `save`: for later checkouts. */
export type PayWith = { instrument: Instrument; save?: boolean } | { saved_method: string }
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
  private readonly acquirers: AcquirerRegistry
  private readonly emi: EmiService
  private readonly savedMethods: SavedMethodService
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
    const reservation = await this.reserve(input)
    const { record } = reservation
    const answer = await this.call(reservation, input)
    const attempt_id = record.attempt_id ?? ""
    if (answer.result === "redirect") {
      await this.database.transaction((sql) => noteRedirect(sql, attempt_id, answer.url, answer))
      return { ...outcomeOf(record, merchantNow(record), input.page_url), redirect_url: answer.url }
    }
    const settled = await this.settlement.settle(attempt_id, answer)
    return outcomeOf(settled, merchantNow(settled), input.page_url)
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
      const choice = await this.choose(sql, record, input)
      await this.subscriptionPayments.reserve(sql, record)
      return this.hold(sql, { ...record, ...choice.attempt, attempt_is_final: final, visitor_network }, choice)
    })
    if (reservation === null) {
      throw new GatewayError("PAYMENT_TIMEOUT")
    }
    return reservation
  }

  /** The payment service, acquirer and EMI offer of what the shopper pays with. A saved method stays at its acquirer. */
  private async choose(sql: Sql, record: PaymentRecord, input: PayInput): Promise<Choice> {
    const acquirers = await this.acquirers.of(record, sql)
    const isServed = (code: string) => acquirers.flowOf(code, record.currency) !== null
    const services = usableFor(record, await paymentServices(sql, record), acquirers)
    if ("saved_method" in input) {
      const saved = await this.savedMethods.choose(sql, record, input.saved_method, input.account_key ?? null)
      const instrument = { method: saved.method, payment_service: saved.service }
      const service = choosePaymentService(services, record.payment_info, instrument, isServed)
      const offer = await this.emi.offerFor(sql, record, instrument)
      const attempt_capture = captureModeOf(
        record,
        service.capture,
        record.merchant_capture,
        offer !== null || input.keep === true
      )
      const attempt = {
        attempt_instrument_id: saved.row_id,
        attempt_saves: false,
        instrument: saved.summary,
        attempt_capture,
      }
      const reserves = attempt_capture !== "automatic"
      const chosen = acquirers.forSaved(saved.acquirer, service.code, record.currency, reserves)
      return { service, chosen, offer, attempt, token: saved.token }
    }
    const service = choosePaymentService(services, record.payment_info, input.instrument, isServed)
    acquirers.forService(service.code, record.currency).acquirer.check(input.instrument)
    const offer = await this.emi.offerFor(sql, record, input.instrument)
    const attempt_capture = captureModeOf(
      record,
      service.capture,
      record.merchant_capture,
      offer !== null || input.keep === true
    )
    const chosen = acquirers.forService(service.code, record.currency, able(record, offer, attempt_capture))
    chosen.acquirer.check(input.instrument)
    const isKept = input.save === true && chosen.acquirer.charge !== undefined
    const attempt_saves = isKept && (await this.savedMethods.maySave(sql, record, input.account_key ?? null))
    const attempt = { attempt_instrument_id: null, attempt_saves, instrument: null, attempt_capture }
    return { service, chosen, offer, attempt, token: null }
  }

  private async hold(sql: Sql, record: PaymentRecord, { service, chosen, offer, token }: Choice): Promise<Reservation> {
    const fee = { basisPoints: service.fee_basis_points, fixedMinor: service.fee_fixed_minor }
    const held: PaymentRecord = {
      ...record,
      state: "PROCESSING",
      attempts: record.attempts + 1,
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
    await beginAttempt(sql, held)
    if (offer !== null) {
      await this.emi.keep(sql, held, offer)
    }
    return { record: held, chosen, offer, token }
  }

  private async call(
    { record, chosen: { acquirer, account }, offer, token }: Reservation,
    input: PayInput
  ): Promise<(Done | Refused | Unknown | Redirect) & Timed> {
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
    return timed(() => askForMoney<Done | Refused | Unknown | Redirect>(() => acquirer.start(request)))
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

/**
 * Whether an acquirer can do what the shopper and the merchant agreed to: take instalments and not the whole amount at
 * once; keep the method, without which the money of a verification would move for nothing; reserve money that is to be
 * captured later.
 */
function able(
  record: PaymentRecord,
  offer: Choice["offer"],
  capture: PaymentRecord["attempt_capture"]
): (acquirer: Acquirer) => boolean {
  return ({ instalments, charge, authorizing }) =>
    (offer === null || instalments === true) &&
    (record.source !== "verification" || charge !== undefined) &&
    (capture === "automatic" || authorizing !== undefined)
}

/** An acquirer with a page of its own asks for these there: whatever was sent to us is not passed on. */
function withoutSecrets(instrument: Instrument): Instrument {
  return { ...instrument, card: undefined, mobile: undefined }
}

function paymentServices(sql: Sql, record: PaymentRecord): Promise<PaymentServiceRow[]> {
  return sql.query<PaymentServiceRow>(
    `SELECT service_id, code, name, kind, fee_basis_points, fee_fixed_minor, supports_refunds, capture FROM gateway_payment_service
     WHERE merchant_id = $1 AND environment = $2 AND is_active ORDER BY service_id`,
    [record.merchant_id, record.environment]
  )
}
