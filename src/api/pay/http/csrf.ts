import { createHmac, randomBytes, timingSafeEqual } from "node:crypto"

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

/** The length of a token's proof and of its mask, in bytes. */
const PROOF_BYTES = 32

/**
 * The token of one checkout's forms. It is keyed with the cookie's secret, so that only a page we rendered for this
 * very browser can contain it. It is bound to the session, so that one payment's token is worthless for another. Every
 * page masks it anew: pages are compressed, and from the lengths of many of them an eavesdropper could otherwise guess
 * what stays the same (BREACH).
 */
export function csrfToken(secret: string, sessionId: string): string {
  const mask = randomBytes(PROOF_BYTES)
  return Buffer.concat([mask, masked(proofOf(secret, sessionId), mask)]).toString("base64url")
}

function proofOf(secret: string, sessionId: string): Buffer {
  return createHmac("sha256", secret).update(`pay:${sessionId}`).digest()
}

/** Masking a masked proof again gives the proof. */
function masked(proof: Buffer, mask: Buffer): Buffer {
  return Buffer.from(proof.map((byte, index) => byte ^ mask[index]))
}

type PostOrigin = {
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

/** Whether the posted token is one that this browser's cookie makes for this session; compared in constant time. */
export function isTokenValid(input: { secret: string; isNew: boolean; sessionId: string; token: string }): boolean {
  const bytes = Buffer.from(input.token, "base64url")
  if (input.isNew || bytes.length !== 2 * PROOF_BYTES) {
    return false
  }
  const proof = masked(bytes.subarray(PROOF_BYTES), bytes.subarray(0, PROOF_BYTES))
  return timingSafeEqual(proof, proofOf(input.secret, input.sessionId))
}
