import type { ErrorCode } from "../../../../../modules/gateway/kernel/errors"
import { operation } from "../../../../v2-kit/operation"
import { IDENTITY, createdRefund, presentCreated, readRefund, refundSchema } from "./resource"
import { short } from "../../../../v2-kit/answers"

/** Why a single refund is refused. */
const REFUSALS: readonly ErrorCode[] = [
  "TRANSACTION_NOT_FOUND",
  "ALREADY_REFUNDED",
  "REFUND_NOT_ALLOWED",
  "REFUND_WINDOW_EXPIRED",
  "REFUND_EXCEEDED",
  "INSUFFICIENT_BALANCE",
]

const NOTES = {
  transaction_id: "The payment to refund: one that succeeded at most 180 days ago.",
  refund_amount: "More than 0.00 and at most what is left of the payment. Without it, all that is left.",
  refund_reason: "Why; it is kept and shown.",
  refund_type:
    "`full` refuses an amount below what is left; `partial` requires an amount. Without it the amount decides.",
  notify_customer: "Whether the customer gets a receipt by e-mail, even if the merchant has receipts switched off.",
  metadata: "Anything of yours about the refund, up to 16 KiB of JSON.",
}

/** Creates a refund (contract 4.8). A request whose response was lost finds its refund by its idempotency record. */
export const POST = operation({
  id: "createRefund",
  tag: "Refunds",
  summary: "Refund a payment",
  description: [
    "Whole or in part. All refunds of a payment together never exceed its amount. The answer says that it is accepted;",
    "events and GET /payments/refund/{refund_id} say what became of it.",
  ].join(" "),
  scope: "refunds:write",
  service: "refunds",
  body: {
    name: "NewRefund",
    schema: refundSchema,
    notes: NOTES,
    example: {
      transaction_id: "txn0123456789abcdef0123456789abcdef",
      refund_amount: "250.50",
      refund_reason: "One parcel was damaged",
    },
  },
  answer: short({
    data: createdRefund,
    description: "The refund is accepted.",
    example: {
      ...IDENTITY,
      refund_status: "processing",
      estimated_completion: "2027-03-10T10:00:00.000Z",
      created_at: "2027-03-01T10:00:00.000Z",
    },
  }),
  codes: [...REFUSALS, "MISSING_REQUIRED_FIELD"],
  run: async ({ gateway, caller, body, claim }) => {
    const refund = await gateway.refunds.create({
      ...readRefund(body),
      tenant: caller,
      requested_by: caller.key_id,
      by: caller,
      request_key: claim === null ? null : `api:${claim.id}`,
      subject_to_approval: true,
    })
    return presentCreated(refund)
  },
})
