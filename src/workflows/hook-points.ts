import type { WorkflowData } from "@medusajs/framework/workflows-sdk"
import type { completeCartWorkflow } from "@medusajs/medusa/core-flows"
import { createHook, createWorkflow, WorkflowResponse } from "@medusajs/framework/workflows-sdk"
import type { HookInputs } from "../modules/gateway/kernel/database/hook-calls"

export type RenewalOrderCreated = HookInputs["renewalOrderCreated"]
export type ReturnRefundProposed = HookInputs["returnRefundProposed"]
export type SubscriptionCancelled = HookInputs["subscriptionCancelled"]

/** A handler of `completeCartWorkflow.hooks.validate`. */
export type CartValidator = Parameters<typeof completeCartWorkflow.hooks.validate>[0]

const VALIDATORS = new Set<CartValidator>()

/**
 * A host's own check of carts that are to become orders. Medusa lets its `validate` hook have one handler, which is the
 * gateway's (hooks/validate-gateway-payment.ts): it runs these first, for carts of every payment provider, and what one
 * throws keeps the cart from becoming an order. Returns what removes the check.
 */
export function validateCart(validator: CartValidator): () => void {
  VALIDATORS.add(validator)
  return () => void VALIDATORS.delete(validator)
}

/** Runs what hosts have given to `validateCart`, in the order of their calls. */
export async function runCartValidators(...given: Parameters<CartValidator>): Promise<void> {
  for (const validator of VALIDATORS) {
    await validator(...given)
  }
}

/*
 * Workflows with nothing in them but a hook: the worker's task `run-hooks` runs them after COMMIT, at least once for
 * each thing that happened. A handler that throws is called again; what happened stays as it is (docs/decisions/14).
 */

/** Its hook `renewalOrderCreated` runs when a paid renewal of a store's subscription has its Medusa order. */
export const gatewayRenewalOrderCreatedWorkflow = createWorkflow(
  "gateway-renewal-order-created",
  (input: WorkflowData<RenewalOrderCreated>) => {
    const renewalOrderCreated = createHook("renewalOrderCreated", input)
    return new WorkflowResponse(input, { hooks: [renewalOrderCreated] })
  }
)

/** Its hook `returnRefundProposed` runs when a return, a claim or a cancelled order has made a refund proposal. */
export const gatewayReturnRefundProposedWorkflow = createWorkflow(
  "gateway-return-refund-proposed",
  (input: WorkflowData<ReturnRefundProposed>) => {
    const returnRefundProposed = createHook("returnRefundProposed", input)
    return new WorkflowResponse(input, { hooks: [returnRefundProposed] })
  }
)

/** Its hook `subscriptionCancelled` runs when a subscription was cancelled, at once or for the end of what is paid. */
export const gatewaySubscriptionCancelledWorkflow = createWorkflow(
  "gateway-subscription-cancelled",
  (input: WorkflowData<SubscriptionCancelled>) => {
    const subscriptionCancelled = createHook("subscriptionCancelled", input)
    return new WorkflowResponse(input, { hooks: [subscriptionCancelled] })
  }
)
