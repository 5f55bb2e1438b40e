import type { MedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import { gatewayOf } from "../pay/http/gateway"
import { trustedForm } from "../pay/http/respond"
import { queryValue } from "../pay/http/visitor"
import { requestLink, showLogin } from "./flow/login"
import { answerLogin } from "./http/respond"

/** Where customers of the store itself ask for a link by e-mail. */
export async function GET(req: MedusaRequest, res: MedusaResponse): Promise<void> {
  await answerLogin(req, res, null, async (visit) => showLogin(visit, queryValue(req, "sent") === "1"))
}

export async function POST(req: MedusaRequest, res: MedusaResponse): Promise<void> {
  await answerLogin(req, res, null, async (visit, request) =>
    requestLink(gatewayOf(req.scope), visit, await trustedForm(request))
  )
}
