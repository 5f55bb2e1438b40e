import type { WorkflowData } from "@medusajs/framework/workflows-sdk"
import { createStep, createWorkflow, StepResponse, WorkflowResponse } from "@medusajs/framework/workflows-sdk"
import { gatewayIn } from "../modules/gateway"
import { GatewayError } from "../modules/gateway/kernel/errors"
import { formatAmount } from "../modules/gateway/kernel/money/money"
import type { RefundProposal } from "../modules/gateway/refunds/proposals/records"
import { statusOf, type ProposalStatus } from "../modules/gateway/refunds/proposals/rules"
import { confirmProposal } from "../store/returns/confirm-proposal"
import { actorOf, readAmount, requestedBy, type ActedBy } from "./input"

export type ConfirmRefundProposalInput = ActedBy & {
  proposal_id: string
  /** Decimal text in the payment's currency; absent: all that is still to be given back. */
  amount?: string
}

export type DismissRefundProposalInput = ActedBy & { proposal_id: string }

/** `amount` is what was proposed; `refund_id` is null until it is confirmed. */
export type RefundProposalResult = {
  id: string
  status: ProposalStatus
  order_id: string
  amount: string
  currency: string
  refund_id: string | null
}

/** Money that has gone back cannot be taken again, so the step has no compensation. */
export const confirmGatewayRefundProposalStep = createStep(
  "confirm-gateway-refund-proposal",
  async (input: ConfirmRefundProposalInput, { container }) => {
    const confirmation = { amount: readAmount(input.amount), by: actorOf(input), name: requestedBy(input) }
    return new StepResponse(resultOf(await confirmProposal(container, input.proposal_id, confirmation)))
  }
)

/**
 * Refunds what a return, claim or cancellation has proposed; run twice, it is refunded once. Errors: NOT_FOUND,
 * VALIDATION_ERROR (the amount), INVALID_STATE_TRANSITION (dismissed), REFUND_EXCEEDED, and those of a refund.
 */
export const confirmGatewayRefundProposalWorkflow = createWorkflow(
  "confirm-gateway-refund-proposal",
  (input: WorkflowData<ConfirmRefundProposalInput>) => new WorkflowResponse(confirmGatewayRefundProposalStep(input))
)

/** A dismissal is final, so the step has no compensation. */
export const dismissGatewayRefundProposalStep = createStep(
  "dismiss-gateway-refund-proposal",
  async (input: DismissRefundProposalInput, { container }) => {
    const { refundProposals } = gatewayIn(container)
    const by = { by: actorOf(input), name: requestedBy(input) }
    try {
      return new StepResponse(resultOf(await refundProposals.dismiss(input.proposal_id, by)))
    } catch (error) {
      const now = await refundProposals.retrieve(input.proposal_id)
      if (GatewayError.is(error) && now.state === "dismissed") {
        return new StepResponse(resultOf(now))
      }
      throw error
    }
  }
)

/** Nothing is refunded for it; run twice, it is dismissed once. Errors: NOT_FOUND, INVALID_STATE_TRANSITION (confirmed). */
export const dismissGatewayRefundProposalWorkflow = createWorkflow(
  "dismiss-gateway-refund-proposal",
  (input: WorkflowData<DismissRefundProposalInput>) => new WorkflowResponse(dismissGatewayRefundProposalStep(input))
)

function resultOf(proposal: RefundProposal): RefundProposalResult {
  const { id, order_id, amount_minor, currency, refund_id } = proposal
  return { id, status: statusOf(proposal), order_id, amount: formatAmount(amount_minor), currency, refund_id }
}
