import type { MedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import { answerLive } from "../answer"
import { leaveUnlogged } from "../unlogged"

export function GET(request: MedusaRequest, response: MedusaResponse): void {
  leaveUnlogged(request)
  answerLive(response)
}
