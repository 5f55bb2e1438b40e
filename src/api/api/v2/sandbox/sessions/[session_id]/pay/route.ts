import { operation } from "../../../../../../v2-kit/operation"
import { exampleOutcome, paymentOutcome, paymentSchema, presentOutcome, readPayment } from "../../../resource"
import { requireOwnSession } from "../../../../../../v2-kit/authenticate"
import { enveloped } from "../../../../../../v2-kit/answers"

/** Does what the hosted page's form does, through the same code (decisions: Sandbox). */
export const POST = operation({
  id: "paySession",
  tag: "Sandbox",
  summary: "Pay a session as a customer would",
  description: [
    "For your automated tests. Declines are outcomes too and answer 200. A card that is no test card is refused and does",
    "not count as an attempt.",
  ].join(" "),
  scope: "checkout:write",
  sandboxOnly: true,
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
  answer: enveloped({
    message: ({ status }) => `The payment is ${status}`,
    data: paymentOutcome,
    description: "How the payment ended.",
    example: exampleOutcome("SUCCESS", "paid"),
  }),
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
  run: async ({ store, gateway, caller, body, params, publicUrl }) => {
    const { instrument, final } = readPayment(body)
    const session_id = await requireOwnSession(gateway, caller, params.session_id)
    const outcome = await store.pay({ session_id, instrument, final, public_url: publicUrl })
    return presentOutcome(outcome)
  },
})
