import { short } from "../../../../../v2-kit/answers"
import { operation } from "../../../../../v2-kit/operation"
import { EXAMPLE, capturedPayment, captureSchema, presentCapture, readCapture } from "../resource"

/** Takes money that was reserved (decisions: Captures). */
export const POST = operation({
  id: "capturePayment",
  tag: "Captures",
  summary: "Capture a payment",
  description: [
    "Takes the money that was reserved for a payment, whole or in part. All captures together never exceed what was",
    "reserved. Some acquirers take one capture and release the rest; others take several until `capture_before`.",
  ].join(" "),
  scope: "checkout:write",
  service: "checkout",
  body: {
    name: "NewCapture",
    schema: captureSchema,
    notes: { amount: "More than 0.00 and at most what is left. Without it, all that is left." },
    example: { amount: "1000.00" },
    optional: true,
  },
  answer: short({
    message: "The payment is captured",
    data: capturedPayment,
    description: "The capture is made, or under way.",
    example: {
      ...EXAMPLE,
      capture_id: "cap_0193a5f0c2d4000001a1b2c3d4e5",
      capture_amount: "1000.00",
      capture_status: "completed",
      status: "SUCCESS",
      captured_amount: "1000.00",
    },
  }),
  codes: ["TRANSACTION_NOT_FOUND", "INVALID_STATE_TRANSITION", "PAYMENT_FAILED", "SERVICE_UNAVAILABLE"],
  run: async ({ gateway, caller, params, body, claim }) => {
    const { capture, record } = await gateway.captures.capture({
      tenant: caller,
      transaction_id: params.transaction_id,
      amount: readCapture(body),
      by: caller,
      request_key: claim === null ? null : `api:${claim.id}`,
    })
    return presentCapture(capture, record)
  },
})
