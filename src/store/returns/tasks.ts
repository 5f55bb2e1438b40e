import type { MedusaContainer } from "@medusajs/framework/types"
import { GATEWAY_MODULE } from "../../modules/gateway"
import type GatewayModuleService from "../../modules/gateway/service"
import { process } from "./propose"
import { sweep } from "./sweep"

const BATCH = 10

/** Looks what came back, was claimed or called off, and sees to it. Any number of processes may run it. */
export async function processReturns(scope: MedusaContainer): Promise<void> {
  const { returnNotices } = scope.resolve<GatewayModuleService>(GATEWAY_MODULE)
  await sweep(scope)
  for (let claimed = await returnNotices.claim(BATCH); claimed.length > 0; claimed = await returnNotices.claim(BATCH)) {
    for (const notice of claimed) {
      await process(scope, notice)
    }
  }
}
