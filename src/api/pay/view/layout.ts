import { localDigits, money } from "../../../i18n/formats"
import { LANGUAGES, type Language } from "../../../i18n/languages"
import { textsOf } from "../../../i18n/translate"
import type { PageItem } from "../../../modules/gateway/checkout/rules"
import type { Environment } from "../../../modules/gateway/kernel/money/clock"
import { type Markup, type Renderable, html } from "../../../modules/gateway/kernel/text/html"
import { type MerchantProfile, contactsOf, logoPath } from "../../../modules/gateway/merchants/profile-rules"
import { SANDBOX_CARDS, SANDBOX_OTP, SANDBOX_PIN } from "../../../modules/gateway/acquirers/sandbox-rules"
import { descriptionIn } from "../../../modules/gateway/plans/rules"
import { PAGE_ICON, PAGE_SCRIPT, PAGE_STYLES, brandStyles } from "../client/assets"
import { cardBrand } from "../form/card-rules"
import { asksForDetails } from "../form/instrument"
import { chosenInstalments } from "./emi"
import { type FormView, ICONS, clockTime, groupedCard } from "./parts"

type TestNotice = { label: string; text: string }

type Layout = {
  language: Language
  title: string
  /** The merchant's name at the top; null when there is no checkout. */
  merchant: string | null
  /** How that merchant presents itself: logo, colour and contact. */
  profile?: MerchantProfile
  /** The target of the language links: the page's own path, or "" for the current address. */
  path: string
  /** What the language links keep of the query; absent: nothing. */
  query?: Readonly<Record<string, string>>
  /** The id of the element that a keyboard user may skip to; null when there is nothing to skip. */
  skipTo: string | null
  /** What the bar over a page of the sandbox says; null: real money, or it is not known whose page it is. */
  test: TestNotice | null
  /** What is kept, and who sees it; absent: what holds of every payment. */
  foot?: string
  /** The address of a further stylesheet; absent: the page needs none. */
  styles?: string
  body: Renderable
}

function languageSwitch(current: Language, { path, query }: Pick<Layout, "path" | "query">): Markup {
  const links = LANGUAGES.map((language) => {
    const name = textsOf("pay", language)("languageName")
    return language === current
      ? html`<li><span lang="${language}" aria-current="true">${name}</span></li>`
      : html`<li><a href="${path}?${String(new URLSearchParams({ ...query, lang: language }))}" lang="${language}" hreflang="${language}">${name}</a></li>`
  })
  return html`<nav aria-label="${textsOf("pay", current)("switchLanguage")}"><ul class="languages">${links}</ul></nav>`
}

function masthead({ merchant, profile, language }: Layout): Markup {
  if (merchant === null) {
    return html`<div class="merchant"><span class="avatar">${ICONS.lock}</span>${textsOf("pay", language)("securePayment")}</div>`
  }
  const logo = profile === undefined ? null : logoPath(profile)
  if (logo !== null) {
    // The name is beside it, so the picture needs no text of its own.
    return html`<div class="merchant"><img class="logo" src="${logo}" alt="" decoding="async"><bdi>${merchant}</bdi></div>`
  }
  const initial = [...merchant.trim()][0]?.toUpperCase() ?? ""
  return html`<div class="merchant"><span class="avatar" aria-hidden="true">${initial}</span><bdi>${merchant}</bdi></div>`
}

/** How to reach the merchant; nothing when it has not said. */
function support({ merchant, profile, language }: Layout): Markup | false {
  const contacts = profile === undefined ? [] : contactsOf(profile)
  const links = contacts.map(({ text, href }) => html` <a href="${href}" rel="noreferrer"><bdi>${text}</bdi></a>`)
  return (
    contacts.length > 0 &&
    html`<p class="support"><span>${textsOf("pay", language)("support", { merchant: merchant ?? "" })}${links}</span></p>`
  )
}

