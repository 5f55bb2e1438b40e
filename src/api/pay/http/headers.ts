import type { MedusaResponse } from "@medusajs/framework/http"
import type { Visitor } from "./visitor"

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

/**
 * Only our own files, nothing inline, nowhere to send data to but where a form may lead. Browsers apply form-action
 * to every hop of the redirects that follow a form, and a merchant's return address often redirects once more
 * (API host to shop, shop to www), so it cannot be narrowed to the addresses we know without stranding shoppers who
 * have paid. Plain http is left out unless the page itself is served over it (local development and tests).
 */
export function contentSecurityPolicy(secure: boolean): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self'",
    `form-action 'self' https:${secure ? "" : " http:"}`,
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join("; ")
}

/** Headers of everything under /pay, errors included. */
export function setSecurityHeaders(res: MedusaResponse, visitor: Pick<Visitor, "secure" | "production">): void {
  res.removeHeader("X-Powered-By")
  res.setHeader("Content-Security-Policy", contentSecurityPolicy(visitor.secure))
  res.setHeader("X-Frame-Options", "DENY")
  res.setHeader("X-Content-Type-Options", "nosniff")
  res.setHeader("Referrer-Policy", "no-referrer")
  res.setHeader("Permissions-Policy", FEATURES_OFF.map((feature) => `${feature}=()`).join(", "))
  res.setHeader("Cross-Origin-Opener-Policy", "same-origin")
  res.setHeader("Cross-Origin-Resource-Policy", "same-origin")
  res.setHeader("X-Robots-Tag", "noindex, nofollow")
  res.setHeader("Cache-Control", "no-store")
  if (visitor.secure && visitor.production) {
    res.setHeader("Strict-Transport-Security", `max-age=${HSTS_SECONDS}`)
  }
}
