import type { Logger } from "@medusajs/framework/types"
import type { Message } from "../../../i18n/message"
import type { Environment } from "../kernel/money/clock"
import type { Minor } from "../kernel/money/money"
import type { PaymentMethod } from "../merchants/payment-services"
import type { CustomerDetails, InstalmentTerms, OrderItem, OrderNames } from "./order"
import type { DisputeCalls } from "./dispute-port"
import type { Authorized, Authorizing } from "./authorization-port"
import type { MovementNumbers, SettlementCalls } from "./settlement-port"

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

/**
 * The acquirer's own names of an attempt or refund: `{ paymentID, trxID }`. The adapter chooses the keys; the core
 * keeps them, merges new ones over old ones, and passes them along with every later question. Never a secret.
 */
export type References = Readonly<Record<string, string>>

/** What is worth keeping of an answer: fees, card scheme, risk, times. The adapter lists its fields; never a secret. */
export type Details = Readonly<Record<string, string>>

/** An attempt, as every question about it names it. `amount` is in hundredths of `currency`. */
export type AttemptRequest = {
  /** The attempt's id, 30 lower-case letters and digits. The acquirer moves money at most once per key. */
  key: string
  amount: Minor
  currency: string
  service: string
  references: References
  /** When the session ends: after this the shopper should no longer be able to pay. The merchant's clock, as `now`. */
  expires_at: Date
  now: Date
  /** Saves references before money can move. If it throws, nothing may be sent. Offered in every call or in none. */
  save?: (references: References) => Promise<void>
}

export type PaymentRequest = Omit<AttemptRequest, "references"> &
  OrderNames & {
    transaction_id: string
    instrument: Instrument
    /** Absent: paid in full. */
    instalments?: InstalmentTerms
    description: string
    customer: CustomerDetails
    items: readonly OrderItem[]
    language: "en" | "bn"
    /** Where the acquirer's own page sends the shopper back to, by GET or POST; it names the attempt in its path. */
    return_url: string
    /** Where the acquirer sends its notifications. */
    notification_url: string
    /** Whether to keep the instrument for automatic charges; the acquirer may decline. */
    keep: boolean
    /** The payment only verifies the instrument, and the money goes back (docs/decisions/18). */
    verifies?: boolean
    /** The money is only reserved, and captured later; asked only of an acquirer with `authorizing`. */
    authorize_only?: boolean
  }

/** What may be stored about an instrument: never a full number. */
export type InstrumentSummary = { brand?: string; last_four?: string; account?: string }

/** A kept instrument: a token that only its acquirer can charge. */
export type KeptInstrument = { token: string; expiry_month?: number; expiry_year?: number }

/** The acquirer's own numbers and facts that came with an answer. */
export type Reported = { references?: References; details?: Details }

/**
 * Money has moved; the acquirer's reference is unique per payment. `amount` (in hundredths) and `currency` are of the
 * acquirer's own answer, never copied from the request: the core compares them with the request and keeps the payment
 * open when they differ. For EMI, `amount` is the order's, as in the request. `kept` answers a request to keep.
 */
export type Done = Reported & {
  result: "done"
  reference: string
  amount: Minor
  currency: string
  instrument?: InstrumentSummary
  kept?: KeptInstrument
  /** The acquirer suspects fraud although the money has moved; the reason in its own words. */
  risk?: string
  /** The instalments that the bank has really granted; 0 months: paid in full. */
  instalments?: { months: number; bank_name: string | null }
  /** Further payments that the acquirer took under the same key: the core gives them back. */
  extra?: readonly ExtraPayment[]
  /** No money has moved: the shopper's bank has reserved it. Absent: it has moved. */
  authorized?: Authorized
}

/** A payment beside the one that counts; `reference` is what its refund names. */
export type ExtraPayment = { reference: string; amount: Minor; currency: string; references: References }

