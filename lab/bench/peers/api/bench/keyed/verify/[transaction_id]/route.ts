import type { MedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import { merchantOfKey, selectTransaction } from "../../../rows"

export async function GET(request: MedusaRequest, response: MedusaResponse) {
  response.json(await selectTransaction(await merchantOfKey(request), request.params.transaction_id))
}
