import { answerLive } from "../../../modules/gateway/kernel/http/health"
import type { PageHandler } from "../../page-kit/request"

export const GET: PageHandler = async (_request, response) => answerLive(response)
