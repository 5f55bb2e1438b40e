import type { Language } from "../../../i18n/languages"
import type { Acquirer } from "../acquirers/port"
import type { AcquirerRegistry, AcquirerSet, WithAcquirers } from "../acquirers/registry"
import {
  allowedServices,
  isReservedBy,
  goesStraight,
  preselection,
  usableFor,
  type PaymentServiceRow,
} from "../payments/payment-choice"
import { PAYMENT_METHODS, type PaymentMethod } from "../merchants/payment-services"
import { profileOf, type MerchantProfile, type StoredProfile } from "../merchants/profile-rules"
import { attemptsLeft } from "../payments/attempt-states"
import { publicStatus, type TransactionStatus } from "../payments/states"
import type { Environment } from "../kernel/money/clock"
import type { EmiChoice } from "../emi/choice"
import type { Database } from "../kernel/database/database"
import { DESCRIPTION_IN_BANGLA } from "../plans/rules"
import { chargingServiceOf, mayCharge } from "../saved-methods/permission-to-charge"
import { merchantNow, returnUrl, type Decline, type PaymentRecord } from "../payments/records"
import { offeredMethods, type SavedMethod } from "../saved-methods/rules"
import type { SavedMethodService } from "../saved-methods/service"
import type { Cradle } from "../kernel/types"
import type { EmiPlan } from "../emi/plan"
import type { EmiService } from "../emi/service"
import type { RenewalTerms, RenewalTermsService } from "../subscriptions/store/renewal-terms"
import type { CartPaid, TransactionService } from "../payments/transactions"
import { hasPlan, isLeftBehind, pageItem, type PageItem } from "./rules"

/** `flow`: whether shoppers enter their details here or on the acquirer's own page. */
export type PageService = { id: number; code: string; name: string; flow: Acquirer["flow"] }
/** A kind of payment, with the services of it that an acquirer of the merchant serves. */
export type PageMethod = { kind: PaymentMethod; services: PageService[] }
type ServedService = PaymentServiceRow & { flow: Acquirer["flow"] }

/**
 * `preferred`: the saved method that is chosen at first; null: the shop or the shopper has chosen otherwise. `keeping`:
 * codes of the payment services whose acquirer keeps instruments. `was_declined`: a saved method was, at the last try.
 */
export type CheckoutAccount = {
  methods: SavedMethod[]
  preferred: string | null
  keeping: string[]
  was_declined: boolean
}

/** Everything the hosted page shows. Times on the merchant's clock, amounts in hundredths of the payment's currency. */
export type CheckoutPage = {
  session_id: string
  transaction_id: string
  order_id: string
  /** What people read as the order's number. */
  order_number: string
  merchant_id: string
  environment: Environment
  status: TransactionStatus
  /** A payment attempt is under way, or its outcome is not known yet. */
  processing: boolean
  /** The money has come, and an admin of the shop checks the payment. */
  held: boolean
  /** The money is authorised, and the shop takes it later. */
  authorized: boolean
  /** The payment failed although money had come, which is given back. */
  given_back: boolean
  error_code: string | null
  /** The last attempt was declined, and another one may follow. */
  declined: ({ code: string; attempts_left: number } & Decline) | null
  /** The acquirer's page on which the shopper may still pay; null: none. */
  acquirer_url: string | null
  merchant_name: string
  /** The merchant's (IANA), by whose clock times are written. */
  time_zone: string
  profile: MerchantProfile
  description: string | null
  description_bn: string | null
  currency: string
  amount_minor: number
  /** What is due in cash at the door besides; null: nothing, this pays the whole order. */
  in_cash_minor: number | null
  /** Once it was paid; with what is refunded, or on its way back. */
  paid: { at: Date; refunded_minor: number } | null
  items: PageItem[]
  now: Date
  expires_at: Date
  methods: PageMethod[]
  /** EMI offers, when the order may or must be paid in instalments. */
  emi: EmiChoice | null
  /** The plan with which it is paid, or being paid; null: in full, or not yet. */
  plan: EmiPlan | null
  preselected: { kind: PaymentMethod; service_code: string | null } | null
  /** The page need not be seen: the shopper chose in the shop, and nothing is left to choose here. */
  goes_straight: boolean
  /** What the customer has saved and may save; null: the visitor has not proved to be a customer of the store. */
  account: CheckoutAccount | null
  /** The payment only verifies a subscription's new payment method, and is given back at once. */
  verifies: boolean
  /** What is kept of this payment and charged later; null for a one-time payment. */
  renewal: RenewalTerms | null
  /** Ended early: the cart has changed, or another payment was started for it; `paid`: the one made for the cart. */
  left_behind: { paid: CartPaid | null } | null
  /** Whether the merchant may take payments: it is not suspended, the service is enabled, and an acquirer serves it. */
  may_be_paid: boolean
  link_token: string | null
  /** The attempt under way was begun on the acquirer's own page. */
  paid_elsewhere: boolean
  return_urls: { success: string; fail: string; cancel: string }
}

