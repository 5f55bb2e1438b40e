import { randomUUID } from "node:crypto"
import { askForMoney, ATTEMPT_LIFE_MS, inTime } from "./acquirers/in-time"
import type {
  Acquirer,
  AttemptRequest,
  Done,
  InstalmentTerms,
  Instrument,
  PaymentRequest,
  Redirect,
  Refused,
  Unknown,
} from "./acquirers/port"
import type { AcquirerRegistry, WithAcquirers } from "./acquirers/registry"
import type { EmiOffer } from "../emi/rules"
import { GatewayError } from "../kernel/errors"
import { countedNetwork } from "../kernel/ip"
import { processingFee } from "../kernel/money"
import { choosePaymentService, type PaymentServiceRow } from "./payment-choice"
import { nextInquiryAt } from "../kernel/retry-schedule"
import { publicStatus, transactionMachine } from "./states"
import type { Database, Sql } from "../kernel/database"
import { chargingServiceOf, requireMayCharge } from "./permission-to-charge"
import { merchantNow, outcomeOf, type PaymentOutcome, type PaymentRecord } from "./records"
import type { Cradle } from "../kernel/types"
import type { EmiService } from "../emi/service"
import type { SubscriptionPaymentService } from "../subscriptions/payments"
import type { TransactionService } from "./transactions"

const ENDED_UNPAID = ["FAILED", "CANCELLED", "EXPIRED"]

type Services = Cradle &
  WithAcquirers & {
    emiService: EmiService
    transactionService: TransactionService
    subscriptionPaymentService: SubscriptionPaymentService
  }
/** `offer`: the EMI offer that the customer accepts with this payment. */
type Reservation = { record: PaymentRecord; acquirer: Acquirer; token: string; offer: EmiOffer | null }
/**
 * `keep`: ask the acquirer to keep the instrument, because a subscription begins with this payment. `visitor_address`: of
 * the shopper on the hosted page, by which a decline is counted that is known only later.
 */
