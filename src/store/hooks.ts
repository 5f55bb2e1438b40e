import type { MedusaContainer } from "@medusajs/framework/types"
import { ContainerRegistrationKeys } from "@medusajs/framework/utils"
import { GATEWAY_MODULE } from "../modules/gateway"
import type { ClaimedHookCall, HookCall } from "../modules/gateway/kernel/hook-calls"
import type GatewayModuleService from "../modules/gateway/service"
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
  const { hookCalls } = scope.resolve<GatewayModuleService>(GATEWAY_MODULE)
  // Once the process is asked to end, nothing is claimed: its lease would keep the call from other processes.
  const claim = async () => (stop?.aborted ? null : hookCalls.claim())
  for (let call = await claim(); call !== null; call = await claim()) {
    try {
      await run(scope, call)
    } catch (error) {
      await failed(scope, call, error)
      continue
    }
    await hookCalls.succeeded(call)
  }
}

async function run(scope: MedusaContainer, call: HookCall): Promise<void> {
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

/** Errors of a workflow may be plain objects. */
async function failed(scope: MedusaContainer, call: ClaimedHookCall, error: unknown): Promise<void> {
  const { hookCalls } = scope.resolve<GatewayModuleService>(GATEWAY_MODULE)
  const logger = scope.resolve(ContainerRegistrationKeys.LOGGER)
  const reason = (error as { message?: string } | null)?.message ?? "unknown error"
  if (await hookCalls.failed(call, reason)) {
    logger.warn(`gateway: the hook ${call.hook} of ${call.resource_id} failed and is called again later: ${reason}`)
  } else {
    logger.error(`gateway: the hook ${call.hook} of ${call.resource_id} failed for the last time: ${reason}`)
  }
}