/** States of an attempt whose money goes back, or has gone back. */
const GIVEN_BACK: readonly string[] = ["SURPLUS", "RETURNED"]

type Services = Cradle &
  WithAcquirers & {
    emiService: EmiService
    savedMethodService: SavedMethodService
    renewalTermsService: RenewalTermsService
    transactionService: TransactionService
  }
type Extra = {
  in_cash_minor: number | null
  description_bn: string | null
  merchant_name: string
  profile: StoredProfile
  may_be_paid: boolean
  link_token: string | null
  enabled: string[]
  services: PaymentServiceRow[]
}

/** Reads a session for the hosted page. */
export class CheckoutPageService {
  private readonly database: Database
  private readonly acquirers: AcquirerRegistry
  private readonly emi: EmiService
  private readonly savedMethods: SavedMethodService
  private readonly renewals: RenewalTermsService
  private readonly transactions: TransactionService

  constructor(cradle: Services) {
    this.database = cradle.database
    this.acquirers = cradle.acquirerRegistry
    this.emi = cradle.emiService
    this.savedMethods = cradle.savedMethodService
    this.renewals = cradle.renewalTermsService
    this.transactions = cradle.transactionService
  }

  /** `account_key`: the browser's, for the saved methods of the checkout's customer. Throws SESSION_NOT_FOUND. */
  async page(session_id: string, account_key: string | null = null): Promise<CheckoutPage> {
    const record = await this.transactions.bySession(session_id)
    const { merchant_name, profile, may_be_paid, link_token, enabled, services, in_cash_minor, description_bn } =
      await this.extra(record)
    const now = merchantNow(record)
    const acquirers = await this.acquirers.of(record)
    const served = servedBy(acquirers, usableFor(record, services, acquirers), record.currency)
    const wanted = allowedServices(served, record.payment_info)
    const emi = await this.instalments(record, enabled, wanted)
    const allowed = emi?.required ? wanted.filter(({ kind }) => kind === "card") : wanted
    const account = emi?.required ? null : await this.account(record, acquirers, allowed, account_key)
    const renewal = await this.renewals.of(record, allowed)
    return {
      session_id: record.session_id,
      transaction_id: record.transaction_id,
      order_id: record.order_id,
      order_number: record.order_number,
      merchant_id: record.merchant_id,
      environment: record.environment,
      status: publicStatus(record.state, record.expires_at, now),
      processing: record.state === "PROCESSING" || record.state === "HELD",
      held: record.state === "HELD",
      authorized: record.state === "AUTHORIZED",
      given_back: record.state === "FAILED" && GIVEN_BACK.includes(record.attempt_state ?? ""),
      error_code: record.error_code,
      declined: declined(record),
      acquirer_url: record.state === "PROCESSING" && record.attempt_state === "REDIRECTED" ? record.redirect_url : null,
      merchant_name,
      time_zone: record.time_zone,
      profile: profileOf(profile),
      description: record.description,
      description_bn,
      currency: record.currency,
      amount_minor: record.amount_minor,
      in_cash_minor,
      paid: record.verified_at && {
        at: record.verified_at,
        refunded_minor: record.refunded_minor - record.waiting_minor,
      },
      items: (record.items ?? []).map(pageItem),
      now,
      expires_at: record.expires_at,
      methods: PAYMENT_METHODS.map((kind) => ({
        kind,
        services: allowed.filter((row) => row.kind === kind).map(option),
      })).filter(({ services: options }) => options.length > 0),
      emi,
      plan: hasPlan(record) ? await this.emi.planOf(record.transaction_id) : null,
      preselected: preselection(allowed, record),
      goes_straight: goesStraight(allowed, record, { emi, account, renewal }),
      account,
      verifies: record.source === "verification",
      renewal,
      left_behind: isLeftBehind(record) ? { paid: await this.transactions.paidForCart(record.cart_id) } : null,
      may_be_paid: may_be_paid && allowed.length > 0,
      link_token,
      paid_elsewhere: record.state === "PROCESSING" && record.redirect_url !== null,
      return_urls: {
        success: returnUrl(record, "SUCCESS"),
        fail: returnUrl(record, record.state === "FAILED" ? "FAILED" : "EXPIRED"),
        cancel: returnUrl(record, "CANCELLED"),
      },
    }
  }

