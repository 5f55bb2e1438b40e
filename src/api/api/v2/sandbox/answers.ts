import { z } from "@medusajs/framework/zod"
import {
  DECLINE_MESSAGES,
  REFUND_BEHAVIOURS,
  type DeclineCode,
} from "../../../../modules/gateway/payments/acquirers/sandbox-rules"
import { currencyCode, moment, money, oneOf, transactionId, whole, words } from "../../../v2-kit/openapi/fields"
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

const DECLINES = Object.keys(DECLINE_MESSAGES) as [DeclineCode, ...DeclineCode[]]
const refund = () =>
  oneOf(
    REFUND_BEHAVIOURS,
    "How a refund of it goes: as usual, `instant`: at once, `delayed`: after 24 hours, `fails`: never."
  )

export const sandboxTestData = named("SandboxTestData", () =>
  z.object({
    cards: z
      .array(
        z.object({
          number: words("The number of the card. Any expiry date in the future and any security code go with it."),
          outcome: oneOf(["SUCCESS", ...DECLINES], "How a payment with it ends."),
          refund: refund(),
          label: words("The same for people, in English."),
        })
      )
      .describe("Every test card. Any other number is refused."),
    mobile_banking: z
      .object({
        mobile_number: words("A number that the page takes. Any number in Bangladesh does."),
        otp: words("The OTP that succeeds."),
        pin: words("The PIN that succeeds."),
        otherwise: oneOf(DECLINES, "How a payment with another OTP or PIN ends."),
      })
      .describe("What to enter for bKash and the other mobile wallets."),
    amounts: z
      .array(
        z.object({
          amount: money("An order of exactly this amount. The amount decides before the card does."),
          currency: currencyCode(),
          outcome: oneOf(
            ["SUCCESS", ...DECLINES, "AMOUNT_TOO_LOW"],
            "How its payment ends. `AMOUNT_TOO_LOW`: the checkout itself is refused with this code. Where `refund` is `fails`, the card decides."
          ),
          refund: refund(),
        })
      )
      .describe("Amounts with an outcome of their own."),
  })
)
