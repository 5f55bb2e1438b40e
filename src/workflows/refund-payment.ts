import type { MedusaContainer } from "@medusajs/framework/types"
import type { WorkflowData } from "@medusajs/framework/workflows-sdk"
import { createStep, createWorkflow, StepResponse, WorkflowResponse } from "@medusajs/framework/workflows-sdk"
import { messageOf } from "../i18n/message"
import { gatewayIn } from "../modules/gateway"
import { GatewayError } from "../modules/gateway/kernel/errors"
import { formatAmount } from "../modules/gateway/kernel/money/money"
import type { RefundState } from "../modules/gateway/refunds/states"
import { gatewayPaymentOf, readOrder } from "../store/returns/order"
import { actorOf, readAmount, requestedBy } from "./input"

/** What is refunded: the gateway's transaction, or a Medusa order. Of an order's payments it is the one with most left. */
export type RefundPaymentInput = ({ transaction_id: string } | { order_id: string }) & {
  /** Decimal text in the payment's currency, such as "1250.00"; absent: all that remains. */
  amount?: string
  /** An admin and the customer's statement show it. */
  reason: string
  /** The same key for the same payment refunds once, however often the workflow runs. */
  idempotency_key: string
  /** The user of Medusa's admin who asked; absent: the workflow. */
  actor_id?: string
  /** Sends the customer an e-mail when the refund is complete. Default: false. */
  notify_customer?: boolean
  metadata?: Record<string, unknown>
}

/** `processing`: the acquirer has not said yet; it is asked until it does. `failed`: nobody got any money. */
export type RefundPaymentResult = {
  id: string
  transaction_id: string
  state: RefundState
  amount: string
  currency: string
  error_code: string | null
  error_message: string | null
}

/** Money that has gone back cannot be taken again, so the step has no compensation: put it last in a workflow of yours. */
export const refundGatewayPaymentStep = createStep(
  "refund-gateway-payment",
  async (input: RefundPaymentInput, { container }) => {
    const { refunds } = gatewayIn(container)
    const { amount, reason, idempotency_key, notify_customer, metadata } = input
    const refund = await refunds.create({
      transaction_id: await transactionOf(container, input),
      amount: readAmount(amount),
      reason,
      requested_by: requestedBy(input),
      by: actorOf(input),
      request_key: `workflow:${idempotency_key}`,
      notify_customer,
      metadata,
    })
    const { id, transaction_id, state, amount_minor, currency, error_code, error_message } = refund
    const money = { amount: formatAmount(amount_minor), currency }
    return new StepResponse<RefundPaymentResult>({ id, transaction_id, state, ...money, error_code, error_message })
  }
)

/**
 * Gives money back. Errors: TRANSACTION_NOT_FOUND, VALIDATION_ERROR (the amount), REFUND_NOT_ALLOWED, ALREADY_REFUNDED,
 * REFUND_EXCEEDED, REFUND_WINDOW_EXPIRED, INSUFFICIENT_BALANCE, SERVICE_UNAVAILABLE (contract 4.8). A refusal by the
 * acquirer is no error: the result's state is then `failed`.
 */
export const refundGatewayPaymentWorkflow = createWorkflow(
  "refund-gateway-payment",
  (input: WorkflowData<RefundPaymentInput>) => new WorkflowResponse(refundGatewayPaymentStep(input))
)

async function transactionOf(container: MedusaContainer, input: RefundPaymentInput): Promise<string> {
  if ("transaction_id" in input) {
    return input.transaction_id
  }
  const order = await readOrder(container, input.order_id)
  const payment = order === null ? null : await gatewayPaymentOf(container, order)
  if (payment === null) {
    throw new GatewayError(
      "TRANSACTION_NOT_FOUND",
      messageOf("refusal.no_payment_of_order", { order_id: input.order_id })
    )
  }
  return payment.transaction_id
}
