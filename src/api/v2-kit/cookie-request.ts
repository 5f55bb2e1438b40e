import type {
  AuthenticatedMedusaRequest,
  MedusaNextFunction,
  MedusaRequest,
  MedusaResponse,
} from "@medusajs/framework/http"
import { ContainerRegistrationKeys, parseCorsOrigins } from "@medusajs/framework/utils"
import { GATEWAY_MODULE } from "../../modules/gateway"
import type GatewayModuleService from "../../modules/gateway/service"

const SAFE_METHODS = ["GET", "HEAD", "OPTIONS"]

/** What the browser says of a request that its cookie signs in. */
export type CookieRequest = {
  method: string
  contentType: string | undefined
  hasBody: boolean
  origin: string | undefined
  secFetchSite: string | undefined
  /** Hosts this deployment is served on: the request's own and the public address's. */
  hosts: readonly string[]
  /** Origins that the deployment lets in besides (ADMIN_CORS, STORE_CORS). */
  allowed: readonly (string | RegExp)[]
}

/**
 * Why such a request is refused; null when it is fine. A browser sends the cookie along with whatever page asks for it,
 * so the request must show that one of ours did: its body is JSON, which no form of another site can send without being
 * asked first, and Sec-Fetch-Site or Origin, where they are sent, name this deployment or an origin that it lets in.
 */
export function refusalOfCookieRequest(request: CookieRequest): string | null {
  const { method, contentType, hasBody, origin, secFetchSite, hosts, allowed } = request
  if (SAFE_METHODS.includes(method)) {
    return null
  }
  if (hasBody && !/^application\/json\s*(;|$)/i.test(contentType ?? "")) {
    return "Requests that a cookie signs in have JSON bodies: send Content-Type application/json"
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
 * Before routes that Medusa's session cookie may sign in: refuses with 403 what another site may have sent. Whoever
 * sends an Authorization header is not concerned: no browser adds one by itself.
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
  const { publicUrl } = scope.resolve<GatewayModuleService>(GATEWAY_MODULE).options
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
