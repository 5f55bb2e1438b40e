import type { Language } from "../../../i18n/languages"
import { textsOf } from "../../../i18n/translate"
import type { pay } from "../../../i18n/en/pay"
import { paymentsOf, type EmiPlan } from "../../../modules/gateway/emi/plan"
import type { CheckoutPage } from "../../../modules/gateway/checkout/page"
import { localDateTime, localDigits, money, taka } from "../../../i18n/formats"
import { ICONS, declineText, providerName, sessionPath } from "./parts"
import { html, type Markup, type Renderable } from "../../../modules/gateway/kernel/text/html"
import { shopName } from "../../../modules/gateway/merchants/profile-rules"
import { document, testNotice } from "./layout"

/** Pages that are not the payment form; each has its own words. */
type StatusKind = keyof typeof pay.status
type Tone = "good" | "bad" | "calm"

const LOOKS: Readonly<Record<StatusKind, { tone: Tone; mark: Markup }>> = {
  paid: { tone: "good", mark: ICONS.done },
  authorized: { tone: "good", mark: ICONS.done },
  refunded: { tone: "calm", mark: ICONS.back },
  failed: { tone: "bad", mark: ICONS.cross },
  givenBack: { tone: "calm", mark: ICONS.back },
  cancelled: { tone: "calm", mark: ICONS.cross },
  expired: { tone: "calm", mark: ICONS.clock },
  atAcquirer: { tone: "calm", mark: ICONS.clock },
  processing: { tone: "good", mark: html`<span class="spinner"></span>` },
  held: { tone: "calm", mark: ICONS.clock },
  leftBehind: { tone: "calm", mark: ICONS.warning },
  paidInstead: { tone: "good", mark: ICONS.done },
  cartChanged: { tone: "bad", mark: ICONS.warning },
  orderChanged: { tone: "calm", mark: ICONS.warning },
  notNeeded: { tone: "calm", mark: ICONS.warning },
  subscriptionChanged: { tone: "calm", mark: ICONS.warning },
  busy: { tone: "calm", mark: ICONS.clock },
  outOfStock: { tone: "calm", mark: ICONS.warning },
  notSold: { tone: "calm", mark: ICONS.warning },
  unavailable: { tone: "calm", mark: ICONS.warning },
  unknown: { tone: "calm", mark: ICONS.warning },
  forbidden: { tone: "bad", mark: ICONS.warning },
  malformed: { tone: "bad", mark: ICONS.warning },
  tooLarge: { tone: "bad", mark: ICONS.warning },
  tooSlow: { tone: "bad", mark: ICONS.warning },
  wrongMethod: { tone: "calm", mark: ICONS.warning },
  tooMany: { tone: "calm", mark: ICONS.clock },
  tooManyCards: { tone: "bad", mark: ICONS.clock },
  broken: { tone: "bad", mark: ICONS.warning },
}

const row = (name: string, text: string) => html`<div><dt>${name}</dt><dd><bdi>${text}</bdi></dd></div>`
/** An amount is never broken at the end of a line. */
const amountRow = (name: string, text: string) => html`<div><dt>${name}</dt><dd class="amount">${text}</dd></div>`

function facts(page: CheckoutPage, language: Language): Markup {
  const t = textsOf("pay", language)
  const { paid, plan, currency } = page
  return html`<dl class="facts">${amountRow(t("amount"), money(page.amount_minor, currency, language))}
${plan !== null && instalments(plan, language)}
${paid !== null && paid.refunded_minor > 0 && amountRow(t("refund"), money(paid.refunded_minor, currency, language))}
${paid !== null && row(t("paidOn"), localDateTime(paid.at, language, page.time_zone))}
${row(t("orderNumber"), page.left_behind?.paid?.order_number ?? page.order_number)}</dl>
<details class="details"><summary>${t("details")}</summary><dl class="facts">${page.order_number !== page.order_id && row(t("reference"), page.order_id)}
${row(t("transaction"), page.transaction_id)}</dl></details>`
}

/** What the customer pays to the bank, and when. */
function instalments(plan: EmiPlan, language: Language): Markup {
  const t = textsOf("pay", language)
  const { bank_name: bank, tenure_months } = plan
  const { first_minor, monthly_minor, with_fee_minor } = paymentsOf(plan)
  const first = t(plan.fee_minor > 0 ? "emi.first" : "emi.firstOnly")
  const number = localDigits(String(tenure_months), language)
  return html`${row(t("emi.plan"), t("emi.withBank", { number, bank }))}
${amountRow(first, taka(first_minor, language))}
${amountRow(t("emi.monthly"), taka(monthly_minor, language))}
${amountRow(t("emi.inAll"), taka(with_fee_minor, language))}`
}

function shell(
  kind: StatusKind,
  language: Language,
  page: CheckoutPage | null,
  path: string,
  rest: Renderable
): Markup {
  const t = textsOf("pay", language)
  const provider = page === null ? "" : providerName(page, language)
  const [title, text] = [t(`status.${kind}.title`, { provider }), t(`status.${kind}.text`)]
  const merchant = page && shopName(page.merchant_name, page.profile, language)
  const reason = kind === "failed" && page?.error_code ? declineText(page, page.error_code, language) : undefined
  const { tone, mark } = LOOKS[kind]
  return document({
    language,
    title: merchant === null ? title : `${title} – ${merchant}`,
    merchant,
    profile: page?.profile,
    path,
    skipTo: null,
    test: page === null ? null : testNotice(page.environment, language),
    body: html`<div class="panel status ${tone}"><div class="status-mark">${mark}</div>
<h1>${title}</h1>
${reason !== undefined && html`<p class="reason">${reason}</p>`}
<p>${text}</p>
${page !== null && facts(page, language)}
${rest}</div>`,
  })
}

