import type { MedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import { insertCheckout, merchantOfKey } from "../../rows"

export async function POST(request: MedusaRequest<Parameters<typeof insertCheckout>[1]>, response: MedusaResponse) {
  response.json(await insertCheckout(await merchantOfKey(request), request.body))
}
