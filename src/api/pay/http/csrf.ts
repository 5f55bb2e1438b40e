import { createHmac, randomBytes, timingSafeEqual } from "node:crypto"
import { type Cookies, type SerializeOptions, parseCookie, stringifySetCookie } from "cookie"
import type { Language } from "../../../i18n/languages"

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

/**
 * SameSite is Lax, not Strict: the shopper arrives from another site. With Strict that first visit would not send the
 * cookie and would replace it, although a payment is open in another tab.
 */
const SHARED: SerializeOptions = { httpOnly: true, sameSite: "lax" }

/** A checkout takes 30 minutes; its page is shown a little longer. */
const ACCOUNT_SECONDS = 60 * 60
const LANGUAGE_SECONDS = 365 * 24 * 60 * 60
/** A payment takes a checkout's half hour, and some time on the outcome's page. */
const RETURN_SECONDS = 60 * 60
const RETURN_PATH = "/portal/return"

/** The cookies of a request by name; the first of a name counts. Values are compared as sent, not decoded. */
export function readCookies(header: string | undefined): Cookies {
  return parseCookie(header ?? "", { decode: (value) => value })
}

export function accountCookieName(secure: boolean): string {
  return secure ? "__Secure-gateway_account" : "gateway_account"
}

/**
 * Lets this browser use the saved methods of one checkout's customer. Its path is that checkout's page, so that several
 * checkouts in one browser do not disturb each other.
 */
export function accountCookie({ secure }: { secure: boolean }, path: string, key: string): string {
  return stringifySetCookie(accountCookieName(secure), key, { ...SHARED, path, maxAge: ACCOUNT_SECONDS, secure })
}

export function receiptCookieName(secure: boolean): string {
  return secure ? "__Secure-gateway_receipt" : "gateway_receipt"
}

/**
 * Shows the receipt to the browser that has paid, on the page of a payment link: its address, and those of its payments,
 * are no secret. Lax: browsers send it when the acquirer's page leads back, which is another site's navigation.
 */
export function receiptCookie({ secure }: { secure: boolean }, link_token: string, key: string): string {
  const scope = { ...SHARED, path: `/pay/link/${link_token}`, maxAge: RETURN_SECONDS, secure }
  return stringifySetCookie(receiptCookieName(secure), key, scope)
}

/** Another address of the same pages needs cookies of its own. */
export type PagesRoot = "/pay" | "/portal"

/** What the browser must remember; the fields are those of Visitor. */
type Remembered = {
  isNew: boolean
  secret: string
  secure: boolean
  chosenLanguage: Language | null
  root: PagesRoot
}

/** The Set-Cookie lines of a response. */
export function cookiesFor({ isNew, secret, secure, chosenLanguage, root }: Remembered): string[] {
  const lines: string[] = []
  if (isNew) {
    // The prefix of the name over https requires this path.
    const path = secure ? "/" : root
    lines.push(stringifySetCookie(csrfCookieName(secure), secret, { ...SHARED, path, secure }))
  }
  if (chosenLanguage !== null) {
    const scope = { ...SHARED, path: root, maxAge: LANGUAGE_SECONDS, secure }
    lines.push(stringifySetCookie("gateway_lang", chosenLanguage, scope))
  }
  return lines
}

export function portalCookieName(secure: boolean): string {
  return secure ? "__Secure-gateway_portal" : "gateway_portal"
}

/**
 * Brings a browser back to its portal after it has changed a payment method. The link would otherwise have to stand in
 * the checkout's return address, which is stored and shown. No other page gets the cookie.
 */
export function portalCookie({ secure }: { secure: boolean }, token: string): string {
  const scope = { ...SHARED, path: RETURN_PATH, maxAge: RETURN_SECONDS, secure }
  return stringifySetCookie(portalCookieName(secure), token, scope)
}
