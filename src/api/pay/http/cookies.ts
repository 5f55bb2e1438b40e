import type { Language } from "../../../i18n/languages"
import { csrfCookieName } from "./csrf"

const MAX_COOKIE_HEADER = 16 * 1024
const LANGUAGE_SECONDS = 365 * 24 * 60 * 60

/** The cookies of a request by name; the first of a name counts. Values are compared as sent, not decoded. */
export function readCookies(header: string | undefined): ReadonlyMap<string, string> {
  const cookies = new Map<string, string>()
  for (const pair of (header ?? "").slice(0, MAX_COOKIE_HEADER).split(";")) {
    const separator = pair.indexOf("=")
    const name = pair.slice(0, separator).trim()
    if (separator > 0 && !cookies.has(name)) {
      cookies.set(name, pair.slice(separator + 1).trim())
    }
  }
  return cookies
}

/** A checkout takes 30 minutes; its page is shown a little longer. */
const ACCOUNT_SECONDS = 60 * 60

export function accountCookieName(secure: boolean): string {
  return secure ? "__Secure-gateway_account" : "gateway_account"
}

/**
 * Lets this browser use the saved methods of one checkout's customer. Its path is that checkout's page, so that several
 * checkouts in one browser do not disturb each other.
 */
export function accountCookie({ secure }: { secure: boolean }, path: string, key: string): string {
  const scope = `Path=${path}; Max-Age=${ACCOUNT_SECONDS}${secure ? "; Secure" : ""}`
  return `${accountCookieName(secure)}=${key}; ${scope}; HttpOnly; SameSite=Lax`
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

/**
 * The Set-Cookie lines of a response. SameSite is Lax, not Strict: the shopper arrives from another site. With Strict
 * that first visit would not send the cookie and would replace it, although a payment is open in another tab.
 */
export function cookiesFor(visitor: Remembered): string[] {
  const lines: string[] = []
  if (visitor.isNew) {
    const scope = visitor.secure ? "Path=/; Secure" : `Path=${visitor.root}`
    lines.push(`${csrfCookieName(visitor.secure)}=${visitor.secret}; ${scope}; HttpOnly; SameSite=Lax`)
  }
  if (visitor.chosenLanguage !== null) {
    const secure = visitor.secure ? "; Secure" : ""
    lines.push(
      `gateway_lang=${visitor.chosenLanguage}; Path=${visitor.root}; Max-Age=${LANGUAGE_SECONDS}; HttpOnly; SameSite=Lax${secure}`
    )
  }
  return lines
}

/** Changing a payment method takes a checkout's half hour, and some time on the outcome's page. */
const RETURN_SECONDS = 60 * 60
const RETURN_PATH = "/portal/return"

export function portalCookieName(secure: boolean): string {
  return secure ? "__Secure-gateway_portal" : "gateway_portal"
}

/**
 * Brings a browser back to its portal after it has changed a payment method. The link would otherwise have to stand in
 * the checkout's return address, which is stored and shown. No other page gets the cookie.
 */
export function portalCookie({ secure }: { secure: boolean }, token: string): string {
  const scope = `Path=${RETURN_PATH}; Max-Age=${RETURN_SECONDS}${secure ? "; Secure" : ""}`
  return `${portalCookieName(secure)}=${token}; ${scope}; HttpOnly; SameSite=Lax`
}
