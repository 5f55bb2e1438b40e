import type { Environment } from "../../kernel/clock"
import type { Minor } from "../../kernel/money"
import type { PaymentMethod } from "../../merchants/payment-services"

/** What the shopper pays with, as the hosted page or the sandbox helper hands it over. Never stored as it is. */
export type Instrument = {
  method: PaymentMethod
  payment_service?: string | null
  /** Digits only; sandbox only: in production no card number reaches this process. */
  card?: { number: string; expiry_month?: number; expiry_year?: number }
  mobile?: { number: string; otp: string; pin: string }
  emi_configuration_id?: string | null
  /** The mark of the offer that the customer was shown: another one by now means that nothing may be charged. */
  emi_mark?: string | null
}

/** Instalments: what the bank collects from its customer in place of `amount`, which is the merchant's all the same. */
export type InstalmentTerms = {
  configuration_uuid: string
  bank_name: string
  months: number
  /** Order amount and interest. */
  total: Minor
  /** Once, with the first instalment. */
  fee: Minor
  monthly: Minor
  last: Minor
}

export type PaymentRequest = {
  /** The idempotency key: the acquirer moves money at most once for it. */
  key: string
  amount: Minor
  currency: string
  service: string
  instrument: Instrument
  /** Absent: paid in full. */
  instalments?: InstalmentTerms
  description: string
  /** Where the acquirer's own page sends the shopper back to. */
  return_url: string
  /** Whether the instrument is to be kept for automatic charges; the acquirer may decline to. */
  keep: boolean
  /** The merchant's clock. */
  now: Date
}

/** What may be kept of an instrument: never a full number. */
export type InstrumentSummary = { brand?: string; last_four?: string; account?: string }

/** What an acquirer keeps of an instrument: a token that only it can charge. */
export type KeptInstrument = { token: string; expiry_month?: number; expiry_year?: number }

/**
 * Money has moved: the acquirer's reference is unique per payment. `amount` and `currency` are what it says it has moved,
 * read from its own answer and never copied from the request: the core compares them with what was asked, and holds what
 * does not agree. Of instalments, `amount` is the order's, as in the request. `kept` answers a request to keep the instrument.
 */
export type Done = {
  result: "done"
  reference: string
  amount: Minor
  currency: string
  instrument?: InstrumentSummary
  kept?: KeptInstrument
}

/** Nothing has moved and, unless `retry`, nothing will. `code` is one of the contract's sub-codes. */
export type Refused = { result: "refused"; code: string; message: string; retry?: boolean }

/**
 * Nobody knows yet: a timeout, a broken connection, an answer that makes no sense. It stays open. `ask_again_at`
 * (merchant's clock) is for an acquirer that says itself when it will know; otherwise the usual times hold.
 */
export type Unknown = { result: "unknown"; message: string; ask_again_at?: Date }

/** The shopper is to be sent to the acquirer's own page. */
export type Redirect = { result: "redirect"; url: string }

/** The acquirer has no record of the key: it was never asked. */
export type Absent = { result: "absent" }

/** A charge without the shopper: `key` as for a payment, `token` as the acquirer gave it. */
export type ChargeRequest = {
  key: string
  token: string
  amount: Minor
  currency: string
  service: string
  description: string
  now: Date
}

export type RefundRequest = {
  key: string
  payment_key: string
  payment_reference: string
  amount: Minor
  currency: string
  now: Date
}

/**
 * Whoever moves the money. Calls happen between two transactions, never inside one, and carry the row's id as
 * idempotency key. An implementation does not throw for an outcome it can name; what it throws is `unknown`.
 */
export interface Acquirer {
  readonly id: string
  readonly flow: "inline" | "redirect"
  /** Whether `start` heeds `instalments`; without it no EMI is offered. */
  readonly instalments?: boolean
  /** Refuses an instrument before the attempt is used up, with a GatewayError naming the field. */
  check(instrument: Instrument): void
  start(request: PaymentRequest): Promise<Done | Refused | Unknown | Redirect>
  /** Asked when the shopper returns from the acquirer's page, and by the reconciler. */
  query(key: string, now: Date): Promise<Done | Refused | Unknown | Absent>
  /**
   * Charges a kept instrument; asked again with the same key, it gives the first answer and moves nothing. An acquirer
   * that keeps none leaves it out.
   */
  charge?(request: ChargeRequest): Promise<Done | Refused | Unknown>
  refund(request: RefundRequest): Promise<Done | Refused | Unknown>
  refundStatus(key: string, now: Date): Promise<Done | Refused | Unknown | Absent>
}

/** One line of configuration: which acquirer serves which environment and payment services. */
export type AcquirerSetting = {
  environment: Environment
  /** Payment service codes; absent: all. */
  services?: string[]
  create: () => Acquirer
}
