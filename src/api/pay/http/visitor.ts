import type { MedusaRequest } from "@medusajs/framework/http"
import type { Language } from "../../../i18n/languages"
import { addressOf } from "../../v2-kit/address"
import { publicUrlOf } from "../../v2-kit/endpoint"
import { fromAcceptLanguage, isLanguage, ownLanguage } from "./language"
import { accountCookieName, readCookies, type PagesRoot } from "./cookies"
import { csrfCookieName, isVisitorSecret, newVisitorSecret } from "./csrf"
import { gatewayOf } from "./gateway"

/** The visitor's settings, read once from the request; nothing here identifies anybody. */
export type Visitor = {
  language: Language
  /** Whether the shopper has chosen it, now or on an earlier page; otherwise the shop's language goes first. */
  isOwnLanguage: boolean
  /** Set when the shopper has just chosen the language, so that a cookie remembers it. */
  chosenLanguage: Language | null
  /** The random value of the CSRF cookie; `isNew` when the browser did not send one. */
  secret: string
  isNew: boolean
  /** What this browser got for a customer's proof; null: nothing. It is valid for one checkout only. */
  accountKey: string | null
  /** Whether the shopper's browser uses https. */
  secure: boolean
  production: boolean
  /** The client's address, for rate limits. */
  address: string
  /** The part of the store that the page belongs to: cookies are kept for it. */
  root: PagesRoot
  /** The public address of this deployment, without a trailing slash. */
  publicUrl: string
}

/** One query parameter; repeated or nested ones count as absent. */
export function queryValue(req: MedusaRequest, name: string): string | null {
  const values = new URLSearchParams(req.originalUrl.split("?")[1] ?? "").getAll(name)
  return values.length === 1 ? values[0] : null
}

export function visitorOf(req: MedusaRequest): Visitor {
  const gateway = gatewayOf(req.scope)
  // The configured address, or the request's own. Express then believes the nearest proxy; forging its header only
  // yields cookies that do not work for the forger.
  const publicUrl = publicUrlOf(gateway, req)
  const secure = publicUrl.startsWith("https://")
  const cookies = readCookies(req.headers.cookie)
  const query = queryValue(req, "lang")
  const own = ownLanguage({ query, cookie: cookies.get("gateway_lang") })
  const sent = cookies.get(csrfCookieName(secure))
  const known = sent !== undefined && isVisitorSecret(sent)
  return {
    language: own ?? fromAcceptLanguage(req.headers["accept-language"]),
    isOwnLanguage: own !== null,
    chosenLanguage: isLanguage(query) ? query : null,
    secret: known ? sent : newVisitorSecret(),
    isNew: !known,
    accountKey: cookies.get(accountCookieName(secure)) ?? null,
    secure,
    address: addressOf(gateway, req),
    root: /^\/portal(?:[/?]|$)/.test(req.originalUrl) ? "/portal" : "/pay",
    publicUrl,
    production: gateway.options.environment === "production" || process.env.NODE_ENV === "production",
  }
}
