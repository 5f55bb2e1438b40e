/*
 * Stripe's own test cards, by what happens when they are used: on the page, and later without their holder.
 * `declines`: code, decline_code.
 */
const declined = (code, decline_code) => ({ result: "declined", code, decline_code })
const SUCCEEDS = { result: "succeeded" }
const AUTHENTICATES = { result: "requires_action" }

const CARDS = {
  4242424242424242: { brand: "visa" },
  5555555555554444: { brand: "mastercard" },
  378282246310005: { brand: "amex" },
  4000000000000002: { page: declined("card_declined", "generic_decline") },
  4000000000009995: { page: declined("card_declined", "insufficient_funds") },
  4000000000009987: { page: declined("card_declined", "lost_card") },
  4000000000009979: { page: declined("card_declined", "stolen_card") },
  4000000000000069: { page: declined("expired_card", "expired_card") },
  4000000000000127: { page: declined("incorrect_cvc", "incorrect_cvc") },
  4000000000000119: { page: declined("processing_error", "processing_error") },
  4000000000006975: { page: declined("card_declined", "card_velocity_exceeded") },
  4100000000000019: { page: declined("card_declined", "fraudulent"), blocked: true },
  4000000000009235: { risk_level: "elevated" },
  4000000000000341: { later: declined("card_declined", "generic_decline") },
  4000008260003178: { page: AUTHENTICATES, later: declined("card_declined", "insufficient_funds") },
  4000002500003155: { page: AUTHENTICATES },
  4000002760003184: { page: AUTHENTICATES, later: declined("authentication_required", "authentication_required") },
  4000000000007726: { refund: "pending" },
  4000000000005126: { refund: "fails_later" },
}

/** null: no test card. */
export function cardOf(number) {
  const card = CARDS[number]
  return card === undefined
    ? null
    : {
        brand: "visa",
        page: SUCCEEDS,
        later: SUCCEEDS,
        refund: "succeeded",
        risk_level: "normal",
        ...card,
        last4: String(number).slice(-4),
      }
}
