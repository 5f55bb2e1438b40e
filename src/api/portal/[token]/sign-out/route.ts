import type { MedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import { gatewayOf } from "../../../pay/http/gateway"
import { trustedForm } from "../../../pay/http/respond"
import { signOut } from "../../flow/act"
import { answerOwn } from "../../http/respond"

/** Ends the link for every browser. */
export async function POST(req: MedusaRequest, res: MedusaResponse): Promise<void> {
  await answerOwn(req, res, async (visit, request) => {
    await trustedForm(request)
    return signOut(gatewayOf(req.scope), visit)
  })
}
