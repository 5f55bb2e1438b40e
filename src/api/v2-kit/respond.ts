import type { MedusaResponse } from "@medusajs/framework/http"
import type { WireAnswer } from "./idempotency"

/** Bytes and length at once: Express's own json() would serialise, hash and set the type a second time. */
export function send(response: MedusaResponse, { status, body, file }: WireAnswer): void {
  const bytes = file?.bytes ?? Buffer.from(body, "utf8")
  if (file !== undefined) {
    response.setHeader("Content-Disposition", `attachment; filename="${file.name}"`)
    response.setHeader("X-Content-Type-Options", "nosniff")
  }
  response.writeHead(status, {
    "Content-Type": file?.type ?? "application/json; charset=utf-8",
    "Content-Length": bytes.length,
  })
  response.end(response.req.method === "HEAD" ? undefined : bytes)
}
