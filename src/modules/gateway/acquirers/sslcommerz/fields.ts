import { createHash } from "node:crypto"
import { type Minor, formatAmount, parseAmount } from "../../kernel/money/money"
import { maskedAccount } from "../../kernel/text/phone"
import { fitted } from "../../kernel/text/text"
import type { DeclineReason, Details, InstrumentSummary } from "../port"

type Decline = { code: string; reason?: DeclineReason }

/**
 * What the bank's text means. `error` is free text that nobody has listed, so a text counts only when it is one of
 * these, word for word; any other is a plain decline.
 */
const WORDS: readonly [texts: readonly string[], decline: Decline][] = [
  [
    ["insufficient fund", "insufficient funds", "insufficient balance", "not sufficient funds"],
    { code: "INSUFFICIENT_FUNDS", reason: "insufficient_funds" },
  ],
  [["expired card", "card expired", "card has expired"], { code: "EXPIRED_CARD", reason: "expired_card" }],
  [
    ["invalid cvv", "invalid cvc", "invalid cvv2", "cvv mismatch", "cvv2 failure"],
    { code: "INVALID_CVV", reason: "wrong_security_code" },
  ],
  [
    ["exceeds withdrawal amount limit", "exceeds withdrawal limit", "transaction limit exceeded", "limit exceeded"],
    { code: "LIMIT_EXCEEDED", reason: "limit_exceeded" },
  ],
  [["incorrect pin", "invalid pin", "wrong pin"], { code: "CARD_DECLINED", reason: "wrong_pin" }],
  [["invalid otp", "incorrect otp", "wrong otp"], { code: "CARD_DECLINED", reason: "wrong_otp" }],
  [["otp expired"], { code: "CARD_DECLINED", reason: "otp_expired" }],
  [
    ["3d authentication failed", "3d secure authentication failed", "authentication failed"],
    { code: "CARD_DECLINED", reason: "authentication_failed" },
  ],
  [["lost card", "stolen card", "suspected fraud"], { code: "FRAUD_SUSPECTED", reason: "fraud_suspected" }],
]

const BY_TEXT: ReadonlyMap<string, Decline> = new Map(
  WORDS.flatMap(([texts, decline]) => texts.map((text) => [text, decline] as const))
)

export function declineOf(error: string): Decline {
  const plain = error
    .toLowerCase()
    .replace(/\s+/g, " ")
    .replace(/[.!]+$/, "")
    .trim()
  return BY_TEXT.get(plain) ?? { code: "CARD_DECLINED" }
}

/** A JSON object as SSLCommerz sends it. Its numbers come as text or as JSON numbers, and any field may be missing. */
export type Answer = Readonly<Record<string, unknown>>

const DETAIL_MAX_CHARS = 255

/** What is kept of a payment besides the money. Card numbers, customer data and our own echoed fields are left out. */
const DETAILS = [
  "tran_date",
  "validated_on",
  "store_amount",
  "card_type",
  "card_issuer",
  "card_brand",
  "card_sub_brand",
  "card_issuer_country_code",
  "currency_rate",
  "base_fair",
  "emi_instalment",
  "emi_amount",
  "emi_issuer",
  "discount_amount",
  "discount_percentage",
  "risk_level",
  "risk_title",
  "error",
] as const

/** A field as trimmed text; empty when it is missing or no text. */
export function text(answer: Answer, name: string): string {
  const value = answer[name]
  return typeof value === "string" ? value.trim() : typeof value === "number" ? String(value) : ""
}

export function detailsOf(answer: Answer): Details {
  const kept = DETAILS.map((name) => [name, fitted(text(answer, name), DETAIL_MAX_CHARS)] as const)
  const fee = feeOf(answer)
  return Object.fromEntries([...kept, ["fee", fee ?? ""] as const].filter(([, value]) => value !== ""))
}

/** What SSLCommerz and the bank keep: the difference between the shopper's amount and the store's. */
function feeOf(answer: Answer): string | null {
  const amount = parseAmount(text(answer, "amount"))
  const store = parseAmount(text(answer, "store_amount"))
  return amount === null || store === null || store > amount ? null : formatAmount(amount - store)
}

/**
 * The money of a paid answer in SSLCommerz's own words; null when it is not readable. `amount` is taka and
 * `currency_amount` what we sent: in taka they have to agree. If they do not, the one that differs from the request is
 * reported, so that the core sees the difference.
 */
export function moneyOf(answer: Answer, requested: Minor): { amount: Minor; currency: string } | null {
  const amount = parseAmount(text(answer, "amount"))
  const sent = parseAmount(text(answer, "currency_amount"))
  const currency = text(answer, "currency_type")
  if (amount === null || sent === null || !/^[A-Z]{3}$/.test(currency)) {
    return null
  }
  return { amount: currency === "BDT" && amount !== requested ? amount : sent, currency }
}

/** For mobile and internet banking, `card_no` is the customer's reference there, often a phone number. */
const NO_CARD = /^(ib|internet ?banking|mobile ?banking)$/i

export function instrumentOf(answer: Answer): InstrumentSummary | undefined {
  const number = text(answer, "card_no")
  const brand = text(answer, "card_brand")
  if (NO_CARD.test(brand)) {
    return number === "" ? undefined : { account: maskedAccount(number) }
  }
  const last_four = /([0-9]{4})$/.exec(number)?.[1]
  const summary = { ...(brand === "" ? {} : { brand: fitted(brand, 30) }), ...(last_four ? { last_four } : {}) }
  return Object.keys(summary).length === 0 ? undefined : summary
}

const REFUND_TRANS_ID = /^[A-Za-z0-9]{1,30}$/

/**
 * The `refund_trans_id` of a refund: always the same for one key, at most 30 letters and digits. `rfd_` and 28 digits
 * would be too long, so the prefix is left out.
 */
export function refundTransId(key: string): string {
  const bare = key.replace(/^rfd_/, "")
  return REFUND_TRANS_ID.test(bare) ? bare : createHash("sha256").update(key).digest("hex").slice(0, 30)
}
