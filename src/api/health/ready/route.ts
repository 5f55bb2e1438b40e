import type { MedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import { answerReady } from "../../../modules/gateway/kernel/health"
import { gatewayIn } from "../../store-services"
import { leaveUnlogged } from "../unlogged"

export async function GET(request: MedusaRequest, response: MedusaResponse): Promise<void> {
  leaveUnlogged(request)
  await answerReady(request, response, gatewayIn(request.scope).readiness)
}