/** Why a payment was declined, for the sentence that the shopper reads; more exact than the contract's sub-codes. */
export const DECLINE_REASONS = [
  "insufficient_funds",
  "expired_card",
  "wrong_security_code",
  "wrong_pin",
  "wrong_otp",
  "otp_expired",
  "too_many_tries",
  "repeated_too_soon",
  "repeated_in_ten_minutes",
  "limit_exceeded",
  "authentication_failed",
  "account_blocked",
  "fraud_suspected",
  "method_unavailable",
] as const
export type DeclineReason = (typeof DECLINE_REASONS)[number]

/** Whose fault a refusal is, when it is not the shopper's: an admin has to act, or the acquirer is down. */
export type Trouble = "network" | "maintenance" | "rate_limited" | "credentials" | "bad_request"

/** No money has moved; unless `retry` (not reached: the same call may be made again) none will. `code`: the contract's. */
export type Refused = Reported & {
  result: "refused"
  code: string
  /** English, for the record. */
  message: string
  reason?: DeclineReason
  tries_left?: number
  instrument?: InstrumentSummary
  trouble?: Trouble
  retry?: boolean
}

/**
 * The outcome is not known: a timeout, a broken connection, a nonsensical answer. `ask_again_at` (merchant's clock):
 * when the acquirer will know; absent: the usual schedule. `awaiting_shopper`: no money has moved yet, the shopper has
 * not finished on the acquirer's page. `agreed`: the shopper has, and only `confirm` is missing: the acquirer was never
 * asked to move the money. `needs_operator`: only the acquirer's own dashboard may ever show the outcome.
 */
export type Unknown = Reported & {
  result: "unknown"
  message: string
  ask_again_at?: Date
  awaiting_shopper?: boolean
  agreed?: boolean
  needs_operator?: boolean
  trouble?: Trouble
}

/** The shopper must go to the acquirer's own page. `ask_again_at`: as in Unknown. */
export type Redirect = Reported & { result: "redirect"; url: string; ask_again_at?: Date }

/** The acquirer has no record of the key: it never received the request. */
export type Absent = { result: "absent" }

/** A charge without the shopper: `token` as the acquirer issued it. */
export type ChargeRequest = Omit<AttemptRequest, "references" | "expires_at"> & {
  token: string
  description: string
  /** What an earlier call of this charge saved. */
  references?: References
  /** As in a payment. */
  authorize_only?: boolean
}

export type RefundRequest = {
  /** The refund's id; the acquirer gives money back at most once per key. */
  key: string
  amount: Minor
  currency: string
  /** References of this refund that earlier answers gave. */
  references: References
  reason: string
  payment: { key: string; reference: string; amount: Minor; references: References }
  /** References of the payment's other refunds (`refundReference`); `reference`: the acquirer's number. */
  other_refunds: readonly References[]
  now: Date
  save?: AttemptRequest["save"]
}

/** What an acquirer sends on its own account, or a browser brings from it. Untrusted. */
export type Incoming = {
  method: string
  /** Without the host: `/gateway/acquirers/…?a=b`. */
  target: string
  headers: Readonly<Record<string, string | string[] | undefined>>
  /** The exact bytes, for signatures. */
  body: Buffer
}

/** Whom an incoming message is about, and what it claims. It makes the core ask, and proves nothing. */
export type Hint = {
  about: "payment" | "refund" | "dispute"
  /** The attempt's or refund's key; absent: found by `references`. A dispute's is the acquirer's own number. */
  key?: string
  references?: References
  claims: "paid" | "not_paid" | "cancelled" | "unclear"
}

/** `forged`: its signature is wrong, and nothing is applied. `irrelevant`: it is about nothing of ours. */
export type Notification = { result: "hint"; hint: Hint } | { result: "irrelevant" } | { result: "forged"; why: string }

export type ConnectionTest = { works: true } | { works: false; trouble: Trouble; message: string }
/**
 * Moves the money. Calls happen between two database transactions, never inside one, and carry the row's id as
 * idempotency key. An implementation returns every outcome it can name; a throw counts as `unknown`.
 */