/** The whole document: the same head, masthead and foot around every page, errors included. */
export function document(layout: Layout): Markup {
  const t = textsOf("pay", layout.language)
  const color = layout.profile?.brand_color ?? null
  return html`<!doctype html>
<html lang="${layout.language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${layout.title}</title>
<meta name="robots" content="noindex, nofollow">
<meta name="format-detection" content="telephone=no">
<link rel="icon" href="${PAGE_ICON.url}" type="image/svg+xml">
<link rel="stylesheet" href="${PAGE_STYLES.url}">
${color !== null && html`<link rel="stylesheet" href="${brandStyles(color).url}">`}
${layout.styles !== undefined && html`<link rel="stylesheet" href="${layout.styles}">`}
<script src="${PAGE_SCRIPT.url}" defer></script>
</head>
<body>
${layout.skipTo !== null && html`<a class="skip" href="#${layout.skipTo}">${t("skipToPayment")}</a>`}
${layout.test !== null && html`<aside class="test-bar" aria-label="${layout.test.label}"><strong>${layout.test.label}</strong> ${layout.test.text}</aside>`}
<header class="top">${masthead(layout)}${languageSwitch(layout.language, layout)}</header>
<main>
${layout.body}
</main>
<footer class="foot"><p>${ICONS.lock}<span>${layout.foot ?? t("footer")}</span></p>${support(layout)}</footer>
<div id="announcements" class="hidden" aria-live="polite" data-offline="${t("offline")}"></div>
</body>
</html>
`
}

const ITEMS_SHOWN = 3

/** Whole seconds until the checkout expires, on the merchant's clock. */
function secondsLeft(page: { now: Date; expires_at: Date }): number {
  return Math.max(0, Math.floor((page.expires_at.getTime() - page.now.getTime()) / 1000))
}

function item(view: FormView, { quantity, unit_price_minor, total_minor, ...entry }: PageItem): Markup {
  const { page, t, language } = view
  const name = entry.is_delivery ? t("delivery", { name: entry.name }) : entry.name
  const amount = (minor: number) => money(minor, page.currency, language)
  const count = localDigits(String(quantity), language)
  const each = unit_price_minor === null ? t("quantity", { number: count }) : `${count} × ${amount(unit_price_minor)}`
  return html`<li class="item"><span class="item-name"><bdi>${name === "" ? "–" : name}</bdi></span><span class="item-price">${total_minor !== null && amount(total_minor)}</span>${quantity !== 1 && html`<span class="item-quantity">${each}</span>`}</li>`
}

function items(view: FormView): Markup {
  const all = view.page.items
  const shown = all.length > ITEMS_SHOWN + 1 ? all.slice(0, ITEMS_SHOWN) : all
  const rest = all.slice(shown.length)
  const more = view.t("moreItems", { number: localDigits(String(rest.length), view.language) })
  return html`<div class="items"><h2>${view.t("orderSummary")}</h2>
<ul>${shown.map((entry) => item(view, entry))}</ul>
${rest.length > 0 && html`<details><summary>${more}</summary><ul>${rest.map((entry) => item(view, entry))}</ul></details>`}
</div>`
}

function timeLeft({ page, t, language }: FormView): Markup {
  const seconds = secondsLeft(page)
  const minutes = Math.floor(seconds / 60)
  const text =
    minutes === 0 ? t("lessThanAMinute") : t("timeLeftMinutes", { minutes: localDigits(String(minutes), language) })
  return html`<p class="time" data-seconds="${seconds}" data-announce="${t("timeAnnouncement")}" data-over="${t("timeOver")}">${ICONS.clock}<span>${t("timeLeft")} <b title="${clockTime(seconds, language)}">${text}</b></span></p>`
}

/** Of an order that is paid at the door: this is its advance, and the rest is still to come. */
function cashNotice({ page, t, language }: FormView): Markup | false {
  const { in_cash_minor, amount_minor, currency } = page
  if (in_cash_minor === null || in_cash_minor === 0) {
    return false
  }
  const [now, later] = [amount_minor, in_cash_minor].map((minor) => money(minor, currency, language))
  return html`<p class="description">${t("cash", { now, later })}</p>`
}

