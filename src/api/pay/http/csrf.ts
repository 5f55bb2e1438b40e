import { createHash, createHmac, randomBytes, timingSafeEqual } from "node:crypto"

/** Browsers accept the `__Host-` prefix over https only; it stops sibling domains from planting the cookie. */
export function csrfCookieName(secure: boolean): string {
  return secure ? "__Host-gateway_csrf" : "gateway_csrf"
}

export function newVisitorSecret(): string {
  return randomBytes(32).toString("base64url")
}

export function isVisitorSecret(value: string): boolean {
  return /^[A-Za-z0-9_-]{43}$/.test(value)
}

/**
 * The token of one checkout's forms. It is keyed with the cookie's secret, so that only a page we rendered for this
 * very browser can contain it. It is bound to the session, so that one payment's token is worthless for another.
 */
export function csrfToken(secret: string, sessionId: string): string {
  return createHmac("sha256", secret).update(`pay:${sessionId}`).digest("base64url")
}

function sameText(left: string, right: string): boolean {
  const a = createHash("sha256").update(left).digest()
  const b = createHash("sha256").update(right).digest()
  return timingSafeEqual(a, b)
}

export type PostOrigin = {
  secFetchSite: string | undefined
  origin: string | undefined
  /** Hosts of this page: the request's own and the public address's. */
  hosts: readonly string[]
}

/**
 * Whether the browser reports that the form was posted from our own page. With Referrer-Policy no-referrer browsers
 * send `Origin: null` for our own forms too. So Sec-Fetch-Site decides when it is sent; a null origin alone proves
 * nothing, and the token decides.
 */
export function isOwnPost({ secFetchSite, origin, hosts }: PostOrigin): boolean {
  if (secFetchSite !== undefined) {
    return secFetchSite === "same-origin" || secFetchSite === "none"
  }
  if (origin === undefined || origin === "null") {
    return true
  }
  try {
    return hosts.includes(new URL(origin).host)
  } catch {
    return false
  }
}

/** Whether the posted token is the one that this browser's cookie makes for this session; compared in constant time. */
export function isTokenValid(input: { secret: string; isNew: boolean; sessionId: string; token: string }): boolean {
  return !input.isNew && sameText(input.token, csrfToken(input.secret, input.sessionId))
}
