import { envelopeOf, listOf } from "../../../../v2-kit/openapi/fields"
import type { Documented } from "../../../../v2-kit/openapi/operation"
import { dispute } from "./answers"
import { filterSchema } from "./schemas"

const tag = "Disputes"

const EXAMPLE = {
  dispute_id: "dsp_0193a5f0c2d4000001a1b2c3d4e5",
  transaction_id: "txn0123456789abcdef0123456789abcdef",
  order_id: "order-1001",
  status: "needs_response",
  reason: "product_not_received",
  amount: "1250.50",
  fee_amount: "0.00",
  fee_returned: false,
  currency: "BDT",
  reference: "CB-1001",
  evidence_due_by: "2027-03-08T10:00:00.000Z",
  is_overdue: false,
  accepted: false,
  submitted_at: null,
  closed_at: null,
  opened_at: "2027-03-01T10:00:00.000Z",
  created_at: "2027-03-01T10:00:00.000Z",
}

export const operations: readonly Documented[] = [
  {
    method: "GET",
    path: "/payments/disputes",
    id: "listDisputes",
    tag,
    summary: "List disputes",
    description:
      "Payments that a payer has asked their bank to take back, newest first. They are answered in the admin.",
    query: {
      schema: filterSchema,
      notes: { status: "Only disputes of this status.", transaction_id: "Only disputes of this payment." },
      paging: "per_page",
    },
    answer: {
      description: "A page of disputes.",
      schema: () => listOf(dispute()),
      example: { success: true, message: "Disputes", data: [EXAMPLE], meta: { total: 1, page: 1, per_page: 20 } },
    },
  },
  {
    method: "GET",
    path: "/payments/disputes/{dispute_id}",
    id: "getDispute",
    tag,
    summary: "Get a dispute",
    answer: {
      description: "The dispute as it is now.",
      schema: () => envelopeOf(dispute()),
      example: { success: true, message: "Dispute", data: EXAMPLE, meta: {} },
    },
    codes: ["DISPUTE_NOT_FOUND"],
  },
]
