import type { ServerResponse } from "node:http"
import { gatewayOf, type PageRequest } from "../../../page-kit/request"
import { trustedForm } from "../../../pay/http/respond"
import { signOut } from "../../flow/act"
import { answerOwn } from "../../http"

/** Ends the link for every browser. */
export async function POST(req: PageRequest, res: ServerResponse): Promise<void> {
  await answerOwn(req, res, async (visit, request) => {
    await trustedForm(request)
    return signOut(gatewayOf(req), visit)
  })
}
