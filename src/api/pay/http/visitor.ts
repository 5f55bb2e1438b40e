import { gatewayOf, queryValue, type PageRequest } from "../../page-kit/request"
import type { Language } from "../../../i18n/languages"
import { addressOf, deploymentOf, type Deployment } from "../../v2-kit/address"
import { fromAcceptLanguage, isLanguage, ownLanguage } from "./language"
import { accountCookieName, readCookies, type PagesRoot } from "./cookies"
import { csrfCookieName, isVisitorSecret, newVisitorSecret } from "./csrf"

/** The visitor's settings, read once from the request; nothing here identifies anybody. */
export type Visitor = Deployment & {
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
  /** The client's address, for rate limits. */
  address: string
  /** The part of the store that the page belongs to: cookies are kept for it. */
  root: PagesRoot
}

export function visitorOf(req: PageRequest): Visitor {
  const gateway = gatewayOf(req)
  const deployment = deploymentOf(gateway, req)
  const { secure } = deployment
  const cookies = readCookies(req.headers.cookie)
  const query = queryValue(req, "lang")
  const own = ownLanguage({ query, cookie: cookies.gateway_lang })
  const sent = cookies[csrfCookieName(secure)]
  const known = sent !== undefined && isVisitorSecret(sent)
  return {
    language: own ?? fromAcceptLanguage(req.headers["accept-language"]),
    isOwnLanguage: own !== null,
    chosenLanguage: isLanguage(query) ? query : null,
    secret: known ? sent : newVisitorSecret(),
    isNew: !known,
    accountKey: cookies[accountCookieName(secure)] ?? null,
    ...deployment,
    address: addressOf(gateway, req),
    root: /^\/portal(?:[/?]|$)/.test(req.gatewayPage.target) ? "/portal" : "/pay",
  }
}
