import type { ServerResponse } from "node:http"
import { compressAnswer, SMALLEST_COMPRESSED } from "../compress"

/** The response of an operation: HTTP status and JSON body. */
export type Answer = { status: number; body: unknown; file?: FileAnswer }

/** A response that is not JSON; `GET` only, because a POST's response is stored as text. */
type FileAnswer = { name: string; type: string; bytes: Buffer }

/** The response as sent: stored and replayed byte for byte. */
export type WireAnswer = { status: number; body: string; file?: FileAnswer }

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
