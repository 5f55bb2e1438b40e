import type { MedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import { gatewayOf } from "../../http/gateway"
import { setSecurityHeaders } from "../../http/headers"
import { notFoundReply, sendReply } from "../../http/respond"
import { visitorOf } from "../../http/visitor"

/** A merchant's logo; its address is the hash of its content, so it never changes. E-mails and other sites show it. */
export async function GET(req: MedusaRequest, res: MedusaResponse): Promise<void> {
  const visitor = visitorOf(req)
  const logo = await gatewayOf(req.scope).merchantProfiles.logo(req.params.file)
  if (logo === null) {
    sendReply(res, visitor, notFoundReply(visitor))
    return
  }
  setSecurityHeaders(res, visitor)
  res.setHeader("Cross-Origin-Resource-Policy", "cross-origin")
  res.setHeader("Content-Type", logo.type)
  res.setHeader("Content-Length", logo.bytes.length)
  res.setHeader("Cache-Control", "public, max-age=31536000, immutable")
  res.end(logo.bytes)
}
