import { short } from "../../../../../v2-kit/answers"
import { operation } from "../../../../../v2-kit/operation"
import { EXAMPLE, presentPayment, voidedPayment } from "../resource"

/** Lets go of money that was reserved (decisions: Captures). */
export const POST = operation({
  id: "voidPayment",
  tag: "Captures",
  summary: "Void a payment",
  description: [
    "Nothing more of the payment is captured, and the customer's bank releases the money. A payment of which nothing was",
    "captured is `CANCELLED` then. What was captured is refunded instead.",
  ].join(" "),
  scope: "checkout:write",
  service: "checkout",
  answer: short({
    message: "The payment is voided",
    data: voidedPayment,
    description: "Nothing more of it is captured.",
    example: { ...EXAMPLE, status: "CANCELLED", captured_amount: "0.00" },
  }),
  codes: ["TRANSACTION_NOT_FOUND", "INVALID_STATE_TRANSITION"],
  run: async ({ gateway, caller, params }) =>
    presentPayment(await gateway.releases.void(caller, params.transaction_id, caller)),
})
