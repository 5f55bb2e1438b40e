import type { IncomingMessage, ServerResponse } from "node:http"
import type { Gateway } from "../../modules/gateway/container"
import { EncodedText, sendEncoded } from "../compress"
import { setSecurityHeaders } from "../pay/http/headers"
import { secondsToWait } from "../pay/http/limits"
import { addressOf, deploymentOf } from "../v2-kit/target"
import { referenceFiles } from "./files"
import { GUIDE_POLICY, guidePage } from "./guide-page"
import { GUIDES } from "./generated/guides"
import { REFERENCE_POLICY, referencePage } from "./page"

/** `no-transform`: what is not encoded here for a client stays so, or it would be compressed anew for each request. */
const CACHED = "public, max-age=31536000, immutable, no-transform"
const PAGE = /^\/docs(?:\/guides\/([a-z-]+))?\/?$/

type Asked = { gateway: Gateway; request: IncomingMessage; response: ServerResponse }

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

/** The text of each page, by its path. The sandbox that it names is the deployment's. */
const TEXTS = new Map<string, EncodedText>()

/** Answers a request that `isForReference`, with the page at `path`. */
export async function answerReference({ gateway, request, response }: Asked, path: string): Promise<void> {
  const base = gateway.options.environment === "production" ? "/sandbox/api/v2" : "/api/v2"
  const guide = guideNamed(PAGE.exec(path)?.[1])
  const files = await referenceFiles()
  const name = guide?.name ?? ""
  const text = TEXTS.get(name) ?? new EncodedText()
  TEXTS.set(name, text)
  const page = () => (guide ? guidePage(guide, GUIDES, files.guideStyles) : referencePage(files, base, GUIDES))
  setSecurityHeaders(response, deploymentOf(gateway, request))
  response.setHeader("Content-Security-Policy", guide ? GUIDE_POLICY : REFERENCE_POLICY)
  sendEncoded(response, "text/html; charset=utf-8", await text.of(base, page))
}

/**
 * Answers one of the pages' files; their addresses contain the content's hash, so they never change. Requests are counted
 * with the pages of an address.
 */
export async function answerReferenceFile({ gateway, request, response }: Asked, name: string): Promise<void> {
  setSecurityHeaders(response, deploymentOf(gateway, request))
  const seconds = await secondsToWait(gateway, { address: addressOf(gateway, request), about: null })
  if (seconds !== null) {
    response.setHeader("Retry-After", seconds)
    response.writeHead(429, { "Content-Type": "text/plain; charset=utf-8" })
    response.end(request.method === "HEAD" ? undefined : `Too many requests: try again in ${seconds} seconds\n`)
    return
  }
  const files = gateway.options.reference ? Object.values(await referenceFiles()) : []
  const file = files.find(({ url }) => url.endsWith(`/${name}`))
  if (file === undefined) {
    const text = "There is no such file\n"
    response.writeHead(404, { "Content-Type": "text/plain; charset=utf-8", "Content-Length": text.length })
    response.end(request.method === "HEAD" ? undefined : text)
    return
  }
  response.setHeader("Cache-Control", CACHED)
  sendEncoded(response, file.type, file.encoded)
}
