import type { IncomingMessage, ServerResponse } from "node:http"
import type { Gateway } from "../../modules/gateway/container"
import { acceptsEncoding } from "../accept-encoding"
import { compressAnswer } from "../compress"
import { setSecurityHeaders } from "../pay/http/headers"
import { deploymentOf } from "../v2-kit/address"
import { referenceFiles } from "./files"
import { GUIDE_POLICY, guidePage } from "./guide-page"
import { GUIDES } from "./guides"
import { REFERENCE_POLICY, referencePage } from "./page"

const PAGE = /^\/docs(?:\/guides\/([a-z-]+))?\/?$/

type Asked = { gateway: Pick<Gateway, "options">; request: IncomingMessage; response: ServerResponse }

/**
 * Whether a request is for the reference pages or a guide below them; `path` is what follows `/api/v2`. Where they are
 * switched off, the path is as unknown as any other.
 */
export function isForReference({ gateway, request }: Pick<Asked, "gateway" | "request">, path: string): boolean {
  const asked = PAGE.exec(path)
  const isPage = asked !== null && (asked[1] === undefined || guideNamed(asked[1]) !== undefined)
  return isPage && ["GET", "HEAD"].includes(request.method ?? "") && gateway.options.reference
}

const guideNamed = (name: string | undefined) => GUIDES.find((one) => one.name === name)

/** Answers a request that `isForReference`, with the page at `path`. */
export async function answerReference({ gateway, request, response }: Asked, path: string): Promise<void> {
  compressAnswer(request, response)
  const base = gateway.options.environment === "production" ? "/sandbox/api/v2" : "/api/v2"
  const guide = guideNamed(PAGE.exec(path)?.[1])
  const files = await referenceFiles()
  const body = Buffer.from(guide ? guidePage(guide, GUIDES, files.guideStyles) : referencePage(files, base, GUIDES))
  setSecurityHeaders(response, deploymentOf(gateway, request))
  response.setHeader("Content-Security-Policy", guide ? GUIDE_POLICY : REFERENCE_POLICY)
  response.writeHead(200, { "Content-Type": "text/html; charset=utf-8", "Content-Length": body.length })
  response.end(request.method === "HEAD" ? undefined : body)
}

/** Answers one of the pages' files; their addresses contain the content's hash, so they never change. */
export async function answerReferenceFile({ gateway, request, response }: Asked, name: string): Promise<void> {
  setSecurityHeaders(response, deploymentOf(gateway, request))
  const files = gateway.options.reference ? Object.values(await referenceFiles()) : []
  const file = files.find(({ url }) => url.endsWith(`/${name}`))
  if (file === undefined) {
    const text = "There is no such file\n"
    response.writeHead(404, { "Content-Type": "text/plain; charset=utf-8", "Content-Length": text.length })
    response.end(request.method === "HEAD" ? undefined : text)
    return
  }
  const gzipped = acceptsEncoding("gzip", request.headers["accept-encoding"])
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
