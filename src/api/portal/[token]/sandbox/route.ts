import type { MedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import { gatewayOf } from "../../../pay/http/gateway"
import { trustedForm } from "../../../pay/http/respond"
import { queryValue } from "../../../pay/http/visitor"
import { requestLink, showLogin } from "../../flow/login"
import { answerLogin } from "../../http/respond"

/** A merchant's form in its sandbox. */
export async function GET(req: MedusaRequest, res: MedusaResponse): Promise<void> {
  await answerLogin(req, res, sandboxOf(req), async (visit) => showLogin(visit, queryValue(req, "sent") === "1"))
}

export async function POST(req: MedusaRequest, res: MedusaResponse): Promise<void> {
  await answerLogin(req, res, sandboxOf(req), async (visit, request) =>
    requestLink(gatewayOf(req.scope), visit, await trustedForm(request))
  )
}

function sandboxOf({ params }: MedusaRequest): { merchant_id: string; environment: "sandbox" } {
  return { merchant_id: params.token, environment: "sandbox" }
}
