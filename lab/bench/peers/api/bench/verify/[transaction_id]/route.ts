import type { MedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import { merchantOfHeader, selectTransaction } from "../../rows"

export async function GET(request: MedusaRequest, response: MedusaResponse) {
  response.json(await selectTransaction(merchantOfHeader(request), request.params.transaction_id))
}
