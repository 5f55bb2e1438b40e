import { z } from "@medusajs/framework/zod"
import type { DisputeFilter, ListedDispute } from "../../../../../modules/gateway/disputes/list"
import { DISPUTE_REASONS, eventData } from "../../../../../modules/gateway/disputes/rules"
import { DISPUTE_STATES } from "../../../../../modules/gateway/disputes/states"
import type { JsonObject } from "../../../../v2-kit/body"
import { currencyCode, moment, money, oneOf, transactionId, truth, words } from "../../../../v2-kit/openapi/fields"
import { named } from "../../../../v2-kit/openapi/named"
import { type Page, readList } from "../../../../v2-kit/lists"
import { rule, text } from "../../../../v2-kit/validate"

export const dispute = named("Dispute", () =>
  z.object({
    dispute_id: words("The dispute."),
    transaction_id: transactionId("The disputed payment."),
    order_id: words("Your own id of the order."),
    status: oneOf(
      DISPUTE_STATES,
      "In an `inquiry` no money has moved; it ends as `closed` or becomes a dispute, which is `won` or `lost`."
    ),
    reason: oneOf(DISPUTE_REASONS, "Why the payer disputes."),
    amount: money("The disputed amount."),
    fee_amount: money("What the acquirer charges for the dispute."),
    fee_returned: truth("Whether that fee came back."),
    currency: currencyCode(),
    reference: words("The acquirer's number of the dispute."),
    evidence_due_by: moment("Until when the bank takes evidence.").nullable(),
    is_overdue: truth("Whether that has passed without any."),
    accepted: truth("Whether the merchant gave the dispute up."),
    submitted_at: moment("When evidence was sent.").nullable(),
    closed_at: moment("When it was decided.").nullable(),
    opened_at: moment("When the payer's bank opened it.").nullable(),
    created_at: moment("When it was recorded here.").nullable(),
  })
)

export const filterSchema = z.object({
  status: z.enum(DISPUTE_STATES, rule("one_of", { values: DISPUTE_STATES.join(", ") })).optional(),
  transaction_id: text(64).optional(),
})

export function readDisputeList(query: JsonObject): {
  filter: Pick<DisputeFilter, "status" | "transaction_id">
  page: Page
} {
  const { filter, page } = readList(query, filterSchema)
  const { status, transaction_id } = filter
  return { filter: { status: status === undefined ? undefined : [status], transaction_id }, page }
}

/** A dispute as merchants see it: with the members of its events. Times are on the merchant's clock. */
export function presentDispute(dispute: ListedDispute) {
  return {
    ...eventData(dispute),
    fee_returned: dispute.fee_returned,
    submitted_at: at(dispute.submitted_at),
    closed_at: at(dispute.closed_at),
    opened_at: at(dispute.opened_at),
    created_at: at(dispute.recorded_at),
  }
}

function at(moment: Date | null): string | null {
  return moment?.toISOString() ?? null
}

export const EXAMPLE = {
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
