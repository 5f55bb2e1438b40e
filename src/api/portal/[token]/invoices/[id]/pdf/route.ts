import type { ServerResponse } from "node:http"
import { gatewayOf, type PageRequest } from "../../../../../page-kit/request"
import { downloadPdf } from "../../../../flow/show"
import { answerOwn } from "../../../../http"

export async function GET(req: PageRequest, res: ServerResponse): Promise<void> {
  await answerOwn(req, res, (visit) => downloadPdf(gatewayOf(req), visit, req.gatewayPage.params.id))
}
