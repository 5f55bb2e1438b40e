import type { ServerResponse } from "node:http"
import { gatewayOf, queryValue, type PageRequest } from "../../../page-kit/request"
import { trustedForm } from "../../../pay/http/respond"
import { requestLink, showLogin } from "../../flow/login"
import { answerLogin } from "../../http"

/** A merchant's form in its sandbox. */
export async function GET(req: PageRequest, res: ServerResponse): Promise<void> {
  await answerLogin(req, res, sandboxOf(req), async (visit) => showLogin(visit, queryValue(req, "sent") === "1"))
}

export async function POST(req: PageRequest, res: ServerResponse): Promise<void> {
  await answerLogin(req, res, sandboxOf(req), async (visit, request) =>
    requestLink(gatewayOf(req), visit, await trustedForm(request))
  )
}

function sandboxOf({ gatewayPage: { params } }: PageRequest): { merchant_id: string; environment: "sandbox" } {
  return { merchant_id: params.token, environment: "sandbox" }
}
