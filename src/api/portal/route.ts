import type { ServerResponse } from "node:http"
import { gatewayOf, queryValue, type PageRequest } from "../page-kit/request"
import { trustedForm } from "../pay/http/respond"
import { requestLink, showLogin } from "./flow/login"
import { answerLogin } from "./http"

/** Where customers of the store itself ask for a link by e-mail. */
export async function GET(req: PageRequest, res: ServerResponse): Promise<void> {
  await answerLogin(req, res, null, async (visit) => showLogin(visit, queryValue(req, "sent") === "1"))
}

export async function POST(req: PageRequest, res: ServerResponse): Promise<void> {
  await answerLogin(req, res, null, async (visit, request) =>
    requestLink(gatewayOf(req), visit, await trustedForm(request))
  )
}
