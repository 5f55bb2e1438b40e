import { shortEnvelopeOf } from "../../../../v2-kit/openapi/fields"
import type { Documented } from "../../../../v2-kit/openapi/operation"
import { refundBatch, refundPage } from "./answers"
import { batchSchema, filterSchema } from "./schemas"

const tag = "Refunds"

const ACCEPTED = {
  transaction_id: "txn0123456789abcdef0123456789abcdef",
  refund_id: "rfd_0193a5f0c2d4000001a1b2c3d4e5",
  status: "pending",
}
const REFUSED = {
  transaction_id: "txnfedcba9876543210fedcba9876543210",
  refund_id: null,
  status: "failed",
  error: { code: "ALREADY_REFUNDED", message: "The transaction has been refunded in full already" },
}
const BATCH = {
  success: true,
  data: {
    batch_id: "rfb_0193a5f0c2d4000001a1b2c3d4e5",
    total_refunds: 2,
    successful: 1,
    failed: 1,
    refunds: [ACCEPTED, REFUSED],
    progress: { pending: 1, processing: 0, completed: 0, failed: 1, cancelled: 0 },
    created_at: "2027-03-01T10:00:00.000Z",
  },
}

export const operations: readonly Documented[] = [
  {
    method: "GET",
    path: "/payments/refunds",
    id: "listRefunds",
    tag,
    summary: "List refunds",
    description: "Newest first.",
    query: {
      schema: filterSchema,
      notes: {
        status: "Only refunds of this state.",
        from_date: "Only refunds from this day on, in UTC.",
        to_date: "Only refunds up to this day, in UTC; the day itself belongs to it.",
      },
      paging: "limit",
    },
    answer: {
      description: "A page of refunds.",
      schema: () => shortEnvelopeOf(refundPage()),
      example: {
        success: true,
        data: {
          refunds: [
            {
              refund_id: "rfd_0193a5f0c2d4000001a1b2c3d4e5",
              transaction_id: "txn0123456789abcdef0123456789abcdef",
              refund_amount: "250.50",
              refund_status: "completed",
              created_at: "2027-03-01T10:00:00.000Z",
            },
          ],
          pagination: { page: 1, limit: 20, total: 1, pages: 1 },
        },
      },
    },
    codes: ["INVALID_DATE_FORMAT"],
  },
  {
    method: "POST",
    path: "/payments/refunds/batch",
    id: "createRefundBatch",
    tag,
    summary: "Refund many payments",
    description: [
      "Up to a hundred at once. A malformed item refuses the whole batch and names its place. Otherwise each item succeeds",
      "or fails on its own, soon after the answer; until then it can be cancelled.",
    ].join(" "),
    body: {
      name: "NewRefundBatch",
      schema: batchSchema,
      notes: { refunds: "What to refund, 1 to 100 items." },
      example: {
        refunds: [
          { transaction_id: ACCEPTED.transaction_id, refund_amount: "250.50", refund_reason: "Damaged parcel" },
          { transaction_id: REFUSED.transaction_id, refund_reason: "Order cancelled" },
        ],
      },
    },
    answer: {
      description: "The batch is accepted.",
      schema: () => shortEnvelopeOf(refundBatch()),
      example: BATCH,
    },
    codes: ["MISSING_REQUIRED_FIELD"],
  },
  {
    method: "GET",
    path: "/payments/refunds/batch/{batch_id}",
    id: "getRefundBatch",
    tag,
    summary: "Get a batch of refunds",
    answer: {
      description: "The batch as it is now.",
      schema: () => shortEnvelopeOf(refundBatch()),
      example: BATCH,
    },
    codes: ["REFUND_BATCH_NOT_FOUND"],
  },
]