export interface Acquirer extends DisputeCalls<Absent, Refused, Unknown>, SettlementCalls<Refused, Unknown> {
  readonly id: string
  /** `redirect`: `start` moves nothing, and nobody can pay without the page that it returns. */
  readonly flow: "inline" | "redirect"
  /** Whether `start` supports `instalments`; without it no EMI is offered. */
  readonly instalments?: boolean
  /** Whether `start` and `charge` can reserve money, and how it is taken; without it every payment is taken at once. */
  readonly authorizing?: Authorizing<Done, Refused, Unknown, Absent>
  /** The acquirer must not be asked for two refunds of one payment at the same time. */
  readonly serialRefunds?: boolean
  /** The reference by which it knows a refund, if it knows no key of ours. The core accepts none for two refunds. */
  readonly refundReference?: string
  /** A shopper may pay on its page after a payment or a decline: the core then asks a few more times. */
  readonly pageStaysOpen?: boolean
  /** Refuses an invalid instrument before the attempt is used up, with a GatewayError that names the field. */
  check(instrument: Instrument): void
  start(request: PaymentRequest): Promise<Done | Refused | Unknown | Redirect>
  /** Called when the shopper returns, after a notification, and by the reconciler. Moves nothing. */
  query(request: AttemptRequest): Promise<Done | Refused | Unknown | Absent>
  /**
   * For an acquirer that moves the money in a separate step, after the shopper has agreed on its page. The core calls
   * it after a hint that claims `paid`, and never twice at a time. An unanswered call is resolved by `query`, and made
   * again only when that answers `agreed`. An `awaiting_shopper` or `agreed` answer: the hint was forged, nothing moved.
   */
  confirm?(request: AttemptRequest): Promise<Done | Refused | Unknown>
  /** Closes an attempt that the shopper has left. `refused`: no money moves any more; `unknown`: it stays watched. */
  abandon?(request: AttemptRequest): Promise<Done | Refused | Unknown>
  /** Charges a kept instrument, if it keeps any. The same key again returns the first answer and moves nothing. */
  charge?(request: ChargeRequest): Promise<Done | Refused | Unknown>
  forget?(token: string): Promise<void>
  refund(request: RefundRequest): Promise<Done | Refused | Unknown>
  refundStatus(request: RefundRequest): Promise<Done | Refused | Unknown | Absent>
  /** Reads what the shopper's browser brings back; null: nothing in it that helps. Makes no request. */
  readReturn?(incoming: Incoming): Hint | null
  /** Reads and authenticates a notification. */
  readNotification?(incoming: Incoming): Promise<Notification>
  /** Whether the acquirer accepts the credentials; moves nothing. */
  test?(): Promise<ConnectionTest>
}

export type KeptToken = { token: string; refresh_token: string | null; expires_at: Date }

/**
 * Access tokens of acquirers that limit how often one is issued. All processes share them, and one renews them with
 * `issue`, given what is left of the last. `refused` is a token that the acquirer has just rejected: not given again.
 */
export type TokenStore = {
  get(issue: (previous: KeptToken | null) => Promise<KeptToken>, refused?: string): Promise<string>
}

export type CredentialField = {
  /** Its name in the account, as the acquirer spells it: `store_id`. */
  name: string
  /** Its environment variable for the store's own merchant: `SSLCOMMERZ_STORE_ID`. */
  variable: string
  /** Encrypted at rest, and never shown again. */
  secret: boolean
  required: boolean
  max_length: number
  pattern?: RegExp
  /** It may have line breaks, as a key in PEM has. */
  multiline?: boolean
  /** What is wrong with a value, where a pattern cannot say it; null: nothing. */
  rule?: (value: string) => Message | null
}

/** What an adapter needs from the gateway. */
export type AcquirerContext = {
  environment: Environment
  /** By the names of `AcquirerDefinition.credentials`. */
  credentials: Readonly<Record<string, string>>
  tokens: TokenStore
  /** The acquirer's address when it is not its own: a stand-in's. */
  base_url?: string
  logger: Pick<Logger, "warn" | "error">
}

/** An acquirer that the gateway includes; an account with credentials makes it an `Acquirer`. */
export type AcquirerDefinition = MovementNumbers & {
  id: string
  /** As admins and shoppers know it. */
  name: string
  /** Codes of the payment services that it can serve. */
  services: readonly string[]
  currencies: readonly string[]
  credentials: readonly CredentialField[]
  open(context: AcquirerContext): Acquirer
}
