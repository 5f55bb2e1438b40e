import { answerReady } from "../../../modules/gateway/kernel/http/health"
import { gatewayOf, type PageHandler } from "../../page-kit/request"

export const GET: PageHandler = (request, response) => answerReady(request, response, gatewayOf(request).readiness)
