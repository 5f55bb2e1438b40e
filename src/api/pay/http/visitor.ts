import type { MedusaRequest } from "@medusajs/framework/http"
import type { Language } from "../../../i18n/languages"
import { addressOf } from "../../v2-kit/address"
import { publicUrlOf } from "../../v2-kit/endpoint"
import { chooseLanguage, isLanguage } from "./language"
import { readCookies } from "./cookies"
import { csrfCookieName, isVisitorSecret, newVisitorSecret } from "./csrf"
import { gatewayOf } from "./gateway"

/** Who asks and how, read once from the request; nothing here is trusted to identify anybody. */
export type Visitor = {
  language: Language
  /** Set when the shopper has just chosen the language, so that it is remembered. */
  chosenLanguage: Language | null
  /** The random value of the CSRF cookie; `isNew` when the browser did not send one. */
  secret: string
  isNew: boolean
  /** Whether the shopper's browser speaks https with us. */
  secure: boolean
  production: boolean
  /** The client's address, by which it is counted. */
  address: string
  /** Where this deployment is reached, without a slash at the end. */
  publicUrl: string
}

/** One query parameter; repeated or nested ones count as absent. */
export function queryValue(req: MedusaRequest, name: string): string | null {
  const values = new URLSearchParams(req.originalUrl.split("?")[1] ?? "").getAll(name)
  return values.length === 1 ? values[0] : null
}

export function visitorOf(req: MedusaRequest): Visitor {
  const gateway = gatewayOf(req.scope)
  // Configured, or the request's own: Express then believes the nearest proxy, and who forges its header only gets
  // cookies that do not work for them.
  const publicUrl = publicUrlOf(gateway, req)
  const secure = publicUrl.startsWith("https://")
  const cookies = readCookies(req.headers.cookie)
  const query = queryValue(req, "lang")
  const sent = cookies.get(csrfCookieName(secure))
  const known = sent !== undefined && isVisitorSecret(sent)
  return {
    language: chooseLanguage({
      query,
      cookie: cookies.get("gateway_lang"),
      header: req.headers["accept-language"],
    }),
    chosenLanguage: isLanguage(query) ? query : null,
    secret: known ? sent : newVisitorSecret(),
    isNew: !known,
    secure,
    address: addressOf(gateway, req),
    publicUrl,
    production: gateway.options.environment === "production" || process.env.NODE_ENV === "production",
  }
}
