import type { Acquirer, Incoming, Instrument, Minor, PaymentRequest, References } from "../acquirers"

/** One movement in the acquirer's own books; `reference`: by which `done` has to name it. A capture is a payment. */
export type Movement = { kind: "payment" | "refund"; reference: string; amount: Minor; currency: string }

/** What a browser brings back: the address it is sent to, with the form that it posts there; null: it is sent nowhere. */
export type BroughtBack = { url: string; form?: Readonly<Record<string, string>> } | null

/** A payment that the shopper has paid, as the stand-in can find it. */
export type PaidPayment = { key: string; reference: string; references: References }

/**
 * An acquirer on this machine, as its adapter's tests play it: an http server that checks requests, moves money in a book
 * and answers. The tests ask it for what the adapter cannot be trusted with. Amounts are in hundredths.
 */
export type AcquirerStandIn = {
  /** Its address. The tests put a line of their own before it, whose address `open` gets. */
  url: string
  /**
   * The adapter, asking at that address, as a new process makes it: what is kept between two calls must be kept outside
   * of the adapter, as the gateway keeps references and tokens.
   */
  open(address: string): Acquirer
  /** All money that has moved since the stand-in was started. */
  movements(): readonly Movement[] | Promise<readonly Movement[]>
  /** What a shopper does on the page at that address. For an inline adapter without pages: never called. */
  shopper(url: string, act: "pay" | "decline" | "cancel"): Promise<BroughtBack>
  /** Of each payment: its payment service, currency, instrument and whatever else differs from `CARD` in BDT. */
  request?: Partial<PaymentRequest>
  /** Of an inline adapter: an instrument that is declined. */
  declined?: Instrument
  /** The smallest and the largest amount that the acquirer takes; 0.01 and 999,999.99 without them. */
  smallest?: Minor
  largest?: Minor
  /** Passwords and keys, which no answer, error or log line may contain. */
  secrets: readonly string[]
  /** What the adapter has logged so far. */
  logged?(): readonly string[]
  /** The acquirer's notification of a paid payment; required if the adapter has `readNotification`. */
  notification?(payment: PaidPayment): Incoming | Promise<Incoming>
  /** Its notifications are signed: one that was changed must be `forged`. */
  signsNotifications?: boolean
  /** What lies between an accepted refund and its end happens now; without it refunds end at once. */
  finishRefunds?(): void | Promise<void>
  /** Somebody gives the payment back wholly in the acquirer's dashboard: only of an acquirer that takes refunds there alone. */
  refundByHand?(payment: PaidPayment): void | Promise<void>
  /** The next answer to a refund names this amount: only where answers are encrypted, and the tests cannot change them. */
  misstateRefund?(amount: Minor): void
}
