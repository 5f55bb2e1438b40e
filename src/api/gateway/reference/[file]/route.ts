import type { MedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import { gatewayOf } from "../../../pay/http/gateway"
import { setSecurityHeaders } from "../../../pay/http/headers"
import { visitorOf } from "../../../pay/http/visitor"
import { referenceFiles } from "../../../reference/files"

/** The files of the reference pages; their addresses contain the content's hash, so they never change. */
export async function GET(request: MedusaRequest, response: MedusaResponse): Promise<void> {
  setSecurityHeaders(response, visitorOf(request))
  const files = gatewayOf(request.scope).options.reference ? Object.values(await referenceFiles()) : []
  const file = files.find(({ url }) => url.endsWith(`/${request.params.file}`))
  if (file === undefined) {
    response.status(404).type("text/plain").send("There is no such file\n")
    return
  }
  const gzipped = request.acceptsEncodings("gzip") === "gzip"
  const body = gzipped ? file.gzipped : file.body
  response.setHeader("Vary", "Accept-Encoding")
  if (gzipped) {
    response.setHeader("Content-Encoding", "gzip")
  }
  response.setHeader("Content-Type", file.type)
  response.setHeader("Content-Length", body.length)
  response.setHeader("Cache-Control", "public, max-age=31536000, immutable")
  response.end(request.method === "HEAD" ? undefined : body)
}
