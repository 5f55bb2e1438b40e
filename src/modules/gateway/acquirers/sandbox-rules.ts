/** The sandbox's magic amounts, cards and codes. Source: contract 7.3 (sandbox triggers), decisions: Sandbox. */
import { addSeconds } from "../kernel/money/clock"
import type { Minor } from "../kernel/money/money"

export type DeclineCode =
  | "INSUFFICIENT_FUNDS"
  | "CARD_DECLINED"
  | "EXPIRED_CARD"
  | "INVALID_CVV"
  | "FRAUD_SUSPECTED"
  | "LIMIT_EXCEEDED"
  | "NETWORK_ERROR"
  | "AUTHENTICATION_FAILED"

export const DECLINE_MESSAGES: Readonly<Record<DeclineCode, string>> = {
  INSUFFICIENT_FUNDS: "The account does not have enough funds",
  CARD_DECLINED: "The card was declined by its bank",
  EXPIRED_CARD: "The card has expired",
  INVALID_CVV: "The card's security code is wrong",
  FRAUD_SUSPECTED: "The payment was stopped by fraud protection",
  LIMIT_EXCEEDED: "The payment is above the account's limit",
  NETWORK_ERROR: "The payment network could not be reached",
  AUTHENTICATION_FAILED: "The OTP or PIN is wrong",
}

export const REFUND_BEHAVIOURS = ["standard", "instant", "delayed", "fails"] as const
export type RefundBehaviour = (typeof REFUND_BEHAVIOURS)[number]

type SandboxCard = {
  number: string
  outcome: "SUCCESS" | DeclineCode
  refund: RefundBehaviour
  label: string
  /** Money that is only reserved: its captures fail; for how many days it can be captured. */
  captures_fail?: boolean
  authorized_days?: number
}

export const SANDBOX_CARDS: readonly SandboxCard[] = [
  { number: "4242424242424242", outcome: "SUCCESS", refund: "standard", label: "Succeeds" },
  { number: "4111111111111111", outcome: "SUCCESS", refund: "standard", label: "Succeeds" },
  { number: "5555555555554444", outcome: "SUCCESS", refund: "standard", label: "Succeeds" },
  { number: "378282246310005", outcome: "SUCCESS", refund: "standard", label: "Succeeds" },
  { number: "4000000000000002", outcome: "CARD_DECLINED", refund: "standard", label: "Declined" },
  { number: "4000000000009995", outcome: "INSUFFICIENT_FUNDS", refund: "standard", label: "Insufficient funds" },
  { number: "4000000000000069", outcome: "EXPIRED_CARD", refund: "standard", label: "Expired card" },
  { number: "4000000000000127", outcome: "INVALID_CVV", refund: "standard", label: "Wrong security code" },
  { number: "4100000000000019", outcome: "FRAUD_SUSPECTED", refund: "standard", label: "Fraud suspected" },
  { number: "4000000000007726", outcome: "SUCCESS", refund: "instant", label: "Succeeds, refunds at once" },
  { number: "4000000000007734", outcome: "SUCCESS", refund: "delayed", label: "Succeeds, refunds after 24 hours" },
  { number: "4000000000005126", outcome: "SUCCESS", refund: "fails", label: "Succeeds, its refund fails" },
  {
    number: "4000000000003055",
    outcome: "SUCCESS",
    refund: "standard",
    label: "Succeeds; when reserved, its capture fails",
    captures_fail: true,
  },
  {
    number: "4000000000003063",
    outcome: "SUCCESS",
    refund: "standard",
    label: "Succeeds; when reserved, for one day",
    authorized_days: 1,
  },
]

/** For how many days the sandbox's bank reserves money. */
const SANDBOX_AUTHORIZED_DAYS = 7
const DAY_SECONDS = 86_400

/** How the money of a card, or of any other method, is reserved. */
export function sandboxAuthorization(card_number: string, now: Date): { captures_fail: boolean; until: Date } {
  const { captures_fail = false, authorized_days = SANDBOX_AUTHORIZED_DAYS } = sandboxCard(card_number) ?? {}
  return { captures_fail, until: addSeconds(now, authorized_days * DAY_SECONDS) }
}

