import { z } from "@medusajs/framework/zod"
import { moment, oneOf, sessionId, transactionId, words } from "../../../../v2-kit/openapi/fields"
import { named } from "../../../../v2-kit/openapi/named"

/** The statuses of a transaction that the API shows (payments/states.ts). */
export const STATUSES = ["PENDING", "SUCCESS", "FAILED", "CANCELLED", "EXPIRED", "REFUNDED"] as const

export const checkoutSession = named("CheckoutSession", () =>
  z.object({
    checkout_url: z.url().describe("Where to send the customer: the payment page of this session."),
    session_id: sessionId(),
    expires_at: moment("Until when it can be paid, on the merchant's clock."),
    transaction_id: transactionId("The transaction that this session pays. Keep it with your order, and verify it."),
  })
)

export const endedSession = named("EndedSession", () =>
  z.object({
    transaction_id: transactionId(),
    order_id: words("Your own id of the order."),
    session_id: sessionId(),
    status: oneOf(STATUSES, "`EXPIRED`, or how the session had ended before."),
  })
)
