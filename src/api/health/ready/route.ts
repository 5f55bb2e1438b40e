import type { MedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import { gatewayIn } from "../../medusa-site"
import { answerReady } from "../answer"
import { leaveUnlogged } from "../unlogged"

export async function GET(request: MedusaRequest, response: MedusaResponse): Promise<void> {
  leaveUnlogged(request)
  await answerReady(request, response, gatewayIn(request.scope).readiness)
}
