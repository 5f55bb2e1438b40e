import { envelopeOf } from "../../../v2-kit/openapi/fields"
import type { Documented } from "../../../v2-kit/openapi/operation"
import { paymentOutcome, sandboxClock, sandboxTestData } from "./answers"
import { moveSchema } from "./clock/schemas"
import { paymentSchema } from "./sessions/[session_id]/schemas"
import { testDataAnswer } from "./test-data"

const tag = "Sandbox"

const outcome = (status: string, page: string) => ({
  success: true,
  message: `The payment is ${status}`,
  data: {
    transaction_id: "txn0123456789abcdef0123456789abcdef",
    status,
    redirect_url: `https://shop.example.com/${page}?transaction_id=txn0123456789abcdef0123456789abcdef&status=${status}&order_id=order-1001`,
  },
  meta: {},
})

export const operations: readonly Documented[] = [
  {
    method: "GET",
    path: "/sandbox",
    id: "getSandbox",
    tag,
    summary: "Get the test cards, codes and amounts",
    description: "Needs no key. What to pay with, and how each payment and its refund end.",
    answer: {
      description: "Everything that decides an outcome in the sandbox.",
      schema: () => envelopeOf(sandboxTestData()),
      example: testDataAnswer(),
    },
  },
  {
    method: "POST",
    path: "/sandbox/sessions/{session_id}/pay",
    id: "paySession",
    tag,
    summary: "Pay a session as a customer would",
    description: [
      "For your automated tests. Declines are outcomes too and answer 200. A card that is no test card is refused and does",
      "not count as an attempt.",
    ].join(" "),
    body: {
      name: "SandboxPayment",
      schema: paymentSchema,
      notes: {
        payment_method: "The way to pay.",
        card_number: "A test card; without it the first one that succeeds.",
        payment_service: "The code of the payment service, as in `BKASH`; without it the first of its kind.",
        emi_configuration_id: "The instalment plan to choose.",
        final: "`false`: a decline leaves the session open, as on the page, while attempts are left.",
      },
      example: { payment_method: "card", card_number: "4242424242424242" },
    },
    answer: {
      description: "How the payment ended.",
      schema: () => envelopeOf(paymentOutcome()),
      example: outcome("SUCCESS", "paid"),
    },
    codes: [
      "SESSION_NOT_FOUND",
      "PAYMENT_TIMEOUT",
      "INVALID_STATE_TRANSITION",
      "CART_CHANGED",
      "EMI_TERMS_CHANGED",
      "EMI_CARD_NOT_ACCEPTED",
      "MISSING_REQUIRED_FIELD",
      "SERVICE_NOT_ENABLED",
    ],
  },
  {
    method: "POST",
    path: "/sandbox/sessions/{session_id}/cancel",
    id: "cancelSession",
    tag,
    summary: "Cancel a session as a customer would",
    description: "After a decline it ends as `FAILED` with the code of that decline.",
    answer: {
      description: "How the payment ended.",
      schema: () => envelopeOf(paymentOutcome()),
      example: outcome("CANCELLED", "cancelled"),
    },
    codes: ["SESSION_NOT_FOUND", "PAYMENT_TIMEOUT", "INVALID_STATE_TRANSITION"],
  },
  {
    method: "GET",
    path: "/sandbox/clock",
    id: "getClock",
    tag,
    summary: "Read the sandbox's clock",
    description: "The merchant's own: all that happens in its sandbox goes by it.",
    answer: {
      description: "The clock.",
      schema: () => envelopeOf(sandboxClock()),
      example: {
        success: true,
        message: "The sandbox clock",
        data: { now: "2027-03-01T10:00:00.000Z", offset_seconds: 0, processed: {} },
        meta: {},
      },
    },
  },
  {
    method: "POST",
    path: "/sandbox/clock",
    id: "moveClock",
    tag,
    summary: "Move the sandbox's clock forward",
    description: "By seconds or to a moment; send one of the two. Everything that falls due is done before the answer.",
    body: {
      name: "ClockMove",
      schema: moveSchema,
      notes: {
        advance_seconds: { description: "How far, in seconds.", minimum: 0 },
        now: "To which moment; it must not be past.",
      },
      example: { advance_seconds: 86_400 },
    },
    answer: {
      description: "The clock has moved.",
      schema: () => envelopeOf(sandboxClock()),
      example: {
        success: true,
        message: "The sandbox clock has moved",
        data: {
          now: "2027-03-02T10:00:00.000Z",
          offset_seconds: 86_400,
          processed: { subscriptions: 1, expired_sessions: 0, webhook_deliveries: 2 },
        },
        meta: {},
      },
    },
  },
]
