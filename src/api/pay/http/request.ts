import type { IncomingMessage } from "node:http"
import { LANGUAGES, type Language } from "../../../i18n/languages"
import type { CheckoutPage } from "../../../modules/gateway/checkout/page"
import { returnOrigins } from "../../../providers/gateway-payment/checkout-request"
import { type PageRequest, gatewayOf, queryValue } from "../../page-kit/request"
import { type Deployment, addressOf, deploymentOf } from "../../v2-kit/target"
import { BodyError, readBytes } from "../../v2-kit/body"
import { type FormFields, MAX_FORM_BYTES, MalformedForm, parseForm } from "../form/fields"
import {
  type PagesRoot,
  accountCookieName,
  csrfCookieName,
  isVisitorSecret,
  newVisitorSecret,
  readCookies,
  receiptCookieName,
} from "./csrf"

/**
 * Reads and parses a posted form that must arrive within `seconds`. The routes switch Medusa's parsers off
 * (middlewares-config.ts): their errors would be answered as JSON. Errors: MalformedForm, and BodyError for one that is
 * too large or too slow.
 */
export async function readForm(req: IncomingMessage, seconds: number): Promise<FormFields> {
  const [type, ...parameters] = (req.headers["content-type"] ?? "").toLowerCase().split(";")
  const charset = parameters.map((parameter) => parameter.trim()).find((parameter) => parameter.startsWith("charset="))
  if (type.trim() !== "application/x-www-form-urlencoded" || (charset ?? "charset=utf-8") !== "charset=utf-8") {
    throw new MalformedForm("not a form")
  }
  if ((req.headers["content-encoding"] ?? "identity") !== "identity") {
    throw new MalformedForm("a form is never compressed")
  }
  return parseForm(await readBody(req, seconds))
}

async function readBody(req: IncomingMessage, seconds: number): Promise<Buffer> {
  // A body that earlier code has consumed never emits its end: waiting for it would hang the request.
  if (req.readableEnded) {
    throw new MalformedForm("the body has been read already")
  }
  try {
    return await readBytes(req, { maxBytes: MAX_FORM_BYTES, seconds })
  } catch (error) {
    throw error instanceof BodyError && error.problem === "cut_short"
      ? new MalformedForm("the body ended early")
      : error
  }
}

const MAX_HEADER_LENGTH = 500

function isLanguage(value: unknown): value is Language {
  return LANGUAGES.some((known) => known === value)
}

/** The best of our languages by the header's weights; English when it contains neither. */
export function fromAcceptLanguage(header: string | undefined): Language {
  let best: Language = "en"
  let bestWeight = 0
  for (const range of (header ?? "").slice(0, MAX_HEADER_LENGTH).split(",")) {
    const [tag, ...parameters] = range.trim().toLowerCase().split(";")
    const primary = tag.trim().split("-")[0]
    const weight = weightOf(parameters)
    if (isLanguage(primary) && weight > bestWeight) {
      best = primary
      bestWeight = weight
    }
  }
  return best
}

function weightOf(parameters: string[]): number {
  const quality = parameters.map((parameter) => parameter.trim()).find((parameter) => parameter.startsWith("q="))
  if (quality === undefined) {
    return 1
  }
  const weight = Number(quality.slice(2))
  return Number.isFinite(weight) ? weight : 0
}

/** What the shopper has chosen, now or on an earlier page; null: nothing. */
export function ownLanguage({ query, cookie }: { query?: string | null; cookie?: string }): Language | null {
  return [query, cookie].find(isLanguage) ?? null
}

/** Reads one checkout. Errors: SESSION_NOT_FOUND. */
export type LoadPage = (sessionId: string) => Promise<CheckoutPage>

/** Reads checkouts through the gateway module; nothing under /pay touches its tables. `accountKey`: the browser's. */
export function pageLoader(request: PageRequest, accountKey: string | null = null): LoadPage {
  const { checkoutPages } = gatewayOf(request)
  return (sessionId) => checkoutPages.page(sessionId, accountKey)
}

/**
 * Whether a form was posted from a page of one of this store's storefronts. Otherwise somebody could make a stranger's
 * browser use, and save a card to, an account that is not the stranger's. A page that hides its origin (`Origin: null`)
 * does not count.
 */
export function isStorefront(req: PageRequest): boolean {
  const { storeCors } = req.gatewayPage.services
  const { publicUrl, returnOrigins: extra } = gatewayOf(req).options
  const origin = req.headers.origin
  return (
    origin !== undefined &&
    returnOrigins({ storeCors, publicUrl, extra }).some((allowed) =>
      typeof allowed === "string" ? allowed === origin : allowed.test(origin)
    )
  )
}

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
  /** What this browser got when it paid; it is valid for that attempt only. */
  receiptKey: string | null
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
    receiptKey: cookies[receiptCookieName(secure)] ?? null,
    ...deployment,
    address: addressOf(gateway, req),
    root: /^\/portal(?:[/?]|$)/.test(req.gatewayPage.target) ? "/portal" : "/pay",
  }
}
