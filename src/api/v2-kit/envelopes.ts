import type { ServerResponse } from "node:http"
import { compressAnswer, SMALLEST_COMPRESSED } from "../compress"

/** The response of an operation: HTTP status and JSON body. */
export type Answer = { status: number; body: unknown; file?: FileAnswer }

/** A response that is not JSON; `GET` only, because a POST's response is stored as text. */
type FileAnswer = { name: string; type: string; bytes: Buffer }

/** The response as sent: stored and replayed byte for byte. */
export type WireAnswer = { status: number; body: string; file?: FileAnswer }

/** Envelope A of contract 4: `{ success, message, data, meta }`. */
export function envelope(message: string, data: unknown, meta: Record<string, unknown> = {}): Answer {
  return { status: 200, body: { success: true, message, data, meta } }
}

/** A list in Envelope A; `meta` gives the page's position. */
export function list(
  message: string,
  rows: unknown[],
  total: number,
  page: { page: number; per_page: number }
): Answer {
  return envelope(message, rows, { total, page: page.page, per_page: page.per_page })
}

/** The rows after a cursor. Their total is unknown: the reader goes on until there is nothing more. */
export function listAfter(
  message: string,
  rows: unknown[],
  has_more: boolean,
  { per_page }: { per_page: number }
): Answer {
  return envelope(message, rows, { per_page, has_more })
}

/** 201 for what has been created. */
export function created(message: string, data: unknown): Answer {
  return { ...envelope(message, data), status: 201 }
}

/** A file download under a name that we choose. */
export function download(file: FileAnswer): Answer {
  return { status: 200, body: null, file }
}

/** The resource itself, without an envelope: plans, subscriptions and invoices (contract 4). */
export function bare(body: Record<string, unknown>, status = 200): Answer {
  return { status, body }
}

/** The refund envelope of contract 4: `{ success, data }`, with `message` where the contract has one. */
export function bareEnvelope(data: unknown, message?: string): Answer {
  return { status: 200, body: { success: true, ...(message === undefined ? {} : { message }), data } }
}

/** Bytes and length at once: Express's own json() would serialise, hash and set the type a second time. */
export function send(response: ServerResponse, { status, body, file }: WireAnswer): void {
  const bytes = file?.bytes ?? Buffer.from(body, "utf8")
  const isSmall = file === undefined && bytes.length < SMALLEST_COMPRESSED && !response.hasHeader("Vary")
  if (!isSmall) {
    compressAnswer(response.req, response)
  }
  if (file !== undefined) {
    response.setHeader("Content-Disposition", `attachment; filename="${file.name}"`)
    response.setHeader("X-Content-Type-Options", "nosniff")
  }
  response.writeHead(status, {
    "Content-Type": file?.type ?? "application/json; charset=utf-8",
    "Content-Length": bytes.length,
    // As the compression does for answers that it leaves alone: a larger answer of the same path is encoded.
    ...(isSmall ? { Vary: "Accept-Encoding" } : {}),
  })
  response.end(response.req.method === "HEAD" ? undefined : bytes)
}
