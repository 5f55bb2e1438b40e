import { z } from "@medusajs/framework/zod"
import { envelopeOf, moment, oneOf, sessionId, transactionId, words } from "../../../../v2-kit/openapi/fields"
import { named } from "../../../../v2-kit/openapi/named"

/** The statuses of a transaction that the API shows (payments/states.ts). */
export const STATUSES = ["PENDING", "SUCCESS", "FAILED", "CANCELLED", "EXPIRED", "REFUNDED"] as const

const checkoutSession = named("CheckoutSession", () =>
  z.object({
    checkout_url: z.url().describe("Where to send the customer: the payment page of this session."),
    session_id: sessionId(),
    expires_at: moment("Until when it can be paid, on the merchant's clock."),
    transaction_id: transactionId("The transaction that this session pays. Keep it with your order, and verify it."),
  })
)

/** The answer of each operation that opens a session. */
export const OPEN_SESSION = {
  description: "The session is open.",
  schema: () => envelopeOf(checkoutSession()),
  example: {
    success: true,
    message: "Checkout session created",
    data: {
      checkout_url: "https://shop.example.com/pay/ses_Q2hlY2tvdXRTZXNzaW9uRXhhbXBsZTAx",
      session_id: "ses_Q2hlY2tvdXRTZXNzaW9uRXhhbXBsZTAx",
      expires_at: "2027-03-01T10:30:00.000Z",
      transaction_id: "txn0123456789abcdef0123456789abcdef",
    },
    meta: {},
  },
}

export const endedSession = named("EndedSession", () =>
  z.object({
    transaction_id: transactionId(),
    order_id: words("Your own id of the order."),
    session_id: sessionId(),
    status: oneOf(STATUSES, "`EXPIRED`, or how the session had ended before."),
  })
)
