import { parseCookie, stringifySetCookie, type Cookies, type SerializeOptions } from "cookie"
import type { Language } from "../../../i18n/languages"
import { csrfCookieName } from "./csrf"

/**
 * SameSite is Lax, not Strict: the shopper arrives from another site. With Strict that first visit would not send the
 * cookie and would replace it, although a payment is open in another tab.
 */
const SHARED: SerializeOptions = { httpOnly: true, sameSite: "lax" }

/** A checkout takes 30 minutes; its page is shown a little longer. */
const ACCOUNT_SECONDS = 60 * 60
const LANGUAGE_SECONDS = 365 * 24 * 60 * 60
/** Changing a payment method takes a checkout's half hour, and some time on the outcome's page. */
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
