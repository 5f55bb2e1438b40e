import type { MedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import { gatewayOf } from "../../pay/http/gateway"
import { answerReady } from "../answer"
import { leaveUnlogged } from "../unlogged"

export async function GET(request: MedusaRequest, response: MedusaResponse): Promise<void> {
  leaveUnlogged(request)
  await answerReady(request, response, gatewayOf(request.scope).readiness)
}
