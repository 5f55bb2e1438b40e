import type { ErrorCode } from "../../../../../modules/gateway/kernel/errors"
import { shortEnvelopeOf, shortEnvelopeWithMessage } from "../../../../v2-kit/openapi/fields"
import type { Documented } from "../../../../v2-kit/openapi/operation"
import { cancelledRefund, createdRefund, refund } from "./answers"
import { refundSchema } from "./schemas"

const tag = "Refunds"

const IDENTITY = {
  refund_id: "rfd_0193a5f0c2d4000001a1b2c3d4e5",
  transaction_id: "txn0123456789abcdef0123456789abcdef",
  refund_amount: "250.50",
}

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

export const operations: readonly Documented[] = [
  {
    method: "POST",
    path: "/payments/refund",
    id: "createRefund",
    tag,
    summary: "Refund a payment",
    description: [
      "Whole or in part. All refunds of a payment together never exceed its amount. The answer says that it is accepted;",
      "events and GET /payments/refund/{refund_id} say what became of it.",
    ].join(" "),
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
    answer: {
      description: "The refund is accepted.",
      schema: () => shortEnvelopeOf(createdRefund()),
      example: {
        success: true,
        data: {
          ...IDENTITY,
          refund_status: "processing",
          estimated_completion: "2027-03-10T10:00:00.000Z",
          created_at: "2027-03-01T10:00:00.000Z",
        },
      },
    },
    codes: [...REFUSALS, "MISSING_REQUIRED_FIELD"],
  },
  {
    method: "GET",
    path: "/payments/refund/{refund_id}",
    id: "getRefund",
    tag,
    summary: "Get a refund",
    answer: {
      description: "The refund as it is now.",
      schema: () => shortEnvelopeOf(refund()),
      example: {
        success: true,
        data: {
          ...IDENTITY,
          refund_status: "completed",
          completed_at: "2027-03-01T10:00:03.000Z",
          created_at: "2027-03-01T10:00:00.000Z",
        },
      },
    },
    codes: ["REFUND_NOT_FOUND"],
  },
  {
    method: "POST",
    path: "/payments/refund/{refund_id}/cancel",
    id: "cancelRefund",
    tag,
    summary: "Cancel a pending refund",
    description: "One that waits for approval, or in a batch. Once it is processing it cannot be stopped.",
    answer: {
      description: "The refund is cancelled.",
      schema: () => shortEnvelopeWithMessage(cancelledRefund()),
      example: {
        success: true,
        message: "The refund is cancelled",
        data: { refund_id: IDENTITY.refund_id, refund_status: "cancelled" },
      },
    },
    codes: ["REFUND_NOT_FOUND", "INVALID_STATE_TRANSITION"],
  },
]
