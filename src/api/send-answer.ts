import type { ServerResponse } from "node:http"
import { inspect } from "node:util"
import type { Logger } from "@medusajs/framework/types"
import { isDatabaseAway, RETRY_SECONDS } from "../modules/gateway/kernel/connection-loss"
import { GatewayError } from "../modules/gateway/kernel/errors"

/* Answers for programs, outside /api/v2. Not Express's own: at the front door there is no Express. */

/** In the shape of Medusa's errors and records. */
export function sendJson(response: ServerResponse, status: number, body: object): void {
  send(response, status, "application/json; charset=utf-8", JSON.stringify(body))
}

export function sendText(response: ServerResponse, status: number, text: string): void {
  send(response, status, "text/plain; charset=utf-8", text)
}

export function send(response: ServerResponse, status: number, type: string, text: string): void {
  response.removeHeader("X-Powered-By")
  response.statusCode = status
  response.setHeader("Content-Type", type)
  response.setHeader("Content-Length", Buffer.byteLength(text))
  response.end(text)
}

/** 414 in Medusa's shape. */
export function sendTooLong(response: ServerResponse): void {
  const { status, code, message } = new GatewayError("URI_TOO_LONG")
  sendJson(response, status, { type: "invalid_data", code, message })
}

/** 500, or 503 while PostgreSQL is away, as Medusa words it. What happened is for the log alone. */
export function sendFault(response: ServerResponse, logger: Pick<Logger, "error">, error: unknown): void {
  logger.error(`gateway: a request failed: ${error instanceof Error ? error.stack : inspect(error)}`)
  const isAway = isDatabaseAway(error)
  if (isAway) {
    response.setHeader("Retry-After", RETRY_SECONDS)
  }
  sendJson(response, isAway ? 503 : 500, {
    code: "unknown_error",
    type: "unknown_error",
    message: "An unknown error occurred.",
  })
}

export function sendNothing(response: ServerResponse, status: number): void {
  response.removeHeader("X-Powered-By")
  response.statusCode = status
  response.end()
}
