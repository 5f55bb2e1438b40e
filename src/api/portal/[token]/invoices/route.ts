import type { ServerResponse } from "node:http"
import { gatewayOf, queryValue, type PageRequest } from "../../../page-kit/request"
import { showInvoices } from "../../flow/show"
import { answerOwn } from "../../http"

export async function GET(req: PageRequest, res: ServerResponse): Promise<void> {
  await answerOwn(req, res, (visit) => showInvoices(gatewayOf(req), visit, queryValue(req, "page")))
}
