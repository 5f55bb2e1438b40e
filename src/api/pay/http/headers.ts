import type { ServerResponse } from "node:http"
import { SANDBOX_PAGE } from "../../../modules/gateway/acquirers/nagad/host-rules"
import type { Deployment } from "../../v2-kit/target"

const HSTS_SECONDS = 365 * 24 * 60 * 60

const FEATURES_OFF = [
  "accelerometer",
  "browsing-topics",
  "camera",
  "display-capture",
  "geolocation",
  "gyroscope",
  "magnetometer",
  "microphone",
  "midi",
  "payment",
  "publickey-credentials-get",
  "screen-wake-lock",
  "serial",
  "usb",
]

/** Where browsers report what the policy has blocked: an attack, or a mistake of ours. */
const CSP_REPORTS = "/gateway/csp-reports"

/**
 * Only our own files, nothing inline, and no way to send data except forms. form-action cannot be limited to known
 * addresses: browsers apply it to every redirect after a form, and a merchant's return address often redirects once
 * more (API host to shop, shop to www). A limit would strand shoppers who have paid. Plain http is left out unless the
 * page itself is served over it (local development and tests). `sandbox`: the page is of a sandbox's checkout, from which
 * one acquirer's page without https, at its own port, can be reached as well.
 */
export function contentSecurityPolicy(secure: boolean, sandbox = false): string {
  const plain = secure ? (sandbox ? ` ${SANDBOX_PAGE}` : "") : " http:"
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self'",
    "font-src 'self'",
    `form-action 'self' https:${plain}`,
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
    // For browsers without `report-to`, which overrides this in the others; `report-to` works over https only.
    `report-uri ${CSP_REPORTS}`,
    ...(secure ? ["report-to csp"] : []),
  ].join("; ")
}

/** The headers of every response under /pay, errors included. */
export function setSecurityHeaders(
  res: ServerResponse,
  visitor: Pick<Deployment, "secure" | "production">,
  { sandbox = false } = {}
): void {
  res.removeHeader("X-Powered-By")
  res.setHeader("Content-Security-Policy", contentSecurityPolicy(visitor.secure, sandbox))
  res.setHeader("X-Frame-Options", "DENY")
  res.setHeader("X-Content-Type-Options", "nosniff")
  res.setHeader("Referrer-Policy", "no-referrer")
  res.setHeader("Permissions-Policy", FEATURES_OFF.map((feature) => `${feature}=()`).join(", "))
  res.setHeader("Cross-Origin-Opener-Policy", "same-origin")
  res.setHeader("Cross-Origin-Resource-Policy", "same-origin")
  res.setHeader("X-Robots-Tag", "noindex, nofollow")
  res.setHeader("Cache-Control", "no-store")
  if (visitor.secure) {
    res.setHeader("Reporting-Endpoints", `csp="${CSP_REPORTS}"`)
  }
  if (visitor.secure && visitor.production) {
    res.setHeader("Strict-Transport-Security", `max-age=${HSTS_SECONDS}`)
  }
}
