import type { IncomingMessage, ServerResponse } from "node:http"
import { inspect, promisify } from "node:util"
import { brotliCompress as brotliWithCallback, constants, gzip as gzipWithCallback } from "node:zlib"
import type { MiddlewareRoute } from "@medusajs/framework/http"
import type { Logger } from "@medusajs/framework/types"
import compression from "compression"
import { RETRY_SECONDS, isDatabaseAway } from "../modules/gateway/kernel/database/connection-loss"
import { GatewayError } from "../modules/gateway/kernel/errors"

/** Whether a client takes an encoding: by Accept-Encoding, where it stands by name, else by `*`, unless its weight is 0. */
export function acceptsEncoding(encoding: "gzip" | "br", header: string | string[] | undefined): boolean {
  const accepted = String(header ?? "")
    .toLowerCase()
    .split(",")
    .map((one) => one.split(";").map((part) => part.trim()))
  const [, ...parameters] = accepted.find(([name]) => name === encoding) ??
    accepted.find(([name]) => name === "*") ?? ["", "q=0"]
  return !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter))
}

/** In bytes. Below this the frame of the compression and its CPU time cost more than what is saved. */
export const SMALLEST_COMPRESSED = 1024
/**
 * The window of brotli, as a power of two: 256 kB instead of the usual 4 MB, because strangers open many pages at once
 * and each response allocates its own. No page and hardly any list is longer.
 */
const BROTLI_WINDOW = 18

/**
 * Compresses what a client accepts as brotli or gzip: HTML, JSON, CSV and metrics, not PDF. A response that is encoded
 * already stays as it is; so a host may also use Medusa's `projectConfig.http.compression` or its own proxy.
 */
const compress = compression({
  threshold: SMALLEST_COMPRESSED,
  brotli: { params: { [constants.BROTLI_PARAM_QUALITY]: 4, [constants.BROTLI_PARAM_LGWIN]: BROTLI_WINDOW } },
})

type Compress = (request: IncomingMessage, response: ServerResponse, next: () => void) => void

/** For answers that no middleware has gone before. Call it before the answer's head is written. */
export function compressAnswer(request: IncomingMessage, response: ServerResponse): void {
  ;(compress as unknown as Compress)(request, response, () => undefined)
}

/**
 * The gateway's paths among Medusa's routes; others are the host's to decide (docs/decisions/24). Pages are compressed
 * by their area (page-kit/area.ts). `/api/v2` compresses its own answers (v2-kit/envelopes.ts), because most are too
 * small for it, and preparing each costs more than sending it.
 */
const PATHS = ["/admin/gateway", "/store/gateway"]

/** Stands first in src/api/middlewares.ts: later middlewares of these paths answer for themselves. */
export const compressedRoutes: MiddlewareRoute[] = PATHS.map((matcher) => ({ matcher, middlewares: [compress] }))

const gzip = promisify(gzipWithCallback)
const brotli = promisify(brotliWithCallback)
/** The best level takes ten seconds for the largest file, this one less than one, and saves nearly as much. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }
/** In our order of preference: brotli is the smaller one. */
const ENCODINGS = ["br", "gzip"] as const

/** What is the same for everybody, in each encoding: one buffer for all who read it. */
export type Encoded = Readonly<{ plain: Buffer; br?: Buffer; gzip?: Buffer }>

/** Compresses once, outside the event loop. What is too small for it stays plain. */
export async function encode(plain: Buffer): Promise<Encoded> {
  return plain.length < SMALLEST_COMPRESSED
    ? { plain }
    : { plain, br: await brotli(plain, BROTLI), gzip: await gzip(plain) }
}

/** Keeps the newest version of one text, by its key: within a deployment it hardly ever has two. */
export class EncodedText {
  private kept: { key: string; encoded: Promise<Encoded> } | null = null

  of(key: string, text: () => string): Promise<Encoded> {
    if (this.kept?.key !== key) {
      this.kept = { key, encoded: encode(Buffer.from(text())) }
    }
    return this.kept.encoded
  }
}

/** Answers 200 in the encoding that the client takes, HEAD without the body. Other headers are set before. */
export function sendEncoded(response: ServerResponse, type: string, encoded: Encoded): void {
  const accepted = response.req.headers["accept-encoding"]
  const encoding = ENCODINGS.find((one) => encoded[one] !== undefined && acceptsEncoding(one, accepted))
  const body = (encoding && encoded[encoding]) ?? encoded.plain
  response.setHeader("Vary", "Accept-Encoding")
  if (encoding !== undefined) {
    response.setHeader("Content-Encoding", encoding)
  }
  response.writeHead(200, { "Content-Type": type, "Content-Length": body.length })
  response.end(response.req.method === "HEAD" ? undefined : body)
}

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
