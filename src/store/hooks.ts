import type { MedusaContainer } from "@medusajs/framework/types"
import { ContainerRegistrationKeys } from "@medusajs/framework/utils"
import { gatewayIn } from "../modules/gateway"
import { DUE_WORK, DueWork } from "../modules/gateway/kernel/database/due-work"
import type { ClaimedHookCall, HookCall } from "../modules/gateway/kernel/database/hook-calls"
import {
  gatewayRenewalOrderCreatedWorkflow,
  gatewayReturnRefundProposedWorkflow,
  gatewaySubscriptionCancelledWorkflow,
} from "../workflows/hook-points"

/**
 * Calls the host's hooks that are due, one after another. A handler that throws is logged and called again later
 * (1 minute to 24 hours, ten calls in all), and delays no other call. Any number of processes may run it.
 */
export async function runHooks(scope: MedusaContainer, stop?: AbortSignal): Promise<void> {
  const { hookCalls } = gatewayIn(scope)
  const due = new DueWork<ClaimedHookCall>(scope.resolve(ContainerRegistrationKeys.LOGGER), DUE_WORK.hookCall, {
    id: ({ id, hook, resource_id }) => `${id} (${hook} of ${resource_id})`,
    claim: (limit, lease) => hookCalls.claim(limit, lease),
    work: async (call) => {
      await callHook(scope, call)
      await hookCalls.succeeded(call)
    },
    failures: ({ attempts }) => attempts,
    failed: (call, failure) => hookCalls.failed(call, failure),
  })
  await due.run({ stop })
}

async function callHook(scope: MedusaContainer, call: HookCall): Promise<void> {
  switch (call.hook) {
    case "renewalOrderCreated":
      await gatewayRenewalOrderCreatedWorkflow(scope).run({ input: call.input })
      return
    case "returnRefundProposed":
      await gatewayReturnRefundProposedWorkflow(scope).run({ input: call.input })
      return
    case "subscriptionCancelled":
      await gatewaySubscriptionCancelledWorkflow(scope).run({ input: call.input })
  }
}
