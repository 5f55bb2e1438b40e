import type { DeclineReason } from "../port"

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