/**
 * Merchant, amount and the time left; what is in the order is folded away where it would push the form off the first
 * screen. A wide screen shows it always, which the stylesheet does. Without items, the description says what is paid for.
 */
export function summary(view: FormView): Markup {
  const { page, t, language } = view
  const text = descriptionIn(page, language)
  const description = text && html`<p class="description"><bdi>${text}</bdi></p>`
  const hasItems = page.items.length > 0
  const number = !page.verifies && html`<p class="order">${t("orderNumber")} <bdi>${page.order_number}</bdi></p>`
  return html`<section class="panel summary">
<h1><span class="label"><bdi>${t(page.verifies ? "verify.label" : "payTo", { merchant: page.merchant_name })}</bdi></span> <span class="summary-amount">${money(page.amount_minor, page.currency, language)}</span></h1>
${page.verifies && html`<p class="description">${t("verify.notice", { amount: money(page.amount_minor, page.currency, language) })}</p>`}
${cashNotice(view)}
${chosenInstalments(view)}
${timeLeft(view)}
${!hasItems && description}
${
  (hasItems || number) &&
  html`<details class="fold"><summary>${t("orderSummary")}</summary>
${hasItems && items(view)}
${hasItems && description}
${number}
</details>`
}
</section>`
}

type Card = (typeof SANDBOX_CARDS)[number]

/** The scheme is named where cards differ by nothing else; beside an outcome it would only take room on a phone. */
function outcome(card: Card, t: FormView["t"]): string {
  if (card.refund !== "standard") {
    return t(`testRefunds.${card.refund}`)
  }
  const text = t(`testOutcomes.${card.outcome}`)
  return card.outcome === "SUCCESS" ? `${text} · ${cardBrand(card.number)}` : text
}

/** With the script the button fills the form in; without it the number beside it is read off. */
function testCard(card: Card, t: FormView["t"]): Markup {
  const number = groupedCard(card.number)
  return html`<li><button type="button" class="number" data-card="${card.number}" aria-label="${t("useCard", { number })}" hidden>${number}</button><span class="number">${number}</span><span>${outcome(card, t)}</span></li>`
}

/** What the bar over a page of this environment says: that no money moves. */
export function testNotice(environment: Environment, language: Language): TestNotice | null {
  const t = textsOf("pay", language)
  return environment === "sandbox" ? { label: t("testMode"), text: t("testModeText") } : null
}

/** Lists everything needed to try each outcome; null where nothing is entered on this page. */
export function testData({ page, t }: FormView): Markup | null {
  const kinds = page.methods.filter(({ services }) => asksForDetails(page, services)).map(({ kind }) => kind)
  const other = kinds.includes("internet_banking") || kinds.includes("wallet")
  const cards = html`<h2>${t("testCards")}</h2><ul class="test-cards">${SANDBOX_CARDS.map((card) => testCard(card, t))}</ul>`
  return kinds.length === 0
    ? null
    : html`<aside class="ribbon" aria-label="${t("showTestData")}"><details id="test-data"><summary>${t("showTestData")}</summary><div class="test-data">
${kinds.includes("card") && cards}
${kinds.includes("mobile_banking") && html`<p>${t("testMobile", { otp: SANDBOX_OTP, pin: SANDBOX_PIN })}</p>`}
${other && html`<p>${t("testOther")}</p>`}
</div></details></aside>`
}

/** The notice's id: it describes the button. */
export const VERIFICATION_NOTICE = "verification"

/** States, above the button, what the new method is kept for; that it costs nothing stands at the top of the page. */
export function verificationNotice({ page, t }: FormView): Markup | false {
  return (
    page.verifies &&
    html`<div class="renewal" id="${VERIFICATION_NOTICE}"><p class="renewal-title">${ICONS.renew}${t("verify.title")}</p>
<p><bdi>${t("verify.then", { merchant: page.merchant_name })}</bdi></p></div>`
  )
}
