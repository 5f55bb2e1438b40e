import type { MedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import { refundPlainly } from "../../refunds"
import { merchantOfKey } from "../../rows"

export async function POST(request: MedusaRequest<Parameters<typeof refundPlainly>[1]>, response: MedusaResponse) {
  response.json(await refundPlainly(await merchantOfKey(request), request.body))
}
