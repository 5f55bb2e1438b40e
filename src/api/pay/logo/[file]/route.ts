import { LOGO_FILE } from "../../../../modules/gateway/merchants/logo-rules"
import { gatewayOf, page } from "../../../page-kit/request"
import { setSecurityHeaders } from "../../http/headers"
import { notFoundReply, sendProblem, sendReply } from "../../http/respond"
import { visitorOf } from "../../http/request"

/** A merchant's logo; its address is the hash of its content, so it never changes. E-mails and other sites show it. */
export const GET = page({ file: LOGO_FILE }, async (req, res) => {
  const logo = await gatewayOf(req)
    .merchantProfiles.logo(req.gatewayPage.params.file)
    .catch((error: unknown) => ({ error }))
  const visitor = visitorOf(req)
  if (logo === null) {
    sendReply(res, visitor, notFoundReply(visitor))
    return
  }
  if ("error" in logo) {
    sendProblem(req, res, logo.error)
    return
  }
  setSecurityHeaders(res, visitor)
  res.setHeader("Cross-Origin-Resource-Policy", "cross-origin")
  res.setHeader("Content-Type", logo.type)
  res.setHeader("Content-Length", logo.bytes.length)
  res.setHeader("Cache-Control", "public, max-age=31536000, immutable")
  res.end(logo.bytes)
})
