import { z } from "@medusajs/framework/zod"
import { validationError } from "../../../../../modules/gateway/kernel/errors"
import { LIMITS } from "../../../../../modules/gateway/kernel/limits"
import { formatAmount } from "../../../../../modules/gateway/kernel/money/money"
import type { BatchItem } from "../../../../../modules/gateway/refunds/batches"
import { REFUND_TYPES, estimatedCompletion } from "../../../../../modules/gateway/refunds/rules"
import type { Refund } from "../../../../../modules/gateway/refunds/service"
import { REFUND_STATES } from "../../../../../modules/gateway/refunds/states"
import type { JsonObject } from "../../../../v2-kit/body"
import { moment, money, oneOf, transactionId, words } from "../../../../v2-kit/openapi/fields"
import { named, type Shape } from "../../../../v2-kit/openapi/named"
import {
  amountOfAnySize,
  check,
  flag,
  freeForm,
  required,
  rule,
  text,
  withoutAbsent,
} from "../../../../v2-kit/validate"

const identity = () => ({
  refund_id: words("The refund."),
  transaction_id: transactionId("The payment that is refunded."),
  refund_amount: money("The amount of this refund."),
})
const state = () => oneOf(REFUND_STATES, "Its state. Only `pending` refunds can be cancelled.")

export const createdRefund = named("CreatedRefund", () =>
  z.object({
    ...identity(),
    refund_status: oneOf(["processing", "pending"], "`pending`: an admin has to approve it first."),
    estimated_completion: moment("When the customer has the money at the latest, as a rule: 7 business days from now."),
    created_at: moment("When it was accepted."),
  })
)

export const refund = named("Refund", () =>
  z.object({
    ...identity(),
    refund_status: state(),
    completed_at: moment("When it was completed; null until then.").nullable(),
    created_at: moment("When it was accepted."),
    error_code: words("Why it failed. Only when it failed.").optional(),
    error_message: words("The same in a sentence. Only when it failed.").optional(),
  })
)

export const refundLine = named("RefundSummary", () =>
  z
    .object({ ...identity(), refund_status: state(), created_at: moment("When it was accepted.") })
    .describe("A refund as lists show it.")
)

export const cancelledRefund = named("CancelledRefund", () =>
  z.object({ refund_id: words("The refund."), refund_status: z.literal("cancelled").describe("Its state.") })
)

/** The body of one refund (contract 4.8); an item of a batch has the same members. */
export const refundSchema = z
  .object(
    {
      transaction_id: text(64),
      refund_amount: amountOfAnySize.refine((minor) => minor > 0n, rule("more_than", { min: "0.00" })).optional(),
      refund_reason: text(LIMITS.refundReasonMaxChars),
      refund_type: z.enum(REFUND_TYPES, rule("either", { values: "full", last: "partial" })).optional(),
      notify_customer: flag.optional(),
      metadata: freeForm(LIMITS.metadataMaxBytes).optional(),
    },
    required(rule("object"))
  )
  .refine(({ refund_type, refund_amount }) => refund_type !== "partial" || refund_amount !== undefined, {
    path: ["refund_amount"],
    error: rule("required"),
    // Report this with the other failures, not in a second answer.
    when: ({ value }) => typeof value === "object" && value !== null,
  })

export function readRefund(body: JsonObject): BatchItem {
  const checked = check(refundSchema, withoutAbsent(body, ["metadata"]))
  if (checked.value === null) {
    throw validationError(checked.failures)
  }
  return toItem(checked.value)
}

export function toItem(input: z.output<typeof refundSchema>): BatchItem {
  return {
    transaction_id: input.transaction_id,
    amount: input.refund_amount,
    type: input.refund_type,
    reason: input.refund_reason,
    notify_customer: input.notify_customer,
    metadata: input.metadata,
  }
}

function identityOf(refund: Refund) {
  return {
    refund_id: refund.id,
    transaction_id: refund.transaction_id,
    refund_amount: formatAmount(refund.amount_minor),
  }
}

/**
 * A new refund is `processing`, or `pending` when it waits for approval (contract 3.4; decisions: Refunds). The
 * acquirer's later answer appears in its status and events, so that a repeated request gets the same response.
 */
export function presentCreated(refund: Refund): Shape<typeof createdRefund> {
  return {
    ...identityOf(refund),
    refund_status: refund.held_for === null ? "processing" : "pending",
    estimated_completion: estimatedCompletion(refund.created_at).toISOString(),
    created_at: refund.created_at.toISOString(),
  }
}

/** A failed refund includes the reason, as a failed transaction does. */
export function presentStatus(refund: Refund) {
  const failure =
    refund.state === "failed" ? { error_code: refund.error_code ?? "", error_message: refund.error_message ?? "" } : {}
  return {
    ...identityOf(refund),
    refund_status: refund.state,
    completed_at: refund.completed_at?.toISOString() ?? null,
    created_at: refund.created_at.toISOString(),
    ...failure,
  }
}

export function presentListed(refund: Refund) {
  return { ...identityOf(refund), refund_status: refund.state, created_at: refund.created_at.toISOString() }
}

export const IDENTITY = {
  refund_id: "rfd_0193a5f0c2d4000001a1b2c3d4e5",
  transaction_id: "txn0123456789abcdef0123456789abcdef",
  refund_amount: "250.50",
}
