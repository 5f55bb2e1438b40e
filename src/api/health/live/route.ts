import type { MedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import { answerLive } from "../../../modules/gateway/kernel/health"
import { leaveUnlogged } from "../unlogged"

export function GET(request: MedusaRequest, response: MedusaResponse): void {
  leaveUnlogged(request)
  answerLive(response)
}
