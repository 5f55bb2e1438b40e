import type { MedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import { gatewayOf } from "../../../pay/http/gateway"
import { answerReferenceFile } from "../../../reference/answer"

/** The files of the reference pages. */
export async function GET(request: MedusaRequest, response: MedusaResponse): Promise<void> {
  await answerReferenceFile({ gateway: gatewayOf(request.scope), request, response }, request.params.file)
}