export const SANDBOX_OTP = "123456"
export const SANDBOX_PIN = "12345"
/** Any Bangladeshi number pays; this one is for those who have none. */
export const SANDBOX_MOBILE_NUMBER = "01700000000"

/** In the sandbox an order of exactly this amount answers AMOUNT_TOO_LOW instead of INVALID_REQUEST. */
export const SANDBOX_TOO_LOW_MINOR: Minor = 500n

/** Refunds of a transaction of exactly this amount always fail. */
export const SANDBOX_UNREFUNDABLE_MINOR: Minor = 99_900n

const CARDS_BY_NUMBER = new Map(SANDBOX_CARDS.map((card) => [card.number, card]))

const OUTCOMES_BY_AMOUNT = new Map<Minor, "SUCCESS" | DeclineCode>([
  [10_000n, "SUCCESS"],
  [20_000n, "INSUFFICIENT_FUNDS"],
  [30_000n, "CARD_DECLINED"],
  [40_000n, "NETWORK_ERROR"],
  [9_999_900n, "LIMIT_EXCEEDED"],
])

type SandboxAmount = { minor: Minor; outcome: "SUCCESS" | DeclineCode | "AMOUNT_TOO_LOW"; refund: RefundBehaviour }

/** Every special amount, the smallest first. */
export function sandboxAmounts(): SandboxAmount[] {
  const decided = [...OUTCOMES_BY_AMOUNT].map(([minor, outcome]) => ({ minor, outcome, refund: "standard" as const }))
  return [
    { minor: SANDBOX_TOO_LOW_MINOR, outcome: "AMOUNT_TOO_LOW" as const, refund: "standard" as const },
    ...decided,
    { minor: SANDBOX_UNREFUNDABLE_MINOR, outcome: "SUCCESS" as const, refund: "fails" as const },
  ].sort((one, other) => Number(one.minor - other.minor))
}

export function sandboxCard(number: string): SandboxCard | null {
  return CARDS_BY_NUMBER.get(number) ?? null
}

/** The outcome that the amount determines; null when the instrument determines it. */
export function outcomeOfAmount(amount: Minor): "SUCCESS" | DeclineCode | null {
  return OUTCOMES_BY_AMOUNT.get(amount) ?? null
}

/** The parts of the shopper's instrument that determine an outcome. */
type SandboxInstrument = { card_number?: string; otp?: string; pin?: string; method: string }

/**
 * The outcome that the instrument determines: of a card by its number (an unknown one is declined), of a mobile account
 * by OTP and PIN. Any other instrument succeeds.
 */
export function outcomeOfInstrument(instrument: SandboxInstrument): "SUCCESS" | DeclineCode {
  if (instrument.method === "card") {
    return sandboxCard(instrument.card_number ?? "")?.outcome ?? "CARD_DECLINED"
  }
  if (instrument.method === "mobile_banking") {
    const authentic = instrument.otp === SANDBOX_OTP && instrument.pin === SANDBOX_PIN
    return authentic ? "SUCCESS" : "AUTHENTICATION_FAILED"
  }
  return "SUCCESS"
}

/**
 * The outcome of a sandbox payment; a trigger amount decides before the instrument does, but no amount makes a wrong OTP
 * or PIN right. `verifies`: the payment is about the instrument alone, and the gateway has chosen its amount, which
 * happens to be one of them (docs/decisions/18).
 */
export function sandboxOutcome(
  amount: Minor,
  ofInstrument: "SUCCESS" | DeclineCode,
  verifies = false
): "SUCCESS" | DeclineCode {
  const ofAmount = verifies ? null : outcomeOfAmount(amount)
  return ofAmount === null || (ofAmount === "SUCCESS" && ofInstrument === "AUTHENTICATION_FAILED")
    ? ofInstrument
    : ofAmount
}
