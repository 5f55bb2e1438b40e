import type { MedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import { insertCheckout, merchantOfHeader } from "../rows"

export async function POST(request: MedusaRequest<Parameters<typeof insertCheckout>[1]>, response: MedusaResponse) {
  response.json(await insertCheckout(merchantOfHeader(request), request.body))
}
