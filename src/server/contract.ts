import type { IncomingMessage, ServerResponse } from "node:http"
import { compressAnswer } from "../api/compress"
import { answerReference, answerReferenceFile, isForReference } from "../api/reference/answer"
import { openExchange, refuseSandbox, requestIdOf, type Arrival, type ContractRequest } from "../api/v2-kit/exchange"
import type { Site } from "../api/site"
import { placeInContract } from "../api/v2-kit/target"
import { loadOperations } from "./operations"
import { pagesOf } from "./pages"

/** Answers a request, whatever its path and method. `requestId` is what its log lines have. */
export type Answering = (request: IncomingMessage, response: ServerResponse, requestId: string) => Promise<void>

const REFERENCE_FILE = /^(?:https?:\/\/[^/?#]*)?\/gateway\/reference\/([^/?#]+)(?:[?#]|$)/i

/**
 * `/api/v2` and the pages without Medusa's router, from the same operations and routes and in the same order as there:
 * the sandbox of a production deployment, compression, the reference pages, the gates of the pages, the table of
 * operations. Any other path is answered 404 as `/api/v2` answers unknown paths.
 */
export function contractOf(site: Site): Answering {
  const operations = loadOperations()
  const pages = pagesOf(site)
  return async function answerContract(request, response, requestId) {
    const target = request.url ?? "/"
    const place = placeInContract(target)
    const { gateway } = site
    // The base URL itself is no operation: so any other path is answered as that is.
    const path = place?.path ?? "/"
    const arrival: Arrival = { site, request, response, target, path, requestId }
    const { environment } = gateway.options
    if (place?.isSandbox === true && environment !== "production") {
      return refuseSandbox(arrival)
    }
    if (place === null) {
      compressAnswer(request, response)
    }
    const file = place === null ? referenceFileIn(request, target) : undefined
    if (file !== undefined) {
      return answerReferenceFile({ gateway, request, response }, file)
    }
    const page = place === null ? pages(target) : null
    if (page !== null) {
      return page(request, response)
    }
    if (place !== null && isForReference({ gateway, request }, path)) {
      return answerReference({ gateway, request, response }, path)
    }
    const exchange = await openExchange(arrival, place?.isSandbox === true ? "sandbox" : environment)
    if (exchange !== null) {
      await operations.get(exchange.route)?.(
        Object.assign(request, { gatewayExchange: exchange }) as ContractRequest,
        response
      )
    }
  }
}

function referenceFileIn({ method }: IncomingMessage, target: string): string | undefined {
  return method === "GET" || method === "HEAD" ? REFERENCE_FILE.exec(target)?.[1] : undefined
}

/** The id that every answer and log line of a request has. */
export function idOf({ headers }: IncomingMessage): string {
  return requestIdOf(headers["x-request-id"])
}