type PayInput = {
  session_id: string
  instrument: Instrument
  page_url: string
  keep?: boolean
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
  private readonly transactions: TransactionService
  private readonly subscriptionPayments: SubscriptionPaymentService

  constructor(cradle: Services) {
    this.database = cradle.database
    this.acquirers = cradle.acquirerRegistry
    this.emi = cradle.emiService
    this.transactions = cradle.transactionService
    this.subscriptionPayments = cradle.subscriptionPaymentService
  }

  /**
   * Errors: SESSION_NOT_FOUND, PAYMENT_TIMEOUT (expired), INVALID_STATE_TRANSITION (final or being paid),
   * MERCHANT_SUSPENDED, SERVICE_NOT_ENABLED, VALIDATION_ERROR, EMI_TERMS_CHANGED, EMI_CARD_NOT_ACCEPTED (the attempt is not used up). A decline is an outcome, not an
   * error. `page_url` is the session's own page, where a payment of unknown outcome waits.
   */
  async pay(input: PayInput): Promise<PaymentOutcome> {
    const reservation = await this.reserve(input)
    const { record, token } = reservation
    const answer = await this.call(reservation, input)
    if (answer.result === "redirect") {
      return { ...outcomeOf(record, merchantNow(record), input.page_url), redirect_url: answer.url }
    }
    const settled = await this.transactions.settle(record.transaction_id, token, answer)
    return outcomeOf(settled, merchantNow(settled), input.page_url)
  }

  /** The shopper cancels before paying (contract 3.3: cancel_url, CANCELLED). */
  async cancel(input: { session_id: string; page_url: string }): Promise<PaymentOutcome> {
    const record = await this.database.transaction((sql) => this.end(sql, input.session_id, "cancel"))
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
      return ENDED_UNPAID.includes(record.state)
        ? record
        : this.transactions.apply(sql, record, "expire", merchantNow(record))
    })
  }

  /** The shopper returns from the acquirer's own page: asks the acquirer for the outcome, and settles it. */
  async confirm(input: { session_id: string; page_url: string }): Promise<PaymentOutcome> {
    const record = await this.inquire(await this.transactions.bySession(input.session_id))
    return outcomeOf(record, merchantNow(record), input.page_url)
  }

  /**
   * Asks the acquirer for the outcome of a payment under way, and settles it when there is one. While the call of the
   * attempt may still be running, "never heard of it" and "try again" do not count: the money may move yet.
   */
  async inquire(record: PaymentRecord): Promise<PaymentRecord> {
    if (record.state !== "PROCESSING" || record.acquirer === null || record.attempt_token === null) {
      return record
    }
    const acquirer = this.acquirers.byId(record.environment, record.acquirer)
    const answer = await inTime(() => acquirer.query(attemptRequest(record)))
    const mayChange = answer.result === "absent" || (answer.result === "refused" && answer.retry === true)
    if (
      mayChange &&
      record.attempt_started_at !== null &&
      Date.now() - record.attempt_started_at.getTime() < ATTEMPT_LIFE_MS
    ) {
      return record
    }
    return this.transactions.settle(record.transaction_id, record.attempt_token, answer)
  }

  private async reserve({ session_id, instrument, visitor_address }: PayInput): Promise<Reservation> {
    const visitor_network = visitor_address === undefined ? null : countedNetwork(visitor_address)
    const reservation = await this.database.transaction(async (sql) => {
      const record = await this.transactions.lockSession(sql, session_id)
      if (publicStatus(record.state, record.expires_at, merchantNow(record)) === "EXPIRED") {
        await this.end(sql, session_id, "expire")
        return null
      }
      transactionMachine.require(record.state, "attempt")
      await requireMayCharge(sql, record, chargingServiceOf(record))
      const service = choosePaymentService(await paymentServices(sql, record), record.payment_info, instrument)
      const acquirer = this.acquirers.forService(record.environment, service.code)
      acquirer.check(instrument)
      const offer = await this.emi.offerFor(sql, record, instrument)
      await this.subscriptionPayments.reserve(sql, record)
      return this.hold(sql, { ...record, visitor_network }, service, acquirer, offer)
    })
    if (reservation === null) {
      throw new GatewayError("PAYMENT_TIMEOUT")
    }
    return reservation
  }

  private async hold(
    sql: Sql,
    record: PaymentRecord,
    service: PaymentServiceRow,
    acquirer: Acquirer,
    offer: EmiOffer | null
  ): Promise<Reservation> {
    const now = merchantNow(record)
    const token = randomUUID()
    const fee = { basisPoints: service.fee_basis_points, fixedMinor: service.fee_fixed_minor }
    const held: PaymentRecord = {
      ...record,
      state: "PROCESSING",
      attempt_token: token,
      attempt_started_at: new Date(),
      acquirer: acquirer.id,
      payment_method: service.kind,
      payment_service: service.code,
      charge_minor: Number(processingFee(BigInt(record.amount_minor), fee)),
    }
    await sql.query(
      `UPDATE gateway_transaction
       SET state = 'PROCESSING', attempt_token = $2, attempt_started_at = $3, inquiry_at = $4, payment_method = $5,
           payment_service = $6, acquirer = $7, charge_minor = $8, visitor_network = $9, updated_at = now()
       WHERE id = $1 AND state = 'OPEN'`,
      [
        held.transaction_id,
        token,
        held.attempt_started_at,
        nextInquiryAt(now, 0),
        held.payment_method,
        held.payment_service,
        held.acquirer,
        held.charge_minor,
        held.visitor_network,
      ]
    )
    if (offer !== null) {
      await this.emi.keep(sql, held, offer)
    }
    return { record: held, acquirer, token, offer }
  }

  private async call(
    { record, acquirer, offer }: Reservation,
    input: PayInput
  ): Promise<Done | Refused | Unknown | Redirect> {
    const request: PaymentRequest = {
      ...attemptRequest(record),
      transaction_id: record.transaction_id,
      order_id: record.order_id,
      instrument: input.instrument,
      instalments: offer === null ? undefined : instalmentTerms(offer),
      description: record.description ?? record.order_id,
      customer: record.customer,
      items: record.items ?? [],
      language: "en",
      return_url: `${input.page_url}/return`,
      notification_url: `${input.page_url}/return`,
      keep: input.keep === true || record.subscription_id !== null || record.payment_info?.is_recurring === true,
    }
    return askForMoney<Done | Refused | Unknown | Redirect>(() => acquirer.start(request))
  }

  /** A session whose time is up ends as EXPIRED whatever the trigger; the caller sees the state. */
  private async end(sql: Sql, session_id: string, trigger: "cancel" | "expire"): Promise<PaymentRecord> {
    const record = await this.transactions.lockSession(sql, session_id)
    const now = merchantNow(record)
    if (record.state === "EXPIRED") {
      return record
    }
    if (publicStatus(record.state, record.expires_at, now) === "EXPIRED") {
      return this.transactions.apply(sql, record, "expire", record.expires_at)
    }
    return this.transactions.apply(sql, record, trigger, now)
  }
}

function instalmentTerms({ configuration, figures }: EmiOffer): InstalmentTerms {
  const { uuid: configuration_uuid, bank_name, tenure_months: months } = configuration
  const { total, fee, monthly, last } = figures
  return { configuration_uuid, bank_name, months, total, fee, monthly, last }
}

function attemptRequest(record: PaymentRecord): AttemptRequest {
  return {
    key: record.transaction_id,
    amount: BigInt(record.amount_minor),
    currency: record.currency,
    service: record.payment_service ?? "",
    references: {},
    expires_at: record.expires_at,
    now: merchantNow(record),
  }
}

function paymentServices(sql: Sql, record: PaymentRecord): Promise<PaymentServiceRow[]> {
  return sql.query<PaymentServiceRow>(
    `SELECT service_id, code, name, kind, fee_basis_points, fee_fixed_minor FROM gateway_payment_service
     WHERE merchant_id = $1 AND environment = $2 AND is_active ORDER BY service_id`,
    [record.merchant_id, record.environment]
  )
}
