import type { IncomingMessage, ServerResponse } from "node:http"
import { constants } from "node:zlib"
import type { MiddlewareRoute } from "@medusajs/framework/http"
import compression from "compression"

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
 * The gateway's paths among Medusa's routes; others are the host's to decide (docs/decisions/0052). Pages are compressed
 * by their area (page-kit/area.ts). `/api/v2` compresses its own answers (v2-kit/envelopes.ts), because most are too
 * small for it, and preparing each costs more than sending it.
 */
const PATHS = ["/admin/gateway", "/store/gateway"]

/** Stands first in src/api/middlewares.ts: later middlewares of these paths answer for themselves. */
export const compressedRoutes: MiddlewareRoute[] = PATHS.map((matcher) => ({ matcher, middlewares: [compress] }))