function link(href: string, text: string, className: string): Markup {
  return html`<a class="${className}" href="${href}" rel="noreferrer"><bdi>${text}</bdi></a>`
}

/** The link back to the shop; none for a checkout that returns to its own page. */
function wayBack(page: CheckoutPage, language: Language, returnUrl: string, className = "button"): Markup | false {
  const leadsNowhere = new URL(returnUrl, "http://page").pathname === sessionPath(page)
  const merchant = shopName(page.merchant_name, page.profile, language)
  return !leadsNowhere && link(returnUrl, textsOf("pay", language)("returnToShop", { merchant }), className)
}

/** A checkout that cannot be paid (any more), with the link back to the shop. */
export function checkoutStatusPage(
  kind:
    | "paid"
    | "authorized"
    | "failed"
    | "givenBack"
    | "cancelled"
    | "expired"
    | "refunded"
    | "leftBehind"
    | "paidInstead"
    | "unavailable",
  input: { page: CheckoutPage; language: Language; returnUrl: string }
): Markup {
  const { page, language, returnUrl } = input
  return shell(kind, language, page, sessionPath(page), wayBack(page, language, returnUrl))
}

/**
 * An attempt whose outcome is not known yet; the Refresh header makes the browser poll. While the shopper may still pay
 * on the acquirer's page, the way back to it, and the way to pay otherwise.
 */
export function processingPage(input: {
  page: CheckoutPage
  language: Language
  token: string
  checkUrl: string
  returnUrl: string
}): Markup {
  const { page, language, checkUrl, returnUrl, token } = input
  const t = textsOf("pay", language)
  if (page.acquirer_url !== null) {
    const otherwise = html`<form class="cancel" method="post" action="${sessionPath(page)}/leave">
<input type="hidden" name="csrf_token" value="${token}">
<button type="submit">${t("payOtherwise")}</button>
</form>`
    return shell(
      "atAcquirer",
      language,
      page,
      sessionPath(page),
      html`${link(page.acquirer_url, t("continueThere", { provider: providerName(page, language) }), "button")}${link(checkUrl, t("checkAgain"), "button quiet")}${otherwise}`
    )
  }
  return shell(
    page.held ? "held" : "processing",
    language,
    page,
    sessionPath(page),
    html`${link(checkUrl, t("checkAgain"), "button")}${wayBack(page, language, returnUrl, "button quiet")}`
  )
}

/** Why a checkout that is still open was not paid; a changed cart has ended its checkout. */
export type Untried =
  "cartChanged" | "orderChanged" | "notNeeded" | "subscriptionChanged" | "busy" | "outOfStock" | "notSold"

/** Refusals that pass: the shopper may press Pay again later. */
const PASSING: readonly Untried[] = ["busy", "outOfStock"]

/** Nothing was tried; the page says why, and leads back to the payment where it may succeed later. */
export function untriedPage(
  kind: Untried,
  input: { page: CheckoutPage; language: Language; returnUrl: string }
): Markup {
  const { page, language, returnUrl } = input
  const path = sessionPath(page)
  const again = PASSING.includes(kind) && link(path, textsOf("pay", language)("tryAgain"), "button")
  const back = wayBack(page, language, returnUrl, again ? "button quiet" : "button")
  return shell(kind, language, page, path, html`${again}${back}`)
}

/** Any other error. `path` is the checkout's page, or null when there is no such checkout. */
export function problemPage(
  kind: "unknown" | "forbidden" | "malformed" | "tooLarge" | "tooSlow" | "wrongMethod" | "broken",
  input: { language: Language; path: string | null }
): Markup {
  const { language, path } = input
  const t = textsOf("pay", language)
  const label = t(kind === "broken" ? "checkAgain" : "tryAgain")
  const back = html`<button type="button" class="button quiet" data-back hidden>${t("goBack")}</button>`
  return shell(kind, language, null, path ?? "", path === null ? back : link(path, label, "button"))
}

/** Refused for now. `path` is the page to try again; null: the page the browser is on. */
export function waitPage(
  kind: "tooMany" | "tooManyCards",
  input: { language: Language; path: string | null; seconds: number }
): Markup {
  const { language, path, seconds } = input
  const t = textsOf("pay", language)
  const minutes = Math.ceil(seconds / 60)
  const digits = (count: number) => localDigits(String(count), language)
  const when =
    seconds < 100
      ? t("waitSeconds", { count: seconds, number: digits(seconds) })
      : t("waitMinutes", { count: minutes, number: digits(minutes) })
  const back = html`<button type="button" class="button quiet" data-back hidden>${t("goBack")}</button>`
  return shell(
    kind,
    language,
    null,
    path ?? "",
    html`<p class="reason">${when}</p>${path === null ? back : link(path, t("tryAgain"), "button")}`
  )
}
