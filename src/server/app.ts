import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { Socket } from "node:net"
import type { Logger } from "@medusajs/framework/types"
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from "fastify"
import type { Gateway } from "../modules/gateway/container"
import { answerLive, answerReady } from "../modules/gateway/kernel/health"
import type { AccessLog } from "./access-log"
import { idOf, type Answering } from "./answering"

type Parts = {
  answer: Answering
  readiness: Pick<Gateway["readiness"], "problem">
  log: AccessLog
  logger: Pick<Logger, "error">
}

/** What Node answers to a request that it cannot parse, by the error's code, when nobody else does. */
const UNREADABLE: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: "431 Request Header Fields Too Large",
  HPE_CHUNK_EXTENSIONS_OVERFLOW: "413 Payload Too Large",
  ERR_HTTP_REQUEST_TIMEOUT: "408 Request Timeout",
}

/**
 * The application of an API process. Fastify listens, routes and ends connections; bodies, refusals and answers of the
 * contract are the kit's own, because both ways of serving it answer byte for byte the same.
 */
export function appOf({ answer, readiness, log, logger }: Parts): FastifyInstance {
  const answerContractRequest = (request: FastifyRequest, reply: FastifyReply) => {
    reply.hijack()
    void answered(request.raw, reply.raw)
  }
  const answered = async (request: IncomingMessage, response: ServerResponse) => {
    const requestId = idOf(request)
    log.follow(request, response, requestId)
    try {
      await answer(request, response, requestId)
    } catch (error) {
      logger.error(`gateway: request ${requestId} failed: ${(error as Error)?.stack ?? String(error)}`)
      response.destroy()
    }
  }
  const app = Fastify({
    // Timeouts stay Node's own: the connection guard sets them, as it does for a store's server.
    serverFactory: (handler) => createServer(handler),
    clientErrorHandler: refuseUnreadable,
    return503OnClosing: false,
    // A path that does not decode is the contract's to refuse.
    frameworkErrors: (_error, request, reply) =>
      answerContractRequest(request as FastifyRequest, reply as FastifyReply),
    routerOptions: { caseSensitive: false },
  })
  app.get("/health", async () => "OK")
  app.get("/health/live", (_request, reply) => {
    reply.hijack()
    answerLive(reply.raw)
  })
  app.get("/health/ready", (request, reply) => {
    reply.hijack()
    return answerReady(request.raw, reply.raw, readiness)
  })
  const contract = { onRequest: answerContractRequest, handler: () => undefined }
  app.all("/api/v2", contract)
  app.all("/api/v2/*", contract)
  app.all("/sandbox/api/v2/*", contract)
  app.addHook("onRequest", (request, reply, done) => (request.is404 ? answerContractRequest(request, reply) : done()))
  return app
}

/** As Node does it without a listener: an API process refuses what cannot be parsed as a store does. */
function refuseUnreadable(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === "ECONNRESET" || !socket.writable) {
    socket.destroy()
    return
  }
  socket.end(`HTTP/1.1 ${UNREADABLE[error.code ?? ""] ?? "400 Bad Request"}\r\nConnection: close\r\n\r\n`)
}
