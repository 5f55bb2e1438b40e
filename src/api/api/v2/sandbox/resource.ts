import { z } from "@medusajs/framework/zod"
import { formatAmount } from "../../../../modules/gateway/kernel/money/money"
import { PAYMENT_METHODS } from "../../../../modules/gateway/merchants/payment-services"
import type { Instrument } from "../../../../modules/gateway/acquirers/port"
import {
  DECLINE_MESSAGES,
  type DeclineCode,
  REFUND_BEHAVIOURS,
  SANDBOX_CARDS,
  SANDBOX_MOBILE_NUMBER,
  SANDBOX_OTP,
  SANDBOX_PIN,
  sandboxAmounts,
} from "../../../../modules/gateway/acquirers/sandbox-rules"
import type { PaymentOutcome } from "../../../../modules/gateway/payments/records"
import type { ClockMove } from "../../../../modules/gateway/worker/sandbox-clock"
import type { JsonObject } from "../../../v2-kit/body"
import {
  recordOf,
  arrayOf,
  currencyCode,
  moment,
  money,
  oneOf,
  transactionId,
  whole,
  words,
} from "../../../v2-kit/openapi/fields"
import { named, type Shape } from "../../../v2-kit/openapi/named"
import { INSTANT, flag, parse, required, rule, text, wholeNumber, withoutAbsent } from "../../../v2-kit/validate"
import { STATUSES } from "../payments/checkout/resource"

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
    processed: recordOf(
      z.int(),
      "What fell due and was done before this answer: how much of each kind. Empty when the clock was only read."
    ),
  })
)

const DECLINES = Object.keys(DECLINE_MESSAGES) as [DeclineCode, ...DeclineCode[]]
const refundOutcome = () =>
  oneOf(
    REFUND_BEHAVIOURS,
    "How a refund of it goes: as usual, `instant`: at once, `delayed`: after 24 hours, `fails`: never."
  )

export const sandboxTestData = named("SandboxTestData", () =>
  z.object({
    cards: arrayOf(
      z.object({
        number: words("The number of the card. Any expiry date in the future and any security code go with it."),
        outcome: oneOf(["SUCCESS", ...DECLINES], "How a payment with it ends."),
        refund: refundOutcome(),
        label: words("The same for people, in English."),
      }),
      "Every test card. Any other number is refused."
    ),
    mobile_banking: z
      .object({
        mobile_number: words("A number that the page takes. Any number in Bangladesh does."),
        otp: words("The OTP that succeeds."),
        pin: words("The PIN that succeeds."),
        otherwise: oneOf(DECLINES, "How a payment with another OTP or PIN ends."),
      })
      .describe("What to enter for bKash and the other mobile wallets."),
    amounts: arrayOf(
      z.object({
        amount: money("An order of exactly this amount. The amount decides before the card does."),
        currency: currencyCode(),
        outcome: oneOf(
          ["SUCCESS", ...DECLINES, "AMOUNT_TOO_LOW"],
          "How its payment ends. `AMOUNT_TOO_LOW`: the checkout itself is refused with this code. Where `refund` is `fails`, the card decides."
        ),
        refund: refundOutcome(),
      }),
      "Amounts with an outcome of their own."
    ),
  })
)

/** What decides outcomes in the sandbox, as `GET /api/v2/sandbox` answers it: the rules' own tables. */
export function testData(): Shape<typeof sandboxTestData> {
  return {
    cards: SANDBOX_CARDS.map(({ number, outcome, refund, label }) => ({ number, outcome, refund, label })),
    mobile_banking: {
      mobile_number: SANDBOX_MOBILE_NUMBER,
      otp: SANDBOX_OTP,
      pin: SANDBOX_PIN,
      otherwise: "AUTHENTICATION_FAILED",
    },
    amounts: sandboxAmounts().map(({ minor, outcome, refund }) => ({
      amount: formatAmount(minor),
      currency: "BDT",
      outcome,
      refund,
    })),
  }
}

export const exampleOutcome = (status: string, page: string) => ({
  transaction_id: "txn0123456789abcdef0123456789abcdef",
  status,
  redirect_url: `https://shop.example.com/${page}?transaction_id=txn0123456789abcdef0123456789abcdef&status=${status}&order_id=order-1001`,
})

export const moveSchema = z.object({
  advance_seconds: wholeNumber.optional(),
  now: z.iso.datetime({ offset: true, error: INSTANT }).optional(),
})

export function readMove(body: JsonObject): ClockMove {
  const { advance_seconds, now } = parse(moveSchema, withoutAbsent(body, []))
  return { advance_seconds, now: now === undefined ? undefined : new Date(now) }
}

export const paymentSchema = z.object({
  payment_method: z.enum(PAYMENT_METHODS, required(rule("one_of", { values: PAYMENT_METHODS.join(", ") }))),
  card_number: text(23).optional(),
  payment_service: text(30).optional(),
  emi_configuration_id: text(64).optional(),
  final: flag.default(true),
})

/** What a shopper would type into the page. A test that gives no card pays with the first one that succeeds. */
const DEFAULT_CARD = SANDBOX_CARDS[0].number
const DEFAULT_MOBILE = { number: SANDBOX_MOBILE_NUMBER, otp: SANDBOX_OTP, pin: SANDBOX_PIN }

/** `final: false`: a decline leaves the checkout open, as on the hosted page (decisions: Checkout). */
export function readPayment(body: JsonObject): { instrument: Instrument; final: boolean } {
  const input = parse(paymentSchema, withoutAbsent(body, []))
  const method = input.payment_method
  const instrument: Instrument = {
    method,
    payment_service: input.payment_service ?? null,
    emi_configuration_id: input.emi_configuration_id ?? null,
    ...(method === "card" ? { card: { number: (input.card_number ?? DEFAULT_CARD).replace(/[ -]/g, "") } } : {}),
    ...(method === "mobile_banking" ? { mobile: DEFAULT_MOBILE } : {}),
  }
  return { instrument, final: input.final }
}

export function presentOutcome({ transaction_id, status, redirect_url }: PaymentOutcome) {
  return { transaction_id, status, redirect_url }
}
