import { estimatedCompletion } from "../../../../../modules/gateway/refunds/rules"
import { formatAmount } from "../../../../../modules/gateway/kernel/money"
import type { Refund } from "../../../../../modules/gateway/refunds/service"
import { bareEnvelope, type Answer } from "../../../../v2-kit/envelopes"

function identity(refund: Refund) {
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
export function presentCreated(refund: Refund): Answer {
  return bareEnvelope({
    ...identity(refund),
    refund_status: refund.held_for === null ? "processing" : "pending",
    estimated_completion: estimatedCompletion(refund.created_at).toISOString(),
    created_at: refund.created_at.toISOString(),
  })
}

/** A failed refund includes the reason, as a failed transaction does. */
export function presentStatus(refund: Refund): Answer {
  const failure =
    refund.state === "failed" ? { error_code: refund.error_code ?? "", error_message: refund.error_message ?? "" } : {}
  return bareEnvelope({
    ...identity(refund),
    refund_status: refund.state,
    completed_at: refund.completed_at?.toISOString() ?? null,
    created_at: refund.created_at.toISOString(),
    ...failure,
  })
}

export function presentListed(refund: Refund): Record<string, unknown> {
  return { ...identity(refund), refund_status: refund.state, created_at: refund.created_at.toISOString() }
}
