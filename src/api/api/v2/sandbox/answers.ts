import { z } from "@medusajs/framework/zod"
import { moment, oneOf, transactionId, whole } from "../../../v2-kit/openapi/fields"
import { named } from "../../../v2-kit/openapi/named"
import { STATUSES } from "../payments/checkout/answers"

export const paymentOutcome = named("PaymentOutcome", () =>
  z.object({
    transaction_id: transactionId(),
    status: oneOf(STATUSES, "How it ended; `PENDING` while the customer may try again."),
    redirect_url: z.string().describe("Where the page would send the customer now."),
  })
)

export const sandboxClock = named("SandboxClock", () =>
  z.object({
    now: moment("What the clock shows."),
    offset_seconds: whole("How far it is ahead of real time, in seconds."),
    processed: z
      .record(z.string(), z.int())
      .describe(
        "What fell due and was done before this answer: how much of each kind. Empty when the clock was only read."
      ),
  })
)
