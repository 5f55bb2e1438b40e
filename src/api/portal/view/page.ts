import type { Language } from "../../../i18n/languages"
import { textsOf } from "../../../i18n/translate"
import type { Environment } from "../../../modules/gateway/kernel/money/clock"
import { type Markup, type Renderable, html } from "../../../modules/gateway/kernel/text/html"
import { type StoredProfile, profileOf } from "../../../modules/gateway/merchants/profile-rules"
import type { FoundSession, PortalSession } from "../../../modules/gateway/portal/records"
import { PORTAL_PAGE_STYLES } from "../../pay/client/assets"
import { document, testNotice } from "../../pay/view/layout"
import type { Visitor } from "../../pay/http/request"

/** A request of the customer whose link it is. `path`: the overview; `csrf`: the token of this page's forms. */
export type PortalVisit = { session: FoundSession; token: string; visitor: Visitor; path: string; csrf: string }

/** What a redirect may say that has just been done. */
export const NOTICES = [
  "paused",
  "resumed",
  "cancelled",
  "uncancelled",
  "switched",
  "scheduled",
  "kept",
  "removed",
  "changed",
  "unchanged",
  "confirming",
] as const
export type Notice = (typeof NOTICES)[number]

/** Nothing was done, or it is not done yet. */
const CALM: readonly Notice[] = ["unchanged", "confirming"]

export type ShownMerchant = { name: string; profile: StoredProfile; environment: Environment }

export type PortalLayout = {
  language: Language
  /** Whose portal it is; null when the merchant is not known. */
  merchant: ShownMerchant | null
  title: string
  /** The target of the language links; "": the current address. */
  path: string
  foot?: string
  body: Renderable
}

/**
 * Every page of the portal goes through here: what the merchant's masthead shows (name, logo, colour) is the layout's to
 * draw, for these pages as for the payment page.
 */
export function portalDocument({ language, merchant, title, path, foot, body }: PortalLayout): Markup {
  return document({
    language,
    title: merchant === null ? title : `${title} – ${merchant.name}`,
    merchant: merchant?.name ?? null,
    profile: merchant === null ? undefined : profileOf(merchant.profile),
    test: merchant === null ? null : testNotice(merchant.environment, language),
    path,
    skipTo: null,
    foot: foot ?? textsOf("portal", language)("login.footer"),
    styles: PORTAL_PAGE_STYLES.url,
    body,
  })
}

/** The merchant of a link, as its pages show it. */
export function merchantOf({ merchant_name, merchant_profile, environment }: PortalSession): ShownMerchant {
  return { name: merchant_name, profile: merchant_profile, environment }
}

/** A page of a link that works. `at`: the page's own path. */
export function ownPage(
  { session, visitor }: PortalVisit,
  { title, at, body }: { title: string; at: string; body: Renderable }
): Markup {
  const { language } = visitor
  return portalDocument({
    language,
    merchant: merchantOf(session),
    title,
    path: at,
    foot: textsOf("portal", language)("footer"),
    body,
  })
}

export function noticeBox(notice: Notice | null, language: Language): Markup | false {
  const tone = notice !== null && CALM.includes(notice) ? "calm" : "good"
  return (
    notice !== null &&
    html`<p class="notice ${tone}" role="status">${textsOf("portal", language)(`notices.${notice}`)}</p>`
  )
}

export function backToOverview({ path, visitor }: PortalVisit): Markup {
  return html`<p class="back"><a href="${path}">${textsOf("portal", visitor.language)("overview")}</a></p>`
}

/** A form with one button: `fields` are hidden, `shown` are the others. */
export function buttonForm(
  { csrf }: PortalVisit,
  {
    action,
    label,
    className,
    fields = {},
    shown,
  }: { action: string; label: string; className: string; fields?: Record<string, string>; shown?: Markup }
): Markup {
  const hidden = Object.entries({ csrf_token: csrf, ...fields }).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`
  )
  return html`<form method="post" action="${action}">${hidden}${shown}<button class="${className}" type="submit">${label}</button></form>`
}
