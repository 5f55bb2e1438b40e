import { z } from "@medusajs/framework/zod"
import { DISPUTE_REASONS } from "../../../../../modules/gateway/disputes/rules"
import { DISPUTE_STATES } from "../../../../../modules/gateway/disputes/states"
import { currencyCode, moment, money, oneOf, transactionId, truth, words } from "../../../../v2-kit/openapi/fields"
import { named } from "../../../../v2-kit/openapi/named"

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
