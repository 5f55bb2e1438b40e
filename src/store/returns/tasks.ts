import type { MedusaContainer } from "@medusajs/framework/types"
import { ContainerRegistrationKeys } from "@medusajs/framework/utils"
import { GATEWAY_MODULE } from "../../modules/gateway"
import { DUE_WORK, DueWork } from "../../modules/gateway/kernel/due-work"
import type { ClaimedNotice } from "../../modules/gateway/refunds/proposals/return-notices"
import type GatewayModuleService from "../../modules/gateway/service"
import { process } from "./propose"
import { sweep } from "./sweep"

/** Proposes refunds for what came back, was claimed or was cancelled. Any number of processes may run it. */
export async function processReturns(scope: MedusaContainer, stop?: AbortSignal): Promise<void> {
  const { returnNotices } = scope.resolve<GatewayModuleService>(GATEWAY_MODULE)
  await sweep(scope)
  const due = new DueWork<ClaimedNotice>(scope.resolve(ContainerRegistrationKeys.LOGGER), DUE_WORK.returnNotice, {
    id: ({ id, kind, order_id }) => `${id} (${kind} of order ${order_id})`,
    claim: (limit, lease) => returnNotices.claim(limit, lease),
    work: (notice) => process(scope, notice),
    failures: ({ attempts }) => attempts,
    failed: (notice, failure) => returnNotices.failed(notice, failure),
  })
  await due.run({ stop })
}
