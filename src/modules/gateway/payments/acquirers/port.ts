import type { Environment } from "../../kernel/clock"
import type { Minor } from "../../kernel/money"
import type { PaymentMethod } from "../../merchants/payment-services"

/** What the shopper pays with, as received from the hosted page or the sandbox helper. Never stored in this form. */
export type Instrument = {
  method: PaymentMethod
  payment_service?: string | null
  /** Digits only, and only in the sandbox: in production no card number reaches this process. */
  card?: { number: string; expiry_month?: number; expiry_year?: number }
  mobile?: { number: string; otp: string; pin: string }
  emi_configuration_id?: string | null
  /** Identifies the offer that the customer saw. If it no longer matches, nothing may be charged. */
  emi_mark?: string | null
}

/** EMI: what the bank collects from its customer instead of `amount`. The merchant still receives `amount`. */
export type InstalmentTerms = {
  configuration_uuid: string
  bank_name: string
  months: number
  /** Order amount and interest. */
  total: Minor
  /** Charged once, with the first instalment. */
  fee: Minor
  monthly: Minor
  last: Minor
}

export type PaymentRequest = {
  /** The idempotency key: the acquirer moves money at most once per key. */
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
  /** Whether to keep the instrument for automatic charges; the acquirer may decline. */
  keep: boolean
  /** The merchant's clock. */
  now: Date
}

/** What may be stored about an instrument: never a full number. */
export type InstrumentSummary = { brand?: string; last_four?: string; account?: string }

/** A kept instrument: a token that only its acquirer can charge. */
export type KeptInstrument = { token: string; expiry_month?: number; expiry_year?: number }

/**
 * Money has moved; the acquirer's reference is unique per payment. `amount` and `currency` come from the acquirer's own
 * answer and are never copied from the request: the core compares them with the request and keeps the payment open when
 * they differ. For EMI, `amount` is the order's, as in the request. `kept` answers a request to keep the instrument.
 */
export type Done = {
  result: "done"
  reference: string
  amount: Minor
  currency: string
  instrument?: InstrumentSummary
  kept?: KeptInstrument
}

/** No money has moved and, unless `retry`, none will. `code` is one of the contract's sub-codes. */
export type Refused = { result: "refused"; code: string; message: string; retry?: boolean }

/**
 * The outcome is not known: a timeout, a broken connection, a nonsensical answer. The payment stays open.
 * `ask_again_at` (merchant's clock) is for an acquirer that says when it will know; otherwise the usual schedule
 * applies.
 */
export type Unknown = { result: "unknown"; message: string; ask_again_at?: Date }

/** The shopper must go to the acquirer's own page. */
export type Redirect = { result: "redirect"; url: string }

/** The acquirer has no record of the key: it never received the request. */
export type Absent = { result: "absent" }

/** A charge without the shopper: `key` as for a payment, `token` as the acquirer issued it. */
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
 * Moves the money. Calls happen between two database transactions, never inside one, and carry the row's id as
 * idempotency key. An implementation returns every outcome it can name; a throw counts as `unknown`.
 */
export interface Acquirer {
  readonly id: string
  readonly flow: "inline" | "redirect"
  /** Whether `start` supports `instalments`; without it no EMI is offered. */
  readonly instalments?: boolean
  /** Refuses an invalid instrument before the attempt is used up, with a GatewayError that names the field. */
  check(instrument: Instrument): void
  start(request: PaymentRequest): Promise<Done | Refused | Unknown | Redirect>
  /** Called when the shopper returns from the acquirer's page, and by the reconciler. */
  query(key: string, now: Date): Promise<Done | Refused | Unknown | Absent>
  /**
   * Charges a kept instrument. The same key again returns the first answer and moves nothing. An acquirer that keeps no
   * instruments omits this.
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
