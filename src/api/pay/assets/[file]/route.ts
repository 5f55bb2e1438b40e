import { acceptsEncoding } from "../../../compress"
import { page } from "../../../page-kit/request"
import { ASSET_FILE, bodyFor, findAsset } from "../../client/assets"
import { setSecurityHeaders } from "../../http/headers"
import { notFoundReply, sendReply } from "../../http/respond"
import { visitorOf } from "../../http/request"

/** The page's own stylesheet, script, icon and fonts; their addresses contain the content's hash, so they never change. */
export const GET = page({ file: ASSET_FILE }, async (req, res) => {
  const visitor = visitorOf(req)
  const found = findAsset(req.gatewayPage.params.file)
  if (found === null) {
    sendReply(res, visitor, notFoundReply(visitor))
    return
  }
  const { encoding, body } = bodyFor(found.asset, (name) => acceptsEncoding(name, req.headers["accept-encoding"]))
  setSecurityHeaders(res, visitor)
  res.setHeader("Vary", "Accept-Encoding")
  if (encoding !== null) {
    res.setHeader("Content-Encoding", encoding)
  }
  res.setHeader("Content-Type", found.asset.type)
  res.setHeader("Content-Length", body.length)
  res.setHeader("Cache-Control", found.current ? "public, max-age=31536000, immutable" : "no-store")
  res.end(body)
})