  /** The shop's language for a page that the shopper has chosen none for; null: not known, or no such session. */
  async language(session_id: string): Promise<Language | null> {
    const sql = "SELECT language FROM gateway_checkout_session WHERE id = $1"
    const [row] = await this.database.query<{ language: Language | null }>(sql, [session_id])
    return row?.language ?? null
  }

  private async account(
    record: PaymentRecord,
    acquirers: AcquirerSet,
    allowed: readonly PaymentServiceRow[],
    key: string | null
  ): Promise<CheckoutAccount | null> {
    const saved = record.state === "OPEN" ? await this.savedMethods.ofBrowser(record, key) : null
    if (saved === null) {
      return null
    }
    const services = allowed.map(({ code }) => code)
    const reserved = allowed.filter((service) => isReservedBy(record, service)).map(({ code }) => code)
    const methods = offeredMethods(saved, {
      services,
      canCharge: (acquirer, service) =>
        acquirers.canCharge(acquirer, service, record.currency, reserved.includes(service)),
      now: merchantNow(record),
    })
    const { payment_info, attempts, attempt_state, attempt_instrument_id } = record
    const isChosen = attempts > 0 || Boolean(payment_info?.payment_service_id ?? payment_info?.emi_configuration_id)
    return {
      methods,
      preferred: isChosen ? null : (methods[0]?.id ?? null),
      keeping: services.filter((code) => acquirers.keepsInstruments(code)),
      was_declined: attempt_state === "DECLINED" && attempt_instrument_id !== null,
    }
  }

  /** Only an order that can still be paid, and by card, has EMI offers. */
  private async instalments(
    record: PaymentRecord,
    enabled: string[],
    wanted: PaymentServiceRow[]
  ): Promise<EmiChoice | null> {
    return record.state === "OPEN" && wanted.some(({ kind }) => kind === "card")
      ? this.emi.choice(record, enabled)
      : null
  }

  private async extra(record: PaymentRecord): Promise<Extra> {
    const [row] = await this.database.query<Extra>(
      `SELECT m.name AS merchant_name, m.profile, ${mayCharge(chargingServiceOf(record))} AS may_be_paid, e.services AS enabled, COALESCE(
         (SELECT json_agg(p ORDER BY p.service_id) FROM gateway_payment_service p
          WHERE p.merchant_id = m.id AND p.environment = $2 AND p.is_active), '[]') AS services,
         (SELECT l.token FROM gateway_payment_link l JOIN gateway_transaction t ON t.link_id = l.id WHERE t.id = $3) AS link_token,
         (SELECT o.total_minor - o.advance_minor FROM gateway_cash_order o WHERE o.payment_session_id = $4) AS in_cash_minor,
         (SELECT ${DESCRIPTION_IN_BANGLA} FROM gateway_checkout_session s WHERE s.id = $5)
       FROM gateway_merchant m JOIN gateway_merchant_environment e ON e.merchant_id = m.id AND e.environment = $2
       WHERE m.id = $1`,
      [record.merchant_id, record.environment, record.transaction_id, record.payment_session_id, record.session_id]
    )
    return row
  }
}

function servedBy(acquirers: AcquirerSet, services: readonly PaymentServiceRow[], currency: string): ServedService[] {
  return services.flatMap((service) => {
    const flow = acquirers.flowOf(service.code, currency)
    return flow === null ? [] : [{ ...service, flow }]
  })
}

function option({ service_id, code, name, flow }: ServedService): PageService {
  return { id: service_id, code, name, flow }
}

/** At least one attempt follows while the checkout is open, even when the merchant's setting was lowered meanwhile. */
function declined(record: PaymentRecord): CheckoutPage["declined"] {
  const { state, attempt_state, attempt_error_code: code, attempt_decline } = record
  if (state !== "OPEN" || attempt_state !== "DECLINED" || code === null) {
    return null
  }
  const { reason, tries_left } = attempt_decline ?? { reason: null, tries_left: null }
  return { code, reason, tries_left, attempts_left: Math.max(1, attemptsLeft(record)) }
}
