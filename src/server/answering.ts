import type { IncomingMessage, ServerResponse } from "node:http"
import { compressAnswer } from "../api/compress"
import { answerContract } from "../api/contract"
import { answerReferenceFile } from "../api/reference/answer"
import type { ProcessServices } from "../api/process-services"
import { requestIdOf } from "../api/v2-kit/exchange"
import { loadOperations } from "../api/v2-kit/operations"
import { placeInContract } from "../api/v2-kit/target"
import { pagesOf } from "./pages"

/** Answers a request, whatever its path and method. `requestId` is what its log lines have. */
export type Answering = (request: IncomingMessage, response: ServerResponse, requestId: string) => Promise<void>

const REFERENCE_FILE = /^(?:https?:\/\/[^/?#]*)?\/gateway\/reference\/([^/?#]+)(?:[?#]|$)/i

/**
 * `/api/v2` and the pages without Medusa's router, from the same operations and routes as there. Any path that is neither
 * is answered 404 as `/api/v2` answers unknown paths.
 */
export function answeringOf(services: ProcessServices): Answering {
  loadOperations()
  const pages = pagesOf(services)
  return function answer(request, response, requestId) {
    const target = request.url ?? "/"
    const place = placeInContract(target)
    const answerAt = (path: string, isSandbox: boolean) =>
      answerContract({ services, request, response, target, path, requestId }, isSandbox)
    if (place !== null) {
      return answerAt(place.path, place.isSandbox)
    }
    compressAnswer(request, response)
    const file = referenceFileIn(request, target)
    if (file !== undefined) {
      return answerReferenceFile({ gateway: services.gateway, request, response }, file)
    }
    // The base URL itself is no operation: so any other path is answered as that is.
    return pages(target)?.(request, response) ?? answerAt("/", false)
  }
}

function referenceFileIn({ method }: IncomingMessage, target: string): string | undefined {
  return method === "GET" || method === "HEAD" ? REFERENCE_FILE.exec(target)?.[1] : undefined
}

/** The id that every answer and log line of a request has. */
export function idOf({ headers }: IncomingMessage): string {
  return requestIdOf(headers["x-request-id"])
}
