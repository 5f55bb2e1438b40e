import type { MedusaNextFunction, MedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import { gatewayIn } from "../medusa-site"
import { answerReference, isForReference } from "./answer"

/** Answers `/api/v2/docs`. It runs ahead of the table of operations, because a page is no operation. */
export async function serveReference(
  request: MedusaRequest,
  response: MedusaResponse,
  next: MedusaNextFunction
): Promise<void> {
  const gateway = gatewayIn(request.scope)
  if (!isForReference({ gateway, request }, request.path)) {
    return next()
  }
  try {
    await answerReference({ gateway, request, response }, request.path)
  } catch (error) {
    next(error)
  }
}
