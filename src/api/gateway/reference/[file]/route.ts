import type { MedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import { gatewayIn } from "../../../store-services"
import { answerReferenceFile } from "../../../reference/answer"

/** The files of the reference pages. */
export async function GET(request: MedusaRequest, response: MedusaResponse): Promise<void> {
  await answerReferenceFile({ gateway: gatewayIn(request.scope), request, response }, request.params.file)
}
