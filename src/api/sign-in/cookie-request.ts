import type {
  AuthenticatedMedusaRequest,
  MedusaNextFunction,
  MedusaRequest,
  MedusaResponse,
} from "@medusajs/framework/http"
import { ContainerRegistrationKeys, parseCorsOrigins } from "@medusajs/framework/utils"
import { gatewayIn } from "../../modules/gateway"

const SAFE_METHODS = ["GET", "HEAD", "OPTIONS"]

/** What the browser reports about a request that a cookie authenticates. */
export type CookieRequest = {
  method: string
  contentType: string | undefined
  hasBody: boolean
  origin: string | undefined
  secFetchSite: string | undefined
  /** Hosts of this deployment: the request's own and the public address's. */
  hosts: readonly string[]
  /** Other origins that the deployment admits (ADMIN_CORS, STORE_CORS). */
  allowed: readonly (string | RegExp)[]
}

/**
 * Why such a request is refused; null when it is accepted. A browser sends the cookie with requests of any page, so the
 * request must prove that one of ours made it. Its body is JSON or a file's bytes, which no form of another site can send
 * without a preflight. Sec-Fetch-Site or Origin, where sent, identify this deployment or an admitted origin.
 */
export function refusalOfCookieRequest(request: CookieRequest): string | null {
  const { method, contentType, hasBody, origin, secFetchSite, hosts, allowed } = request
  if (SAFE_METHODS.includes(method)) {
    return null
  }
  if (hasBody && !/^application\/(json|octet-stream)\s*(;|$)/i.test(contentType ?? "")) {
    return "Requests that a cookie signs in have JSON bodies or files: send Content-Type application/json or application/octet-stream"
  }
  if (secFetchSite === "same-origin" || secFetchSite === "none") {
    return null
  }
  const isKnown =
    origin === undefined ? secFetchSite === undefined : isOurs(origin, hosts) || isAllowed(origin, allowed)
  return isKnown
    ? null
    : "Requests that a cookie signs in are taken from this deployment's own pages and allowed origins only"
}

function isOurs(origin: string, hosts: readonly string[]): boolean {
  return URL.canParse(origin) && hosts.includes(new URL(origin).host)
}

function isAllowed(origin: string, allowed: readonly (string | RegExp)[]): boolean {
  return allowed.some((entry) => (typeof entry === "string" ? entry === origin : entry.test(origin)))
}

/**
 * Runs before routes that accept Medusa's session cookie: refuses with 403 what another site may have sent. Requests
 * with an Authorization header pass: browsers never add one automatically.
 */
export function cookieRequestsFrom(cors: "adminCors" | "storeCors") {
  return function refuseForeignSites(request: MedusaRequest, response: MedusaResponse, next: MedusaNextFunction): void {
    const message = isSignedInByCookie(request) ? refusalOfCookieRequest(whatBrowserSays(request, cors)) : null
    if (message === null) {
      return next()
    }
    response.status(403).json({ type: "not_allowed", message })
  }
}

function isSignedInByCookie({ session, headers }: MedusaRequest): boolean {
  const { auth_context } = (session ?? {}) as Partial<Pick<AuthenticatedMedusaRequest, "auth_context">>
  return auth_context !== undefined && headers.authorization === undefined
}

function whatBrowserSays(request: MedusaRequest, cors: "adminCors" | "storeCors"): CookieRequest {
  const { headers, method, scope } = request
  const { publicUrl } = gatewayIn(scope).options
  const { http } = scope.resolve(ContainerRegistrationKeys.CONFIG_MODULE).projectConfig
  const own = [headers.host, publicUrl === undefined ? undefined : new URL(publicUrl).host]
  return {
    method,
    contentType: headers["content-type"],
    hasBody: headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0,
    origin: headers.origin,
    secFetchSite: request.get("sec-fetch-site"),
    hosts: own.filter((host) => host !== undefined),
    allowed: parseCorsOrigins(http[cors]),
  }
}
